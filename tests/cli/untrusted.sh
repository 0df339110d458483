# SPDX-License-Identifier: GPL-2.0-only
#
# untrusted.sh - for tests of what the environment names to root. Sourced after
# lib.sh.

[ "$(id -u)" -eq 0 ] || skip "needs root"

# plant NAME FILE - FILE under that name in places of every kind: of root and
# of another user, open to others, sticky, and behind links
plant()
{
	for directory in good theirs theirs/inner open sticky links; do
		mkdir -p $directory
		[ $directory = links ] || cp "$2" "$directory/$1"
	done
	ln -s "$PWD/good/$1" links/$1
	ln -s "$PWD/theirs/$1" links/$1.theirs
	ln -s "$PWD/good/$1" sticky/$1.link
	cp "$2" sticky/$1.theirs
	chown 65534 theirs sticky/$1.theirs
	chown -h 65534 sticky/$1.link
	chmod 777 open
	chmod 1777 sticky
}

# from_everywhere VARIABLE NAME COMMAND... - run it with VARIABLE naming each;
# what it complains of, or that it took the file
from_everywhere()
{
	variable=$1 name=$2
	shift 2
	for file in good/$name links/$name sticky/$name good/../links/$name \
		    theirs/$name theirs/inner/$name open/$name \
		    sticky/$name.theirs sticky/$name.link links/$name.theirs
	do
		try "$variable" "$file" "$@"
	done
	chmod g+w good/$name
	try "$variable" good/$name "$@"
	chmod g-w good/$name
	chmod o+w good
	try "$variable" good/$name "$@"
	chmod o-w good
}

# try VARIABLE FILE COMMAND...
try()
{
	tried="$1=$2"
	shift 2
	if env "$tried" "$@" >output 2>&1; then
		echo "$tried: taken"
	else
		echo "$tried: $(sed -n "s|$PWD/||g; s/^e2lazy: //p
			s/^mke2lazy: //p" output | head -n 1)"
	fi
}
