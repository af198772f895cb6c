"""Reads the PNG files that the tests look at: 8 bit, red, green and blue, not interlaced."""
import struct
import zlib

import numpy as np


def read(path):
    """Rows x columns x 3 numbers from 0 to 255."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG file"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        if kind == b"IHDR":
            width, height, depth, color, *_, interlaced = struct.unpack(">IIBBBBB", body)
            assert (depth, color, interlaced) == (8, 2, 0)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    return unfilter(rows, width, height)


def unfilter(rows, width, height):
    """Undoes the five filters of a row (PNG specification, section 9)."""
    image = np.zeros((height + 1, width + 1, 3), int)  # with a black row above and column before
    for y, row in enumerate(rows, 1):
        kind, line = row[0], row[1:].reshape(width, 3).astype(int)
        for x, pixel in enumerate(line, 1):
            a, b, c = image[y, x - 1], image[y - 1, x], image[y - 1, x - 1]
            if kind == 4:
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                guess = np.where((pa <= pb) & (pa <= pc), a, np.where(pb <= pc, b, c))
            else:
                guess = (0, a, b, (a + b) // 2)[kind]
            image[y, x] = (pixel + guess) & 255
    return image[1:, 1:]
