#!/usr/bin/python3
"""Runs a scene and makes a film of it, an animated PNG that browsers and README.md show: tools/gallery/drum_film.png.

    tools/film.py                 the drum, from 5 s to 8.1 s, the time in which it turns half
    tools/film.py FOLDER OUT.png  any pictures of one size, FOLDER/*.png by name, as "pluvia render --movie" writes them

The file has one palette for all pictures, and of each but the first only what differs from the one before. Needs
python3-numpy."""
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "build/release/src/cli/pluvia"
COLORS = 48  # and one that is clear
FRAMES, INTERVAL, START = 63, 0.05, 5.0  # interval and start in s
VIEW = ["--from=-75,8", "--look-at", "0,0,0", "--distance", "0.49", "--color", "speed", "--range", "0,0.25",
        "--plain", "--size", "288x270"]


def read(path):
    """The pixels of a PNG file of 8-bit RGB as height x width x 3 bytes."""
    data, at, packed = path.read_bytes(), 8, b""
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    if (depth, kind) != (8, 2):
        sys.exit(f"{path}: not a picture of pluvia render")
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    image = np.zeros((height + 1, 3 * (width + 1)), int)
    for y in range(height):
        unfilter(int(rows[y, 0]), rows[y, 1:].astype(int), image[y], image[y + 1])
    return image[1:, 3:].reshape(height, width, 3).astype(np.uint8)


def unfilter(kind, row, up, out):
    """Undoes the filter of a row (PNG specification, 9.2); `up` and `out` have an empty pixel before the first."""
    if kind == 0:
        out[3:] = row
    elif kind == 2:
        out[3:] = (row + up[3:]) & 255
    elif kind == 1:
        out[3:] = (np.cumsum(row.reshape(-1, 3), axis=0) & 255).ravel()
    else:
        for i, x in enumerate(row.tolist(), 3):
            a, b, c = int(out[i - 3]), int(up[i]), int(up[i - 3])
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            out[i] = (x + ((a + b) // 2 if kind == 3 else near)) & 255


def palette_of(images):
    """COLORS colors, by halving the box of colors with the largest spread at its median (Heckbert 1982)."""
    boxes = [np.concatenate([image.reshape(-1, 3)[::7] for image in images[::4]]).astype(float)]
    while len(boxes) < COLORS:
        spread = [np.ptp(box, axis=0).max() * len(box) ** 0.5 for box in boxes]
        box = boxes.pop(int(np.argmax(spread)))
        axis = int(np.argmax(np.ptp(box, axis=0)))
        low = box[:, axis] <= min(np.median(box[:, axis]), box[:, axis].max() - 1)
        boxes += [box[low], box[~low]]
    return np.array([box.mean(axis=0) for box in boxes])


def indices(image, palette):
    """The nearest color of the palette, from 1 on: 0 is clear."""
    flat, back = np.unique(image.reshape(-1, 3), axis=0, return_inverse=True)
    nearest = [np.argmin(((color - palette) ** 2).sum(axis=1)) for color in flat.astype(float)]
    return (np.array(nearest, np.uint8) + 1)[back].reshape(image.shape[:2])


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def packed(index):
    return zlib.compress(b"".join(b"\0" + row.tobytes() for row in index), 9)


def film(images, seconds):
    """An animated PNG (PNG specification, third edition) that begins again at its end."""
    palette = palette_of(images)
    colors = bytes(3) + np.rint(palette).astype(np.uint8).tobytes()
    height, width = images[0].shape[:2]
    out = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
           chunk(b"acTL", struct.pack(">II", len(images), 0)), chunk(b"PLTE", colors), chunk(b"tRNS", b"\0")]
    before, number = None, 0
    for image in images:
        here = index = indices(image, palette)
        low = [0, 0]
        if before is not None:
            index = np.where(here == before, 0, here)
            rows, columns = (np.flatnonzero(index.any(axis=axis)) for axis in (1, 0))
            low = [rows[0], columns[0]] if len(rows) else [0, 0]
            index = index[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1] if len(rows) else index[:1, :1]
        out.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, index.shape[1], index.shape[0], low[1], low[0],
                                              round(1000 * seconds), 1000, 0, int(before is not None))))
        data = packed(index)
        number += 1
        out.append(chunk(b"IDAT", data) if before is None else chunk(b"fdAT", struct.pack(">I", number) + data))
        number += before is not None
        before = here
    return b"".join(out) + chunk(b"IEND", b"")


def of_folder(folder):
    return [read(path) for path in sorted(pathlib.Path(folder).glob("*.png"))]


def of_drum(folder):
    """Each picture by itself, from the same place and in the same colors."""
    subprocess.run([PROGRAM, "run", ROOT / "scenes/drum.cfg", "-q", "-o", folder / "drum.h5md"], check=True)
    for k in range(FRAMES):
        subprocess.run([PROGRAM, "render", folder / "drum.h5md", "--at", str(START + k * INTERVAL), *VIEW, "-o",
                        folder / f"{k:04d}.png"], check=True)
    return of_folder(folder)


def main(words):
    if words in (["-h"], ["--help"]):
        return print(__doc__)
    if len(words) not in (0, 2):
        sys.exit(__doc__)
    if words:
        pathlib.Path(words[1]).write_bytes(film(of_folder(words[0]), INTERVAL))
    else:
        with tempfile.TemporaryDirectory() as folder:
            (ROOT / "tools/gallery/drum_film.png").write_bytes(film(of_drum(pathlib.Path(folder)), INTERVAL))
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
