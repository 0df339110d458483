# SPDX-License-Identifier: GPL-2.0-only
"""Files at an earlier time: what undelete and the views say of their contents."""

import json
import os
import shutil
import sqlite3
import subprocess
import time

from disk import Refused, delete, run
from truth import tree

E2LAZY = os.environ.get("E2LAZY", "e2lazy")
DEBUGLAZY = os.environ.get("DEBUGLAZY", "debuglazy")


def run_both(*words, ok=(0, 4)):
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode in ok, \
        f"{words}: {done.returncode} {done.stderr.decode()}"
    return done


def undelete(disk, name, *more):
    """The files that undelete lists, by path, after it restores them to NAME."""
    out = os.path.join(disk.work, name)
    done = run_both(E2LAZY, "undelete", "-q", "--json", "--to", out, *more,
                    disk.image)
    files = json.loads(done.stdout)["files"]
    return out, done.returncode, {f["path"]: f for f in files}


def contents(path):
    with open(path, "rb") as f:
        return f.read()


def is_file(*names):
    return os.path.isfile(os.path.join(*names))


# ------------------------------------------------ files that still exist

def write_then_change(disk, gone):
    """Five files at an earlier time, each with another fate since."""
    disk.was = {f"/doc/{name}": disk.random.randbytes(size) for name, size in
                (("emptied", 400000), ("same", 70000), ("mode", 5000),
                 ("longer", 3000), ("cut", 50000))}
    for path, data in disk.was.items():
        disk.write(path, data)
    disk.write("/fill", disk.random.randbytes(14 << 20))
    disk.remount()
    os.truncate(disk.path("/doc/emptied"), 0)
    os.truncate(disk.path("/doc/cut"), 4096)
    os.chmod(disk.path("/doc/mode"), 0o600)
    with open(disk.path("/doc/longer"), "ab") as f:
        f.write(b"more")
    disk.sync()
    try:
        for i in range(60):
            disk.write(f"/new{i}", b"B" * 200000)
    except OSError:
        pass            # the disk is full, as it is meant to be


def check_contents_of_then(disk):
    first = run_both(E2LAZY, "log", "--histories", "--raw", "--no-headings",
                     "--columns", "FIRST", disk.image).stdout.split()[0].decode()
    past = ("--ring", "--until-tid", first)
    out, status, files = undelete(disk, "then", *past, "--tree", "--path", "/doc")
    grades = {path: f["grade"] for path, f in files.items()}
    for path in ("/doc/cut", "/doc/emptied"):
        assert grades[path] in ("unproven", "lost"), files[path]
        grades[path] = "later"
    assert grades == {"/doc": "living", "/doc/emptied": "later",
                      "/doc/cut": "later", "/doc/same": "living",
                      "/doc/mode": "living", "/doc/longer": "unproven"}, grades
    assert status == 4, status
    for path, was in disk.was.items():
        restored = is_file(out, path[1:])
        assert restored == (grades[path] == "living"), (path, grades[path])
        assert not restored or contents(out + path) == was, path
    later = ["/doc/cut", "/doc/emptied", "/doc/longer"]
    for path, was in disk.was.items():
        said = run_both(DEBUGLAZY, *past, "-R", f"cat {path}", disk.image)
        warned = f"cat: {path}: " in said.stderr.decode()
        assert warned == (path in later), (path, said.stderr.decode())
        assert warned or said.stdout == was, path
    os.mkdir(os.path.join(disk.work, "dumped"))
    said = run_both(DEBUGLAZY, *past, "-R", f"rdump /doc {disk.work}/dumped",
                    disk.image).stderr.decode()
    assert all((f"rdump: {path}: " in said) == (path in later)
               for path in disk.was), said
    shutil.rmtree(os.path.join(disk.work, "dumped"))
    check_view(disk, past, later)


def check_view(disk, past, later):
    if not shutil.which("nbdkit"):
        raise Refused("e2lazy view needs nbdkit")
    said = run_both(E2LAZY, "view", *past, disk.image, "--", "stat", "{}",
                    ok=(0, 4))
    assert sorted(path for path in disk.was
                  if f"{path}: " in said.stderr.decode()) == later, \
        said.stderr.decode()
    assert said.returncode == 4
    now = run_both(E2LAZY, "view", disk.image, "--", "stat", "{}", ok=(0,))
    assert not now.stderr, now.stderr


# ------------------------------------------- sets of files of one time

MODES = ("delete", "truncate", "persist", "wal", "memory", "off")
ROWS = 300


