# SPDX-License-Identifier: GPL-2.0-only
#
# install.sh - make install puts each file in its place. Sourced by run.

stage="$work/stage dir"
version=$(sed -n 's/^VERSION	*= *//p' "$BUILDDIR/MCONFIG")

# Into a root of its own with names of our own, so that neither a system's
# multiarch directories nor the prefix that was configured matter.
make_target()
{
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$BUILDDIR" \
		"$1" DESTDIR="$stage" prefix=/p exec_prefix=/p \
		libdir=/p/lib includedir=/p/include \
		sbindir=/p/sbin datarootdir=/p/share mandir=/p/share/man \
		localedir=/p/share/locale docdir=/p/share/doc/e2lazy \
		completionsdir=/p/share/bash-completion/completions \
		unitdir=/p/lib/systemd/system \
		zshdir=/p/share/zsh fishdir=/p/share/fish \
		hooksdir=/p/share/initramfs dracutdir=/p/lib/dracut
}

installed_files()
{
	(cd "$stage/p" && find . ! -type d ! -name '*.mo' \
		! -path './share/man/*/*/*' | LC_ALL=C sort)
}

# Bench reports are there once they are made.
documents()
{
	(cd "$SRCDIR/doc" && printf '%s\n' NEWS README SECURITY *.md examples/* |
		sed 's|^|./share/doc/e2lazy/|' | LC_ALL=C sort)
}

python=
if grep -q '^HAVE_PYTHON	= yes$' "$BUILDDIR/MCONFIG"; then
	python="
./lib/python3/dist-packages/e2lazy/__init__.py
./lib/python3/dist-packages/e2lazy/_e2lazy.abi3.so
./lib/python3/dist-packages/e2lazy/_e2lazy.pyi
./lib/python3/dist-packages/e2lazy/_files.py
./lib/python3/dist-packages/e2lazy/py.typed"
fi
plugin=
if grep -q 'define HAVE_NBDKIT' "$BUILDDIR/config.h"; then
	plugin="
./lib/nbdkit/plugins/nbdkit-e2lazy-drive-plugin.so
./lib/nbdkit/plugins/nbdkit-e2lazy-plugin.so"
fi
check "install: succeeds" make_target install
check "install: puts these files there and no others" same \
"./include/e2lazy/e2lazy.h
./include/e2lazy/e2lazy_changes.h
./include/e2lazy/e2lazy_drive.h
./include/e2lazy/e2lazy_err.h
./include/e2lazy/e2lazy_medium.h
./include/e2lazy/e2lazy_mend.h
./include/e2lazy/e2lazy_model.h
./include/e2lazy/e2lazy_ring.h
./include/e2lazy/e2lazy_salvage.h
./include/e2lazy/e2lazy_trace.h
./include/e2lazy/e2lazy_undelete.h
./include/e2lazy/e2lazy_verify.h
./include/e2lazy/e2lazy_view.h
./include/e2lazy/e2lazy_watch.h
./lib/dracut/90e2lazy/module-setup.sh
./lib/libe2lazy.a
./lib/libe2lazy.so
./lib/libe2lazy.so.2
./lib/libe2lazy.so.2.0$plugin
./lib/pkgconfig/e2lazy.pc$python
./lib/systemd/system/e2lazy-metrics.service
./lib/systemd/system/e2lazy-metrics.timer
./sbin/debuglazy
./sbin/e2lazy
./sbin/e2lazyck
./sbin/mke2lazy
./share/bash-completion/completions/debuglazy
./share/bash-completion/completions/e2lazy
./share/bash-completion/completions/e2lazyck
./share/bash-completion/completions/mke2lazy
$(documents)
./share/e2lazy/complete.bash
./share/e2lazy/e2lazy-metrics
./share/e2lazy/mke2lazy-drives
./share/e2lazy/mke2lazy-profiles
$(sed 's|^|./share/e2lazy/schema/1/|' "$BUILDDIR/misc/schema.list" | LC_ALL=C sort)
./share/fish/debuglazy.fish
./share/fish/e2lazy.fish
./share/fish/e2lazyck.fish
./share/fish/mke2lazy.fish
./share/initramfs/e2lazyck
./share/man/man3/libe2lazy.3
./share/man/man5/mke2lazy-drives.5
./share/man/man8/debuglazy.8
./share/man/man8/e2lazy.8
./share/man/man8/e2lazyck.8
./share/man/man8/mke2lazy.8
./share/zsh/_e2lazy" "$(installed_files)"

one_catalogue_per_language()
{
	same "$(sed 's/#.*//' "$SRCDIR/po/LINGUAS" | tr -s ' \n' '\n' |
		grep . | LC_ALL=C sort)" \
	     "$(cd "$stage/p/share" && find . -name e2lazy.mo |
		sed 's|^./locale/\(.*\)/LC_MESSAGES/.*|\1|' | LC_ALL=C sort)"
}
if grep -q 'define ENABLE_NLS' "$BUILDDIR/config.h"; then
	check "install: one catalogue for each language" \
		one_catalogue_per_language
