# SPDX-License-Identifier: GPL-2.0-only
#
# pairs.sh - who may come after whom: each ordered pair of programs and kernels on
# one volume, whose log a lazy kernel has kept. Sourced by run.

# The stock kernel is the host's own; `crash` is a copy of its disk, which is
# mounted. Each has a function that acts on the disk: it sets $did, and may add
# operations to the tree.
actors='lazy stock crash e2fsck e2lazyck tune2fs resize2fs'

act_lazy()
{
	did=works
	guest pair 120 "$mount_it
$poison
./lazywork run /mnt $seed $reached $((reached + 40))
umount /mnt" && reached=$((reached + 40))
}
on_the_host()
{
	mkdir -p "$work/host.mnt"
	mount -o loop,noatime,commit=300 "$disk" "$work/host.mnt" || return
	"$LAZYWORK" run "$work/host.mnt" "$seed" "$reached" \
		$((reached + 40)) && reached=$((reached + 40))
}
act_stock()
{
	did='replays, works'
	on_the_host
	status=$?
	umount "$work/host.mnt" && return $status
}
act_crash()
{
	did='replays, works, loses power'
	on_the_host
	status=$?
	cp --sparse=always "$disk" "$work/crash.img"
	umount "$work/host.mnt"
	mv "$work/crash.img" "$disk"
	return $status
}
act_e2fsck()
{
	did='replays'
	e2fsck -p "$disk"
	[ $? -le 1 ]
}
act_e2lazyck()
{
	did='writes back'
	"$E2LAZYCK" -p --checkpoint "$disk"
	[ $? -le 1 ]
}
# They may refuse, and must leave the tree as it was.
act_tune2fs()
{
	does_or_refuses tune2fs -c 50 "$disk"
}
act_resize2fs()
{
	truncate -s 280M "$disk"
	does_or_refuses resize2fs "$disk"
}
does_or_refuses()	# COMMAND...
{
	did=works
	"$@" >"$work/answer" 2>&1 || did="refuses: $(grep -v '^$' "$work/answer" |
		grep -v "^$1 " | head -n 1 | tr '\n' ' ' | sed "s,$disk,IMAGE,g")"
	cat "$work/answer"
}

kept_log()
{
	format -b 4096 -J size=16
	check "$scenario: there is a log that is kept" guest pairs 120 "$mount_it
./lazywork run /mnt $seed 0 300
umount /mnt"
	cp --sparse=always "$disk" "$work/base.img"
}

scenario_pairs()
{
	scenario=pairs
	kept_log
	for first in $actors; do
		from_base
		reached=300
		# The base is what a lazy kernel leaves.
		[ $first = lazy ] ||
			check "pairs: $first after lazy: acts" act_$first
		cp --sparse=always "$disk" "$work/first.img"
		first_reached=$reached
		for second in $actors; do
			pair
		done
	done
	rm -f "$work/base.img" "$work/first.img"
}
pair()
{
	scenario="pairs: $second after $first"
	cp --sparse=always "$work/first.img" "$disk"
	reached=$first_reached
	check "$scenario: acts" act_$second
	echo "# $scenario: $did"
	check "$scenario: e2lazyck finds the log sound" sound "$disk"
	check "$scenario: e2fsck finds the view clean" view_is_clean "$disk"
	check "$scenario: the tree is whole" whole_tree
}
whole_tree()
{
	cp --sparse=always "$disk" "$work/kernel.img" &&
		tree "$work/kernel.img" >"$work/tree.sum" || return
	rm -f "$work/kernel.img"
	wanted_operations=$reached
	tree_is_a_prefix "$seed" "$reached" "$reached"
	status=$?
	reached=$wanted_operations
	return $status
}

# GRUB only reads, and only what is in place.
scenario_grub()
{
	scenario=grub
	check "grub: grub-fstest is at hand" fetch_grub || return
	kept_log
	names_in_the_view >"$work/names"
	check "grub: after lazy: does not see the files of the log" grub_is_behind
	check "grub: writes nothing" cmp "$disk" "$work/base.img"
	check "grub: e2lazyck after it: acts" act_e2lazyck
	check "grub: after e2lazyck: sees them" grub_sees_all
	rm -f "$work/base.img"
}
fetch_grub()
{
	mkdir -p "$work/grub" && cd "$work/grub" &&
		apt-get -qq download grub-common && dpkg -x grub-common_*.deb . &&
		cd "$SRCDIR"
}
names_in_the_view()
{
	"$E2LAZY" view "$disk" -- debugfs -c -R 'ls -p /' {} 2>/dev/null |
		cut -d / -f 6 | grep -v '^\.*$' | sort
}
grub_names()
{
	"$work/grub/usr/bin/grub-fstest" "$disk" ls -- '(loop0)/' |
		tr ' ' '\n' | tr -d / | sed '/^$/d' | sort >"$work/grub.names"
	cat "$work/grub.names"
}
grub_is_behind()
{
	grub_names && ! cmp -s "$work/names" "$work/grub.names" &&
		grep -qx lost+found "$work/grub.names"
}
grub_sees_all()
{
	grub_names && cmp "$work/names" "$work/grub.names"
}
