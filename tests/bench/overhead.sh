# SPDX-License-Identifier: GPL-2.0-only
#
# For run: the measurements of Ts'o's posts of 2009, at a smaller scale: the part
# of a journal in the writes of git clone, make and make clean, and the time that
# each pass of e2fsck takes, through a view.

# Mount option, work, MB written with a journal and without, and the part that
# he gives in percent.
tso_written() {
	cat <<-END
		strictatime clone 367.7 353.0 4.00
		strictatime make 231.1 203.4 12.0
		strictatime clean 14.6 7.7 47.3
		noatime clone 367.0 353.0 3.81
		noatime make 207.6 199.4 3.95
		noatime clean 6.45 3.73 42.17
		relatime clone 366.6 353.0 3.71
		relatime make 216.8 203.7 6.04
		relatime clean 13.34 6.97 45.75
		ext3 clone 374.6 357.2 4.64
		ext3 make 230.9 204.4 11.48
		ext3 clean 14.56 6.54 55.08
	END
}

# Passes of e2fsck on 32 GB: seconds and MB read, of ext4 and of ext3.
tso_passes() {
	cat <<-END
		1 6.69 82 108.40 583
		2 13.34 133 5.91 133
		3 .02 1 .03 1
		4 .28 0 .28 0
		5 2.60 1 3.17 2
		total 23.06 216 118.15 718
	END
}

# The journal's part, in percent of all that is written.
part() {	# WITH WITHOUT
	awk -v j="$1" -v n="$2" 'BEGIN { printf "%.2f", (j - n) * 100 / j }'
}

# --------------------------------------------------------- what is written

# A repository to clone, of this tree's library: its first files, if the bench
# is a small one.  Its make compiles them all, and finds all headers in it.
make_repository() {
	repository=$work/repository
	mkdir "$repository" &&
	(cd "$SRCDIR" && find lib -name '*.[ch]' | tar -cf - -T -) |
		tar -xf - -C "$repository" &&
	cp "$BUILDDIR/config.h" "$BUILDDIR"/lib/*.h "$repository/lib" && {
		of=$(ls "$SRCDIR"/lib/*/*.c | wc -l)
		nr=$((of / scale > 1 ? of / scale : 2))
		printf 'OBJECTS = %s\n' "$(cd "$SRCDIR" && ls lib/*/*.c |
			head -n $nr | sed 's/c$/o/' | tr '\n' ' ')"
		# The first line is a rule's, so make begins with it.
		printf '%s\n' 'all: $(OBJECTS)' \
			'	$(AR) crs all.a $(OBJECTS)' \
			'clean:' '	rm -f all.a $(OBJECTS)' \
			'CPPFLAGS = -Ilib -D_GNU_SOURCE' \
			'CFLAGS = -g -w'
	} >"$repository/Makefile" && (
		cd "$repository" && git init -q && git add . &&
		git -c user.name=bench -c user.email=bench commit -q -m all
	)
}

# make_disk TYPE JOURNAL - a new file system, never mounted
make_disk() {
	release
	rm -f "$work/work.img"
	truncate -s 2G "$work/work.img"
	case $2 in
	with)	set -- "$1" -J size=64 ;;
	*)	set -- "$1" -O ^has_journal ;;
	esac
	# Nothing is zeroed behind the work.
	mke2fs -q -F -t "$@" -E lazy_itable_init=0,lazy_journal_init=0 \
		"$work/work.img" >/dev/null 2>"$work/why" &&
	attach "$work/work.img"
}

# Sectors that the kernel says were written.
sectors() { awk '{ print $7 }' "/sys/block/${loop##*/}/stat"; }

# written TYPE OPTIONS COMMAND - sets $written, bytes until it is unmounted
written() {
	mount -t "$1" -o "$2" "$loop" "$mnt" && sync -f "$mnt" || return
	before=$(sectors)
	"$E2LAZY" trace record -q -o "$work/trace" "$loop" -- \
		sh -ec "$3; umount '$mnt'" >/dev/null 2>"$work/why" || return
	after=$(sectors)
	written=$("$E2LAZY" trace show -q --raw --no-headings \
		  --columns CLASS,BYTES "$work/trace" |
		  awk '$1 ~ /_write$/ { sum += $2 }
		       END { printf "%.0f", sum }')
	[ "$written" = $(((after - before) * 512)) ] || {
		echo "$written bytes in the trace," \
			"$(((after - before) * 512)) to the kernel" >"$work/why"
		return 1
	}
}

# works TYPE JOURNAL OPTIONS NAME - adds lines of NAME, work, bytes
works() {
	make_disk "$1" "$2" || return
	for job in "clone:git clone -q --no-hardlinks $repository $mnt/tree" \
		   "make:make -s -C $mnt/tree >/dev/null" \
		   "clean:make -s -C $mnt/tree clean >/dev/null"; do
		written "$1" "$3" "${job#*:}" || return
		echo "$4 ${job%%:*} $written" >>"$work/written.$2"
	done
	umount "$mnt" 2>/dev/null || :
}

# A small bench has one row of his table.
measure_works() {
	rm -f "$work"/written.*
	rows='strictatime noatime relatime ext3'
	[ "$scale" -le 10 ] || rows=noatime
	for name in $rows; do
		for journal in with without; do
			type=ext4
			options=$name
			if [ $name = ext3 ]; then
				options=strictatime
				type=$([ $journal = with ] && echo ext3 || echo ext2)
			fi
			works $type $journal $options $name || return
		done
	done
}

mb() { awk -v b="$1" 'BEGIN { printf b < 1e7 ? "%.2f" : "%.1f", b / 1e6 }'; }

bytes_of() {	# with|without NAME WORK
	sed -n "s/^$2 $3 //p" "$work/written.$1"
}

print_works() {
	table 'a journal' '%' "of git clone, make and make clean"
	tso_written >"$work/tso"
	while read -r name job with without says; do
		case " $rows " in *" $name "*) ;; *) continue ;; esac
		ours=$(bytes_of with $name $job)
		none=$(bytes_of without $name $job)
		base "Ts'o: $job, $name: $with MB, $without without" \
			"$(part $with $without)" "Ts'o, 2009"
		line "$job, $name: $(mb "$ours") MB, $(mb "$none") without" \
			"$(part "$ours" "$none")"
	done <"$work/tso"
}