else
	skip "install: one catalogue for each language" "--disable-nls"
fi

translated_pages()
{
	(cd "$1" && find . -path './*/man[58]/*.[58]' | LC_ALL=C sort)
}
check "install: each translated man page that was made, in its language" \
	same "$(translated_pages "$BUILDDIR/po/man")" \
	     "$(translated_pages "$stage/p/share/man")"

check "version: e2lazy --version says the configured one" \
	sh -c '"$1" --version | grep -wF "$2"' - "$stage/p/sbin/e2lazy" "$version"
check "version: e2lazy.pc says it" \
	grep -xF "Version: $version" "$stage/p/lib/pkgconfig/e2lazy.pc"
check "version: the man page says it" \
	grep -F "$version" "$stage/p/share/man/man8/e2lazy.8"
check "man: nothing is left to fill in" same "" \
	"$(grep -rn '@[A-Za-z_0-9]*@' "$stage/p/share/man")"
# The program has it from the same configuration, by another way.
drives=$(sed -n -e 's/\\-/-/g' -e 's|^\.I \(.*/mke2lazy-drives\)$|\1|p' \
	"$stage/p/share/man/man8/mke2lazy.8")
check "man: mke2lazy.8 names the list of drives that mke2lazy reads" \
	sh -c 'test "$1" && grep -qaF "$1" "$2"' - "$drives" \
	"$stage/p/sbin/mke2lazy"

shared=$stage/p/lib/libe2lazy.so.2.0
soname()
{
	objdump -p "$shared" | awk '$1 == "SONAME" { print $2 }'
}
check "libe2lazy.so: its soname is libe2lazy.so.2" \
	same libe2lazy.so.2 "$(soname)"

# Symbols that a program could link with, versions cut off.
exported()
{
	nm -D --defined-only "$shared" | awk '$2 != "A" { print $3 }' |
		sed 's/@.*//' | LC_ALL=C sort -u
}
check "libe2lazy.so: exports nothing but its own names" same \
	"et_e2lz_error_table
initialize_e2lz_error_table
initialize_e2lz_error_table_r" \
	"$(exported | grep -v '^e2lazy_')"
# Each function that the headers declare: a name at the end of its line's
# words and before a parenthesis, outside comments.
declared()
{
	sed -e 's|/\*.*\*/||' -e '/\/\*/,/\*\//d' \
		"$stage/p/include/e2lazy/e2lazy.h" \
		"$stage/p/include/e2lazy/e2lazy_ring.h" \
		"$stage/p/include/e2lazy/e2lazy_salvage.h" \
		"$stage/p/include/e2lazy/e2lazy_undelete.h" \
		"$stage/p/include/e2lazy/e2lazy_changes.h" \
		"$stage/p/include/e2lazy/e2lazy_view.h" \
		"$stage/p/include/e2lazy/e2lazy_verify.h" \
		"$stage/p/include/e2lazy/e2lazy_mend.h" \
		"$stage/p/include/e2lazy/e2lazy_medium.h" \
		"$stage/p/include/e2lazy/e2lazy_drive.h" \
		"$stage/p/include/e2lazy/e2lazy_model.h" \
		"$stage/p/include/e2lazy/e2lazy_trace.h" |
		grep -v 'static inline' |
		sed -n 's/^[a-z].*\(\<e2lazy_[a-z0-9_]*\)(.*/\1/p;
			s/^\(e2lazy_[a-z0-9_]*\)(.*/\1/p' |
		LC_ALL=C sort -u
}
check "libe2lazy.so: exports each function of the headers, and only these" \
	same "$(declared)" "$(exported | grep '^e2lazy_')"

# The archive has the same in one object, and nothing to get in the way of a
# program's own names.
exported_by_archive()
{
	nm --extern-only --defined-only "$stage/p/lib/libe2lazy.a" |
		awk 'NF == 3 { print $3 }' | LC_ALL=C sort -u
}
check "libe2lazy.a: exports what libe2lazy.so does, and nothing else" \
	same "$(exported)" "$(exported_by_archive)"

# nbdkit loads plugins that bring symbols of their own along.
for name in e2lazy e2lazy-drive; do
	what="nbdkit plugin $name: exports nothing but plugin_init"
	if [ "$plugin" ]; then
		check "$what" same plugin_init "$(nm -D --defined-only \
			"$stage/p/lib/nbdkit/plugins/nbdkit-$name-plugin.so" |
			awk '{ print $3 }')"
	else
		skip "$what" "built without the nbdkit plugin"
	fi
