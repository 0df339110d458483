# SPDX-License-Identifier: GPL-2.0-only
#
# confined.sh - doc/security.md says of each command what the source says. Sourced
# by run.

# The table's rows: "below one directory:  info, undelete", and more lines of it.
extents_told()
{
	awk '
		!/^    / { on = 0 }
		/^    [a-z ]+:  / {
			extent = $0
			sub(/^ */, "", extent)
			sub(/:.*/, "", extent)
			sub(/^[^:]*:/, "")
			on = 1
		}
		on {
			n = split($0, names, ",")
			for (i = 1; i <= n; i++) {
				gsub(/^ +| +$/, "", names[i])
				if (names[i] != "")
					print names[i] ": " extent
			}
		}' "$SRCDIR/doc/security.md" | LC_ALL=C sort
}

# "trace" only has commands.
extents_coded()
{
	(cd "$SRCDIR" && cat misc/*/*.c) | awk '
		/^const struct command [a-z_]+ = \{/ {
			name = ""
			extent = "write nothing"
			entry = 1
		}
		!entry { next }
		/^\t\.name = / { split($0, at, "\""); name = at[2] }
		/WRITES_NOTHING/ { extent = "write nothing" }
		/WRITES_BELOW/ { extent = "below one directory" }
		/WRITES_ANYTHING/ { extent = "not confined" }
		/^};/ {
			if (name != "" && name != "trace")
				print name ": " extent
			entry = 0
		}' | LC_ALL=C sort
}

check "doc: security.md has the extent of each command" \
	same "$(extents_coded)" "$(extents_told)"
