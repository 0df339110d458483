# SPDX-License-Identifier: GPL-2.0-only
#
# tree.sh - rules that hold for the whole tree. Sourced by run.

# Sources in the tree's own directories; what a build in place made is named
# otherwise or carries its own note.
sources()
{
	(cd "$SRCDIR" && find lib misc debugfs-ext linux tests -type f -name '*.[ch]' \
		! -name 'e2lazy_err.[ch]' ! -name debuglazy_cmds.c |
		LC_ALL=C sort)
}

# The library is for the programs of others, too; those here are on their own.
library_sources()
{
	(cd "$SRCDIR" && sources | grep '^lib/' | grep -v '^lib/support/' &&
	echo lib/Makefile.in && echo lib/e2lazy.pc.in &&
	echo lib/e2lazy_err.et && echo lib/libe2lazy.map &&
	ls doc/examples/*)
}
other_sources()
{
	sources | grep -v '^lib/'
	sources | grep '^lib/support/'
}
# not_under LICENCE - of the files on stdin, those that do not name it
not_under()
{
	while IFS= read -r f; do
		head -n 2 "$SRCDIR/$f" |
			grep -q "SPDX-License-Identifier: $1\( \*/\)*\$" ||
			echo "$f"
	done
}
check "sources: the library and the examples are under the LGPL, and say so" same "" \
	"$(library_sources | not_under LGPL-2.1-or-later)"
check "sources: each other is under the GPL, and says so" same "" \
	"$(other_sources | not_under GPL-2.0-only)"
check "sources: both licences are there in full" sh -c \
	'grep -q "Version 2, June 1991" "$1/COPYING" &&
	grep -q "Version 2.1, February 1999" "$1/COPYING.LESSER"' - "$SRCDIR"

# A public header is declarations with their comments, in one place for those
# who use the library: splitting it would help nobody.
too_long()
{
	sources | while IFS= read -r f; do
		case $f in
		lib/e2lazy.h)	most=800 ;;
		*)		most=600 ;;
		esac
		[ "$(wc -l <"$SRCDIR/$f")" -le $most ] || echo "$f"
	done
}
check "sources: none is longer than 600 lines, the public header than 800" \
	same "" "$(too_long)"

# Any name can stand in a message. complain() shows what would steer a terminal;
# whoever writes past it is listed here, and prints no name.
past_complain()
{
	(cd "$SRCDIR" && grep -nE '[^a-z_](stderr|stdout)[^a-z_]|nbdkit_error\(' \
		misc/*/*.c debugfs-ext/*.c lib/support/*.c) | grep -v -e '[ /]\* ' \
		-e '^lib/support/status.c:' -e '^lib/support/progress.c:' \
		-e '^misc/check/ask.c:' -e 'fputs(_("Try ' \
		-e 'fprintf(stderr, _("Try ' -e '"%s", shown ? shown'
}
check "sources: none writes a name to a terminal past complain()" same "" \
	"$(past_complain)"

# Without memory, libext2fs leaves the pointer as it was, and the way out frees
# it.
allocated_unset()
{
	(cd "$SRCDIR" && awk '
		FNR == 1 || /^{/ { split("", unset) }
		match($0, /^\t[a-z].* \*[a-z_0-9]+;$/) {
			name = $0
			sub(/.*\*/, "", name)
			sub(/;/, "", name)
			unset[name] = FILENAME ":" FNR
		}
		/alloc_buf\(|ext2fs_get_(mem|array)\(/ { allocates = 1 }
		allocates {
			for (name in unset)
				if (index($0, "&" name ")"))
					print unset[name]
			allocates = !/;/
		}' lib/*/*.c misc/*/*.c debugfs-ext/*.c)
}
check "sources: a pointer that an allocation fills is NULL before" same "" \
	"$(allocated_unset)"

# A source whose messages are not listed would never be translated. Those of
# the errors and the requests are generated, and lie in the build tree.
with_messages()
{
	(cd "$SRCDIR" && grep -lE '(^|[^A-Za-z0-9_])(N?_\("|P_\(("|$))' \
		misc/*/*.[ch] debugfs-ext/*.c lib/*/*.[ch] |
		LC_ALL=C sort)
}
check "po: POTFILES.in names the sources with messages, and no others" same \
	"$(with_messages)" \
	"$(grep -v -e '^#' -e '^lib/e2lazy_err.c$' -e '^po/requests.c$' \
		"$SRCDIR/po/POTFILES.in" | LC_ALL=C sort)"

# gettext's own functions know no domain here, and a build without NLS lacks them.
past_nls()
{
	(cd "$SRCDIR" && grep -nE 'gettext\(' misc/*/*.c misc/*/*.h \
		debugfs-ext/*.c lib/*/*.[ch] | grep -v '^lib/support/nls\.h:')
}
# libext2fs swaps some of what it reads; raw bytes are not, so a record of a
# directory is read by fs/dir_record.h.
host_records()
{
	(cd "$SRCDIR" && grep -rnE 'struct ext2_dir_entry(_2)? \*' lib misc \
		debugfs-ext --include='*.[ch]')
}
check "sources: none takes bytes of a directory for the host's" \
	same "" "$(host_records)"

check "po: no message is translated past nls.h" same "" "$(past_nls)"

# untranslated LANGUAGE - messages of the sources that its catalogue lacks
untranslated()
{
	msgmerge -q "$SRCDIR/po/$1.po" "$BUILDDIR/po/e2lazy.pot" |
		msgattrib --no-obsolete --clear-previous \
			>"$work/merged.po" || return 1
	msgfmt --statistics -o /dev/null "$work/merged.po" 2>&1 |
		grep -o -e '[0-9]* fuzzy' -e '[0-9]* untranslated'
	return 0
}
if command -v xgettext >/dev/null && command -v msgmerge >/dev/null; then
	"$MAKE" -s -C "$BUILDDIR/po" e2lazy.pot >/dev/null 2>&1
	for language in $(sed 's/#.*//' "$SRCDIR/po/LINGUAS"); do
		check "po: $language has all messages (make update-po)" \
			same "" "$(untranslated "$language")"
	done
else
	skip "po: catalogues have all messages" "gettext is missing"
fi

# A disk that hangs elsewhere on the machine would hang a test that syncs all of
# them, or drops what is cached of all. In a virtual machine there are no others.
syncs_of_all()
{
	(cd "$SRCDIR" && find "${1:-tests}" -type f ! -path 'tests/linux/*' \
		! -path tests/fixtures/make-lazy ! -path 'tests/fuzz/crashers/*' |
	while IFS= read -r f; do
		case $f in
		*.c)	grep -nE '(^|[^[:alnum:]_.>])sync\(\)' /dev/null "$f" ;;
		*)	grep -nIE \
			-e '(^|[;&|({!]|(do|then|else|exec|setup|run) )[[:space:]]*sync[[:space:]]*($|[];&|)}#>])' \
			-e 'os\.sync\(' -e '/drop_[c]aches' /dev/null "$f" ;;
		esac
	done)
}
check "tests: none syncs all disks" same "" "$(syncs_of_all)"
tr @ c >syncs.sample <<'END'
syn@
	syn@ # all
