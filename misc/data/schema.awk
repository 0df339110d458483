# SPDX-License-Identifier: GPL-2.0-only
#
# schema.awk - JSON Schema files from the tables of doc/output.md
#
#	awk -f schema.awk -v dir=DIRECTORY output.md
#
# makes DIRECTORY/NAME.json for each section "## NAME" with such a table, of its
# document, and NAME-line.json, of a line of --json-lines. Prints the names.
#
# A table counts if one of the first two headings begins with "key". What follows
# there in backticks, `mappings[]`, is what the keys are members of; a name that
# begins with "-" is no member of the document. These are rows if the heading says
# so, or if it is the second one, after that of a column. A cell has one key or
# several; ".key" is a member of the first name of the last full key, and a
# further ".key" in one cell of what the cell's first one is in. `key[]` is the
# elements of an array. The next cell has their type, or one for each. "members of
# NAME" as a key are those of another section.

function fail(why)
{
	print "schema.awk: " FILENAME ": " FNR ": " why >"/dev/stderr"
	failed = 1
	exit 1
}

function trim(text)
{
	gsub(/^[ \t]+|[ \t]+$/, "", text)
	return text
}

# ---------------------------------------------------------------- the tables

# PATH of SECTION, and the objects and arrays that it is in.
function note(section, path, type, in_of,   at)
{
	at = section SUBSEP path
	if (!(at in types)) {
		types[at] = type
		in_of = path
		if (sub(/\[\]$/, "", in_of))
			note(section, in_of, "")
		else if (sub(/\.[^.]*$/, "", in_of))
			note(section, in_of, "")
		else
			in_of = ""
		children[section, in_of] = children[section, in_of] path "\n"
	} else if (type != "") {
		if (types[at] != "" && types[at] != type &&
		    types[at] != type " or null" && type != types[at] " or null")
			fail(path " has two types")
		if (types[at] !~ / or null$/)
			types[at] = type
	}
}

