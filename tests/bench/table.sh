# SPDX-License-Identifier: GPL-2.0-only
#
# For run: all printing of figures.  The terminal gets tables of a few lines;
# $work/rows keeps the same rows for the report: measurement, image, figure,
# unit, ratio, the other program, goal.

columns() { printf '%-50s %12s %10s %8s\n' "$@"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

# What follows is of IMAGE, and in UNIT.
table() {	# IMAGE UNIT [TITLE]
	of_image=$1
	unit=$2
	columns "$3" "$unit" ratio goal
}

keep_row() {	# TEXT FIGURE RATIO BESIDE GOAL
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$of_image" "$2" "$unit" \
		"$3" "$4" "$5" >>"$work/rows"
}

# The lines that follow are set beside this one.  Without a name for it the
# column of the report has TEXT.
base() {	# TEXT FIGURE [NAME]
	beside=${3:-$1}
	base=$2
	columns "$1" "$2" 1.00 ''
	keep_row "$1" "$2" '' '' ''
}

# As base, where the report has the figure already.
again() {	# TEXT FIGURE
	beside=$1
	base=$2
	columns "$1" "$2" 1.00 ''
}

line() {	# TEXT FIGURE [GOAL]
	ratio=$(ratio "$2" "$base")
	columns "$1" "$2" "$ratio" "$3"
	keep_row "$1" "$2" "$ratio" "$beside" "$3"
}

# A figure beside nothing, or what stands in its place.
alone() {	# TEXT FIGURE
	columns "$1" "$2" '' ''
	keep_row "$1" "$2" '' '' ''
}

# The N-th command of measure_each in seconds, as a base or as a line.
base_time() {	# N TEXT
	result "$1"
	base "$2" "$seconds"
}

again_time() {	# N TEXT
	result "$1"
	again "$2" "$seconds"
}

line_time() {	# N TEXT [GOAL]
	result "$1"
	line "$2" "$seconds" "$3"
}

# A sentence on what is measured, and on what is not.
note() {
	echo "$*"
	echo "$*" >>"$work/notes"
}

left_out() {	# WHAT WHY
	note "Left out: $1: $2."
	echo
}
