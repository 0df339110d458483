# SPDX-License-Identifier: GPL-2.0-only
#
# tour.sh - for the tests of the examples in doc/tour.md. Sourced after lib.sh.

# examples - the tour's commands on the demo image, and what it shows of them
examples()
{
	awk '
	/^## On the image of the demo/ { on = 1 }
	/^\t# / { exit }
	on && /^\t/ { print substr($0, 2) }
	' "$SRCDIR/doc/tour.md"
}

# words FILE - one line of words; the version of e2fsck is the machine's own
words()
{
	sed '/^e2fsck [0-9]/d' "$1" | tr -s ' \t\n' ' '
}

# shows COMMAND - does `shown' have the words that COMMAND prints, in their
# order? "..." stands for any.
shows()
{
	eval "$1" >printed 2>said </dev/null
	cat said >>printed
	words printed >words
	words shown | awk -v command="$1" '
	{
		getline rest <"words"
		n = split($0, part, / ?\.\.\. ?/)
		for (i = 1; i <= n; i++) {
			at = index(rest, part[i])
			if (!at || (i == 1 && at > 1)) {
				print "not so: " command ": " part[i]
				exit
			}
			rest = substr(rest, at + length(part[i]))
		}
		print (n == 1 && rest ~ /[^ ]/ ? "more: " : "so: ") command
	}'
}

# told PATTERN - run each example whose command has PATTERN, in the tour's order
told()
{
	xz -dc "$FIXTURES/demo.img.xz" >demo.img || exit
	examples | sed '/^\$ /!d; s/^\$ //' >commands
	while read -r command; do
		echo "$command" | grep -q "$1" || continue
		examples | awk -v command="$ $command" '
			/^\$ / { on = $0 == command; next }
			on' >shown
		shows "$command"
	done <commands
}
