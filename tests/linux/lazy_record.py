#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""lazy_record.py IMAGE OFFSET VERB - the record of a lazy log, shown or spoilt

OFFSET is that of the journal's superblock, in bytes.  Verbs:

    show     "none", "other" (it names another tail) or "fits"
    clear    there is none
    spoil    its checksum is wrong
    version  it is of a version that nobody knows
    nonce    it names another nonce
    plant    there is one of some log
    fit      it names the tail that the log has, whoever wrote that log
    drop     the log is empty, and the sequence what it was
    unmark   the first commit block after the tail has no mark

The form is that of linux/fs/jbd2/lazy_mark.c, written a second time: a test that
asked the code for it would prove nothing.
"""
import struct
import sys

MAGIC = 0x4C617A79
RECORD, SUM = 0xE0, 0xFC


def crc(data, value, polynomial, big):
    for byte in data:
        value ^= byte << 24 if big else byte
        for _ in range(8):
            if big:
                value = (value << 1) ^ (polynomial if value >> 31 else 0)
            else:
                value = (value >> 1) ^ (polynomial if value & 1 else 0)
            value &= 0xFFFFFFFF
    return value


def crc32_be(data, value=0xFFFFFFFF):
    return crc(data, value, 0x04C11DB7, True)


def crc32c(data, value=0xFFFFFFFF):
    return crc(data, value, 0x82F63B78, False)


class Superblock:
    def __init__(self, disk, offset):
        self.disk, self.offset = disk, offset
        disk.seek(offset)
        self.data = bytearray(disk.read(1024))
        self.uuid = bytes(self.data[0x30:0x40])

    def word(self, at):
        return struct.unpack_from(">I", self.data, at)[0]

    def set(self, at, value):
        struct.pack_into(">I", self.data, at, value)

    def checks(self):
        return self.word(0x28) & 0x18

    def seal_record(self):
        body = bytes(self.data[RECORD:RECORD + 24])
        self.set(RECORD + 24, crc32_be(body, crc32_be(self.uuid)))

    def state(self):
        if self.word(RECORD) != MAGIC:
            return "none"
        body = bytes(self.data[RECORD:RECORD + 24])
        if (self.word(RECORD + 4) == 1 and
                self.word(RECORD + 24) == crc32_be(body, crc32_be(self.uuid)) and
                self.word(RECORD + 8) == self.word(0x1C) and
                self.word(RECORD + 12) == self.word(0x18)):
            return "fits"
        return "other"

    def write(self):
        if self.checks():
            self.set(SUM, 0)
            self.set(SUM, crc32c(bytes(self.data)))
        self.disk.seek(self.offset)
        self.disk.write(self.data)


def unmark(sb):
    size, length = sb.word(0x0C), sb.word(0x10)
    for n in range(sb.word(0x1C), length):
        sb.disk.seek(sb.offset + n * size)
        block = bytearray(sb.disk.read(size))
        if (struct.unpack_from(">II", block) != (0xC03B3998, 2) or
                struct.unpack_from(">I", block, 20)[0] != MAGIC):
            continue
        block[16:48] = bytes(32)
        if sb.checks():
            struct.pack_into(">I", block, 16,
                             crc32c(bytes(block), crc32c(sb.uuid)))
        sb.disk.seek(sb.offset + n * size)
        sb.disk.write(block)
        return
    sys.exit("there is no mark")


def main(path, offset, verb):
    with open(path, "r+b") as disk:
        sb = Superblock(disk, int(offset))
        if verb == "show":
            print(sb.state())
            return
        if verb == "unmark":
            unmark(sb)
            return
        if verb == "clear":
            sb.data[RECORD:SUM] = bytes(SUM - RECORD)
        elif verb == "spoil":
            sb.set(RECORD + 24, sb.word(RECORD + 24) ^ 1)
        elif verb == "drop":
            sb.set(0x1C, 0)
        elif verb == "plant":
            sb.set(RECORD, MAGIC)
            sb.set(RECORD + 4, 1)
            sb.seal_record()
        else:
            if sb.word(RECORD) != MAGIC:
                sys.exit("there is no record")
            if verb == "version":
                sb.set(RECORD + 4, 2)
            elif verb == "nonce":
                sb.set(RECORD + 16, sb.word(RECORD + 16) ^ 1)
            elif verb == "fit":
                sb.set(RECORD + 8, sb.word(0x1C))
                sb.set(RECORD + 12, sb.word(0x18))
            else:
                sys.exit("there is no verb " + verb)
            sb.seal_record()
        sb.write()


main(*sys.argv[1:])