cp a b && syn@ && cmp a b
(syn@; true)
if true; then syn@; fi
os.syn@()
echo 3 >/proc/sys/vm/drop_@aches
syn@ -f a
syn@ "$device"
	disk.syn@()
END
printf '\tsyn@();\n\tif (syn@ && fsyn@(fd))\n' | tr @ c >syncs.c
check "tests: that test can fail" same "7 1" "$(
	SRCDIR=$work syncs_of_all syncs.sample | grep -c .) $(
	SRCDIR=$work syncs_of_all syncs.c | grep -c .)"

# A source that a text names by its room is there; those of Linux are not.
named_sources()
{
	(cd "$SRCDIR" && grep -ohE '`[a-z-]+(/[a-z_0-9-]+)+\.[ch]`' \
		README doc/*.md | tr -d '`' |
		grep -v -e ^fs/ext4/ -e ^fs/jbd2/ -e ^include/ |
		sort -u | while read -r f; do
			[ -e "$f" ] || [ -e "lib/$f" ] || [ -e "misc/$f" ] ||
				[ -e "tests/$f" ] || echo "$f"
		done)
}
check "doc: names no source that is not there" same "" "$(named_sources)"

check "bootstrap: says how it is used" \
	sh -c '"$1" --help | grep -w demo' - "$SRCDIR/bootstrap"
# What the usage does not name, nobody would find.
bootstrap_names_what_it_reads()
{
	for variable in CC CFLAGS CONFIGURE_OPTS FUZZ_SECONDS EXTRA_TESTS \
			TESTS CLI_TESTS KERNEL_TESTS; do
		"$SRCDIR/bootstrap" --help | grep -w "$variable" || return
	done
}
check "bootstrap: says what it takes from the environment" \
	bootstrap_names_what_it_reads
unknown_command()
{
	"$SRCDIR/bootstrap" nonsense
	[ $? -eq 16 ]
}
check "bootstrap: an unknown command is an error of usage" unknown_command

# In a build in the source tree, distclean takes no directory of the sources.
removed_sources()
{
	[ "$SRCDIR" = "$BUILDDIR" ] ||
		"$MAKE" -n -s --no-print-directory -C "$BUILDDIR" distclean |
		sed -n 's/^rm -rf //p' | tr ' ' '\n' | while read -r name; do
			[ ! -d "$SRCDIR/$name" ] || echo "$name"
		done
}
check "distclean: removes no directory of the sources" \
	same "" "$(removed_sources)"
