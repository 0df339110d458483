# SPDX-License-Identifier: GPL-2.0-only
"""The scenarios: changes to files, and the number that must come back.

Each is a function of a mounted Disk; it deletes files and returns their paths.
By the call of gone() the runner has recorded the files.
"""

import mmap
import os
import time

import earlier
import sets
import then
import times
from disk import Refused, delete, run, write_back
from jbd import take_times

ALL = object()


class Scenario:
    def __init__(self, name, work, intact=ALL, mke2fs=("-J", "size=16"),
                 options="", external=None, stop="umount", size="256M",
                 after=None, slow=False, blind=False, unsure=False, flag=None,
                 alone=False, paths=False):
        self.name = name
        self.work = work
        self.intact = intact        # files that must be, ALL, or a number
        self.mke2fs = mke2fs
        self.options = options
        self.external = external
        self.stop = stop
        self.size = size
        self.after = after          # done to the image at rest
        self.slow = slow            # not in CI
        self.unsure = unsure        # nothing proves what is all there
        self.blind = blind          # made so that intact files are wrong
        self.flag = flag            # a member that is true of each file
        self.alone = alone          # nothing else was deleted
        self.paths = paths          # an intact file has these paths alone


def odd(names):
    return names[1::2]


def plain(disk, gone):
    delete(disk, gone, odd(disk.files(200)))


def after_remount(disk, gone):
    names = disk.files(200)
    disk.remount()
    delete(disk, gone, odd(names))


def many_mounts(disk, gone):
    names = disk.files(60)
    for _ in range(4):
        disk.remount()
        disk.write("/touched", os.urandom(100))
    delete(disk, gone, odd(names))
    for _ in range(3):
        disk.remount()
        disk.write("/touched", os.urandom(100))


def before_1000(disk, gone):
    names = disk.files(200)
    disk.fill(1000, "more", sync_every=20)
    delete(disk, gone, odd(names))


def before_20000(disk, gone):
    names = disk.files(200)
    disk.fill(20000, "more", sync_every=100)
    delete(disk, gone, odd(names))


def after_200(disk, gone):
    delete(disk, gone, odd(disk.files(200)))
    disk.fill(200, "new")


def after_3000(disk, gone):
    delete(disk, gone, odd(disk.files(200)))
    disk.fill(3000, "new", size=20000)


def renames_and_links(disk, gone):
    names = disk.files(40)
    disk.sync()
    moved = []
    for i, name in enumerate(names):
        new = f"/e{i % 3}/renamed{i}"
        os.makedirs(os.path.dirname(disk.path(new)), exist_ok=True)
        os.rename(disk.path(name), disk.path(new))
        moved.append(new)
        if i % 4 == 0:
            link = f"/e{i % 3}/link{i}"
            os.link(disk.path(new), disk.path(link))
            moved.append(link)
    disk.sync()
    delete(disk, gone, moved)


def deep_tree(disk, gone):
    names = []
    for i in range(60):
        name = "/".join(["/top"] + [f"level{k}" for k in range(i % 12)] +
                        [f"file{i}"])
        disk.write(name, disk.random.randbytes(1000 + 777 * i))
        names.append(name)
    disk.sync()
    names += ["/top"] + sorted({os.path.dirname(n) for n in names} - {"/top"})
    gone(names)
    disk.remove_tree("/top")
    disk.sync()


def large_directory(disk, gone):
    """An htree: 3,000 names in one directory."""
    names = [f"/big/a-rather-long-name-{i:05d}" for i in range(3000)]
    for name in names:
        disk.write(name, name.encode())
    delete(disk, gone, names[::7])


def truncated_first(disk, gone):
    """Cut off in a transaction of its own: the empty file is what is left."""
    names = disk.files(40)
    disk.sync()
    for name in odd(names):
        os.truncate(disk.path(name), 0)
    disk.sync()
    delete(disk, gone, odd(names))


