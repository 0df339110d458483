# SPDX-License-Identifier: GPL-2.0-only
#
# shells.sh - zsh and fish complete as bash does. Sourced by run; make install
# has made a tree, whose files are tried with their paths set to it.

shells=$work/shells
mkdir -p "$shells/fish" "$shells/zsh" && : >"$work/some-image"

# fill IN OUT - as the Makefile does, for the tree of sources
fill()
{
	sed -e "s|@complete@|$SRCDIR/misc/system/complete.bash|g" \
		-e "s|@completion@|$completion|g" \
		-e "s|@programs@|$programs|g" \
		"$SRCDIR/misc/system/$1" >"$2"
}

for_shells="
e2lazy dum|e2lazy dump
e2lazy dump --sort=f|e2lazy dump --sort=fs
e2lazy dump --sort f|e2lazy dump --sort fs
e2lazy --json help di|e2lazy --json help diff
e2lazy dump --columns=TYPE,GR|e2lazy dump --columns=TYPE,GROUP
e2lazy dump --raw some-i|e2lazy dump --raw some-image
e2lazyck --journal=some-i|e2lazyck --journal=some-image
e2lazyck --checkp|e2lazyck --checkpoint"

# Each line as bash has it: what is offered last is the last word.
fish_completes()
{
	word=$(PATH=$BUILDDIR/misc:$BUILDDIR/debugfs-ext:$PATH HOME=$shells \
		fish -N -c 'source $argv[1]; complete -C $argv[2]' \
		"$shells/fish/e2lazy.fish" "$1" | cut -f1)
	same "$2" "${1% *} $word"
}

# A terminal of its own, in which the key TAB is struck behind the line.
cat >"$shells/strike" <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=('$1' \$fpath); autoload -Uz compinit; compinit -D -u"
zpty -w shell "show() { print -r -- \$BUFFER >'$2'; exit }"
zpty -w shell "zle -N show; bindkey '^Y' show"
zpty -w -n shell "$3"$'\t\x19'
for ((i = 0; i < 200; i++)); do
	while zpty -r -t shell out; do :; done
	[[ -s $2 ]] && break
	sleep 0.05
done
zpty -d shell
END
zsh_completes()
{
	rm -f "$shells/line"
	PATH=$BUILDDIR/misc:$BUILDDIR/debugfs-ext:$PATH HOME=$shells TERM=dumb \
		zsh -f "$shells/strike" "$shells/zsh" "$shells/line" "$1"
	same "$2" "$(sed 's/ $//' "$shells/line")"
}

for shell in fish zsh; do
	if ! command -v $shell >/dev/null; then
		skip "completion: $shell" "$shell is missing"
		continue
	fi
	case $shell in
	fish)	fill completion.fish.in "$shells/fish/e2lazy.fish" ;;
	zsh)	fill completion.zsh.in "$shells/zsh/_e2lazy" ;;
	esac
	while IFS='|' read -r line whole; do
		[ "$line" ] || continue
		check "completion: $shell: $line" ${shell}_completes "$line" \
			"$whole"
	done <<-END
		$for_shells
	END
done
rm -r "$shells" some-image
