import Foundation
import Frames
import ImageFiles
import TestSupport

/// Applies gain maps in Python, to the pictures that ffmpeg decodes, by the words of ISO 21496-1.
enum GainMapJudge {
  /// Raw planes of a JPEG picture.
  struct Picture {
    /// FFmpeg's name; "gray", "yuvj420p" and "yuvj444p" are known.
    var format: String
    var size: Size
    var path: String
  }

  static func decode(_ jpeg: Data, _ format: String, _ size: Size, _ scratch: Scratch, _ name: String) throws -> Picture
  {
    try jpeg.write(to: URL(fileURLWithPath: scratch.path(name + ".jpg")))
    let raw = try Tool.ffmpeg.run([
      "-i", scratch.path(name + ".jpg"), "-frames:v", "1", "-pix_fmt", format, "-f", "rawvideo", "-",
    ])
    try raw.write(to: URL(fileURLWithPath: scratch.path(name + ".raw")))
    return Picture(format: format, size: size, path: scratch.path(name + ".raw"))
  }

  /// The largest difference of any component in units of what half float can tell apart, on every `step`th row.
  static func error(
    of image: StillImage, base: Picture, map: Picture, _ numbers: GainMapFileBuilder.Numbers, headroom: Double?,
    matrix: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1], step: Int = 1, _ scratch: Scratch
  ) throws -> Double {
    let frame = image.frame
    let path = scratch.path("result.raw")
    try unsafe [2, 0, 1].flatMap { frame.samples($0).map { UInt16($0) } }.withUnsafeBytes { unsafe Data($0) }
      .write(to: URL(fileURLWithPath: path))
    func words(_ picture: Picture) -> [String] {
      [picture.format, "\(picture.size.width)", "\(picture.size.height)", picture.path]
    }
    let output = try Python.run(
      script,
      words(base) + words(map) + [path, headroom.map { "\($0)" } ?? "", "\(step)"]
        + [matrix.map { "\($0)" }.joined(separator: ",")] + numbers.arguments)
    return Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .infinity
  }

  private static let script = """
    import sys, numpy as np
    a = sys.argv[1:]
    step = int(a[10])
    def near(n, m, shift):  # positions of n samples among m, of which each is as wide as 2^shift
        p = (np.arange(n) + 0.5) * (m / n if shift is None else 1 / (1 << shift)) - 0.5
        f = np.floor(p).astype(int)
        return np.clip(f, 0, m - 1), np.clip(f + 1, 0, m - 1), p - f
    def stretch(p, ys, xs):
        r = p[ys[0]] * (1 - ys[2][:, None]) + p[ys[1]] * ys[2][:, None]
        return r[:, xs[0]] * (1 - xs[2]) + r[:, xs[1]] * xs[2]
    def rgb(form, w, h, path, rows):
        d = np.fromfile(path, 'u1').astype(float)
        y = d[:w * h].reshape(h, w)[rows] / 255
        if form == 'gray': return np.stack([y, y, y])
        s = 1 if form == 'yuvj420p' else 0
        cw, ch = (w + s) >> s, (h + s) >> s
        c = (d[w * h:].reshape(2, ch, cw) - 128) / 255
        ys, xs = near(h, ch, s), near(w, cw, s)
        b, r = [stretch(p, [v[rows] for v in ys], xs) for p in c]
        red, blue = y + 1.402 * r, y + 1.772 * b
        return np.clip(np.stack([red, (y - 0.299 * red - 0.114 * blue) / 0.587, blue]), 0, 1)
    w, h, mw, mh = int(a[1]), int(a[2]), int(a[5]), int(a[6])
    rows = np.arange(0, h, step)
    base = rgb(a[0], w, h, a[3], rows)
    light = np.where(base <= 0.04045, base / 12.92, ((base + 0.055) / 1.055) ** 2.4)
    light = np.einsum('ij,jyx->iyx', np.array([float(v) for v in a[11].split(',')]).reshape(3, 3), light)
    m = rgb(a[4], mw, mh, a[7], np.arange(mh))
    ys, xs = near(h, mh, None), near(w, mw, None)
    gain = np.stack([stretch(p, [v[rows] for v in ys], xs) for p in m])
    lo, hi, gamma, ob, oa = [np.array([float(v) for v in t.split(',')])[:, None, None] for t in a[12:17]]
    hb, ha = float(a[17]), float(a[18])
    stops = np.log2(float(a[9])) if a[9] else max(hb, ha)
    weight = np.clip((stops - hb) / (ha - hb), 0, 1) * (-1 if ha < hb else 1)
    g = gain ** (1 / gamma)
    want = (light + ob) * 2 ** ((lo * (1 - g) + hi * g) * weight) - oa
    got = np.fromfile(a[8], '<f2').astype(float).reshape(3, h, w)[:, rows]
    print(np.max(np.abs(got - want) / (np.abs(want) * 2 ** -11 + 2 ** -16)))
    """
}
