#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# follow.py - what timeline --follow says of a mounted file system, beside the
# file system itself
#
# follow.py steps DEVICE MOUNTPOINT SEED COUNT
#	Each step is an operation and syncfs(2).  The records of its transactions
#	must make the tree before into the tree after, name each file whose inode
#	changed, and name no other.
# follow.py free DEVICE MOUNTPOINT SEED SECONDS
#	Several threads work.  Each record must have a cause in what fanotify(7)
#	saw, and the records together must make the tree before into that after.
# follow.py laps DEVICE MOUNTPOINT SECONDS
#	Works and commits without a pause.  No transaction comes twice, and those
#	that do not come are reported as lost.
# follow.py rsync DEVICE MOUNTPOINT COPY SEED HISTORIES
#	Histories of operations: rsync --files-from with the paths of the feed, from
#	cursor to cursor, must make a copy equal.
#
# Environment: E2LAZY.  Says what is wrong, with status 1.

import collections
import ctypes
import os
import random
import select
import shutil
import stat
import struct
import subprocess
import sys
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
E2LAZY = os.environ["E2LAZY"]


def syncfs(path):
    fd = os.open(path, os.O_RDONLY)
    if libc.syncfs(fd):
        raise OSError(ctypes.get_errno(), "syncfs")
    os.close(fd)


class Wrong(Exception):
    pass


# ------------------------------------------------------------ the feed ---

