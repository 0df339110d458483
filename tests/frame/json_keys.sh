# SPDX-License-Identifier: GPL-2.0-only
#
# json_keys.sh - doc/output.md has each key that the sources print. Sourced by
# run. Keys that are names of states and classes come from tables of names; the
# page lists those as values.

# json_keys FILE... - "ROOM KEY", of each string that is a key: the argument
# behind the document of a function, a listing's array, a column, or a field of a
# decoder.
json_keys()
{
	for json_file; do
		tr '\n\t' '  ' <"$json_file" | sed 's|/\*|\n&|g' |
		sed 's|^/\*.*\*/||' | tr -d '\n' | awk -v room="$(
			basename "$(dirname "$json_file")")" '
		function keys(text, lead,   key) {
			sub(lead, "", text)
			while (match(text, /^([^"?,]*\? *|[^"?,]* : *)?"[a-z0-9_]+"/)) {
				key = substr(text, 1, RLENGTH)
				text = substr(text, RLENGTH + 1)
				gsub(/^[^"]*"|"$/, "", key)
				print room, key
				if (text !~ /^ *: *"/)
					break
			}
		}
		function each(text, lead) {
			while (match(text, lead)) {
				text = substr(text, RSTART)
				keys(text, "^" lead)
				text = substr(text, 2)
			}
		}
		{
			each($0, "(json|sheet|put)_[a-z0-9_]+\\(([^,()\";]|\\([^()]*\\))*, *")
			each($0, "[a-z0-9_]+\\(&?[a-z0-9_.>-]*(json|sheet), *")
			each($0, "print_rows\\([^\";]*, *")
			each($0, "\\{ *\"[A-Z_]+\", *")
			each($0, "(WHOLE|SPLIT)\\( *")
		}'
	done | LC_ALL=C sort -u
}

# output_words SECTION... - the words that doc/output.md marks as code there
output_words()
{
	for section; do
		awk -v section="## $section" '
			/^## / { on = $0 == section }
			on' "$SRCDIR/doc/output.md" |
		tr '\n' ' ' | tr '`' '\n' | sed -n 'n;p' |
		tr -c 'a-z0-9_\n' '\n\n'
	done
}

# The sections that tell what a room prints; each document has the common keys.
output_of()
{
	output_words "JSON: in every document"
	case $1 in
	changes)	output_words diff timeline ;;
	check)		output_words e2lazyck ;;
	decode)		output_words cat ;;
	doctor)		output_words doctor ;;
	drive)		output_words nbdkit-e2lazy-drive-plugin ;;
	facts)		output_words info e2lazyck ;;
	make)		output_words mke2lazy ;;
	report)		output_words report evidence ;;
	salvage)	output_words salvage ;;
	session)	output_words info log ;;
	show)		output_words dump log history blame cat diff info ;;
	trace)		output_words "trace record" "trace import" "trace show" \
				simulate ;;
	undelete)	output_words undelete rescue ;;
	esac
}

json_keys "$SRCDIR"/misc/*/*.c >json.keys
undocumented_keys()
{
	for room in $(cut -d ' ' -f 1 json.keys | uniq); do
		output_of $room | LC_ALL=C sort -u >json.words
		sed -n "s/^$room //p" json.keys |
			LC_ALL=C comm -23 - json.words | sed "s/^/misc\/$room: /"
	done
}
check "doc/output.md: names each key that JSON has" \
	same "" "$(undocumented_keys)"

# One of each kind, so that none is overlooked.
cat >json_sample.c <<'END'
	json_u64(print_json(&s->print), "plain", 1); /* json_null(j, "no") */
	json_array(json,
		   revokes ? "yes" : "other", JSON_SPREAD);
	sheet_words(&sheet, "words", list, 2);
	count(&m.sheet, "wrapped", 5);
	print_rows(&s->print, &l->listing, &l->columns, "rows", &l->rows);
	{ "HEADING", "column", COLUMN_NUMBER, 0, 0, "help" },
	json_string(json, "value", "no_key");
	SPLIT("field", 0x04, 4, NUMBER, 0x150, 4),
END
check "doc/output.md: that test finds each kind of key" same \
	"column field other plain rows value words wrapped yes" \
	"$(json_keys json_sample.c | cut -d ' ' -f 2 | paste -sd ' ')"
