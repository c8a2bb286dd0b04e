"""Pictures as the checks of the page read them: samples of PNG files, and the frame that a picture of the pattern
`counter` is of."""

import subprocess

import numpy as np

# Reads the frame code of what the video shows: eight columns by four rows, the middle of each cell.
SAMPLER = """(() => {
  const video = document.querySelector('video'), seen = window.seen = [];
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [80, 40];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const [left, top, width, height] = CODE;
  const read = () => {
    const [wide, high] = [video.videoWidth, video.videoHeight];
    context.drawImage(video, left * wide, top * high, width * wide, height * high, 0, 0, 80, 40);
    const { data } = context.getImageData(0, 0, 80, 40);
    seen.push(Array.from({ length: 32 }, (_, cell) =>
      data[((Math.floor(cell / 8) * 10 + 5) * 80 + cell % 8 * 10 + 5) * 4] > 127 ? 1 : 0).join(''));
    video.requestVideoFrameCallback(read);
  };
  video.requestVideoFrameCallback(read);
})()"""


def frame_number(cells):
    """The number of 32 cells; None where the checksum is wrong (CRC-8/ROHC: x^8 + x^2 + x + 1, from 0xFF)."""
    word = int(cells, 2)
    check = 0xFF
    for byte in (word >> 8).to_bytes(3, "big"):
        check ^= byte
        for _ in range(8):
            check = check >> 1 ^ 0xE0 if check & 1 else check >> 1
    return word >> 8 if check == word & 0xFF else None


def frame_of(pixels, code):
    """The number of the frame that a picture shows."""
    height, width = pixels.shape[:2]
    left, top, wide, high = code
    cells = ""
    for cell in range(32):
        x, y = left + wide * (cell % 8 + 0.5) / 8, top + high * (cell // 8 + 0.5) / 4
        cells += "01"[int(pixels[int(y * height), int(x * width), 0] > 32767)]
    return frame_number(cells)


def samples(png):
    """Samples of a PNG as height x width x 3 of 16 bits; those of 8 bits are widened."""
    ask = ["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", "-i", "-"]
    size = subprocess.run(ask, input=png, capture_output=True, check=True).stdout.decode()
    width, height = map(int, size.strip().split(","))
    read = ["ffmpeg", "-v", "error", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"]
    data = subprocess.run(read, input=png, capture_output=True, check=True).stdout
    return np.frombuffer(data, "<u2").reshape(height, width, 3)