function in_backticks(text, names,   n)
{
	n = 0
	while (match(text, /`[^`]*`/)) {
		names[++n] = substr(text, RSTART + 1, RLENGTH - 2)
		text = substr(text, RSTART + RLENGTH)
	}
	return n
}

# "array" of `key[]` is meant of all of them, "strings" of each.
function add(path, type,   i)
{
	if (path ~ /\[\]$/ && type ~ /^array/)
		path = substr(path, 1, length(path) - 2)
	else if (path ~ /\[\]$/ && type == "strings")
		type = "string"
	if (!nr_prefixes)
		note(name, path, type)
	for (i = 1; i <= nr_prefixes; i++)
		note(name, prefixes[i] "." path, type)
}

function row(keys, kinds,   names, parts, n, m, i, parent, key)
{
	if (keys ~ /^members of /) {
		sub(/^members of /, "", keys)
		includes[name] = keys
		return
	}
	n = in_backticks(keys, names)
	m = split(kinds, parts, / *, */)
	if (!n || (m != 1 && m != n))
		fail("not a key and a type: " keys " | " kinds)
	for (i = 1; i <= n; i++) {
		key = names[i]
		if (key ~ /^\./)
			key = (i == 1 ? root : parent) key
		else
			root = key
		sub(/\..*/, "", root)
		if (i == 1) {
			parent = key
			sub(/\.[^.]*$/, "", parent)
		}
		add(key, trim(parts[m == 1 ? 1 : i]))
	}
}

function heading(cells, n,   i, at)
{
	column = 0
	for (i = 2; i <= 3 && i < n; i++)
		if (trim(cells[i]) ~ /^key/)
			column = i
	if (!column)
		return
	nr_prefixes = in_backticks(cells[column], prefixes)
	for (i = 1; i <= nr_prefixes; i++) {
		at = name SUBSEP prefixes[i]
		if (!(at in is_row) && (column == 3 || cells[2] ~ /rows/)) {
			is_row[at] = 1
			rows[name] = rows[name] prefixes[i] "\n"
		}
	}
	used[name] = 1
}

/^## / {
	name = substr($0, 4)
	sub(/^JSON: .*/, "common", name)
	gsub(/ /, "-", name)
	if (!(name in seen) && name != "Common")
		order[++nr_names] = name
	seen[name] = 1
}

/^\|/ {
	n = split($0, cells, /\|/)
	if (!in_table)
		heading(cells, n)
	else if (column && $0 !~ /^\|[- |]*$/)
		row(trim(cells[column]), trim(cells[column + 1]))
	in_table = 1
	next
}

{ in_table = 0 }

# --------------------------------------------------------------- the schemas

function quoted(word)
{
	return "\"" word "\""
}

# Of a type's words, without its members; "" if an object or array is described.
function plain(type, null,   kind)
{
	if (type == "time")
		return "\"type\":" (null ? "[\"string\",\"null\"]" : "\"string\"") \
			",\"pattern\":\"^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T" \
			"[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z$\""
	if (type == "strings")
		return "\"type\":\"array\",\"items\":{\"type\":\"string\"}"
	if (type == "any")
		return ""
	kind = type == "records" ? "object" : type
	if (kind !~ /^(null|string|number|boolean|object|array)$/)
		fail("unknown type: " type)
	return "\"type\":" (null ? "[" quoted(kind) ",\"null\"]" : quoted(kind))
}

# The members of PATH, which is an object.
function members(section, path,   list, n, i, out, key)
{
	n = split(children[section, path], list, "\n") - 1
	out = ""
	for (i = 1; i <= n; i++) {
		if (list[i] ~ /^-/)
			continue
		key = list[i]
		sub(/.*\./, "", key)
		out = out (out == "" ? "" : ",\n") quoted(key) ":" \
			value(section, list[i])
	}
	return out
}

function value(section, path,   type, null, has, out)
{
	type = types[section, path]
	null = sub(/ or null$/, "", type)
	has = children[section, path] != ""
	if (type == "")
		type = (section SUBSEP path "[]") in types ? "array" : \
			has ? "object" : "any"
	out = plain(type, null)
	if (type == "array" && has)
		out = out ",\n\"items\":" value(section, path "[]")
	else if (type == "object" && has)
		out = out ",\n\"properties\":{" members(section, path) "}"
	if (type == "records")
		out = out ",\"additionalProperties\":true"
	return "{" out "}"
}

function begin(file, title)
{
	printf "{\n\"$schema\":\"http://json-schema.org/draft-07/schema#\"," \
		"\n\"$id\":\"urn:e2lazy:output:1:%s\",\n\"title\":%s,\n", \
		file, quoted(title) >(dir "/" file ".json")
	print file ".json"
}

function document(section,   file, body, more)
{
	file = dir "/" section ".json"
	begin(section, "e2lazy, output format 1: document of " section)
	body = members("common", "")
	more = members(section, "")
	if (more != "")
		body = body ",\n" more
	if (section in includes)
		body = body ",\n" members(includes[section], "")
	printf "\"type\":\"object\",\n\"required\":[\"e2lazy\",\"device\"," \
		"\"status\",\"error\"],\n\"properties\":{%s}\n}\n", body >file
	close(file)
}

function line(section,   file, list, n, i, out, at)
{
	n = split(rows[section], list, "\n") - 1
	if (n < 1)
		return
	file = dir "/" section "-line.json"
	begin(section "-line", "e2lazy, output format 1: line of " section)
	out = "{\"type\":\"object\",\"required\":[\"end\"],\"properties\":" \
		"{\"end\":{\"type\":\"object\",\"required\":[\"rows\"," \
		"\"status\",\"error\"],\"properties\":{" \
		"\"rows\":{\"type\":\"number\"},\n" \
		"\"status\":" value("common", "status") ",\n" \
		"\"error\":" value("common", "error") "}}}}"
	for (i = 1; i <= n; i++) {
		at = list[i]
		# A row may have a column of that name, which is a number.
		out = out ",\n{\"type\":\"object\",\"not\":{\"required\":" \
			"[\"end\"],\"properties\":{\"end\":{\"type\":" \
			"\"object\"}}},\n\"properties\":{" \
			members(section, at) "}}"
	}
	printf "\"anyOf\":[%s]\n}\n", out >file
	close(file)
}

END {
	if (failed)
		exit 1
	for (i = 1; i <= nr_names; i++)
		if (order[i] in used && order[i] != "common") {
			document(order[i])
			line(order[i])
		}
}
