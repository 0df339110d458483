# SPDX-License-Identifier: GPL-2.0-only
#
# mutants.sh - the list of mutants fits the present tree. Sourced by run.
# `make mutants` tests that each is caught, with one build for each.

# mutants LIST - name, file and hint of each, "?" for what it lacks
mutants()
{
	awk 'function done() { if (name) print name, file, hint }
	     /^mutant / { done(); name = $2; file = hint = "?" }
	     /^file\t/  { file = $2 }
	     /^hint\t/  { sub(/^hint[ \t]*/, ""); hint = $0 }
	     END        { done() }' "$1"
}

# hinted SUITE [WHERE...] - is there such a test? Of the unit tests a case,
# the name of which may have spaces.
hinted()
{
	suite=$1
	shift
	case $suite in
	unit)	grep -qF "tcase_create(\"$*\")" "$tests"/unit/*.c ;;
	cli)	for hinted_name; do
			[ -f "$tests/cli/$hinted_name/script" ] || return
		done
		[ $# -gt 0 ] ;;
	fuzz)	[ -f "$tests/fuzz/target_$1.c" ] ;;
	matrix)	[ $# -eq 0 ] ;;
	*)	false ;;
	esac
}

# misfits LIST - the mutants that do not apply, or that no test is there for
misfits()
{
	mutants "$1" | while read -r name file hint; do
		LC_ALL=C awk -v name="$name" -f "$tests/mutants/apply.awk" \
			"$1" "$SRCDIR/$file" 2>&1 >/dev/null |
			head -n 1
		hinted $hint || echo "$name: there is no test $hint"
	done
}

check "mutants: each of the list applies, and where it is caught exists" \
	same "" "$(misfits "$tests/mutants/list")"

cat >mutants.list <<'END'
mutant gone
file	tests/mutants/apply.awk
hint	unit verify content
-	nobody wrote this line
+	another

mutant unseen
file	tests/mutants/apply.awk
hint	unit no such case
-function finish(why)
+function finish(how)
END
check "mutants: those that do not are named" same \
	"gone: what it replaces is not there: the code has changed
unseen: there is no test unit no such case" "$(misfits mutants.list)"
