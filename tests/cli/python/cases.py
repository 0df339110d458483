# SPDX-License-Identifier: GPL-2.0-only
"""The Python module, on the images that script makes: what it says is what e2lazy and
debugfs say, and it survives what a program does to it."""
import array
import gc
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import e2lazy

DEMO, BIG, BAD, LOGGED, GONE = "demo", "big", "bad", "logged", "gone"


# Loaded before the module, for its sanitizer; other programs have their own.
PRELOADED = os.environ.pop("LD_PRELOAD", "")


def said(*words):
    """What a program prints, and no message of it."""
    return subprocess.run(words, stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.DEVNULL).stdout


def document(*words):
    return json.loads(said("e2lazy", *words))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class AlarmError(Exception):
    pass


class Alarm:
    """A signal handler that runs every few milliseconds."""

    def __init__(self, handler, seconds=0.002):
        self.handler, self.seconds = handler, seconds

    def __enter__(self):
        self.before = signal.signal(signal.SIGALRM,
                                    lambda *unused: self.handler())
        signal.setitimer(signal.ITIMER_REAL, self.seconds, self.seconds)

    def __exit__(self, *error):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)


class WhatItSays(unittest.TestCase):
    """The same as e2lazy does."""

    def test_geometry_is_that_of_info(self):
        facts = document("info", "--json", DEMO)
        with e2lazy.open(DEMO) as journal:
            g = journal.geometry
        self.assertEqual(g["blocksize"], facts["filesystem"]["block_size"])
        self.assertEqual(g["fs_blocks"], facts["filesystem"]["blocks"])
        self.assertEqual(g["fs_uuid"].hex(),
                         facts["filesystem"]["uuid"].replace("-", ""))
        self.assertEqual((g["first"], g["end"], g["start"], g["sequence"]),
                         tuple(facts["journal"][key] for key in
                               ("first", "end", "start", "sequence")))
        self.assertEqual(g["csum"], facts["journal"]["checksum"])

    def test_mappings_are_those_of_dump(self):
        for image in DEMO, BIG:
            rows = document("dump", "--json", "--columns",
                            "FSBLK,LOGBLK,PHYSBLK,TID,COPIES", image)
            with e2lazy.open(image) as journal:
                found = journal.map()
                mappings = found.mappings()
                self.assertEqual(len(found), len(mappings))
                first = e2lazy.Mapping(*mappings[0])
                self.assertEqual(found[first.fsblk], first)
                self.assertNotIn(first.fsblk - 1 if first.fsblk else 1 << 40,
                                 found)
            self.assertEqual([tuple(row.values())
                              for row in rows["mappings"]],
                             [row[:5] for row in mappings])

    def test_transactions_are_those_of_log(self):
        rows = document("log", "--json", "--columns",
                        "TID,START,END,BLOCKS,REVOKES,TIME", DEMO)
        with e2lazy.open(DEMO) as journal:
            txns = journal.map().transactions()
        self.assertEqual([list(row.values()) for row in rows["transactions"]],
                         [[t.tid, t.start, t.end, t.copies, t.revokes,
                           t.time.strftime("%Y-%m-%dT%H:%M:%SZ")]
                          for t in txns])

    def test_copies_are_those_of_cat(self):
        with e2lazy.open(DEMO) as journal:
            found = journal.map()
            copies = found.copies(3, 20)
            for i, row in enumerate(found.mappings()[3:23]):
                wanted = said("e2lazy", "cat", DEMO, str(row[0]))
                self.assertEqual(copies[i], wanted)
                self.assertEqual(found.block(row[0]), wanted)

    def test_verdict_is_that_of_e2lazyck(self):
        for image in DEMO, BIG, BAD:
            facts = json.loads(said("e2lazyck", "--json", image))
            with e2lazy.open(image) as journal:
                verdict = journal.verify()
            self.assertEqual(verdict.verdict, facts["verdict"])
            self.assertEqual(
                [(f.id, f.severity, f.count, f.logblk, f.fsblk, f.tid)
                 for f in verdict.findings],
                [tuple(f[key] for key in ("id", "severity", "count", "logblk",
                                          "fsblk", "tid"))
                 for f in facts["findings"]])
            self.assertEqual(verdict.sound, image != BAD)

    def test_events_are_those_of_timeline(self):
        rows = document("timeline", "--json", DEMO)["events"]
        with e2lazy.open(DEMO) as journal:
            events = journal.events()
        self.assertEqual([(r["tid"], r["what"], r["inode"], r["path"],
                           r["old_path"]) for r in rows
                          if r["what"] != "state"],
                         [(e.tid, e.kind, e.ino, e.path, e.old_path)
                          for e in events])

    def test_deleted_files_are_those_of_undelete(self):
        rows = document("undelete", "--json", GONE)["files"]
        with e2lazy.open(GONE) as journal:
            files = list(journal.deleted())
            self.assertEqual(sorted((f.ino, f.size, f.path) for f in files),
                             sorted((r["inode"], r["size"], r["path"])
                                    for r in rows))
            by_ino = {(f.ino, f.size): f for f in files}
            read = 0
            for row in rows:
                if row["grade"] != "intact" or not row["sha256"]:
                    continue
                data = by_ino[row["inode"], row["size"]].read()
                self.assertEqual(hashlib.sha256(data).hexdigest(),
                                 row["sha256"])
                read += 1
            self.assertEqual(read, 2)


