import Foundation
import TestSupport
import Testing

/// `pattern bt2111-*` against the published code values: numpy reads what ffmpeg decodes, and knows nothing of ours.
@Suite struct PatternCodesTests {
  /// Codes and widths of ITU-R BT.2111-2, tables 2 to 4, at ten bits; twelve bits are four times that in narrow range.
  private static let table = """
    import sys, numpy as np
    path, name, width, height, depth, form = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]), sys.argv[6]
    k = ['bt2111-hlg', 'bt2111-pq', 'bt2111-pq-full'].index(name)
    full = k == 2
    on, off, top, gray = [721, 572, 593][k], 0 if full else 64, 1023 if full else 940, 409 if full else 414
    def bars(level):
        o, z = level, off
        return [(gray,)*3, (o,o,o), (o,o,z), (z,o,o), (z,o,z), (o,z,o), (o,z,z), (z,z,o), (gray,)*3]
    stairs = [on] + ([0,0,102,205,307,409,512,614,716,818,921,1023,1023] if full else
                     [4,64,152,239,327,414,502,590,677,765,852,940,1019]) + [on]
    colours = [
      {'Y': (713,719,316), 'C': (538,709,718), 'G': (512,706,296), 'M': (651,286,705), 'R': (639,269,164), 'B': (227,147,702)},
      {'Y': (568,571,381), 'C': (484,566,571), 'G': (474,564,368), 'M': (536,361,564), 'R': (530,350,256), 'B': (317,236,562)},
      {'Y': (589,592,370), 'C': (491,586,592), 'G': (478,584,355), 'M': (551,347,584), 'R': (544,334,225), 'B': (296,201,582)}][k]
    pluge = [0, 0, 20, 0, 41] if full else [48, 64, 80, 64, 99]
    last = [colours[c] for c in 'YCG'] + [(v,)*3 for v in [off] + pluge + [off, on, off]] + [colours[c] for c in 'MRB']
    ramp = [551, 1023, 106] if full else [559, 1015, 106]
    rows = [
      (1/12, [240,206,206,206,204,206,206,206,240], bars(top)),
      (6/12, [240,206,206,206,204,206,206,206,240], bars(on)),
      (1/12, [240,206,103,103,103,103,102,102,103,103,103,103,103,103,240], [(v,)*3 for v in stairs]),
      (1/12, [240] + ramp, [(off,)*3, (0 if full else 4,)*3, None, (1023 if full else 1019,)*3]),
      (3/12, [80,80,80,136,70,68,70,68,70,238,438,282,80,80,80], last)]
    # Full range of twelve bits is not four times that of ten: levels in per cent of 4095, colours by their formula.
    twelve = dict(zip(
      [593, 409, 0, 102, 205, 307, 512, 614, 716, 818, 921, 1023, 20, 41],
      [2375, 1638, 0, 410, 819, 1229, 2048, 2457, 2867, 3276, 3686, 4095, 82, 164]))
    full12 = {'Y': (2356,2370,1480), 'C': (1964,2345,2368), 'G': (1915,2339,1420), 'M': (2206,1389,2336),
              'R': (2178,1337,900), 'B': (1184,805,2328)}
    def coded(rgb, ends=False):
        if depth == 10: return np.array(rgb)
        # The ramp of twelve bits ends at the last code of video.
        if not full: return np.array([4079 if ends and v == 1019 else 4 * v for v in rgb])
        for c, v in colours.items():
            if tuple(v) == tuple(rgb): return np.array(full12[c])
        return np.array([twelve[v] for v in rgb])
    def ycbcr(rgb):
        s = 2.0 ** (depth - 8)
        black, scale, chroma = (0, 2**depth - 1, 2**depth - 1) if full else (16*s, 219*s, 224*s)
        r, g, b = (np.asarray(rgb, float) - black) / scale
        y = .2627*r + .6780*g + .0593*b
        codes = np.array([y*scale + black, (b-y)/1.8814*chroma + 128*s, (r-y)/1.4746*chroma + 128*s])
        return np.clip(codes, 0, 2**depth - 1)
    data = np.fromfile(path, '<u2').astype(int)
    size, half = width*height, (width//2)*(height//2)
    planes = [data[:size].reshape(height, width)]
    for i in range(2):
        planes.append(data[size + i*half:][:half].reshape(height//2, width//2) if form == '420'
                      else data[size*(i+1):][:size].reshape(height, width))
    worst, count, top_edge = 0, 0, 0
    for share, widths, patches in rows:
        y, left = int(height * (top_edge + share/2)), 0
        top_edge += share
        for w, rgb in zip(widths, patches):
            x = int((left + w/2) * width / 1920)
            left += w
            if rgb is None: continue
            want = coded(rgb, ends=len(widths) == 4)
            if form == 'gbr':
                got = np.array([planes[2][y,x], planes[0][y,x], planes[1][y,x]])
            else:
                want = ycbcr(want)
                got = np.array([planes[0][y,x]] + [p[y//2,x//2] if form == '420' else p[y,x] for p in planes[1:]])
            # The nearest code is right, and where two are as near, each.
            error = int(np.ceil(np.clip(abs(got - want).max() - .5 - 1e-6, 0, None)))
            if error: print(name, x, y, got, want, file=sys.stderr)
            worst, count = max(worst, error), count + 1
    print(count, worst)
    """