def other_files(disk, gone):
    names = []
    for i in range(20):
        name = f"/links/short{i}"
        os.makedirs(disk.path("/links"), exist_ok=True)
        os.symlink("t" * (i + 1), disk.path(name))
        names.append(name)
        name = f"/links/long{i}"
        os.symlink("t" * (100 + i), disk.path(name))
        names.append(name)
    os.mkfifo(disk.path("/links/pipe"))
    names.append("/links/pipe")
    disk.write("/links/empty", b"")
    names.append("/links/empty")
    path = disk.path("/links/hole")
    with open(path, "wb") as f:
        f.truncate(1 << 20)
    names.append("/links/hole")
    path = disk.path("/links/unwritten")
    with open(path, "wb") as f:
        os.posix_fallocate(f.fileno(), 0, 1 << 20)
        f.write(b"x" * 5000)
    names.append("/links/unwritten")
    delete(disk, gone, names)


def attributes(disk, gone):
    names = disk.files(40)
    for i, name in enumerate(names):
        path = disk.path(name)
        os.setxattr(path, "user.small", b"value %d" % i)
        if i % 2:
            os.setxattr(path, "user.large", disk.random.randbytes(1500))
        # version 2; user, one user by number, group, mask, others
        acl = b"\2\0\0\0" + b"".join(
            tag.to_bytes(2, "little") + right.to_bytes(2, "little") +
            who.to_bytes(4, "little")
            for tag, right, who in ((1, 6, 2**32 - 1), (2, 4, 1234),
                                    (4, 4, 2**32 - 1), (16, 4, 2**32 - 1),
                                    (32, 0, 2**32 - 1)))
        os.setxattr(path, "system.posix_acl_access", acl)
    delete(disk, gone, odd(names))


def large_values(disk, gone):
    names = disk.files(80)
    shared = disk.random.randbytes(1500)
    for i, name in enumerate(names):
        path = disk.path(name)
        os.setxattr(path, "user.own", disk.random.randbytes(1200 + 10 * i))
        if i % 4 > 1:           # a file that stays has it, too
            os.setxattr(path, "user.shared", shared)
        else:
            os.setxattr(path, "user.brief", disk.random.randbytes(1300))
    delete(disk, gone, odd(names))


def trimmed(disk, gone):
    plain(disk, gone)
    os.system(f"fstrim {disk.mount_point} >/dev/null 2>&1")


def never_logged(disk, gone):
    """Freed and taken back by others, all in one transaction, if it can be:
    the document names what leaves no trace."""
    names = disk.files(60, sizes=(20000,), every=0)
    disk.sync()
    gone(odd(names))
    for name in odd(names):
        disk.remove(name)
    disk.fill(200, "new", size=20000)
    disk.sync()


def only_theirs_are_free(disk, gone):
    """Delete files of a full disk: the next file must take their blocks."""
    names = disk.files(40, sizes=(100000,), every=0)
    disk.sync()
    room = os.statvfs(disk.mount_point)
    with open(disk.path("/filler"), "wb") as f:
        os.posix_fallocate(f.fileno(), 0, (room.f_bavail - 64) * room.f_frsize)
    delete(disk, gone, odd(names))


def without_a_trace(disk, gone):
    """The exception: another file takes the only free blocks, writes them past
    the page cache, and is deleted, all in one transaction.  No bitmap in the
    ring shows it."""
    only_theirs_are_free(disk, gone)
    fd = os.open(disk.path("/other"), os.O_RDWR | os.O_CREAT | os.O_DIRECT)
    block = mmap.mmap(-1, 4096)
    block.write(disk.random.randbytes(4096))
    for i in range(300):            # of 500 that the files had
        os.pwrite(fd, block, i * 4096)
    os.close(fd)
    disk.remove("/other")
    disk.sync()


def cut_short(disk, gone):
    """The other exception: the machine dies while files of a transaction that
    never commits have their contents on the disk already."""
    only_theirs_are_free(disk, gone)
    with open(disk.path("/other"), "wb") as f:
        f.write(disk.random.randbytes(1900000))
        f.flush()
        write_back(f.fileno())
    disk.flushed = False        # a sync would commit them


def data_writeback(disk, gone):
    """Freed blocks of data are free at once: another file takes them before the
    deletion is committed, and gives them back."""
    names = disk.files(40, sizes=(100000,), every=0)
    disk.sync()
    room = os.statvfs(disk.mount_point)
    with open(disk.path("/filler"), "wb") as f:
        os.posix_fallocate(f.fileno(), 0, (room.f_bavail - 64) * room.f_frsize)
    disk.sync()
    gone(odd(names))
    for name in odd(names):
        disk.remove(name)
    with open(disk.path("/other"), "wb") as f:
        f.write(disk.random.randbytes(1900000))
    disk.sync()
    os.truncate(disk.path("/other"), 0)     # its map tells nothing
    disk.sync()