class TheView(unittest.TestCase):
    """The tree of a replayed copy."""

    def setUp(self):
        self.journal = e2lazy.open(LOGGED)
        self.view = self.journal.map().view()

    def tearDown(self):
        self.view = None
        self.journal.close()

    def test_files_are_those_of_a_replayed_copy(self):
        count = 0
        for path, _, names in self.view.walk():
            for name in names:
                full = path.rstrip("/") + "/" + name
                kind = self.view.lstat(full).st_mode & 0o170000
                if kind == 0o100000:
                    self.assertEqual(self.view.read_bytes(full),
                                     said("debugfs", "-R", 'cat "%s"' % full,
                                          "replayed"), full)
                    count += 1
        self.assertGreater(count, 3)

    def test_a_file_is_a_python_file(self):
        whole = self.view.read_bytes("/dir/long")
        with self.view.open("/dir/long") as file:
            self.assertIsInstance(file, io.BufferedReader)
            self.assertEqual(file.read(10), whole[:10])
            self.assertEqual(file.seek(-5, os.SEEK_END), len(whole) - 5)
            self.assertEqual(file.read(), whole[-5:])
            file.seek(70000)
            self.assertEqual(file.read(3), whole[70000:70003])
            file.seek(10 << 20)
            self.assertEqual(file.read(3), b"")
        with self.assertRaises(ValueError):
            file.read()
        with self.view.open("/dir/text") as file:
            self.assertEqual(list(io.TextIOWrapper(file)), ["one\n", "two\n"])

    def test_links_and_directories(self):
        self.assertEqual(self.view.readlink("/link"), "dir/text")
        self.assertEqual(self.view.stat("/link"), self.view.stat("/dir/text"))
        self.assertNotEqual(self.view.lstat("/link").st_ino,
                            self.view.stat("/link").st_ino)
        self.assertEqual(self.view.listdir("/dir"), ["long", "text"])
        self.assertIn("od\udcffd", self.view.listdir("/"))
        self.assertTrue(self.view.exists(b"/od\xffd"))
        self.assertFalse(self.view.exists("/dir/none/none"))

    def test_errors_of_paths_are_those_of_the_system(self):
        with self.assertRaises(FileNotFoundError):
            self.view.stat("/nothing")
        with self.assertRaises(NotADirectoryError):
            self.view.stat("/dir/text/x")
        with self.assertRaises(IsADirectoryError):
            self.view.open("/dir")
        with self.assertRaises(NotADirectoryError):
            self.view.listdir("/dir/text")
        with self.assertRaises(ValueError):
            self.view.stat(0)

    def test_bytes_of_the_device(self):
        self.assertEqual(self.view.size, os.path.getsize(LOGGED))
        self.assertEqual(self.view.read(1024 + 56, 2), b"\x53\xef")