# He gives another percentage than his figures do.
slips() {
	tso_written | while read -r name job with without says; do
		is=$(part $with $without)
		awk -v a="$is" -v b="$says" \
			'BEGIN { exit !((a - b) ^ 2 > 0.06 ^ 2) }' &&
			echo "$job, $name: his $with and $without MB make $is" \
				"%, he has $says %"
	done
}

overhead_written() {
	why=$(why_not_kernel)
	[ -n "$why" ] || why=$(why_not_record)
	[ -n "$why" ] || git --version >/dev/null 2>&1 || why='needs git'
	for type in ext2 ext3; do
		[ -n "$why" ] || grep -qw $type /proc/filesystems ||
			why="the kernel has no $type"
	done
	[ -z "$why" ] || { left_out "git clone and make" "$why"; return; }
	make_repository || { fail "no repository"; return; }
	measure_works || { fail "git clone and make: $(cat "$work/why")"
			   return; }
	[ "$(slips | wc -l)" = 1 ] || { fail "Ts'o's arithmetic"; return; }
	note "What a journal adds to all that is written until the umount:" \
		"the traces have as many bytes as the kernel counts. Here" \
		"$(mb "$(bytes_of with noatime clone)") MB are cloned and $nr" \
		"sources compiled; percentages are of what is written with a" \
		"journal. ext3 is without one ext2; strictatime was the" \
		"default of 2009. Of Ts'o's table, a slip: $(slips)."
	print_works
	release
	rm -rf "$work/work.img" "$repository"
	echo
}

# ------------------------------------------------------------ fsck's passes

# Of e2fsck -tt: pass or total, seconds, MB read.
passes() {	# FILE
	awk '
	function seconds(s) { sub(/.*time: */, "", s); return s + 0 }
	/^Pass [1-5]: Memory used/	{ p = $2 + 0; t[p] = seconds($0) }
	/^Pass [1-5]: I\/O read/	{ r[$2 + 0] = $5 + 0 }
	/^Memory used/			{ all = seconds($0) }
	/^I\/O read/			{ read = $3 + 0 }
	END {
		for (p = 1; p <= 5; p++)
			print p, t[p], r[p]
		print "total", all, read
	}' "$1"
}

# "11/16384 files, 5/999 blocks"
counted_by_fsck() { grep -a ' files (.* blocks$' "$1" | sed 's/.*: //'; }

overhead_fsck() {
	why=$(why_not_kernel)
	for tool in nbdkit nbdfuse; do
		[ -n "$why" ] || command -v $tool >/dev/null ||
			why="needs $tool"
	done
	[ -n "$why" ] || [ -c /dev/fuse ] || why='needs FUSE'
	[ -z "$why" ] || { left_out "e2fsck through a view" "$why"; return; }
	image=$work/dirty.img
	make_log "$image" dense 8 || return
	"$E2LAZY" view -q "$image" -- e2fsck -fn -tt {} >"$work/through" 2>&1 ||
		{ fail "e2fsck through a view: $(tail -n 1 "$work/through")"
		  return; }
	e2fsck -fy -E journal_only "$image" >/dev/null 2>&1
	e2fsck -fn -tt "$image" >"$work/replayed" 2>&1 &&
	[ "$(counted_by_fsck "$work/through")" ] &&
	[ "$(counted_by_fsck "$work/through")" = \
	  "$(counted_by_fsck "$work/replayed")" ] ||
		{ fail "e2fsck sees another file system through a view"
		  return; }
	note "e2fsck finds nothing through the view of a dirty file system and" \
		"nothing in its replayed copy: $(counted_by_fsck \
		"$work/through"). Ts'o's had 312214 files on 32 GB."
	print_passes
	rm -f "$image"
	echo
}

print_passes() {
	table 'an eighth of dense' seconds "e2fsck's passes"
	tso_passes >"$work/tso"
	passes "$work/through" >"$work/view.passes"
	passes "$work/replayed" >"$work/replayed.passes"
	while read -r pass ext4 ext4_mb ext3 ext3_mb; do
		read -r none seconds mb <<-END
			$(grep "^$pass " "$work/view.passes")
		END
		read -r none static static_mb <<-END
			$(grep "^$pass " "$work/replayed.passes")
		END
		alone "Ts'o: pass $pass, ext3: $ext3_mb MB read" $ext3
		base "Ts'o: pass $pass, ext4: $ext4_mb MB read" $ext4
		line "pass $pass, the replayed copy: $static_mb MB" "$static"
		line "pass $pass, e2lazy view -- e2fsck -tt: $mb MB" "$seconds"
	done <"$work/tso"
}

overhead() {
	overhead_written
	overhead_fsck
}
