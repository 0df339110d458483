# SPDX-License-Identifier: GPL-2.0-only
"""client.py SOCKET - send the requests of standard input to an NBD server, each
when the one before it is answered

Lines: write OFFSET LENGTH [fua] | read OFFSET LENGTH | zero OFFSET LENGTH |
trim OFFSET LENGTH | flush | size.  What is written is the byte OFFSET / 512 % 251;
a read prints the set of bytes.
"""
import socket
import struct
import sys

READ, WRITE, DISCONNECT, FLUSH, TRIM, ZERO = 0, 1, 2, 3, 4, 6
COMMANDS = {"read": READ, "write": WRITE, "flush": FLUSH, "trim": TRIM,
            "zero": ZERO}
FUA = 1

server = socket.socket(socket.AF_UNIX)
server.connect(sys.argv[1])


def receive(count):
    data = b""
    while len(data) < count:
        piece = server.recv(count - len(data))
        if not piece:
            sys.exit("the server has gone")
        data += piece
    return data


magic, _, flags = struct.unpack(">8s8sH", receive(18))
server.sendall(struct.pack(">I", 3))
server.sendall(b"IHAVEOPT" + struct.pack(">II", 1, 0))
size, flags = struct.unpack(">QH", receive(10))

for line in sys.stdin:
    word, *rest = line.split()
    if word == "size":
        print("size", size, "flush", flags >> 2 & 1, "fua", flags >> 3 & 1,
              "trim", flags >> 5 & 1, "zero", flags >> 6 & 1)
        continue
    offset, length = (int(n) for n in rest[:2]) if rest else (0, 0)
    request = struct.pack(">IHHQQI", 0x25609513, FUA if "fua" in rest else 0,
                          COMMANDS[word], 7, offset, length)
    if word == "write":
        request += bytes([offset // 512 % 251]) * length
    server.sendall(request)
    _, error, _ = struct.unpack(">IIQ", receive(16))
    if error:
        print(line.strip(), "error", error)
    elif word == "read":
        print(line.strip(), sorted(set(receive(length))))
server.sendall(struct.pack(">IHHQQI", 0x25609513, 0, DISCONNECT, 8, 0, 0))
