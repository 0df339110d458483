# SPDX-License-Identifier: GPL-2.0-only
#
# completion.bash - what bash completes on the command lines of e2lazy's
# programs
#
# No option, command, column or type is named here: each program is asked, by
# --help, which is printed from the tables that its command line is parsed
# with. What is to be known here is the meaning of the words in capitals that
# --help has for arguments: see _e2lazy_value. Needs bash 4, and nothing of
# the package bash-completion but that it loads this file; a further program
# takes a word in the last line, and in the Makefile.
#
# Bash's scopes are dynamic: the functions share the locals of _e2lazy.
#
#	program		the installed program, by its absolute path
#	words		the command line up to the cursor, as the shell has it
#	help		--help of the command that is completed
#	options, takes	its options, and what they take as an argument
#	cut		how much of the word readline holds for done

# The words up to the cursor. Bash has taken them apart at = and : as well.
_e2lazy_words()
{
	local line=${COMP_LINE:0:COMP_POINT} i word rest

	words=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		rest=${line#"${line%%[![:blank:]]*}"}
		word=${COMP_WORDS[i]}
		[[ $rest == "$word"* ]] || word=$rest
		if ((i)) && [[ $rest == "$line" ]]; then
			words[-1]+=$word
		else
			words+=("$word")
		fi
		line=${rest#"$word"}
	done
	[[ $word == [=:] ]] && word=
	cut=$((${#words[-1]} - ${#word}))
}

_e2lazy_ask()
{
	LC_ALL=C LANGUAGE= "$program" "$@" 2>/dev/null </dev/null
}

# The options in $help: "  -j, --journal DEV  ..." or "      --json  ..."
_e2lazy_options()
{
	local line form='^ +((-.), )?(--[a-z0-9-]+)( ([^ ]+))?( |$)'

	options=()
	takes=()
	while IFS= read -r line; do
		[[ $line =~ $form ]] || continue
		options+=("${BASH_REMATCH[3]}")
		takes[${BASH_REMATCH[3]}]=${BASH_REMATCH[5]}
		[[ ${BASH_REMATCH[2]} ]] || continue
		options+=("${BASH_REMATCH[2]}")
		takes[${BASH_REMATCH[2]}]=${BASH_REMATCH[5]}
	done <<<"$help"
}

# _e2lazy_list HEADING - the first words of the lines below it in $help
_e2lazy_list()
{
	local line on=

	while IFS= read -r line; do
		if [[ $on && $line == "  "* ]]; then
			read -r line _ <<<"$line"
			echo "$line"
		elif [[ $on && $line != *: ]]; then
			on=
		elif [[ $line == "$1"* ]]; then
			on=yes
		fi
	done <<<"$help"
}

# _e2lazy_offer LEAD PART WORD... - words that go on from PART; LEAD stands
# before it already
_e2lazy_offer()
{
	local lead=$1 part=$2 word

	shift 2
	for word; do
		[[ $word == "$part"* ]] || continue
		word=$lead$word
		COMPREPLY+=("${word:cut}")
	done
}

# Readline does this itself, if it is given nothing else.
_e2lazy_files()
{
	compopt -o default
}

# _e2lazy_device LEAD PART - by what it is tagged with, or as a file
_e2lazy_device()
{
	local tag place place_of=([0]=UUID [1]=LABEL)

	for tag in "${place_of[@]}"; do
		if [[ $2 == "$tag"=* ]]; then
			for place in /dev/disk/by-"${tag,,}"/*; do
				[[ -e $place ]] && _e2lazy_offer "$1$tag=" \
					"${2#*=}" "${place##*/}"
			done
			return
		elif [[ $2 && $tag == "$2"* && ! $(compgen -f -- "$2") ]]; then
			compopt -o nospace
			_e2lazy_offer "$1" "$2" "$tag="
			return
		fi
	done
	_e2lazy_files
}

# _e2lazy_columns LEAD PART - a list, of which the last is completed; an
# option can make the columns others: then it has a list of its own, headed
# "With --option:"
_e2lazy_columns()
{
	local heading='Columns (' done= part=$2 word

	[[ $part == +* ]] && done=+
	[[ $part == *,* ]] && done=${part%,*},
	for word in "${words[@]}"; do
		[[ $word == --* && $help == *$'\n'"With $word:"$'\n'* ]] &&
			help=${help#*$'\n'"With $word:"$'\n'}
	done
	# Of this command's, the first list.
	help=${help#*"$heading"}
	help=$heading${help%%$'\n\n'*}
	compopt -o nospace
	_e2lazy_offer "$1$done" "${part#"$done"}" $(_e2lazy_list "$heading")
}

# Names of types have spaces, for which the program takes a hyphen as well.
_e2lazy_types()
{
	local line types=() found=${help#*$'\n'Types}

	while IFS= read -r line; do
		[[ $line == "  "* ]] || continue
		line=${line#  }
		types+=("${line// /-}")
	done <<<"${found%%$'\n\n'*}"
	_e2lazy_offer "$1" "$2" "${types[@]}"
}

# _e2lazy_value KIND LEAD PART - an argument, KIND as --help calls it. False
# for a kind that is not known here: the tests see to it that there is none.
_e2lazy_value()
{
	case ${1%...} in
	DEV|DEVICE)	_e2lazy_device "$2" "$3" ;;
	FILE|PATH|TEXT|TRACE)	_e2lazy_files ;;
	DIR|DIRECTORY)	compopt -o dirnames ;;
	LIST)		_e2lazy_columns "$2" "$3" ;;
	TYPE)		_e2lazy_types "$2" "$3" ;;
	WHEN)		_e2lazy_offer "$2" "$3" auto always never ;;
	ORDER)		_e2lazy_offer "$2" "$3" fs log ;;
	MODE)		_e2lazy_offer "$2" "$3" never zero raw ;;
	WHICH)		_e2lazy_offer "$2" "$3" paper strict ;;
	KERNEL)		_e2lazy_offer "$2" "$3" stock lazy ;;
	WORK)		_e2lazy_offer "$2" "$3" makedirs postmark untar ;;
	KIND)		_e2lazy_offer "$2" "$3" cmr dm-smr zoned auto ;;
	FORMAT)		_e2lazy_offer "$2" "$3" blkparse blktrace \
				fio msr ftrace ;;
	"D|Q|C")	_e2lazy_offer "$2" "$3" D Q C ;;
	STATE)		_e2lazy_offer "$2" "$3" in-use ;;
	HOW)		_e2lazy_offer "$2" "$3" paper exact both ;;
	NAME)		_e2lazy_offer "$2" "$3" $(_e2lazy_ask --list |
				grep -o '^[^ ]*') ;;
	ID)		_e2lazy_offer "$2" "$3" $(_e2lazy_ask --list \
				--raw --no-headings --columns ID) ;;
	COMMAND)	_e2lazy_request "$2" "$3" ;;
	# What can be chosen from is the name: cmr|zoned|auto.
	*[a-z]"|"[a-z]*)	_e2lazy_offer "$2" "$3" ${1//|/ } ;;
	# Numbers, and names within a file system.
	N|"N[,N...]"|PERCENT|SIZE|FD|"A[-B]"|"LOGBLK[:TID]"|\
	TIME|RATE|LABEL|UUID|GLOB|LETTERS)	;;
	MODEL|KEY=VALUE|SPEC|"NAME|N")	;;
	BLOCK|INODE|"PATH|<INODE>"|"BLOCK|<INODE>|PATH"|\
	"BLOCK|<INODE>|PATH[:PART]")	;;
	*)		return 1 ;;
	esac
	return 0
}

