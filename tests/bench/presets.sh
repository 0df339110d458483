# SPDX-License-Identifier: GPL-2.0-only
#
# presets.sh - the page of what presets measured

# The median of each figure of the rows of a cell, and the time of cleaning as a
# part of that with the layout of mke2fs.
medians() {
	awk '
	function middle(list, n,   a, i, j, t) {
		split(list, a, " ")
		for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++)
			if (a[j] + 0 < a[i] + 0) { t = a[i]; a[i] = a[j]; a[j] = t }
		return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
	}
	function thousands(n) {
		if (n < 1000)
			return n
		return thousands(int(n / 1000)) "," sprintf("%03d", n % 1000)
	}
	/^#/ || NF != 9 { next }
	{ k = $2 " " $6 " " $1 " " $5 " " $4 " " $3; n[k]++
	  m[k] = m[k] " " $7; b[k] = b[k] " " $8; s[k] = s[k] " " $9 }
	END { for (k in n) { split(k, w, " ")
		d = w[1] " " w[2] " " w[3] " " w[4] " " w[5] " default"
		base = d in n ? middle(s[d], n[d]) : 0
		own = middle(s[k], n[k])
		shorter = ""
		if (d != k && base > 0 && own > 0)
			shorter = sprintf("%.1f", base / own)
		printf "| %s | %s | %s | %s | %s | %s | %s | %s | %.0f s | %s | %d |\n",
			w[1], thousands(w[2]), w[3], w[4], w[5], w[6],
			middle(m[k], n[k]), middle(b[k], n[k]), own, shorter,
			n[k] } }' |
	sort -t '|' -k 2,2 -k 4,4 -k 3,3 -k 5,7
}

page() {
	cat <<-END
		# What the profiles dirty in use

		\`make presets\` wrote this page; edit \`tests/bench/presets.md\` or
		\`presets.sh\` there instead.

		Each row is a new file system, made by mke2fs and mounted by Linux
		$(sed -n 's/^# Linux //p' "$ROWS"), in memory, sparse or without zeros. The journal has 1 GiB,
		and 10 GiB for a million directories. MakeDirs makes so many
		directories, RemoveDirs removes them after another mount. CreateFiles
		makes files of 4 KiB and the directories that they need. Postmark makes
		25,000 directories in the root, which the kernel spreads over the disk,
		and files, and deletes these; Postmark-below does so in one directory.
		Untar makes 20 trees of 300 directories and files. All end with umount.
		1,071,277 directories are the paper's MakeDirs; the other amounts are
		parts of its workloads, so compare rows, not figures, with it. e2lazy
		recorded the requests. A row that is missing was not measured.

		- *amount*: directories of MakeDirs and RemoveDirs, files of the others;
		- *groups*: zeroed, if all count as initialised, and the work begins when
		  the kernel has looked at their bitmaps; new, if it zeroes tables
		  while the work goes on;
		- *procs*: processes that do the work; those that made what RemoveDirs
		  removes;
		- *metadata*: bands of 30 MiB with metadata written home;
		- *dirty*: all bands that the model of ST8000AS0002 found dirty, with
		  the journal's and the files';
		- *cleaning*: its time after the run, by the model: no drive was used;
		- *shorter*: the cleaning with the layout of mke2fs divided by it.

		Figures are medians of *runs*.

		| work | amount | disk | groups | procs | layout | metadata | dirty | cleaning | shorter | runs |
		|------|--------|------|--------|-------|--------|----------|-------|----------|---------|------|
	END
	cat
	[ ! -r "$SRCDIR/tests/bench/presets.md" ] ||
		cat "$SRCDIR/tests/bench/presets.md"
}
