# SPDX-License-Identifier: GPL-2.0-only
#
# rooms.sh - which room may use which, by include and by call. Sourced by run.

# The rooms of the library, each with those that it stands on. Each of the first
# stands on all before it; the others stand beside them.
rooms()
{
	below=
	for room in io log ring salvage map fs view tags replay verify mend; do
		echo "$room $below"
		below="$below $room"
	done
	echo "band io"
	echo "drive io band"
	for room in trace undelete changes; do
		echo "$room io log ring map fs view"
	done
}

# stands_on ROOM ALLOWED... - of its includes, those of other rooms, by their own
# headers or by a public one that is of one room
stands_on()
{
	room=$1
	shift
	(cd "$SRCDIR/lib" && grep -nE '#include "([a-z]+/|e2lazy_(ring|salvage|verify|mend|undelete|changes|trace)\.h)' \
			"$room"/*.[ch] |
		grep -vE "#include \"($(echo none "$@" | tr ' ' '|'))/" |
		grep -vE "#include \"e2lazy_($(echo "$room" "$@" |
						tr ' ' '|'))\.h")
}

# The symbols of each object that has a source: OBJECT KIND NAME
symbols()
{
	for object in "$BUILDDIR"/lib/*/*.o "$BUILDDIR"/misc/*/*.o \
			"$BUILDDIR"/debugfs-ext/*.o; do
		name=${object#"$BUILDDIR/"}
		[ -f "$SRCDIR/${name%.o}.c" ] || continue
		nm "$object" | awk -v object="${name%.o}" \
			'{ print object, $(NF - 1), $NF }'
	done
}
# calls - "OBJECT OBJECT NAME", of each name that another object defines. If two
# programs define a name, the one in the same room is meant.
calls()
{
	awk 'function room(object) { sub(/[^\/]*$/, "", object); return object }
	     $2 ~ /^[TDBRVC]$/ { in_room[room($1), $3] = $1; anywhere[$3] = $1 }
	     $2 == "U" { object[++n] = $1; used[n] = $3 }
	     END { for (i = 1; i <= n; i++) {
			to = in_room[room(object[i]), used[i]]
			to = to ? to : anywhere[used[i]]
			if (to) print object[i], to, used[i] } }' "$work/symbols"
}
symbols >"$work/symbols"
calls >"$work/calls"
# calls_out ROOM ALLOWED... - of its calls, those into other rooms. Texts of
# errors and the version are in no room.
calls_out()
{
	room=$1
	shift
	grep "^lib/$room/" "$work/calls" |
		grep -vE "^[^ ]* lib/($(echo "$room" "$@" | tr ' ' '|'))/" |
		grep -vE '^[^ ]* lib/[a-z0-9_]* '
}
rooms >"$work/rooms"
while read -r room below; do
	check "lib/$room: includes nothing of a room above or beside" same "" \
		"$(stands_on $room $below)"
	check "lib/$room: calls nothing of a room above or beside" same "" \
		"$(calls_out $room $below)"
done <"$work/rooms"
# A room that the list forgot would have no rule. A build in place makes include.
listed_rooms()
{
	same "$(cd "$SRCDIR/lib" && ls -d */ | tr -d / |
			grep -vx -e support -e include -e python)" \
		"$(sed 's/ .*//' "$work/rooms" | LC_ALL=C sort)"
}
check "lib: each room has its place" listed_rooms

# circles - the calls that are left when each file that calls no other has been
# taken away, again and again
circles()
{
	awk '{ edge[$1 " " $2] = 1 }
	     END { do {
			gone = 0
			split("", calls)
			for (e in edge) { split(e, at, " "); calls[at[1]] = 1 }
			for (e in edge) {
				split(e, at, " ")
				if (!(at[2] in calls)) {
					delete edge[e]
					gone = 1
				}
			}
		} while (gone)
		for (e in edge) print e }' | LC_ALL=C sort
}
# A file that is called by none of them is no part of a circle, either.
in_circles()
{
	awk '$1 != $2 { print $1, $2 }' "$work/calls" | sort -u | circles |
		awk '{ print $2, $1 }' | circles | awk '{ print $2, $1 }'
}
check "sources: no files call each other in a circle" same "" "$(in_circles)"

# Rooms of misc/ stand on session and decode, and the programs on their rooms.
# Rooms of lib/ may have the same names.
in_misc()
{
	(cd "$SRCDIR" && grep -nE '#include "(check|doctor|drive|make|report|show|trace|view|undelete)/' \
		misc/*/*.[ch] debugfs-ext/*.[ch]) |
	while IFS='"' read -r place header rest; do
		[ -e "$SRCDIR/lib/$header" ] || echo "$place$header$rest"
	done
}
check "misc: a program includes nothing of another" same "" "$(in_misc)"
# They are read into one shell, where the later one would count for both.
defined_twice()
{
	grep -ho '^[a-z_0-9]*()' "$SRCDIR"/tests/kernel/*.sh \
		"$SRCDIR/tests/kernel/run" | sort | uniq -d
}
check "tests/kernel: no two files define the same function" same "" \
	"$(defined_twice)"

# The library serves other programs, too: what it says names none of these here
# and no option of theirs.  support is the programs'.
names_programs()
{
	(cd "$SRCDIR" && grep -rnE --include='*.[ch]' --include='*.et' \
		-e "(^|[ \"'])--[a-z][a-z-]+([] \"',.;:]|\$)" \
		-e 'e2lazyck|debuglazy|mke2lazy( |$)' \
		-e "e2lazy (info|dump|log|history|cat|view|salvage|doctor|trace import)" \
		lib | grep -vE '^lib/support/|^lib/e2lazy_err\.[ch]:')
}
check "lib: names no program and no option of one" same "" "$(names_programs)"
