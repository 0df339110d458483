# SPDX-License-Identifier: GPL-2.0-only
#
# states.sh - doc/doctor.md has the table of states, as the rows have it. Sourced
# by run.

in_the_doc()
{
	sed -n '/^| state | mount/,/^Not measured: /p' "$SRCDIR/doc/doctor.md"
}
check "doc/doctor.md: its table is that of the rows (make doctor-table)" same \
	"$(E2LAZYCK=$BUILDDIR/misc/e2lazyck "$tests/matrix/table")" \
	"$(in_the_doc)"