done

# A user's program, with what is installed and nothing of the source tree.
outside_program()
{
	cat >user.c <<-'END'
		#include <stdio.h>
		#include <e2lazy/e2lazy_drive.h>
		#include <e2lazy/e2lazy_model.h>
		#include <e2lazy/e2lazy_trace.h>
		#include <e2lazy/e2lazy_mend.h>
		#include <e2lazy/e2lazy_view.h>

		int main(void)
		{
			initialize_e2lz_error_table();
			printf("%s %s\n", e2lazy_version(),
			       error_message(E2LAZY_ET_CANCELLED));
			return 0;
		}
	END
	$CC -Wall -Wextra -Werror -I"$stage/p/include" -o user user.c \
		-L"$stage/p/lib" -le2lazy -lext2fs -lcom_err &&
	same "$version cancelled" "$(LD_LIBRARY_PATH="$stage/p/lib" ./user)"
}
check "library: a program builds and runs with what is installed" \
	outside_program

# A function that one file of the library has for another.
inner_name()
{
	nm --extern-only --defined-only "$BUILDDIR/lib/libe2lazy_all.a" |
		awk '$2 == "T" { print $3 }' | LC_ALL=C sort -u |
		grep -vxF "$(exported)" | head -n 1
}
# The same program with the archive, and with a function of that name.
static_program()
{
	inner=$(inner_name) && test "$inner" &&
	echo "int $inner(void); int $inner(void) { return 1; }" >>user.c &&
	$CC -Wall -Wextra -Werror -I"$stage/p/include" -o user user.c \
		"$stage/p/lib/libe2lazy.a" $(own_libraries) &&
	same "$version cancelled" "$(./user)"
}
# own_libraries - what the library stands on, of this configuration
own_libraries()
{
	sed -n -e ':join; /\\$/{N; s/\\\n//; b join}' \
		-e 's/^\(EXT2FS\|COM_ERR\|BLKID\|UUID\|ISAL\)_LIBS	*=//p' \
		-e 's/^LIBS	*=//p' "$BUILDDIR/MCONFIG"
}
check "library: it does with the archive, too, whatever names it has" \
	static_program

# link_example NAME - NAME.c with the installed library, and NAME.img for it
link_example()
{
	$CC -Wall -Wextra -Werror -I"$stage/p/include" -o "$1" "$1.c" \
		-L"$stage/p/lib" -le2lazy -lext2fs -lcom_err &&
	LD_LIBRARY_PATH="$stage/p/lib" &&
	export LD_LIBRARY_PATH &&
	xz -dc "$tests/fixtures/demo.img.xz" >"$1.img"
}

# The function in the head of e2lazy.h, as it stands there.
head_example()
{
	sed -n '/^ \*	int count/,/^ \*	}/s/^ \*	//p' \
		"$stage/p/include/e2lazy/e2lazy.h" >count.h && test -s count.h &&
	cat >count.c <<-'END' &&
		#include <stdio.h>
		#include <e2lazy/e2lazy.h>
		int count(const char *device);
		#include "count.h"
		int main(int argc, char **argv)
		{
			return argc == 2 ? count(argv[1]) : 16;
		}
	END
	link_example count &&
	same "439 blocks" "$(./count count.img)" &&
	truncate -s 1M count.none &&
	mke2fs -q -F -O ^has_journal count.none &&
	same "count.none: the file system has no journal
8" "$(./count count.none 2>&1; echo $?)"
}
check "library: the example in e2lazy.h is right as it stands" \
	eval '(head_example)'

# The program of the manual page, as a reader would copy it.
page_example()
{
	LC_ALL=C sed -n -e '/^\.EX$/,/^\.EE$/{/^\.E[XE]$/d; s/\\-/-/g; s/\\e/\\/g; p}' \
		"$stage/p/share/man/man3/libe2lazy.3" >page.c && test -s page.c &&
	link_example page &&
	same "439 blocks, 0 questions" "$(./page page.img)" &&
	same "439 blocks, 0 questions
the log is empty" "$(./page -w page.img)" &&
	same "0 blocks, 0 questions" "$(./page page.img)" &&
	e2fsck -fn page.img
}
check "library: the example in libe2lazy(3) is right as it stands" \
	eval '(page_example)'

