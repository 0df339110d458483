# SPDX-License-Identifier: GPL-2.0-only
#
# completion.bash SOURCE LINE - what bash offers at the end of a command line,
# one a line, sorted; and what else it is told to do, after a colon
#
# A shell that is not asked by readline: the words are taken apart here as bash
# does, at blanks that are not quoted, and at = and : .

compopt()
{
	echo ":$*"
}

. "$1" || exit

words=()
word=
quote=
split()
{
	[[ $word ]] && words+=("$word")
	word=
}
for ((i = 0; i < ${#2}; i++)); do
	c=${2:i:1}
	if [[ $quote ]]; then
		word+=$c
		[[ $c == "$quote" ]] && quote=
	elif [[ $c == [\'\"] ]]; then
		word+=$c
		quote=$c
	elif [[ $c == " " ]]; then
		split
	elif [[ $c == [=:] ]]; then
		split
		words+=("$c")
	else
		word+=$c
	fi
done
last=$word
split
[[ ! $last && $c == " " ]] && words+=("")

COMP_LINE=$2
COMP_POINT=${#2}
COMP_WORDS=("${words[@]}")
COMP_CWORD=$((${#words[@]} - 1))
COMPREPLY=()
_e2lazy "${words[0]}"
((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort
exit 0
