# SPDX-License-Identifier: GPL-2.0-only
#
# presets.sh - the page of what the profiles dirty is made of the measured rows.
# Sourced by run.

same_page()
{
	RUNS=0 REPORT=$work/presets.md TMPDIR=$work \
		"$tests/bench/presets" &&
	diff -u "$SRCDIR/doc/presets.md" "$work/presets.md"
}

# The median of three, the lower middle of two, and the part of the default's.
of_made_rows()
{
	cat >"$work/rows" <<-END
		# Linux 1.2
		2T W default 8 zeroed 1000 10 10 30
		2T W default 8 zeroed 1000 99 99 99
		2T W default 8 zeroed 1000 11 12 20
		2T W other 8 zeroed 1000 7 8 12
		2T W other 8 zeroed 1000 6 9 15
		8T W other 8 zeroed 1000 5 5 5
	END
	RUNS=0 ROWS=$work/rows TMPDIR=$work "$tests/bench/presets" \
		>"$work/table"
	diff -u - "$work/table" <<-END
		| W | 1,000 | 2T | zeroed | 8 | default | 11 | 12 | 30 s |  | 3 |
		| W | 1,000 | 2T | zeroed | 8 | other | 6.5 | 8.5 | 14 s | 2.2 | 2 |
		| W | 1,000 | 8T | zeroed | 8 | other | 5 | 5 | 5 s |  | 1 |
	END
}

check "presets: the page is made of the rows that were measured" same_page
check "presets: medians, and the part of the default's" of_made_rows