class Feed:
    """timeline --follow --paths0 as records and cursors"""

    def __init__(self, device, *options):
        self.process = subprocess.Popen(
            [E2LAZY, "timeline", "--follow", "--paths0", *options, device],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.rest = b""
        self.cursor = None
        self.read_batch(60)         # it is ready when it has the first cursor

    def word(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            left = max(0, end - time.monotonic())
            if not select.select([self.process.stdout], [], [], left)[0]:
                return None
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                return None
            self.rest += more
        word, self.rest = self.rest.split(b"\0", 1)
        return os.fsdecode(word)

    def read_batch(self, seconds):
        """Records up to the next cursor; None: there is none in time."""
        records = []
        while True:
            kind = self.word(seconds)
            if kind is None:
                if records:
                    raise Wrong("a batch without a cursor: %s" % records)
                return None
            path = self.word(5)
            if kind == "cursor":
                self.cursor = path
                return records
            new = self.word(5) if kind == "renamed" else None
            records.append((kind, path, new))

    def drain(self, quiet=1.0):
        records = []
        while True:
            batch = self.read_batch(quiet)
            if batch is None:
                return records
            records.append(batch)

    def tid(self):
        return int(self.cursor.split(":")[3])

    def end(self):
        self.process.terminate()
        self.process.stdout.close()
        text = self.process.stderr.read().decode()
        self.process.stderr.close()
        return self.process.wait(), text


# ------------------------------------------------------------- the tree ---

def snapshot(top):
    """path -> what its inode shows"""
    tree = {}

    def look(directory, path):
        with os.scandir(directory) as entries:
            for e in entries:
                s = e.stat(follow_symlinks=False)
                here = path + "/" + e.name
                if here == "/lost+found":
                    continue
                tree[here] = (s.st_ino, s.st_ctime_ns, s.st_mode, s.st_uid,
                              s.st_size if not stat.S_ISDIR(s.st_mode) else 0,
                              s.st_mtime_ns)
                if e.is_dir(follow_symlinks=False):
                    look(e.path, here)

    look(top, "")
    return tree


def is_below(path, top):
    return path == top or path.startswith(top + "/")


def apply(paths, batch):
    """What a batch makes of a set of paths"""
    paths = set(paths)
    moved = {}
    renames = [r for r in batch if r[0] == "renamed"]
    for kind, old, new in sorted(renames, key=lambda r: -r[1].count("/")):
        if old not in paths:
            raise Wrong("renamed, but was not there: %s" % old)
        moved[new] = {p[len(old):] for p in paths if is_below(p, old)}
        paths -= {p for p in paths if is_below(p, old)}
    for kind, path, _ in batch:
        if kind == "deleted":
            gone = {p for p in paths if is_below(p, path)}
            paths -= gone
            for new, tails in moved.items():    # deleted below a renamed one
                for k, old, n in renames:
                    if n == new and is_below(path, old) and path != old:
                        tails.discard(path[len(old):])
    for new in sorted(moved, key=lambda p: p.count("/")):
        paths |= {new + tail for tail in moved[new]}
    for kind, path, _ in batch:
        if kind in ("created", "linked", "changed"):
            paths.add(path)
    return paths


def check_tree(before, after, batches):
    paths = set(before)
    for batch in batches:
        paths = apply(paths, batch)
    paths.discard("/")
    if paths != set(after):
        raise Wrong("not there: %s; left out: %s; of %s" %
                    (sorted(paths - set(after)), sorted(set(after) - paths),
                     batches))


def check_named(before, after, batches):
    """Each file whose inode changed is named, and no other."""
    named = {p for batch in batches for r in batch for p in r[1:] if p}
    by_ino = collections.defaultdict(set)
    for path, s in list(before.items()) + list(after.items()):
        by_ino[s[0]].add(path)
    for path, s in after.items():
        old = before.get(path)
        if old == s:
            continue
        if stat.S_ISDIR(s[2]) and old and old[0] == s[0] and \
                (old[2], old[3]) == (s[2], s[3]):
            continue            # only names in it changed
        if path in named or any(is_below(path, p) for p in named) or \
                (old and old[0] == s[0] and old[2:] == s[2:] and
                 by_ino[s[0]] & named):
            continue            # another name of it came or went
        raise Wrong("%s changed: %s, %s; feed: %s" % (path, old, s, batches))
    for path in named:
        if path in before and path in after and before[path] == after[path] \
                and not any(p != path and is_below(path, p) for p in named):
            raise Wrong("%s did not change: %s" % (path, batches))


# ------------------------------------------------------------ operations ---

class Worker:
    def __init__(self, top, seed, name=""):
        self.top = top
        self.random = random.Random(seed)
        self.name = name
        self.count = 0
        self.files = []
        self.dirs = [top]

    def new_path(self):
        self.count += 1
        name = "%s%d" % (self.name, self.count)
        if self.random.random() < 0.1:
            name += "-" + "n" * self.random.randrange(200)
        return os.path.join(self.random.choice(self.dirs), name)

    def create(self):
        path = self.new_path()
        with open(path, "wb") as f:
            f.write(os.urandom(self.random.randrange(9000)))
        self.files.append(path)

    def mkdir(self):
        path = self.new_path()
        os.mkdir(path)
        self.dirs.append(path)

    def symlink(self):
        path = self.new_path()
        os.symlink("x" * self.random.randrange(1, 200), path)
        self.files.append(path)

    def link(self):
        if self.files:
            path = self.new_path()
            os.link(self.random.choice(self.files), path,
                    follow_symlinks=False)
            self.files.append(path)

    def unlink(self):
        if self.files:
            path = self.files.pop(self.random.randrange(len(self.files)))
            os.unlink(path)

    def write(self):
        if self.files:
            path = self.random.choice(self.files)
            if not os.path.islink(path):
                with open(path, "ab") as f:
                    f.write(os.urandom(self.random.randrange(1, 5000)))

    def chmod(self):
        if self.files:
            path = self.random.choice(self.files)
            if not os.path.islink(path):
                os.chmod(path, self.random.choice([0o600, 0o644, 0o755]))

    def xattr(self):
        if self.files:
            path = self.random.choice(self.files)
            if not os.path.islink(path):
                os.setxattr(path, "user.a", os.urandom(
                    self.random.randrange(100)))

    def rename(self):
        if self.files:
            i = self.random.randrange(len(self.files))
            new = self.new_path()
            os.rename(self.files[i], new)
            self.files[i] = new

    def replace(self):
        if len(self.files) > 1:
            old, new = self.random.sample(self.files, 2)
            if os.stat(old, follow_symlinks=False).st_ino == \
                    os.stat(new, follow_symlinks=False).st_ino:
                return          # rename(2) does nothing
            os.rename(old, new)
            self.files.remove(old)

    def rename_dir(self):
        if len(self.dirs) > 1:
            old = self.random.choice(self.dirs[1:])
            new = self.new_path()
            if is_below(new, old):
                return
            os.rename(old, new)
            for names in (self.files, self.dirs):
                for i, path in enumerate(names):
                    if is_below(path, old):
                        names[i] = new + path[len(old):]

    def remove_dir(self):
        if len(self.dirs) > 1:
            old = self.random.choice(self.dirs[1:])
            shutil.rmtree(old)
            self.files = [p for p in self.files if not is_below(p, old)]
            self.dirs = [p for p in self.dirs if not is_below(p, old)]

    def fill(self):
        """A directory of several blocks"""
        path = self.new_path()
        os.mkdir(path)
        self.dirs.append(path)
        for i in range(self.random.randrange(30, 120)):
            name = os.path.join(path, "%s-%d-%s" % (self.name, i, "f" * 90))
            open(name, "w").close()
            self.files.append(name)

    usual = (["create"] * 6 + ["mkdir", "symlink", "link", "link"] +
             ["unlink"] * 3 + ["write"] * 4 + ["chmod", "xattr"] +
             ["rename"] * 3 + ["replace", "rename_dir", "remove_dir"])

    def work(self, fill=True):
        names = self.usual + (["fill"] if fill else [])
        name = self.random.choice(names)
        getattr(self, name)()
        return name


# -------------------------------------------------------------- the checks ---

def gather(feed, seconds=8):
    """The batches of what was committed by now"""
    batches = []
    first = feed.read_batch(seconds)
    if first is not None:
        batches = [first] + feed.drain(0.35)
    return batches


def steps(device, top, seed, count, *options):
    worker = Worker(top, seed)
    for _ in range(10):
        worker.work()
    syncfs(top)
    feed = Feed(device, *options)
    before = snapshot(top)
    for i in range(count):
        name = worker.work(fill=i % 9 == 0)
        syncfs(top)
        after = snapshot(top)
        if after == before:
            continue
        batches = gather(feed)
        try:
            check_tree(before, after, batches)
            check_named(before, after, batches)
        except Wrong as wrong:
            feed.end()
            raise Wrong("step %d, %s, seed %d: %s" % (i, name, seed, wrong))
        before = after
    status, text = feed.end()
    if status:
        raise Wrong("status %d: %s" % (status, text))


def watch_names(top, stop, seen):
    """Collect what fanotify says of each name."""
    FAN_REPORT_DFID_NAME = 0xc00
    fd = libc.fanotify_init(FAN_REPORT_DFID_NAME | 0x10, os.O_RDONLY)
    mask = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200 | 0x40000000
    if fd < 0 or libc.fanotify_mark(fd, 1 | 0x100, ctypes.c_uint64(mask), -100,
                                    os.fsencode(top)):
        return None

    def read():
        while True:
            if select.select([fd], [], [], 0.2)[0]:
                take(os.read(fd, 1 << 16), seen)
            elif stop.is_set():
                break
        os.close(fd)

    thread = threading.Thread(target=read)
    thread.start()
    return thread


def take(events, seen):
    at = 0
    while at < len(events):
        length, = struct.unpack_from("=I", events, at)
        meta_length, mask = struct.unpack_from("=HQ", events, at + 6)
        info = at + meta_length
        while info < at + length:
            kind, _, size = struct.unpack_from("=BBH", events, info)
            if kind == 2:                   # directory, and a name
                handle, = struct.unpack_from("=I", events, info + 12)
                name = events[info + 20 + handle:info + size]
                seen[os.fsdecode(name.split(b"\0")[0])] |= mask
            info += size
        at += length


CAUSES = {"created": 0x100 | 0x80, "deleted": 0x200 | 0x40 | 0x80,
          "renamed": 0x80 | 0x100, "linked": 0x100 | 0x80, "changed": 0x2 | 0x4 |
          0x100 | 0x80}


def check_causes(batches, seen):
    for batch in batches:
        for kind, path, new in batch:
            name = os.path.basename(new or path)
            if not seen[name] & CAUSES[kind]:
                raise Wrong("%s %s has no cause: %x" % (kind, path,
                                                        seen[name]))


def free(device, top, seed, seconds, *options):
    seen = collections.defaultdict(int)
    stop = threading.Event()
    roots = [os.path.join(top, "w%d" % i) for i in range(3)]
    for root in roots:
        os.mkdir(root)
    syncfs(top)
    watching = watch_names(top, stop, seen)
    feed = Feed(device, *options)
    before = snapshot(top)
    end = time.monotonic() + seconds
    workers = [Worker(root, seed + i, "%c" % (97 + i))
               for i, root in enumerate(roots)]

    def work(worker):
        while time.monotonic() < end:
            worker.work(fill=worker.count % 50 == 0)
            if worker.random.random() < 0.02:
                syncfs(top)
            time.sleep(0.002)

    threads = [threading.Thread(target=work, args=(w,)) for w in workers]
    for t in threads:
        t.start()
    batches = []
    while any(t.is_alive() for t in threads):
        batch = feed.read_batch(0.2)
        if batch is not None:
            batches.append(batch)
    for t in threads:
        t.join()
    syncfs(top)
    after = snapshot(top)
    batches += feed.drain(2)
    stop.set()
    status, text = feed.end()
    if watching:
        watching.join()
        check_causes(batches, seen)
    check_tree(before, after, batches)
    if status:
        raise Wrong("status %d: %s" % (status, text))
    print("# %d batches, %d records, %d names seen by fanotify" %
          (len(batches), sum(map(len, batches)), len(seen)))


def laps(device, top, seconds, *options):
    open(os.path.join(top, "first"), "w").close()
    syncfs(top)
    feed = Feed(device, *options)
    first = feed.tid()
    end = time.monotonic() + seconds
    count = [0]

    def work():
        worker = Worker(top, 1)
        while time.monotonic() < end:
            worker.work()
            count[0] += 1
            syncfs(top)

    thread = threading.Thread(target=work)
    thread.start()
    at, told, lost = first, 0, 0
    while True:
        batch = feed.read_batch(2 if not thread.is_alive() else 0.5)
        if batch is None:
            if not thread.is_alive():
                break
            continue
        now = feed.tid()
        if any(r[0] == "lost" for r in batch):
            lost += now - at
        elif now != at + 1:
            raise Wrong("transaction %d follows %d" % (now, at))
        else:
            told += 1
        at = now
    thread.join()
    status, text = feed.end()
    if bool(lost) != bool(status & 4) or bool(lost) != ("incomplete" in text):
        raise Wrong("lost %d, status %d: %s" % (lost, status, text))
    print("# %d transactions told, %d reported as lost, %d operations" %
          (told, lost, count[0]))


def list_since(device, cursor):
    run = subprocess.run(
        [E2LAZY, "timeline", "--follow", "--once", "--paths0", "--expand",
         "--since", cursor, device], stdout=subprocess.PIPE)
    if run.returncode:
        raise Wrong("--since: status %d" % run.returncode)
    words = iter(run.stdout.decode(errors="surrogateescape").split("\0")[:-1])
    paths = []
    for kind in words:
        path = next(words)
        if kind == "cursor":
            cursor = path
        elif kind == "lost":
            raise Wrong("lost")
        else:
            paths.append(path)
            if kind == "renamed":
                paths.append(next(words))
    return cursor, paths


def rsync(top, copy, *more, paths=None):
    args = ["rsync", "-lptgoD", "--checksum", *more]
    if paths is not None:
        args += ["--files-from=-", "--from0", "--delete-missing-args",
                 "--force"]
    text = b"".join(os.fsencode(p) + b"\0" for p in paths or [])
    run = subprocess.run(args + [top + "/", copy + "/"], input=text,
                         stderr=subprocess.DEVNULL)
    if run.returncode not in (0, 24):   # a directory that is gone
        raise Wrong("rsync: status %d" % run.returncode)


def contents(top):
    tree = {}
    for path, s in snapshot(top).items():
        real = top + path
        if stat.S_ISLNK(s[2]):
            body = os.readlink(real)
        elif stat.S_ISREG(s[2]):
            with open(real, "rb") as f:
                body = f.read()
        else:
            body = None
        tree[path] = (s[2], s[3], body)
    return tree


def copies(device, top, copy, seed, histories):
    syncfs(top)
    worker = Worker(top, seed)
    cursor, _ = list_since(device, first_cursor(device))
    rsync(top, copy, "-r", "--delete", "--exclude=/lost+found")
    for i in range(histories):
        for _ in range(worker.random.randrange(1, 25)):
            worker.work()
            if worker.random.random() < 0.3:
                syncfs(top)
        syncfs(top)
        cursor, paths = list_since(device, cursor)
        rsync(top, copy, paths=paths)
        a, b = contents(top), contents(copy)
        if a != b:
            wrong = sorted(p for p in set(a) | set(b) if a.get(p) != b.get(p))
            raise Wrong("history %d, seed %d: %s; listed %s" %
                        (i, seed, wrong[:10], sorted(paths)[:60]))


def first_cursor(device):
    feed = Feed(device)
    feed.end()
    return feed.cursor


def main():
    what, args = sys.argv[1], sys.argv[2:]
    try:
        if what == "steps":
            steps(args[0], args[1], int(args[2]), int(args[3]), *args[4:])
        elif what == "free":
            free(args[0], args[1], int(args[2]), float(args[3]), *args[4:])
        elif what == "laps":
            laps(args[0], args[1], float(args[2]), *args[3:])
        elif what == "rsync":
            copies(args[0], args[1], args[2], int(args[3]), int(args[4]))
        else:
            return 2
    except Wrong as wrong:
        print("# %s: %s" % (what, wrong))
        return 1
    return 0


sys.exit(main())