# Found as it is installed, but for the place: prefix is where links lead to.
examples()
{
	ln -sfn "$stage/p" prefix && mkdir -p pkgconfig &&
	sed -e "s|^libdir=.*|libdir=$work/prefix/lib|" \
		-e "s|^includedir=.*|includedir=$work/prefix/include|" \
		prefix/lib/pkgconfig/e2lazy.pc >pkgconfig/e2lazy.pc &&
	PKG_CONFIG_PATH=$work/pkgconfig LD_LIBRARY_PATH=$work/prefix/lib \
		"$tests/examples/run" "$stage/p/share/doc/e2lazy/examples"
}
# The same against the tree where it was built, and nothing of what make install
# has made.
uninstalled_examples()
{
	for source in "$SRCDIR"/doc/examples/*.c; do
		# The directory's name may have blanks.
		eval "$CC -Wall -Wextra -Werror \"\$source\" \
			-o uninstalled-example $(PKG_CONFIG_PATH=$BUILDDIR/lib \
				pkg-config --cflags --libs e2lazy)" || return
		case $source in
		*/map.c) mv uninstalled-example uninstalled-map ;;
		esac
	done
	xz -dc "$tests/fixtures/demo.img.xz" >uninstalled.img &&
	same 439 "$(./uninstalled-map uninstalled.img | wc -l)"
}
if command -v pkg-config >/dev/null; then
	check "library: the examples build, shared and static, and work" examples
	check "library: they build and run without make install" \
		uninstalled_examples
else
	skip "library: the examples" "pkg-config is missing"
fi

check "uninstall: succeeds" make_target uninstall
check "uninstall: no file is left" \
	same "" "$(find "$stage" ! -type d)"
check "uninstall: nor the directory of the headers" \
	test ! -e "$stage/p/include/e2lazy"
check "uninstall: nor that of the data" test ! -e "$stage/p/share/e2lazy"
check "uninstall: nor that of the documents" \
	test ! -e "$stage/p/share/doc/e2lazy"

# places [OPTION...] - where configure puts what completes, and the hook; with a
# pkg-config that knows fish in the prefix FISH_PREFIX
places()
{
	rm -rf places && mkdir places && cat >places/pkg-config <<-'END' &&
		#!/bin/sh
		case $* in
		*completionsdir*fish*)
			for word; do
				case $word in
				--define-variable=prefix=*)
					prefix=${word##*=} ;;
				esac
			done
			echo "${FISH_PREFIX-$prefix}/fish/here" ;;
		*)	exec "$REAL_PKG_CONFIG" "$@" ;;
		esac
	END
	# The sources may lie below a name with a blank.
	chmod +x places/pkg-config && ln -s "$SRCDIR" places/src && (cd places &&
	REAL_PKG_CONFIG=$(command -v pkg-config) \
		PKG_CONFIG=$PWD/pkg-config \
		src/configure -q --prefix=/q "$@" >said 2>&1 ||
		grep -- '--with-' said | sed 's/.*error: //'
	test ! -e misc/system/Makefile ||
		"${MAKE:-make}" -s -C misc/system --no-print-directory \
		--eval='told: ; @echo $(zshdir) $(fishdir) $(hooksdir) \
			$(dracutdir) $(completionsdir) $(unitdir)' told)
}
if [ -x "$SRCDIR/configure" ]; then
	check "configure: completion and hooks go below the prefix" same \
		"/q/share/zsh/site-functions /q/fish/here\
 /q/share/initramfs-tools/hooks /q/lib/dracut/modules.d\
 /q/share/bash-completion/completions /q/lib/systemd/system" "$(places)"
	check "configure: and not out of it, whatever pkg-config says" same \
		"/q/share/zsh/site-functions\
 /q/share/fish/vendor_completions.d /q/share/initramfs-tools/hooks\
 /q/lib/dracut/modules.d /q/share/bash-completion/completions\
 /q/lib/systemd/system" \
		"$(export FISH_PREFIX=/usr; places)"
	check "configure: or where --with-...dir says" same "/z /f /h /d /b /s" \
		"$(places --with-zshcompletiondir=/z \
			--with-fishcompletiondir=/f \
			--with-initramfshooksdir=/h \
			--with-dracutmodulesdir=/d \
			--with-bashcompletiondir=/b \
			--with-systemdsystemunitdir=/s)"
	check "configure: which is a directory" same \
		"--with-zshcompletiondir needs an absolute name of a directory" \
		"$(places --without-zshcompletiondir)"
else
	skip "configure: where completion and the hook go" "no configure here"
fi
rm -rf places
