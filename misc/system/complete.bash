# SPDX-License-Identifier: GPL-2.0-only
#
# complete.bash [--breaks CHARACTERS] SOURCE LINE - what SOURCE, a completion
# for bash, offers at the end of a command line, for whoever is not bash: one
# word a line, sorted; and before them, after a colon, what bash is told to do
# beside: ":-o default" offers files, ":-o dirnames" directories, ":-o nospace"
# puts no space behind the word.
#
# Words are taken apart at blanks that are not quoted. Bash does so at = and :
# as well, and a test asks for it with --breaks =: .

compopt()
{
	echo ":$*"
}

breaks=
[[ $1 == --breaks ]] && breaks=$2 && shift 2
. "$1" || exit
line=$2

words=()
word=
quote=
split()
{
	[[ $word ]] && words+=("$word")
	word=
}
for ((i = 0; i < ${#line}; i++)); do
	c=${line:i:1}
	if [[ $c == \\ && $quote != \' ]]; then
		word+=$c${line:++i:1}
	elif [[ $quote ]]; then
		word+=$c
		[[ $c == "$quote" ]] && quote=
	elif [[ $c == [\'\"] ]]; then
		word+=$c
		quote=$c
	elif [[ $c == " " ]]; then
		split
	elif [[ $breaks && $breaks == *"$c"* ]]; then
		split
		words+=("$c")
	else
		word+=$c
	fi
done
last=$word
split
[[ ! $last && $c == " " ]] && words+=("")

COMP_LINE=$line
COMP_POINT=${#line}
COMP_WORDS=("${words[@]}")
COMP_CWORD=$((${#words[@]} - 1))
COMPREPLY=()
_e2lazy "${words[0]}"
((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort
exit 0