def journal_then_ordered(disk, gone):
    """The log has an older state of the contents than their own place."""
    names = disk.files(40, sizes=(5000, 20000), every=0)
    disk.sync()
    time.sleep(1)               # another second than that of the commit
    disk.umount()
    disk.options = ""
    disk.mount()
    for name in names:
        with open(disk.path(name), "r+b") as f:
            f.write(disk.random.randbytes(4096))
    delete(disk, gone, odd(names))


def reallocated_and_freed(disk, gone):
    delete(disk, gone, odd(disk.files(100)))
    disk.fill(600, "new", size=60000)
    disk.sync()
    for i in range(2):
        disk.remove_tree(f"/new{i}")
    disk.sync()


def deep_maps(disk, gone):
    """Blocks of 1 KiB: trees of two to four levels, triple indirect blocks."""
    names = []
    for pieces, step in ((400, 2048), (3000, 2048), (30000, 2048), (40, 5 << 20)):
        names.append(f"/deep/{pieces}")
        disk.sparse(names[-1], pieces, step, 1024)
    delete(disk, gone, names)


def encrypted(disk, gone):
    """Names and contents are ciphertext: no path is known, nothing intact."""
    plain(disk, gone)


def verity(disk, gone):
    """The flag, and blocks behind the end, as a Merkle tree has; e2fsprogs makes
    both, because a kernel without verity does not open such a file."""
    everything = disk.files(20, sizes=(20480, 70000), every=0)
    names = odd(everything)

    def at_rest(change):
        disk.umount()
        run("debugfs", "-w", "-f", disk.commands(
            change.format(name) for name in everything), disk.loop)
        disk.mount()

    at_rest("sif {} size 9000")
    gone(names)
    at_rest("sif {} flags 0x180000")    # extents, verity
    for half in (everything[::2], names):   # the first logs the others, too
        for name in half:
            disk.remove(name)
        disk.sync()


def fast_deletions(disk, gone):
    """Deleted by fast commits alone; new files have got the inodes."""
    names = disk.files(60)
    os.link(disk.path(names[1]), disk.path("/d1/link"))
    disk.sync()
    taken = odd(names) + ["/d1/link"]
    gone(taken)
    for i, name in enumerate(taken):
        disk.remove(name)
        fd = os.open(disk.path(f"/d0/x{i}"), os.O_RDWR | os.O_CREAT)
        os.fsync(fd)
        os.close(fd)
    disk.flushed = False        # a sync would commit them in full


def sync_file(path, data=b"", flags=os.O_CREAT):
    fd = os.open(path, os.O_RDWR | flags)
    os.write(fd, data)
    os.fsync(fd)
    os.close(fd)


def fast_made(disk, gone):
    """Fast commits have made them and deleted them: no transaction knows them."""
    disk.write("/d/first", b"x")
    disk.sync()
    names = [f"/d/f{i}" for i in range(20)]
    for i, name in enumerate(names):
        sync_file(disk.path(name), disk.random.randbytes(1 + 3777 * i))
    gone(names)
    for i, name in enumerate(names):
        disk.remove(name)
        sync_file(disk.path(f"/d/x{i}"))
    disk.flushed = False        # a sync would commit them in full


def fast_reuse(disk, gone):
    """A fast commit has the blocks: no bitmap shows it."""
    only_theirs_are_free(disk, gone)
    sync_file(disk.path("/other"), disk.random.randbytes(1900000))
    disk.flushed = False        # a sync would commit it in full


def orphans(disk, gone):
    """Open when the machine died: deleted, and their blocks are not free."""
    names = odd(disk.files(40))
    disk.sync()
    gone(names)
    disk.hold(names)
    for name in names:
        disk.remove(name)
    disk.sync()


def cut_later(disk, gone):
    """Cut when they had no name any more, by the program that has them open."""
    names = disk.files(20, sizes=(3000, 20000, 70001), every=0)
    fds = [os.open(disk.path(n), os.O_RDWR) for n in names]
    disk.sync()
    gone(names)
    for name in names:
        disk.remove(name)
    disk.sync()
    for fd in fds[1::2]:
        os.ftruncate(fd, 5)
    disk.sync()
    for fd in fds:
        os.close(fd)
    disk.sync()


