# SPDX-License-Identifier: GPL-2.0-only
#
# apply.awk - awk -v name=MUTANT -f apply.awk LIST SOURCE: the source, mutated
#
# Exit status 1, with a reason on stderr, unless the source has the lines to
# replace exactly once.

function finish(why)
{
	if (why != "") {
		print name ": " why >"/dev/stderr"
		exit failed = 1
	}
}

FNR == 1	{ files++ }
files == 1 && /^mutant /	{ mine = $2 == name; seen += mine }
files == 1 && mine && /^-/	{ from = from substr($0, 2) "\n" }
files == 1 && mine && /^\+/	{ to = to substr($0, 2) "\n" }
files == 2	{ text = text $0 "\n" }

END {
	if (failed)
		exit 1
	# The last line need not be whole.
	from = substr(from, 1, length(from) - 1)
	to = substr(to, 1, length(to) - 1)
	if (seen != 1)
		finish("is listed " seen + 0 " times")
	if (from == "")
		finish("replaces nothing")
	at = index(text, from)
	if (!at)
		finish("what it replaces is not there: the code has changed")
	if (index(substr(text, at + 1), from))
		finish("what it replaces is there more than once")
	printf "%s", substr(text, 1, at - 1) to substr(text, at + length(from))
}
