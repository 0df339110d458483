# SPDX-License-Identifier: GPL-2.0-only
#
# completion.sh - bash completes the words that the programs take. Sourced by
# run. The expected words come from --help, read here in another way.

if ! command -v bash >/dev/null; then
	skip "completion" "bash is missing"
	return
fi

completion=$SRCDIR/misc/system/completion.bash

# ask_bash LINE - what bash offers at its end, and what it is told to do beside
ask_bash()
{
	bash "$SRCDIR/misc/system/complete.bash" --breaks =: "$completion" "$1"
}

complete_line()
{
	(PATH=$BUILDDIR/misc:$BUILDDIR/debugfs-ext:$PATH; ask_bash "$1")
}

# offers LINE EXPECTED - at the end of LINE the words of EXPECTED, in any order
offers()
{
	[ "$2" ] && same "$(printf '%s\n' $2 | LC_ALL=C sort)" "$(complete_line "$1")"
}

# help_of LINE - the help of a command, without its own name in it
help_of()
{
	case $1 in
	debuglazy)	"$DEBUGLAZY" --help ;;
	debuglazy*)	"$DEBUGLAZY" -R "help ${1##* }" ;;
	*)		(PATH=$BUILDDIR/misc:$PATH; $1 --help) ;;
	esac
}

options_of()
{
	help_of "$1" | sed -n -e 's/^  -\(.\), --\([^ ]*\).*/-\1 --\2/p' \
		-e 's/^      --\([^ ]*\).*/--\1/p'
}

# listed HEADING - the first words of the lines below it, on stdin
listed()
{
	awk -v heading="$1" '
		on && /^  / { print $1; next }
		{ on = index($0, heading) == 1 }'
}

# A program of its own, a command of e2lazy, a request of debuglazy.
programs=$(sed -n 's/^complete -F _e2lazy //p' "$completion")
commands=$("$E2LAZY" --help | listed Commands:)
requests=$("$DEBUGLAZY" -R help | listed Commands:)

check "completion: of each program that is installed" same \
	"$(cd "$BUILDDIR" && ls misc/*.8 debugfs-ext/*.8 |
		sed 's|.*/\(.*\)\.8|\1|' | LC_ALL=C sort)" \
	"$(printf '%s\n' $programs | LC_ALL=C sort)"

for program in $programs; do
	check "completion: $program: each option of --help and no other" \
		offers "$program -" "$(options_of "$program")"
done
for command in $commands; do
	check "completion: e2lazy $command: each option and no other" \
		offers "e2lazy $command -" "$(options_of "e2lazy $command")"
done

trace_commands=$(help_of "e2lazy trace" | listed Commands:)
check "completion: the commands of e2lazy trace" offers "e2lazy trace " \
	"$trace_commands"
for command in $trace_commands; do
	check "completion: e2lazy trace $command: each option and no other" \
		offers "e2lazy trace $command -" \
		"$(options_of "e2lazy trace $command")"
done

# A file of such a name that somebody else has put there must not be run by
# whoever completes a command line; the installed program answers for it.
planted()
{
	printf '#!/bin/sh\necho "$0" >>"%s"\n' "$work/planted.trace" \
		>planted &&
	chmod +x planted && mkdir -p sub &&
	for program in $programs; do
		cp planted $program && cp planted sub/$program || return
	done
}
# lures PATH LINE - true if the line is completed, and nothing planted was run
lures()
{
	rm -f planted.trace
	same "$(complete_line "${2##*/}")" \
		"$(PATH=$1 HOME=$work; ask_bash "$2")" &&
	! cat planted.trace 2>/dev/null
}
real=$BUILDDIR/misc:$BUILDDIR/debugfs-ext:$PATH
check "completion: programs are planted" planted
for program in $programs; do
	for place in ./ sub/ "~/" "$work/"; do
		check "completion: $place$program is not run" \
			lures "$real" "$place$program -"
	done
	for path in ".:$real" ":$real" "sub:$real"; do
		check "completion: $program is not run, with PATH=${path%%/*}" \
			lures "$path" "$program -"
	done
done
rm -r $programs sub planted

# What is offered goes on from all that stands between the quotation marks.
request_options()
{
	same "$(options_of "debuglazy $1" | tr ' ' '\n' |
		sed "s/^/$1 /" | LC_ALL=C sort)" \
		"$(complete_line "debuglazy -R '$1 -")"
}
for request in $requests; do
	check "completion: debuglazy -R $request: each option and no other" \
		request_options "$request"
done

check "completion: the commands of e2lazy" offers "e2lazy " "$commands help"
check "completion: the commands that have help" offers "e2lazy help " \
	"$commands"
check "completion: the commands of a command that have help" \
	offers "e2lazy help trace " "$trace_commands"
check "completion: no more words for the help of a command" \
	same "" "$(complete_line "e2lazy help dump ")"
check "completion: the commands behind options" \
	offers "e2lazy --json -C 1 " "$commands help"
check "completion: an option of the command behind options" \
	offers "e2lazy -C 1 --json dump --sor" --sort
check "completion: help behind options" offers "e2lazy --json help di" diff
check "completion: the requests of debuglazy" \
	same ":-o nospace
$(printf '%s\n' $requests | LC_ALL=C sort)" \
	"$(complete_line "debuglazy -R ")"

# kinds_of LINE - what a command's options and its first operand take
kinds_of()
{
	help_of "$1" | sed -n \
		-e 's/^ \{2,6\}\(-., \)*--[^ ]* \([^ ]\{1,\}\).*/\2/p' \
		-e '1s/.*\[options\] \[*\([^] ]*\).*/\1/p' |
		sed -e 's/\.\.\.$//' -e '/^$/d'
}

