# SPDX-License-Identifier: GPL-2.0-only
#
# tools.sh - scenario for e2lazy itself on an older kernel: a map so large that
# its arrays grow several times. Sourced by run.

tools_blocks=700000

# The journal is in front of the blocks that it logs.
tools_log()
{
	rm -f "$disk"
	truncate -s 16G "$disk" &&
		mke2fs -q -F -t ext4 -b 4096 -N 1024 \
			-J size=3200,location=4G -E lazy_journal_init=1 \
			"$disk" &&
		"$MKJOURNAL" "$disk" <<-END
			bulk $((tools_blocks / 1000)) tags 1000 from 2000000
		END
}

scenario_tools()
{
	check "tools: a log of $tools_blocks blocks is made" tools_log || return
	OTHERS=$(with_libraries "$E2LAZY")
	check "tools: e2lazy lists them all on this kernel" \
		guest tools 300 "$run_other
other e2lazy dump --raw --no-headings /dev/vda >/run/rows ||
	say FAILED: dump
say rows: \$(wc -l </run/rows)"
	check "tools: and misses none" says "rows: $tools_blocks"
	OTHERS=
}