  private static let names = ["bt2111-hlg", "bt2111-pq", "bt2111-pq-full"]

  /// Patches that were compared, and the largest difference in codes.
  private func compare(
    _ name: String, _ size: (Int, Int), depth: Int, form: String, _ arguments: [String], suffix: String
  ) throws -> [Int] {
    let scratch = try Scratch()
    let (video, raw) = (scratch.path("pattern." + suffix), scratch.path("frame.raw"))
    let result = try Command.run(
      ["pattern", name, "-o", video, "--size", "\(size.0)x\(size.1)", "--duration", "0.04", "-q"] + arguments)
    try #require(result.status == 0, "\(result.messages)")
    let format = ["gbr": "gbrp", "444": "yuv444p", "420": "yuv420p"][form, default: ""] + "\(depth)le"
    let input = suffix == "raw" ? ["-f", "rawvideo", "-pix_fmt", format, "-s", "\(size.0)x\(size.1)"] : []
    try Tool.ffmpeg.run(
      input + ["-i", video, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", format, "-y", raw])
    let output = try Python.run(Self.table, [raw, name, "\(size.0)", "\(size.1)", "\(depth)", form])
    return output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
  }

  @Test(arguments: names, [10, 12])
  func codesIn1080p(_ name: String, _ depth: Int) throws {
    let coded = ["-c:v", "ffv1", "--pixel-format", "gbrp\(depth)le"]
    let range = name == "bt2111-pq-full" ? [] : ["--range", "limited"]
    #expect(try compare(name, (1920, 1080), depth: depth, form: "gbr", coded + range, suffix: "mkv") == [51, 0])
  }

  @Test(arguments: names, [10, 12])
  func codesIn2160p(_ name: String, _ depth: Int) throws {
    let coded = ["-f", "rawvideo", "-c:v", "rawvideo", "--pixel-format", "gbrp\(depth)le"]
    #expect(try compare(name, (3840, 2160), depth: depth, form: "gbr", coded, suffix: "raw") == [51, 0])
  }

  @Test(arguments: names, [10, 12])
  func yCbCrIsThatOfTheCodes(_ name: String, _ depth: Int) throws {
    let coded = ["-c:v", "ffv1", "--pixel-format", "yuv444p\(depth)le"]
    #expect(try compare(name, (1920, 1080), depth: depth, form: "444", coded, suffix: "mkv") == [51, 0])
  }

  @Test(arguments: names, [10, 12])
  func x265StaysWithinACode(_ name: String, _ depth: Int) throws {
    let coded = ["-c:v", "libx265", "--preset", "fast", "--crf", "10", "--pixel-format", "yuv420p\(depth)le"]
    let found = try compare(name, (1920, 1080), depth: depth, form: "420", coded, suffix: "mkv")
    #expect(found.first == 51)
    #expect(found.last ?? 99 <= 1)
  }

  @Test func x265StaysWithinACodeIn2160p() throws {
    let coded = ["-c:v", "libx265", "--preset", "ultrafast", "--crf", "10"]
    let found = try compare("bt2111-pq", (3840, 2160), depth: 10, form: "420", coded, suffix: "mkv")
    #expect(found.first == 51)
    #expect(found.last ?? 99 <= 1)
  }
}
