# SPDX-License-Identifier: GPL-2.0-only
#
# sentences.sed - the sentences that many tests see, each under a short name
#
# `run' puts a test's output through it, so `expect' has the name, and a new
# wording changes one line, here. A sentence that differs by one letter keeps
# all its words, and the test fails. Numbers stay: "[3 newer]". A sentence
# belongs here from its fourth place on. The version of a tool of e2fsprogs is no
# part of any test.
s/^(e2fsck|debugfs) 1\.[0-9.]+ \([0-9]+-[A-Z][a-z]{2}-[0-9]{4}\)$/[version of \1]/

# Headings of tables
s/^SEVERITY ID +COUNT LOGBLK TID FSBLK MESSAGE$/[findings]/
s/^FSBLK LOGBLK PHYSBLK TID TYPE$/[copies]/
s/^TID START  END TIME                 BLOCKS REVOKES   LIVE CSUM      STATE$/[transactions]/
s/^EVENT  TID LOGBLK PHYSBLK TIME                 STATE       ESCAPED CSUM$/[events]/

# The log as a whole. "1 blocks are" has no name.
s/no block is newer in the log than in place$/[none newer]/
s/1 block is newer in the log than in place$/[1 newer]/
s/([02-9]|[0-9]{2,}) blocks are newer in the log than in place$/[\1 newer]/
s/the log is sound and in use; \[/[sound] [/
s/the log is clean; \[/[clean] [/
s/the log is damaged; \[/[damaged] [/
s/the log is unusable; nothing in it can be written back$/[unusable]/
s/the log has transactions ([0-9]+) to ([0-9]+)$/[log \1 to \2]/
s/needs_recovery is set, but the log is empty$/[of nothing]/
s/the log is empty$/[empty]/
s/grave problems: ([0-9]+), warnings: ([0-9]+); --explain ID explains them$/[grave \1, warnings \2]/

# Findings
s/it contains a btrfs file system$/[btrfs]/
s/the log holds a copy of a free or unwritten block$/[of free]/
s/the newest copy of a block is bad, and an older copy in the log is good$/[older is good]/
s/committed transactions follow a lost block of the log$/[blocks follow]/
s/a tag maps a block outside the file system$/[tag beyond]/
s/the superblock's newest copy is not this file system's superblock$/[foreign]/
s/bad checksum of a copy in the log$/[bad copy]/
s/bad checksum of a commit block$/[bad commit]/
s/no jbd2 superblock at the start of the journal$/[no jbd2]/
s/the device or image is too short: the journal or the metadata that locates it is cut off$/[cut off]/
s/the device or image ends before the file system does$/[too short]/
s/log block ([0-9]+), transaction ([0-9]+), block ([0-9]+)(: |$)/log \1, tid \2, fs \3\4/
s/log block ([0-9]+), transaction ([0-9]+)(: |$)/log \1, tid \2\3/
s/block ([0-9]+), log block ([0-9]+), transaction ([0-9]+)$/fs \1, log \2, tid \3/

# e2lazyck --checkpoint: questions, answers and results
s/Write back the sound part of the log, and drop the rest\?/[give up?]/
s/Keep these blocks in place, older than the log, and drop their copies\?/[keep old?]/
s/the answer is not yes, so nothing is written$/[not yes]/
s/written back: 1 block, requests: ([0-9]+), left out: ([0-9]+)/[wrote 1, requests \1, left \2]/
s/written back: ([02-9]|[0-9]{2,}) blocks, requests: ([0-9]+), left out: ([0-9]+)/[wrote \1, requests \2, left \3]/
s/a checkpoint does not mend it; run e2fsck -f$/[not mended]/
s/past the head, ([0-9]+) log blocks cannot be read$/[\1 past the head]/
s/'e2lazy log --geometry auto --histories' lists what the ring holds, 'e2lazy view --geometry auto --history N' shows the file system as of then, and 'e2lazy undelete --geometry (start=0)' restores single files$/[look back, \1]/
s/nothing was written$/[nothing written]/
s/cancelled by a signal$/[cancelled]/
s/another program holds a lock on it$/[locked]/
s/another program changed it after it was judged$/[changed since]/
s/run it again when no other program uses the device$/[run again]/
s/another file has taken its place$/[replaced]/
s/1, with at most 1 MiB of memory$/1 [1 MiB]/
s/^To undo it: e2undo (.*)$/[e2undo \1]/
s/the journal superblock: s_start ([0-9]+), s_sequence ([0-9]+)$/[start \1, sequence \2]/
s/transactions ([0-9]+) to ([0-9]+), from log block ([0-9]+) on$/[\1 to \2, from \3]/
s/([02-9]|[0-9]{2,}) fast-commit records are now transaction ([0-9]+) of the log$/[\1 records: \2]/
s/use debuglazy or e2lazy view; debugfs and e2fsck -n see the state before$/[use debuglazy]/
s/static blocks, including bitmaps, are older than the log;$/[static older]/
s/copy the device before anything replays or checks it\.$/[copy first]/

# Another test compares the version.
s/"format":1,"version":"[0-9.]+"/"format":1,[version]/

# What the system says, and the journal's device
s/: No such file or directory$/: [ENOENT]/
s/: No space left on device$/: [ENOSPC]/
s/: Bad file descriptor$/: [EBADF]/
s/: Input\/output error$/: [EIO]/
s/the journal is on another device; name it with --journal$/[on another]/
s/the file system has no journal$/[no journal]/
s/the journal is on (.*)$/[on \1]/
s/^  -h, --help                print this help and exit$/  [help]/
s/^Columns \(\* shown unless --columns is given\):$/[columns]/

# e2lazy undelete and doctor
s/1 file is not intact$/[1 not intact]/
s/^( *)copy the device to another disk, or take a snapshot; try the rest on the$/\1[take a copy]/
s/verify the log, block by block; writes nothing$/[verify]/
s/mount the state after a replay, and copy the files; writes nothing$/[view]/
s/check whether the log may be restored; writes nothing$/[plan a restore]/
s/restore the log, so that any recovery replays it; e2undo can reverse this\.$/[restore]/
s/e2lazyck refuses if anything was written since$/[or refuses]/
s/last: check the whole file system$/[check]/
s/metadata is damaged; the kernel does not use it$/[kernel avoids]/
s/its pass number is not 0: boot, or its mount unit, runs e2fsck -p$/[boot checks]/
s/^Other tools, if you ran them now$/[other tools]/

# mke2lazy's sheet
s/, assumed; measure it and give it with --throughput$/ [assumed]/
s/MiB, policy paper$/MiB [paper]/
s/([0-9]+) MiB = ([0-9]+) MiB\/s x ([0-9]+) s$/\1 MiB [\2 x \3]/
s/([0-9]+) s, from the kernel$/\1 s [kernel]/
s/neither given nor measured$/[unknown]/
s/it rotates as slowly as most shingled drives: ([0-9]+) a minute$/[slow: \1]/
s/its model is known as shingled: (.*), by paper\/fast15-fast17$/[FAST: \1]/
s/its model is known as a drive-managed shingled disk$/[listed]/
s/\(evidence for shingles: ([0-9]+) of 100\)$/[evidence \1]/
s/it is shingled; the profile keeps online resize and backups$/[keeps resize]/
s/no evidence says that it is shingled; use --drive dm-smr if$/[no evidence]/
s/rounded up to whole zones$/[whole zones]/
s/block ([0-9]+) \((.*)\), pieces: 1$/block \1 (\2) [1 piece]/
s/the flusher wakes up every 5 s$/[flusher 5 s]/
s/ext4 cannot write to host-managed zones, which accept sequential writes only; use btrfs, f2fs or xfs, put dm-zoned between \(dmzadm\), or use a file of conventional zones from zonefs$/[host-managed]/
s/paper   exact  \+super     tables      moved  in use$/[counts]/
s/^Profiles at this size$/[profiles]/
s/v3: one per block$/[v3]/
s/^This is a model, and no drive has confirmed it\.$/[a model]/
