# SPDX-License-Identifier: GPL-2.0-only
#
# random.awk -v seed=N - one random combination, the same for the same N
#
# Prints lines `set VARIABLE VALUE` for random.sh, and then lines `do
# STATEMENT` for fswork.  The generator is Park and Miller's, because each awk
# has another one of its own; all its products are exact.

function draw(n) {	# 0 .. n - 1
	state = state * 16807 % 2147483647
	return int(state / 2147483647 * n)
}

function chance(percent) { return draw(100) < percent }
function pick(list,	words) { return words[1 + draw(split(list, words, " "))] }
function set(name, value) { print "set", name, value }
function say(text) { print "do", text }

# ------------------------------------------------------- the format ---

function format() {
	block = pick("1024 2048 4096")
	csum = pick("v3 v3 nocsum")
	extents = chance(70)
	wide = extents && chance(60)
	# A ring of the least size comes round; a large one never does.
	small = chance(50)
	external = chance(25)
	mode = chance(35) ? "data=journal" : "data=ordered"
	stop = pick("logflush logflush nologflush copy umount")

	features = (wide ? "64bit" : "^64bit") (extents ? "" : ",^extent")
	features = features (csum == "v3" ? ",metadata_csum" : ",^metadata_csum")
	set("options", "-b " block " -O " features \
	    (external ? "" : " -J size=" megabytes()))
	if (external)
		set("external", small ? (block / 1024 * 2) "M" : "24M")
	set("mount", mode)
	set("stop", stop)
	claims = csum " " (wide ? "64bit" : "32bit")
	if (!extents && !external)
		claims = claims " indirect"
	# After a umount there is no log whose shape could be looked at.
	if (small && stop != "umount")
		claims = claims " wrap"
	set("want", claims)
	set("name", block / 1024 "k " (extents ? "extents" : "indirect") " " \
	    csum (wide ? " 64bit" : "") (small ? " small" : " large") \
	    (external ? " external" : "") " " mode " " stop)
}

function megabytes() { return block / 1024 * (small ? 1 : 6) }

# --------------------------------------------------------- the work ---

# Directories have numbers; kind[d] is what is in them: d, f or l, and from
# low[d] to high[d] it is there.
function fresh(what, count) {
	dirs++
	kind[dirs] = what
	low[dirs] = 1
	high[dirs] = count
	return "w" dirs
}

# A directory of that kind that has something left, or 0.
function some(what,	d, tries) {
	for (tries = 0; tries < 8 && dirs; tries++) {
		d = 1 + draw(dirs)
		if (kind[d] == what && low[d] <= high[d])
			return d
	}
	return 0
}

# Takes some of the first ones away from what is there.
function take(d,	from, to) {
	from = low[d]
	to = from + draw(high[d] - from + 1)
	low[d] = to + 1
	return from " " to
}

function magic() { return chance(40) ? " magic" : "" }

function make() {
	what = pick("d d f f l")
	if (what == "d") {
		n = 20 + draw(150)
		say("mkdirs " fresh("d", n) " 1 " n " " 10 + draw(60))
	} else if (what == "f") {
		n = 5 + draw(30)
		say("files " fresh("f", n) " 1 " n " " draw(30000) \
		    (magic() == "" ? "" : " magic"))
	} else {
		n = 5 + draw(40)
		say("symlinks " fresh("l", n) " 1 " n magic())
	}
}

function change() {
	what = pick("rmdirs unlink rewrite truncate xattr rename random holes")
	d = some(what == "rmdirs" ? "d" : "f")
	if (what == "random") {
		say("random r" ++randoms " " draw(1000) " " 50 + draw(250) " " \
		    20 + draw(60))
	} else if (what == "holes") {
		say("holes h" ++holes " 1 " 1 + draw(5) " " 1 + draw(30) \
		    " 50000")
	} else if (!d) {
		make()
	} else if (what == "rmdirs" || what == "unlink") {
		say(what " w" d " " take(d))
	} else if (what == "rename") {
		say("rename w" d " " take(d) " moved" ++moves)
	} else if (what == "rewrite") {
		say("rewrite w" d " " low[d] " " high[d] " " draw(20000) magic())
	} else if (what == "truncate") {
		say("truncate w" d " " low[d] " " high[d] " " draw(40000))
	} else {
		say("xattr w" d " " low[d] " " high[d] " " 8 + draw(700))
	}
}

function work(	i) {
	say("mkdirs base 1 " 30 + draw(100) " " 10 + draw(40))
	for (i = 4 + draw(10); i > 0; i--) {
		if (chance(45))
			make()
		else
			change()
		if (chance(40))
			say("fsync base")
	}
	say("mkdirs last 1 10")
	say("fsync last")
}

BEGIN {
	state = seed % 2147483646 + 1
	for (i = 0; i < 20; i++)
		draw(2)
	format()
	work()
}