def moved_inline_data(disk, gone):
    """Its block was logged once; now it is free, and another file gets it."""
    disk.write("/a", disk.random.randbytes(100))
    disk.sync()
    run("fallocate", "-l", "4096", disk.path("/a"))
    disk.sync()
    disk.remove("/a")
    disk.sync()
    disk.write("/b", disk.random.randbytes(11 << 20))
    delete(disk, gone, ["/b"])


def same_name_again(disk, gone):
    """The next file has the name and the inode in the same transaction."""
    names = [f"/d/f{i}" for i in range(20)]
    for i, name in enumerate(names):
        disk.write(name, disk.random.randbytes(1 + 777 * i))
    disk.sync()
    gone(names)
    for name in names:
        disk.remove(name)
        disk.write(name, b"another")
    disk.sync()


def only_in_the_log(disk, gone):
    """Their inodes and names are in the log, and nowhere else."""
    names = disk.files(100)
    for name in names:
        fd = os.open(disk.path(name), os.O_RDONLY)
        os.fsync(fd)
        os.close(fd)
    gone(names)
    disk.flushed = False        # a sync would write them home


def replay_and_forget(disk):
    """e2fsck replays the log; the next mount begins where that began, and soon
    overwrites it."""
    disk.crash()
    run("e2fsck", "-p", disk.image, ok=(0, 1))
    disk.loop = disk.attach(disk.image)
    disk.mount()


def stale_head(disk, gone):
    """The log that has the deletion, the next owner of the blocks, and the end of
    that one, is overwritten: e2fsck replays it and leaves s_head at its begin."""
    names = disk.files(20, sizes=(400000,), every=0)
    disk.sync()
    room = os.statvfs(disk.mount_point)
    with open(disk.path("/filler"), "wb") as f:
        os.posix_fallocate(f.fileno(), 0, (room.f_bavail - 64) * room.f_frsize)
    disk.remount()
    gone(odd(names))
    for name in odd(names):
        disk.remove(name)
    disk.sync()
    disk.write("/other", disk.random.randbytes(3900000))
    disk.sync()
    disk.remove("/other")
    replay_and_forget(disk)
    for i in range(60):
        os.chmod(disk.path("/filler"), 0o600 + i % 2)
        disk.sync()


def older_copies(disk, gone, again=False):
    """The ring has a node of the map and a block of attributes, but not those that
    took their place: the log that had these is overwritten."""
    names = [f"/pieces{i}" for i in range(4)]

    def attribute(letter):
        for name in names:
            os.setxattr(disk.path(name), "user.long", letter * 700)

    for name in names:
        disk.sparse(name, pieces=20, step=2048, size=1024)
    attribute(b"a")
    disk.remount()
    attribute(b"b")
    for name in names:          # other pieces, as many as before
        run("fallocate", "-p", "-o", "2048", "-l", "1024", disk.path(name))
        with open(disk.path(name), "r+b") as f:
            f.seek(3 * 1024)
            f.write(b"moved".ljust(1024))
    disk.sync()
    replay_and_forget(disk)
    for i in range(8):
        for name in names:
            os.chmod(disk.path(name), 0o600 + i % 2)
        disk.sync()
    if again:                   # the ring has the directory once more, too
        disk.remount()
        disk.write("/new", b"x")
    delete(disk, gone, names)


def older_copies_and_a_mount(disk, gone):
    """All is in place when the files are deleted, for a mount has begun since."""
    older_copies(disk, gone, again=True)


def inode_used_again(disk, gone):
    """Of the next file with the directory's inode the ring has a name alone: it was
    made in a log that is overwritten."""
    os.mkdir(disk.path("/dir"))
    disk.sync()
    disk.write("/dir/child", b"hello")
    disk.remount()
    gone(["/dir", "/dir/child"])
    disk.remove_tree("/dir")
    disk.write("/file", b"text")
    disk.sync()
    replay_and_forget(disk)
    for i in range(6):
        disk.write(f"/new{i}", b"x")
        disk.sync()
    disk.remove("/file")