# _e2lazy_operand N - the kind of the Nth operand in the first line of $help,
# from 0; the last one may stand for any number
_e2lazy_operand()
{
	local usage=${help%%$'\n'*} kinds kind

	[[ $usage == *"[options]"* ]] || return
	read -ra kinds <<<"${usage#*"[options]"}"
	# An optional operand before others may be the first of them.
	[[ ${kinds[0]} == "["*"]" && ${kinds[1]} ]] && kinds[0]=${kinds[1]}
	kind=${kinds[$1]}
	if [[ ! $kind ]] && ((${#kinds[@]})) && [[ ${kinds[-1]} == *... ]]; then
		kind=${kinds[-1]}
	fi
	kind=${kind%...}
	[[ $kind == "["*"]" ]] && kind=${kind:1:-1}
	echo "${kind%...}"
}

# _e2lazy_foreign N - the command of somebody else that begins at word N
_e2lazy_foreign()
{
	local i

	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -- ]] && break
	done
	if declare -F _command_offset >/dev/null; then
		_command_offset $((i + 1))
	elif (($1 == ${#words[@]} - 1)); then
		COMPREPLY=($(compgen -c -- "${words[-1]}"))
	else
		_e2lazy_files
	fi
}

# _e2lazy_arguments FIRST LEAD - complete the last word as an argument of the
# command that $help is of, and whose own first argument is word FIRST. LEAD:
# see _e2lazy_offer.
_e2lazy_arguments()
{
	local i word kind= count=0 options last=${words[-1]} lead=$2
	local -A takes

	_e2lazy_options
	for ((i = $1; i < ${#words[@]} - 1; i++)); do
		word=${words[i]}
		if [[ $kind ]]; then
			kind=
		elif [[ $word == -- ]]; then
			[[ ${help%%$'\n'*} == *"[-- COMMAND"* ]] &&
				_e2lazy_foreign $((i + 1))
			return
		elif [[ $word == --* ]]; then
			kind=${takes[$word]}
		elif [[ $word == -?* ]]; then
			kind=${takes[-${word: -1}]}
		else
			((count++))
		fi
	done
	if [[ $kind ]]; then
		_e2lazy_value "$kind" "$lead" "$last"
	elif [[ $last == --*=* ]]; then
		word=${last%%=*}
		kind=${takes[$word]}
		[[ $kind ]] &&
			_e2lazy_value "$kind" "$lead$word=" "${last#*=}"
	elif [[ $last == -* ]]; then
		_e2lazy_offer "$lead" "$last" "${options[@]}"
	else
		kind=$(_e2lazy_operand $count)
		[[ $kind ]] && _e2lazy_value "$kind" "$lead" "$last"
	fi
}

# _e2lazy_commands LEAD PART [WORD...] - a command of those that $help lists
_e2lazy_commands()
{
	_e2lazy_offer "$1" "$2" $(_e2lazy_list Commands:) "${@:3}"
}

# _e2lazy_request LEAD PART - a line for the shell, all in one word, quoted as
# a rule; readline keeps the quotation mark
_e2lazy_request()
{
	local part=$2 lead=$1 words help

	[[ $part == [\'\"]* ]] && part=${part:1}
	read -ra words <<<"$part"
	[[ ! $part || $part == *[[:blank:]] ]] && words+=("")
	lead+=${part%"${words[-1]}"}
	help=$(_e2lazy_ask -R help)
	if ((${#words[@]} == 1)) ||
	   [[ ${words[0]} == help && ${words[-1]} != -* ]]; then
		compopt -o nospace
		_e2lazy_commands "$lead" "${words[-1]}"
		return
	fi
	help=$(_e2lazy_ask -R "help ${words[0]}")
	_e2lazy_arguments 1 "$lead"
}

# A line of a program that has commands. Options that several of them have may
# stand in front of the command.
_e2lazy_command_line()
{
	local at=1 last=$((${#words[@]} - 1))
	local known=" $(_e2lazy_list Commands: | tr '\n' ' ') help "

	if [[ ${words[1]} == -* ]]; then
		while ((at < last)) && [[ $known != *" ${words[at]} "* ]]; do
			((at++))
		done
	fi
	if ((at == last)) && [[ ${words[at]} == -* ]]; then
		_e2lazy_arguments 1 ""
	elif ((at == last)); then
		_e2lazy_commands "" "${words[at]}" help
	elif [[ ${words[at]} == help ]]; then
		if ((last == at + 2)); then
			help=$(_e2lazy_ask "${words[last - 1]}" --help)
			[[ $help == *$'\n'"Commands:"$'\n'* ]] || return
		fi
		((last <= at + 2)) && _e2lazy_commands "" "${words[last]}"
	else
		help=$(_e2lazy_ask "${words[at]}" --help)
		_e2lazy_command $at
	fi
}

# _e2lazy_command AT - word AT is a command, of which $help is; it may have
# commands of its own
_e2lazy_command()
{
	local at=$1 next=$(($1 + 1)) last=$((${#words[@]} - 1))

	if [[ $help != *$'\n'"Commands:"$'\n'* ]] ||
	   [[ ${words[next]} == -* ]]; then
		_e2lazy_arguments $next ""
	elif ((next == last)); then
		_e2lazy_commands "" "${words[next]}"
	else
		help=$(_e2lazy_ask "${words[at]}" "${words[next]}" --help)
		_e2lazy_arguments $((next + 1)) ""
	fi
}

# _e2lazy_installed NAME - the program of that name. A key that completes runs
# it, so it is never the file that the command line names by a path, nor one
# that PATH finds relative to the current directory.
_e2lazy_installed()
{
	local path

	while IFS= read -r path; do
		[[ $path == /* ]] || continue
		echo "$path"
		return
	done < <(type -aP -- "$1")
	# Administrators' programs are not in every user's PATH.
	echo "/usr/sbin/$1"
}

_e2lazy()
{
	local program words help cut

	COMPREPLY=()
	_e2lazy_words
	program=$(_e2lazy_installed "${1##*/}")
	help=$(_e2lazy_ask --help)
	if [[ $help != *$'\n'"Commands:"$'\n'* ]]; then
		_e2lazy_arguments 1 ""
	else
		_e2lazy_command_line
	fi
}

complete -F _e2lazy e2lazy e2lazyck debuglazy mke2lazy
