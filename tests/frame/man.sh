# SPDX-License-Identifier: GPL-2.0-only
#
# man.sh - the man pages and their translations. Sourced by run.

# mandoc(1) and groff, by way of man(1), each see what the other does not.
# man_silent PAGE [OVERLOOKED]
man_silent()
{
	LC_ALL=C.UTF-8 MANWIDTH=80 MANROFFSEQ='' man --warnings -E UTF-8 -l \
		-Tutf8 -Z "$1" 2>&1 >/dev/null | grep -v "${2:-^$}" && return 1
	return 0
}
# lint PAGE LEVEL [OVERLOOKED] - mandoc finds nothing from this level on, and
# groff has no other warnings
lint()
{
	page_name=${1#"$BUILDDIR"/*/}
	if command -v mandoc >/dev/null; then
		check "man: $page_name is clean" mandoc -T lint -W "$2" "$1"
	else
		skip "man: $page_name is clean" "mandoc is missing"
	fi
	if command -v man >/dev/null && command -v groff >/dev/null; then
		check "man: groff does not warn of $page_name" man_silent "$1" "$3"
	else
		skip "man: groff does not warn of $page_name" \
			"man-db or groff is missing"
	fi
}
for page in "$BUILDDIR"/misc/*.[58] "$BUILDDIR"/debugfs-ext/*.8 \
		"$BUILDDIR"/lib/*.3; do
	lint "$page" all
done
# The lines of a translated page are po4a's: their style is not judged. Chinese
# has few places to break or stretch a line, and groff 1.23 has not all macros for
# it.
for page in "$BUILDDIR"/po/man/*/man[58]/*.[58]; do
	case $page in
	*'*'*)		;;
	*/zh_*)		lint "$page" warning 't \(break\|adjust\) line$\|macro .an\*section[58]. not defined$' ;;
	*)		lint "$page" warning ;;
	esac
done

man_config=$SRCDIR/po/man/po4a.cfg
man_languages=$(sed -n 's/^\[po4a_langs\] *//p' "$man_config" | tr ' ' '\n')
check "po/man: po4a.cfg names the man pages, and no others" same \
	"$(cd "$SRCDIR" && ls misc/man/*.in debugfs-ext/*.8.in | LC_ALL=C sort)" \
	"$(sed -n 's/^\[type: man\] \([^ ]*\).*/\1/p' "$man_config" |
		LC_ALL=C sort)"
check "po/man: po4a.cfg names the languages of po/LINGUAS" same \
	"$(sed 's/#.*//' "$SRCDIR/po/LINGUAS" | tr -s ' \n' '\n' | grep .)" \
	"$man_languages"

# Guesses at a translation, and those of text that no page has any more.
leftovers()
{
	msgattrib --only-fuzzy "$1" && msgattrib --only-obsolete "$1"
}
for language in $man_languages; do
	catalogue=$SRCDIR/po/man/$language.po
	if command -v msgfmt >/dev/null; then
		check "po/man: $language is well formed" \
			msgfmt --check -o /dev/null "$catalogue"
		check "po/man: $language holds no leftovers" \
			same "" "$(leftovers "$catalogue")"
	else
		skip "po/man: $language is well formed" "gettext is missing"
	fi
done

# po4a leaves a page out that is not translated enough. A page may be: whoever
# changes it need not know the language.
made_or_discarded()
{
	(cd "$BUILDDIR/po/man" && find . -name '*.[58]' | sed 's|^\./||' &&
		sed -n 's/^Discard \(.*\)\.in .*/\1/p' pages) | LC_ALL=C sort
}
wanted()
{
	for language in $man_languages; do
		sed -n 's/^\[type: man\] .*:\$lang\/\(.*\)\.in$/\1/p' \
			"$man_config" | sed "s|^|$language/|"
	done | LC_ALL=C sort
}
if [ -e "$BUILDDIR/po/man/pages" ]; then
	sed -n -e 's/^[^ ]* is .* translated/# po\/man: &/p' \
		-e 's/^Discard/# po\/man: &/p' "$BUILDDIR/po/man/pages"
	check "po/man: each page is made, or named as not translated enough" \
		same "$(wanted)" "$(made_or_discarded)"
else
	skip "po/man: each page is made" "po4a is missing"
fi