known_kind()
{
	bash -c 'compopt() { :; }; words=(x ""); help= program=false cut=0
		. "$1" && _e2lazy_value "$2" "" ""' - "$completion" "$1"
}

# An argument of a new kind would go without completion, unnoticed.
unknown_kinds()
{
	{
		for program in $programs; do
			kinds_of "$program"
		done
		for command in $commands; do
			kinds_of "e2lazy $command"
		done
		for command in $trace_commands; do
			kinds_of "e2lazy trace $command"
		done
		for request in $requests; do
			kinds_of "debuglazy $request"
		done
	} | sort -u | while IFS= read -r kind; do
		known_kind "$kind" || echo "$kind"
	done
}
check "completion: knows what each option's argument is" \
	same "" "$(unknown_kinds)"
check "completion: that test can fail" \
	sh -c '! bash -c ". \"\$1\"; _e2lazy_value NONSENSE" - "$1"' - \
	"$completion"

# refused LINE - words that are offered for the options of a command, and that
# it then calls wrong
refused()
{
	help_of "$1" | sed -n \
		's/^ \{2,6\}\(-., \)*\(--[^ ]*\) [A-Za-z].*/\2/p' |
	while read -r option; do
		complete_line "$1 $option " | grep -v '^:' |
		while IFS= read -r word; do
			(PATH=$BUILDDIR/misc:$BUILDDIR/debugfs-ext:$PATH
			$1 $option $word /nonexistent 2>&1 </dev/null) |
				grep -F -e "$option: '$word' is not"
		done
	done
}
all_refused()
{
	for program in $programs; do
		[ "$program" = e2lazy ] || refused "$program"
	done
	for command in $commands; do
		refused "e2lazy $command"
	done
}
check "completion: what is offered for an option is accepted" \
	same "" "$(all_refused)"
check "completion: that test can fail, too" sh -c \
	'"$1" dump --sort nonsense / 2>&1 |
		grep -F -e "--sort: '"'nonsense'"' is not"' - "$E2LAZY"

# unoffered LINE - words that the refusal of a wrong one names, as in "is not A,
# B or C", and that are not offered
unoffered()
{
	help_of "$1" | sed -n \
		's/^ \{2,6\}\(-., \)*\(--[^ ]*\) [A-Za-z].*/\2/p' |
	while read -r option; do
		complete_line "$1 $option " >offered.now
		grep -qv '^:' offered.now || continue
		(PATH=$BUILDDIR/misc:$BUILDDIR/debugfs-ext:$PATH
		$1 $option '?' /nonexistent 2>&1 </dev/null) |
			sed -n -e 's/, or one of them .*//' \
				-e "s/.*$option: '?' is not //p" |
			sed -n '/^[a-zDQC-]*\(, [a-zDQC-]*\)* or [a-zDQC-]*$/p' |
			sed 's/, / /g; s/ or / /' | tr ' ' '\n' |
			LC_ALL=C sort | LC_ALL=C comm -23 - offered.now |
			sed "s/^/$1 $option /"
	done
}
all_unoffered()
{
	for program in $programs; do
		[ "$program" = e2lazy ] || unoffered "$program"
	done
	for command in $commands; do
		unoffered "e2lazy $command"
	done
	for command in $trace_commands; do
		unoffered "e2lazy trace $command"
	done
}
check "completion: what an option accepts is offered" same "" "$(all_unoffered)"
check "completion: all formats" offers "e2lazy trace import --format " \
	"blkparse blktrace fio ftrace msr"

dump_columns=$(help_of "e2lazy dump" | listed Columns)
beyond_columns=$(help_of "e2lazy log" | sed '1,/--beyond:$/d;/^$/q' |
	listed Columns)
# offers_columns LINE LEAD EXPECTED
offers_columns()
{
	same ":-o nospace
$(printf "$2%s\n" $3 | LC_ALL=C sort)" "$(complete_line "$1")"
}
check "completion: columns" offers_columns "e2lazy dump --columns " "" \
	"$dump_columns"
check "completion: columns after = and others" \
	offers_columns "e2lazy dump --columns=TYPE," TYPE, "$dump_columns"
check "completion: columns after +" \
	offers_columns "e2lazy dump --columns +" + "$dump_columns"
check "completion: columns that an option makes others" \
	offers_columns "e2lazy log --beyond --columns " "" "$beyond_columns"
check "completion: columns of e2lazyck, with and without --list" \
	offers_columns "e2lazyck --list --columns C" "" CONSENT
check "completion: types, with hyphens for spaces" \
	offers "e2lazy dump --type=i" "inode-bitmap inode-table indirect"
check "completion: all types" same \
	"$(help_of "e2lazy dump" | sed '1,/^Types/d;s/^  //;s/ /-/g' |
		LC_ALL=C sort)" \
	"$(complete_line "e2lazy dump --type ")"
check "completion: ids for --explain" offers "e2lazyck --explain " \
	"$("$BUILDDIR/misc/e2lazyck" --list --raw --no-headings --columns ID)"
check "completion: words to choose from" \
	offers "e2lazy info --color=" "auto always never"
check "completion: orders" offers "e2lazy dump --sort f" fs

check "completion: files for a device" \
	same ":-o default" "$(complete_line "e2lazy dump --raw ./")"
check "completion: nothing for a number" \
	same "" "$(complete_line "e2lazy dump --until-tid ")"
check "completion: nothing after the last operand" \
	same "" "$(complete_line "e2lazy dump disk ")"
check "completion: UUID= where no file begins so" \
	same ":-o nospace
UUID=" "$(complete_line "e2lazyck UU")"
check "completion: the command that views" same sh "$(complete_line \
	"e2lazy view --cow disk -- sh" | grep -x sh | uniq)"
check "completion: files for the command that views" same ":-o default" \
	"$(complete_line "e2lazy view disk -- sh -c ./")"