class Lifetimes(unittest.TestCase):
    """Nothing is freed that somebody uses, and all of it in the end."""

    def test_a_buffer_keeps_its_journal_open(self):
        journal = e2lazy.open(DEMO)
        view = memoryview(journal.map().copies())
        self.assertEqual(view.shape, (439, 4096))
        self.assertTrue(view.readonly)
        part = view.cast("B")[4096:8192]
        with self.assertRaises(BufferError):
            journal.close()
        self.assertFalse(journal.closed)
        before = bytes(part)
        del journal
        gc.collect()
        self.assertEqual(bytes(part), before)

    def test_a_released_buffer_does_not(self):
        with self.assertRaises(BufferError):
            with e2lazy.open(DEMO) as journal:
                view = memoryview(journal.map().copies(0, 1))
        view.release()
        journal.close()
        self.assertTrue(journal.closed)
        journal.close()

    def test_a_buffer_in_use_hides_no_other_error(self):
        with self.assertRaises(ZeroDivisionError):
            with e2lazy.open(DEMO) as journal:
                view = memoryview(journal.map().copies(0, 1))
                1 / 0
        view.release()

    def test_what_comes_of_a_closed_journal_says_so(self):
        with e2lazy.open(DEMO) as journal:
            found = journal.map()
            view, copies = found.view(), found.copies(0, 1)
            file, deleted = view.open("/notes/f5"), journal.deleted()
        for call in (found.mappings, view.listdir, lambda: file.read(1),
                     lambda: deleted[0], journal.map, journal.verify,
                     lambda: memoryview(copies), lambda: found[1],
                     lambda: len(found)):
            with self.assertRaises(ValueError):
                call()
        del found, view, file, deleted, copies

    def test_an_order_of_dropping_does_not_matter(self):
        journal = e2lazy.open(DEMO)
        found = journal.map()
        view = found.view()
        file = view.open("/notes/f5")
        del journal, found, view
        gc.collect()
        self.assertEqual(len(file.read()), file.seek(0, os.SEEK_END))

    def test_memory_and_descriptors_come_back(self):
        def once():
            with e2lazy.open(DEMO) as journal:
                found = journal.map()
                view = found.view()
                view.read_bytes("/notes/f5")
                view.listdir("/spool")
                bytes(memoryview(found.copies()))
                found.mappings()
                journal.verify(quick=True)
                for error in ("/none", "/notes/f5/x"):
                    with self.assertRaises(OSError):
                        view.stat(error)
            with self.assertRaises(FileNotFoundError):
                e2lazy.open("nothing")

        for _ in range(10):
            once()
        gc.collect()
        memory, files = resident(), len(os.listdir("/proc/self/fd"))
        for _ in range(60):
            once()
        gc.collect()
        self.assertEqual(len(os.listdir("/proc/self/fd")), files)
        if not PRELOADED.strip():
            # Each round has some 2 MB in use.
            self.assertLess(resident() - memory, 4 << 20)

    def test_types_cannot_be_made_or_changed(self):
        for kind in (e2lazy._e2lazy.Map, e2lazy._e2lazy.Journal,
                     e2lazy.Copies):
            with self.assertRaises(TypeError):
                kind()
            with self.assertRaises(TypeError):
                kind.mappings = None

    def test_a_second_module_has_types_of_its_own(self):
        spec = e2lazy._e2lazy.__spec__
        import importlib.util
        other = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(other)
        self.assertIsNot(other.Journal, e2lazy._e2lazy.Journal)
        with self.assertRaises(FileNotFoundError):
            other.open("nothing")
        with other.open(DEMO) as journal:
            self.assertEqual(len(journal.map()), 439)


class Errors(unittest.TestCase):
    """An exception has the place."""

    def test_no_journal(self):
        with self.assertRaises(e2lazy.Error) as caught:
            e2lazy.open("none")
        self.assertEqual(caught.exception.device, "none")
        self.assertIsNone(caught.exception.logblk)
        self.assertIn("has no journal", str(caught.exception))

    def test_a_bad_copy_is_named(self):
        with e2lazy.open(BAD) as journal:
            with self.assertRaises(e2lazy.DamagedError) as caught:
                journal.map().copies()
        error = caught.exception
        row = json.loads(said("e2lazyck", "--json", BAD))["findings"][0]
        self.assertEqual((error.problem, error.logblk, error.fsblk,
                          error.tid), (row["id"], row["logblk"],
                                       row["fsblk"], row["tid"]))

    def test_arguments(self):
        with e2lazy.open(os.fsencode(DEMO), offset=0) as journal:
            found = journal.map()
            for wrong in ((440,), (0, 440), (-1,), (439, 1)):
                with self.assertRaises(IndexError):
                    found.copies(*wrong)
            self.assertEqual(len(found.copies(439)), 0)
            with self.assertRaises(ValueError):
                found.copies(0, -1)
            with self.assertRaises(KeyError):
                found[1 << 40]
            with self.assertRaises(IndexError):
                journal.deleted()[10 ** 6]
            with self.assertRaises(ValueError):
                journal.map(until=1 << 32)
            with self.assertRaises(TypeError):
                journal.map(until="x")
        with self.assertRaises(ValueError):
            e2lazy.open("a\0b")

    def test_until(self):
        with e2lazy.open(DEMO) as journal:
            all_of_it = journal.map().transactions()
            some = journal.map(until=all_of_it[4].tid).transactions()
        self.assertEqual(some, all_of_it[:5])