def renamed_in_the_gap(disk, gone):
    """The log that had the renaming is overwritten; the files are still there, and
    go later."""
    os.mkdir(disk.path("/d"))
    for name in ("/a", "/d/b", "/c"):
        disk.write(name, name.encode())
    disk.remount()
    os.rename(disk.path("/a"), disk.path("/renamed"))
    os.rename(disk.path("/d"), disk.path("/e"))
    os.rename(disk.path("/c"), disk.path("/e/c"))
    disk.sync()
    replay_and_forget(disk)
    for i in range(6):
        for name in ("/renamed", "/e", "/e/b", "/e/c"):
            os.chmod(disk.path(name), 0o700 + i % 2)
        disk.sync()
    gone(["/renamed", "/e", "/e/b", "/e/c"])
    disk.remove("/renamed")
    disk.remove_tree("/e")


def node_never_home(disk, gone):
    """The node of the map that is in place is an older one: the newer was forgotten
    with the file, and the ring has lost it."""
    disk.sparse("/f", pieces=20, step=2048, size=1024)
    disk.remount()
    directory = os.open(disk.mount_point, os.O_RDONLY)
    run("fallocate", "-p", "-o", "2048", "-l", "1024", disk.path("/f"))
    fd = os.open(disk.path("/f"), os.O_RDWR)
    os.pwrite(fd, b"moved".ljust(1024), 3 * 1024)
    os.fsync(fd)
    last = disk.transactions()[-1]
    disk.write("/new", b"x")    # which logs the directory
    os.fchmod(fd, 0o600)
    os.fsync(fd)
    os.close(fd)
    gone(["/f"])
    disk.remove("/f")
    os.fsync(directory)
    for i in range(400):        # until the ring has lost the node
        os.fchmod(directory, 0o700 + i % 2)
        os.fsync(directory)
        if disk.transactions()[0] > last:
            break
    os.close(directory)


def node_of_another(disk, gone):
    """The node of the map is overwritten in the ring and in place: there is another
    file's, whose blocks lie behind the end of this one."""
    disk.sparse("/f", pieces=20, step=2048, size=1024)
    disk.sync()
    for i in range(150):        # a lap of the ring
        os.mkdir(disk.path(f"/d{i}"))
        disk.sync()
    os.chmod(disk.path("/f"), 0o600)
    delete(disk, gone, ["/f"])
    for i in range(60):
        path = disk.path(f"/g{i}")
        with open(path, "wb") as f:
            for k in range(3000, 3020, 2):
                f.seek(k * 1024)
                f.write(b"g" * 1024)
        sync_file(path)


def earlier_view(disk, gone):
    """At the time of the view the blocks are free; now another file has them."""
    disk.write("/f", b"old" * 300000)
    delete(disk, gone, ["/f"])
    disk.undelete = ["--ring", "--until-tid", str(disk.transactions()[-1])]
    disk.write("/g", b"new" * 7000000)


def never_home(disk, gone):
    """Targets of links that only the log had: the links are deleted before a
    checkpoint, and the log is overwritten.  Their blocks have older bytes."""
    room = os.statvfs(disk.mount_point)
    with open(disk.path("/older"), "wb") as f:
        f.write(b"o" * (room.f_bavail * room.f_frsize))
    disk.sync()
    disk.remove("/older")
    disk.sync()
    names = [f"/links/long{i}" for i in range(12)]
    os.mkdir(disk.path("/links"))
    directory = os.open(disk.path("/links"), os.O_RDONLY)

    def overwrite(count):       # fsync(), for a sync would write all home
        fd = os.open(disk.path("/links/touched"), os.O_RDWR | os.O_CREAT)
        for i in range(count):
            os.fchmod(fd, 0o600 + i % 2)
            os.fsync(fd)
        os.close(fd)

    for i, name in enumerate(names):
        os.symlink("t" * (100 + i), disk.path(name))
        if i == 6:
            overwrite(1)
    os.fsync(directory)
    overwrite(160)              # of 340 that fill the log
    os.mkdir(disk.path("/links/logged"))    # with it, all names
    os.fsync(directory)
    gone(names)
    for name in names:
        disk.remove(name)
    os.fsync(directory)
    os.close(directory)
    overwrite(220)


def discard_the_log(disk):
    """The next mount of a file system whose needs_recovery is cleared."""
    home = run("debugfs", "-c", "-R", "ls /", disk.image)
    if "d0" in home.split():
        raise Refused("a sync of others has written the files home")
    run("debugfs", "-w", "-R", "feature -needs_recovery", disk.image)
    disk.loop = disk.attach(disk.image)
    disk.mount()
    disk.write("/touched", b"x")
    disk.close()