def make_databases(top):
    """One of each journal mode; all but the first rows come in a last change."""
    for mode in MODES:
        base = sqlite3.connect(os.path.join(top, f"{mode}.db"))
        base.execute(f"pragma journal_mode={mode}")
        base.execute("create table t(a, b)")
        for i in range(3):
            base.executemany("insert into t values(?, ?)",
                             [(100 * i + k, "y" * 500) for k in range(99)])
            base.commit()
        base.execute("insert into t values(1, 'x'), (2, 'x'), (3, 'x')")
        base.commit()
        base.close()


def make_repository(top):
    """Loose objects that git packs and removes."""
    if not shutil.which("git"):
        return
    here = ["git", "-C", top, "-c", "user.name=a", "-c", "user.email=a@b",
            "-c", "commit.gpgsign=false"]
    run("git", "init", "-q", top)
    for i in range(6):
        with open(os.path.join(top, f"file{i}"), "w", encoding="ascii") as f:
            f.write(f"{i}\n" * 500)
        run(*here, "add", ".")
        run(*here, "commit", "-q", "-m", f"change {i}")
        if i == 3:
            run(*here, "gc", "-q", "--prune=now")


def make_mail(top):
    for name in ("tmp", "new", "cur"):
        os.makedirs(os.path.join(top, name))
    for i in range(20):
        tmp, new, cur = (os.path.join(top, d, f"{i}.host{s}") for d, s in
                         (("tmp", ""), ("new", ""), ("cur", ":2,S")))
        with open(tmp, "w", encoding="ascii") as f:
            f.write(f"Subject: {i}\n" * 30)
        os.rename(tmp, new)
        if i % 2:
            os.rename(new, cur)
        if i % 10 == 1:
            os.unlink(cur)


def one_time(disk, gone):
    """Three sets of files, changed for a while, rest, and are deleted."""
    top = disk.path("/app")
    os.makedirs(os.path.join(top, "base"))
    make_databases(os.path.join(top, "base"))
    disk.sync()
    make_repository(os.path.join(top, "work"))
    disk.sync()
    make_mail(os.path.join(top, "mail"))
    disk.write("/app/a-new-name", b"old")
    disk.write("/app/other", b"new")
    disk.sync()
    os.rename(disk.path("/app/other"), disk.path("/app/a-new-name"))
    disk.sync()
    time.sleep(1.2)
    disk.was = tree(top)
    disk.remove_tree("/app")
    disk.sync()


def check_one_time(disk):
    out, _, files = undelete(disk, "once")
    app = os.path.join(out, "app")
    now = tree(app)
    assert set(now) == set(disk.was), \
        sorted(set(now) ^ set(disk.was))[:9]
    for path, was in disk.was.items():
        assert not was.differs(now[path]), (path, was.differs(now[path]))
    earlier = [f for f in files.values() if f["earlier"] and f["restored_as"]]
    assert earlier and all(f["restored_as"].startswith(".earlier/app/")
                           for f in earlier)
    assert all(f"~tid{f['tid']}" in f["restored_as"] for f in earlier
               if f["type"] == "f")
    for mode in MODES:
        base = sqlite3.connect(os.path.join(app, "base", f"{mode}.db"))
        assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        assert base.execute("select count(*) from t").fetchone() == (ROWS,), mode
        base.close()
    if os.path.isdir(os.path.join(app, "work")):
        run("git", "-c", "safe.directory=*", "-C", os.path.join(app, "work"),
            "fsck", "--full", "--strict")


# ------------------------------------ earlier contents of files that live on

def lose_contents(disk, gone):
    """Files that lose contents in each way that a program has, and live on."""
    kinds = ("emptied", "cut", "filter", "rewritten", "large", "gone", "reused",
             "longer", "same", "twice")
    disk.was = {f"/d/{k}": disk.random.randbytes(
        3000000 if k in ("large", "reused") else 50000) for k in kinds}
    for path, data in disk.was.items():
        disk.write(path, data)
    disk.remount()
    disk.write("/touched", b"x")
    disk.sync()
    for name in ("emptied", "large", "gone", "filter", "twice", "reused"):
        os.truncate(disk.path(f"/d/{name}"), 0)
    os.truncate(disk.path("/d/cut"), 20000)
    disk.write("/d/rewritten", b"new" * 20000)
    with open(disk.path("/d/longer"), "ab") as f:
        f.write(b"more" * 9000)
    disk.sync()
    disk.second = disk.random.randbytes(30000)
    disk.write("/d/twice", disk.second)
    disk.sync()
    os.truncate(disk.path("/d/twice"), 0)
    disk.remove("/d/gone")
    disk.sync()
    for i in range(40):
        disk.write(f"/d/new{i}", disk.random.randbytes(40000))
    disk.sync()


