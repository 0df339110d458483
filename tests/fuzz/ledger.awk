# SPDX-License-Identifier: GPL-2.0-only
#
# A line for each build and target of a ledger, in the order of their first:
# build, target, seconds, inputs, the most edges. See run.

{
	key = $1 " " $2
	if (!(key in seconds))
		order[++count] = key
	seconds[key] += $3
	inputs[key] += $4
	if ($5 > edges[key])
		edges[key] = $5
}

END {
	for (i = 1; i <= count; i++) {
		key = order[i]
		printf "%s %d %d %d\n", key, seconds[key], inputs[key],
			edges[key]
	}
}