# Inodes and features of ext3.
EXT3 = ("-I", "128", "-O", "^extent,^64bit,^metadata_csum,^huge_file")

SCENARIOS = [
    Scenario("plain", plain),
    Scenario("remount", after_remount, slow=True),
    Scenario("many-mounts", many_mounts, intact=None, slow=True),
    Scenario("no-checksums", plain,
             mke2fs=("-J", "size=16", "-O", "^64bit,^metadata_csum")),
    Scenario("no-times", many_mounts, after=take_times,
             mke2fs=("-J", "size=16", *EXT3)),
    Scenario("fast-commit", plain,
             mke2fs=("-J", "size=16", "-O", "fast_commit")),
    Scenario("fast-deletions", fast_deletions, stop="crash",
             options="commit=300", mke2fs=("-J", "size=16", "-O", "fast_commit")),
    Scenario("fast-made", fast_made, stop="crash", options="commit=300",
             mke2fs=("-J", "size=16", "-O", "fast_commit")),
    Scenario("fast-reuse", fast_reuse, intact=None, size="64M", stop="crash",
             options="commit=300", slow=True,
             mke2fs=("-J", "size=4", "-m", "0", "-O", "fast_commit")),
    Scenario("before-1000", before_1000, slow=True),
    Scenario("before-20000", before_20000, intact=None, slow=True),
    Scenario("after-200", after_200, intact=None, slow=True),
    Scenario("after-3000", after_3000, intact=None),
    Scenario("renames-and-links", renames_and_links),
    Scenario("deep-tree", deep_tree),
    Scenario("large-directory", large_directory),
    Scenario("truncated-first", truncated_first, slow=True),
    Scenario("other-files", other_files),
    Scenario("1k-indirect", plain,
             mke2fs=("-J", "size=16", "-b", "1024", "-O",
                     "^extent,^64bit,^metadata_csum")),
    Scenario("deep-maps", deep_maps, mke2fs=("-J", "size=16", "-b", "1024")),
    Scenario("deep-indirect", deep_maps,
             mke2fs=("-J", "size=16", "-b", "1024", "-O",
                     "^extent,^64bit,^metadata_csum"), slow=True),
    Scenario("encrypted", encrypted, intact=0, options="test_dummy_encryption",
             mke2fs=("-J", "size=16", "-O", "encrypt"), slow=True,
             flag="encrypted"),
    Scenario("verity", verity, intact=None, flag="verity"),
    Scenario("1k", plain, mke2fs=("-J", "size=16", "-b", "1024"), slow=True),
    Scenario("fstrim", trimmed, intact=0),
    Scenario("discard", plain, options="discard", intact=None, slow=True),
    Scenario("dirty-log", plain, stop="crash"),
    Scenario("cut-later", cut_later, intact=10),
    Scenario("orphans", orphans, stop="crash", intact=None, slow=True),
    Scenario("discarded-log", only_in_the_log, stop="crash",
             options="commit=300", after=discard_the_log),
    Scenario("stale-head", stale_head, intact=0, size="64M", unsure=True,
             options="commit=300", mke2fs=("-J", "size=4", "-m", "0")),
    Scenario("never-home", never_home, intact=0, size="32M",
             options="commit=300", mke2fs=("-J", "size=4", "-m", "0")),
    Scenario("older-copies", older_copies, intact=None, size="32M", unsure=True,
             options="commit=300", mke2fs=("-J", "size=4", "-b", "1024")),
    Scenario("older-copies-mount", older_copies_and_a_mount, size="32M",
             options="commit=300", mke2fs=("-J", "size=4", "-b", "1024")),
    Scenario("inode-used-again", inode_used_again, intact=0, size="32M",
             options="commit=300", mke2fs=("-J", "size=4", "-b", "1024"),
             unsure=True),
    Scenario("renamed-in-the-gap", renamed_in_the_gap, intact=0, size="32M",
             options="commit=300", mke2fs=("-J", "size=4", "-b", "1024"),
             unsure=True, paths=True),
    Scenario("node-never-home", node_never_home, intact=0, size="32M",
             options="commit=300", mke2fs=("-J", "size=1", "-b", "1024"),
             unsure=True),
    Scenario("node-of-another", node_of_another, intact=0, size="16M",
             options="commit=300",
             mke2fs=("-J", "size=1", "-b", "1024", "-O", "^metadata_csum")),
    Scenario("earlier-view", earlier_view, intact=0, size="32M", unsure=True,
             options="commit=300", mke2fs=("-J", "size=4")),
    Scenario("contents-of-then", earlier.write_then_change, size="32M",
             after=earlier.check_contents_of_then, mke2fs=("-J", "size=4")),
    Scenario("tree-of-then", then.change_step_by_step, size="64M",
             after=then.check_steps),
    Scenario("companions", earlier.delete_some, after=earlier.check_some),
    Scenario("one-time", earlier.one_time, after=earlier.check_one_time),
    Scenario("pages", sets.write_cluster, after=sets.check_cluster),
    Scenario("layers", sets.write_layers, after=sets.check_layers),
    Scenario("slow-removals", sets.remove_slowly, after=sets.check_removals),
    Scenario("beside-the-living", sets.keep_databases,
             after=sets.check_databases),
    Scenario("contents-before", earlier.lose_contents, size="64M",
             after=earlier.check_contents_before),
    Scenario("contents-before-1k", earlier.lose_contents, size="64M",
             after=earlier.check_contents_before,
             mke2fs=("-J", "size=16", "-b", "1024", "-O",
                     "^extent,^64bit,^metadata_csum")),
    Scenario("zeros", earlier.write_zeros),
    Scenario("zeros-fstrim", earlier.write_zeros_and_trim, intact=0),
    Scenario("set-times", times.set_times, size="64M",
             after=times.check_set_times),
    Scenario("set-times-ext3", times.set_times, size="64M",
             after=times.check_set_times_of_ext3,
             mke2fs=("-J", "size=16", *EXT3)),
    Scenario("external-journal", plain, mke2fs=(),
             external="32M"),
    Scenario("inline-data", plain,
             mke2fs=("-J", "size=16", "-O", "inline_data", "-I", "512")),
    Scenario("inline-tree", deep_tree,
             mke2fs=("-J", "size=16", "-O", "inline_data", "-I", "512"),
             slow=True),
    Scenario("inline-moved", moved_inline_data, size="16M",
             mke2fs=("-J", "size=4", "-O", "inline_data", "-N", "256")),
    Scenario("inline-moved-dirty", moved_inline_data, size="16M", stop="crash",
             options="commit=300",
             mke2fs=("-J", "size=4", "-O", "inline_data", "-N", "256")),
    Scenario("same-name-again", same_name_again),
    Scenario("attributes", attributes),
    Scenario("large-values", large_values, alone=True,
             mke2fs=("-J", "size=16", "-b", "1024", "-O", "ea_inode")),
    Scenario("large-values-dirty", large_values, alone=True, stop="crash",
             mke2fs=("-J", "size=16", "-b", "1024", "-O", "ea_inode"),
             slow=True),
    Scenario("data-journal", plain, options="data=journal", intact=None,
             mke2fs=("-J", "size=64"), slow=True, unsure=True),
    Scenario("journal-then-ordered", journal_then_ordered, intact=None,
             options="data=journal", slow=True, unsure=True),
    Scenario("bigalloc", plain,
             mke2fs=("-J", "size=16", "-O", "bigalloc", "-C", "65536"),
             slow=True),
    Scenario("inodes-of-128", plain, mke2fs=("-J", "size=16", "-I", "128"),
             slow=True),
    Scenario("reallocated-and-freed", reallocated_and_freed, intact=None,
             slow=True),
    Scenario("one-transaction", never_logged, intact=None, slow=True),
    Scenario("data-writeback", data_writeback, intact=None, size="64M",
             options="data=writeback,commit=300",
             mke2fs=("-J", "size=4", "-m", "0"), slow=True),
    Scenario("cut-short", cut_short, intact=None, size="64M", stop="crash",
             options="commit=300", mke2fs=("-J", "size=4", "-m", "0"),
             slow=True, blind=True),
    Scenario("without-a-trace", without_a_trace, intact=None, size="64M",
             options="commit=300", mke2fs=("-J", "size=4", "-m", "0"),
             slow=True, blind=True),
]
