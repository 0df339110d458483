# SPDX-License-Identifier: GPL-2.0-only
"""Sets of files that a program keeps together: their own checks find them whole."""

import os
import shutil
import sqlite3
import stat
import struct
import subprocess
import time
import zlib

from earlier import E2LAZY, MODES, ROWS, contents, make_databases, undelete
from truth import tree

PAGE = 8192


# ------------------------------------------- pages with checksums

def page(number, body):
    """As a relation has it: a checksum over the rest and the page's number."""
    rest = struct.pack("<I", number) + body[:PAGE - 8]
    return struct.pack("<I", zlib.crc32(rest)) + rest


def bad_pages(data):
    """The numbers of those that are neither new, which is all zeros, nor right."""
    return [n for n in range(len(data) // PAGE)
            if any(one := data[n * PAGE:(n + 1) * PAGE])
            and one != page(n, one[8:])]


def write_cluster(disk, gone):
    """Relations with new pages, a log of fixed size, and the links of a cluster."""
    data = disk.random.randbytes
    disk.pages = {}
    for name in range(16384, 16392):
        body = b"".join(bytes(PAGE) if n % 5 == 4 else page(n, data(PAGE))
                        for n in range(40))
        disk.pages[f"/pg/base/5/{name}"] = body
        disk.write(f"/pg/base/5/{name}", body, mode=0o600)
    disk.write("/pg/base/5/16384_fsm", bytes(3 * PAGE))
    disk.write("/pg/pg_wal/000000010000000000000001",
               data(300000) + bytes((16 << 20) - 300000), mode=0o600)
    disk.write("/pg/global/pg_control", data(300) + bytes(PAGE - 300))
    disk.write("/pg/PG_VERSION", b"15\n")
    os.makedirs(disk.path("/pg/pg_tblspc"))
    os.symlink("/srv/space", disk.path("/pg/pg_tblspc/16500"))
    disk.remount()
    time.sleep(1.2)
    disk.was = tree(disk.path("/pg"))
    disk.remove_tree("/pg")
    disk.sync()


def said_of(disk, *options):
    done = subprocess.run([E2LAZY, "undelete", "-q", *options, disk.image],
                          capture_output=True, check=False)
    assert done.returncode in (0, 4), done.stderr.decode()
    return done.stderr.decode()


def check_tree(disk, out, top, left=()):
    now = tree(os.path.join(out, top))
    assert set(now) == set(disk.was) - set(left), \
        sorted(set(now) ^ set(disk.was))[:9]
    wrong = {path: disk.was[path].differs(now[path]) for path in now}
    assert not any(wrong.values()), wrong


def check_cluster(disk):
    """
    A granule at the end of a run may be larger than the run: then the blocks of
    zeros in it may have been discarded, and the file is left out, with a hint.
    """
    out, status, files = undelete(disk, "cluster")
    left = {path[3:]: f["why"] for path, f in files.items()
            if f["grade"] != "intact"}
    assert all("reads as zeros" in why or "read as zeros" in why
               for why in left.values()), left
    assert status == (4 if left else 0), status
    assert len(left) < len(disk.pages), left
    check_tree(disk, out, "pg", left)
    assert not left or "--partial zero" in said_of(disk, "--to",
                                                   os.path.join(disk.work, "hint"))
    out, _, _ = undelete(disk, "all", "--partial", "zero")
    check_tree(disk, out, "pg")
    for path, was in disk.pages.items():
        now = contents(out + path)
        assert not bad_pages(now) and now == was, (path, bad_pages(now))
    # The check of pages finds what is wrong.
    assert bad_pages(now[:PAGE] + now[:PAGE]) == [1]


# --------------------------------- layers of containers

OPAQUE = "trusted.overlay.opaque"


def write_layers(disk, gone):
    """The upper layer has a whiteout, and a directory that hides the lower one."""
    disk.undelete = ["--preserve-special"]
    top = disk.path("/overlay2/one")
    for name in ("diff/etc", "diff/var/hidden", "work/work", "merged"):
        os.makedirs(os.path.join(top, name))
    for i in range(30):
        disk.write(f"/overlay2/one/diff/etc/{i}", disk.random.randbytes(300 * i))
    for i in range(5):
        os.mknod(os.path.join(top, f"diff/etc/removed{i}"),
                 stat.S_IFCHR | 0o600, os.makedev(0, 0))
    os.setxattr(os.path.join(top, "diff/var/hidden"), OPAQUE, b"y")
    disk.write("/overlay2/one/diff/etc/ping", b"program", mode=0o4755)
    os.setxattr(os.path.join(top, "diff/etc/ping"), "security.capability",
                struct.pack("<IIIII", 0x02000001, 1 << 13, 0, 0, 0))
    disk.write("/overlay2/one/link", b"ABCDEF")
    disk.write("/overlay2/one/lower", b"l/GHIJKL")
    disk.remount()
    disk.was = tree(disk.path("/overlay2"))
    disk.remove_tree("/overlay2")
    disk.sync()


def check_layers(disk):
    """Without --preserve-special each thing that is left out names it."""
    few = os.path.join(disk.work, "few")
    said = [line for line in said_of(disk, "--to", few).splitlines()
            if "--preserve-special" in line]
    whiteouts = [p for p, e in disk.was.items() if stat.S_ISCHR(e.mode)]
    assert len(said) == 3 and len(whiteouts) == 5, said
    assert any("device" in line for line in said), said
    assert any("attribute" in line for line in said), said
    assert any("set-user-ID" in line for line in said), said
    shutil.rmtree(few)

    out, status, _ = undelete(disk, "layers", "--preserve-special")
    assert status == 0, status
    check_tree(disk, out, "overlay2")
    diff = os.path.join(out, "overlay2/one/diff")
    for i in range(5):
        st = os.lstat(os.path.join(diff, f"etc/removed{i}"))
        assert stat.S_ISCHR(st.st_mode) and st.st_rdev == 0
    assert os.getxattr(os.path.join(diff, "var/hidden"), OPAQUE) == b"y"
    assert os.stat(os.path.join(diff, "etc/ping")).st_mode & 0o7777 == 0o4755
    assert os.getxattr(os.path.join(diff, "etc/ping"), "security.capability")


# ---------------------------- databases that still exist

def keep_databases(disk, gone):
    """SQLite has deleted their journals; another file is deleted later."""
    top = disk.path("/live")
    os.makedirs(top)
    make_databases(top)
    for name in ("notes", "a.db", "letter"):
        disk.write(f"/live/{name}", b"text of " + name.encode())
    disk.sync()
    disk.was = tree(top)
    disk.remove("/live/letter")
    disk.remove("/live/a.db")
    disk.sync()


def check_databases(disk):
    out, _, files = undelete(disk, "tree", "--tree", "--path", "/live")
    live = os.path.join(out, "live")
    assert set(tree(live)) == set(disk.was), \
        sorted(set(tree(live)) ^ set(disk.was))
    for mode in MODES:
        base = sqlite3.connect(os.path.join(live, f"{mode}.db"))
        assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        assert base.execute("select count(*) from t").fetchone() == (ROWS,), mode
        base.close()
    journals = [f["restored_as"] for path, f in files.items()
                if f["grade"] != "living" and ("-journal" in path or
                                               "-wal" in path)]
    assert any(journals), files.keys()
    assert all(name.startswith(".earlier/live/") for name in journals if name), \
        journals


# ---------------------------- removals on a slow disk

def remove_slowly(disk, gone):
    """One removal waits for the disk longer than any other, and all wait."""
    for i in range(8):
        disk.write(f"/slow/{i}", disk.random.randbytes(3000))
    disk.sync()
    disk.was = tree(disk.path("/slow"))
    for i in range(8):
        disk.remove(f"/slow/{i}")
        time.sleep(0.8 if i == 2 else 0.42)
    os.rmdir(disk.path("/slow"))
    disk.sync()


def check_removals(disk):
    out, _, files = undelete(disk, "slow")
    assert not any(f["earlier"] for f in files.values()), files
    check_tree(disk, out, "slow")