def check_contents_before(disk):
    out, _, _ = undelete(disk, "before")
    done = run_both(E2LAZY, "undelete", "-q", "--json", disk.image)
    files = [f for f in json.loads(done.stdout)["files"]
             if f["path"].startswith("/d/")]
    whats = {}
    for f in files:
        whats.setdefault(f["path"][3:], []).append((f["what"], f["after"]))
    assert whats == {
        "emptied": [("emptied", 0)], "cut": [("truncated", 20000)],
        "filter": [("emptied", 0)], "rewritten": whats["rewritten"],
        "large": [("emptied", 0)], "reused": [("emptied", 0)],
        "gone": [("emptied", 0), ("deleted", None)],
        "twice": [("emptied", 0), ("emptied", 0)]}, whats
    assert whats["rewritten"] in ([("rewritten", 60000)], [("emptied", 0)])
    wrong = []
    for f in files:
        was = disk.was[f["path"]]
        if f["path"] == "/d/twice" and f["size"] == 30000:
            was = disk.second
        if f["what"] == "deleted":
            was = b""
        name = f"{f['path'][1:]}~tid{f['tid']}" if f["what"] != "deleted" \
            else f["path"][1:]
        there = is_file(out, name)
        if there != (f["grade"] == "intact"):
            wrong.append(f"{name}: {f['grade']}")
        elif there and contents(os.path.join(out, name)) != was:
            wrong.append(f"{name}: other bytes")
    assert not wrong, wrong
    grades = {f["path"][3:]: f["grade"] for f in files}
    assert grades["cut"] == "unproven", grades
    assert sum(g == "intact" for g in grades.values()) >= 3, grades
    one = run_both(E2LAZY, "undelete", "-q", "--json", "--path", "/d/twice",
                   disk.image)
    assert [f["size"] for f in json.loads(one.stdout)["files"]] == [50000, 30000]


# ---------------------------------------------------- blocks of zeros

def write_zeros(disk, gone):
    """Files that have blocks of zeros because programs wrote them."""
    data = disk.random.randbytes
    disk.write("/srv/wal", data(300000) + bytes(16 * 2**20 - 300000))
    disk.write("/srv/relation", b"".join(data(8192) if k % 7 else bytes(8192)
                                         for k in range(40)))
    disk.write("/srv/disk", b"".join(data(2**20) if k % 3 == 0 else bytes(2**20)
                                     for k in range(12)))
    disk.write("/srv/archive", b"".join(data(5000) + bytes(9000)
                                        for k in range(20)))
    names = ["/srv/wal", "/srv/relation", "/srv/disk", "/srv/archive"]
    disk.remount()
    delete(disk, gone, names)


def write_zeros_and_trim(disk, gone):
    write_zeros(disk, gone)
    run("fstrim", disk.mount_point)


# ------------------------------ files of a directory that still exists

def delete_some(disk, gone):
    """Databases are deleted long after their journals, and a pair at once."""
    top = disk.path("/live")
    os.makedirs(top)
    make_databases(top)
    disk.write("/live/notes", b"text")
    disk.write("/live/notes-old", b"older text")
    disk.write("/live/notes2", b"no companion")
    disk.sync()
    disk.was = tree(top)
    disk.remove("/live/notes2")
    disk.sync()
    time.sleep(1.2)
    for name in disk.was:
        if name != "/notes2":
            disk.remove("/live" + name)
    disk.sync()


def check_some(disk):
    out, _, files = undelete(disk, "some")
    live = os.path.join(out, "live")
    now = {path: e for path, e in tree(live).items() if "~tid" not in path}
    assert set(now) == set(disk.was), sorted(set(now) ^ set(disk.was))[:9]
    for path, was in disk.was.items():
        assert not was.differs(now[path]), (path, was.differs(now[path]))
    for mode in MODES:
        base = sqlite3.connect(os.path.join(live, f"{mode}.db"))
        assert base.execute("select count(*) from t").fetchone() == (ROWS,), mode
        base.close()
    earlier = [f["restored_as"] for f in files.values() if f["earlier"]]
    assert earlier and all(name.startswith(".earlier/live/") for name in earlier
                           if name), earlier