class SignalsAndThreads(unittest.TestCase):
    """A call can be ended, and others run beside it."""

    def test_a_signal_ends_a_call(self):
        def handler():
            raise AlarmError

        with e2lazy.open(BIG) as journal:
            began = time.monotonic()
            with self.assertRaises(AlarmError):
                with Alarm(handler):
                    while time.monotonic() - began < 60:
                        journal.map(verify=True)
            self.assertLess(time.monotonic() - began, 30)
            self.assertGreater(len(journal.map()), 0)

    def test_a_handler_may_not_call_the_same_journal(self):
        refused, dropped = [], []
        with e2lazy.open(BIG) as journal:
            kept = [journal.map().view()]

            def handler():
                try:
                    journal.map()
                except RuntimeError:
                    refused.append(1)
                    dropped.extend(1 for _ in kept)
                    kept.clear()
                except ValueError:
                    pass

            began = time.monotonic()
            with Alarm(handler):
                while not dropped and time.monotonic() - began < 60:
                    journal.map(verify=True)
            self.assertTrue(refused)
            self.assertEqual(len(journal.map().view().listdir()), 1)

    def test_threads_share_a_journal(self):
        wrong = []
        with e2lazy.open(DEMO) as journal:
            view = journal.map().view()
            wanted = view.read_bytes("/notes/f5")

            def work():
                try:
                    for _ in range(20):
                        if view.read_bytes("/notes/f5") != wanted:
                            wrong.append("contents")
                        len(journal.map().mappings())
                except Exception as error:
                    wrong.append(error)

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(wrong, [])

    def test_closing_waits_for_other_threads(self):
        wrong = []
        journal = e2lazy.open(BIG)

        def work():
            try:
                while True:
                    journal.map()
            except ValueError:
                pass
            except Exception as error:
                wrong.append(error)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.05)
        journal.close()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_other_threads_run_during_a_call(self):
        ticks = []
        done = threading.Event()

        def count():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.0005)

        with e2lazy.open(BIG) as journal:
            thread = threading.Thread(target=count)
            thread.start()
            began = time.monotonic()
            journal.verify()
            ended = time.monotonic()
            done.set()
            thread.join()
        within = [t for t in ticks if began < t < ended]
        self.assertGreater(len(within), 2)


class Buffers(unittest.TestCase):
    def test_others_read_them_without_copying(self):
        with e2lazy.open(DEMO) as journal:
            copies = journal.map().copies(0, 2)
            with memoryview(copies) as view:
                self.assertEqual(view.nbytes, 8192)
                self.assertEqual(view.strides, (4096, 1))
                with self.assertRaises(TypeError):
                    view.cast("B")[0] = 1
            numbers = array.array("B")
            numbers.frombytes(copies)
            self.assertEqual(numbers.tobytes(), copies[0] + copies[1])
            self.assertEqual(hashlib.sha256(copies).digest(),
                             hashlib.sha256(copies[0] + copies[1]).digest())

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no python3-numpy")
        with e2lazy.open(DEMO) as journal:
            copies = journal.map().copies()
            matrix = numpy.asarray(copies)
            self.assertEqual(matrix.shape, (439, 4096))
            self.assertFalse(matrix.flags.owndata)
            del matrix


if __name__ == "__main__":
    program = unittest.main(exit=False, argv=sys.argv, verbosity=0)
    sys.exit(not program.result.wasSuccessful())
