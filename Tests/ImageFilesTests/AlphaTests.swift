import ColorScience
import Compositing
import FFmpegIO
import Foundation
import Frames
import ImageFiles
import Media
import TestSupport
import Testing

/// Pictures with alpha against numpy's "over" in linear light.
@Suite struct AlphaTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Codes of sixteen bits: some of each kind, transparent, opaque and between.
  private static let pixels: [(code: Int, alpha: Int)] = [0, 100, 20_000, 40_000, 65_535].flatMap { code in
    [0, 1, 700, 32_768, 60_000, 65_535].map { (code, $0) }
  }

  /// What numpy makes of the pixels.
  /// - Parameters:
  ///   - transfer: "srgb" or "pq", whose white is 203 cd/m².
  ///   - background: sRGB code of a grey, 0...255.
  private func expected(
    _ pixels: [(code: Int, alpha: Int)], _ transfer: String, premultiplied: Bool, background: Int
  ) throws -> [Int] {
    let script = """
      import sys, json, numpy as np
      codes, alphas, transfer, premultiplied, background = json.loads(sys.argv[1])
      def srgb(s): return np.where(s <= 0.04045, s / 12.92, ((np.maximum(s, 0.04045) + 0.055) / 1.055) ** 2.4)
      def unsrgb(l): return np.where(l <= 0.0031308, l * 12.92, 1.055 * np.maximum(l, 0.0031308) ** (1 / 2.4) - 0.055)
      m1, m2, c1, c2, c3 = 2610/16384, 2523/4096*128, 3424/4096, 2413/4096*32, 2392/4096*32
      def pq(s):
        p = np.clip(s, 0, 1) ** (1 / m2)
        return 10000 * (np.maximum(p - c1, 0) / (c2 - c3 * p)) ** (1 / m1) / 203
      def unpq(l):
        p = np.clip(l * 203 / 10000, 0, 1) ** m1
        return ((c1 + c2 * p) / (1 + c3 * p)) ** m2
      light, signal = (srgb, unsrgb) if transfer == 'srgb' else (pq, unpq)
      s, a = np.array(codes) / 65535.0, np.array(alphas) / 65535.0
      if premultiplied:
        own = np.where(a > 0, a * light(np.where(a > 0, s / np.maximum(a, 1e-9), 0)), light(s))
      else:
        own = a * light(s)
      result = own + (1 - a) * srgb(np.array(background / 255.0))
      print(json.dumps([int(c) for c in np.clip(np.floor(signal(result) * 65535 + 0.5), 0, 65535)]))
      """
    let input: [Any] = [pixels.map(\.code), pixels.map(\.alpha), transfer, premultiplied, background]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: input), as: UTF8.self)
    return try JSONDecoder().decode([Int].self, from: Data(try Python.run(script, [text]).utf8))
  }

  private func read(_ path: String, _ background: String, transfer: TransferCharacteristics? = nil) throws -> CodedFrame
  {
    let tags = ColorTags(transfer: transfer)
    let compositing = Compositing(background: Background.named(background), tags: tags)
    if let still = try StillReader(path: path, settings: StillSettings(compositing: compositing)) {
      #expect(still.notes.contains { $0.contains("alpha") })
      return try #require(try still.readFrame())
    }
    let reader = try MediaReader(url: path)
    reader.composite(compositing)
    let frame = try #require(try reader.readFrame())
    #expect(reader.notes.contains { $0.contains("composited over \(background)") })
    return frame
  }

  /// The top field is transparent and the bottom one opaque: chroma of the bottom one is what it was.
  @Test func fieldsStayApart() throws {
    let (width, height) = (32, 32)
    var bytes = (0..<width * height).map { UInt8(40 + $0 * 7 % 160) }
    var chroma: [[UInt8]] = []
    for plane in 0..<2 {
      chroma.append((0..<width * height / 4).map { UInt8(60 + ($0 * 13 + plane * 50) % 140) })
      bytes += chroma[plane]
    }
    for y in 0..<height { bytes += [UInt8](repeating: y % 2 == 0 ? 0 : 255, count: width) }
    let raw = scratch.path("in.yuva")
    try Data(bytes).write(to: URL(fileURLWithPath: raw))
    let path = scratch.path("in.mkv")
    try Tool.ffmpeg.run([
      "-f", "rawvideo", "-pix_fmt", "yuva420p", "-s", "\(width)x\(height)", "-i", raw, "-vf", "setfield=tff", "-c:v",
      "ffv1", "-field_order", "tt", "-colorspace", "bt709", "-color_trc", "bt709", "-color_primaries", "bt709",
      "-color_range", "tv", "-y", path,
    ])
    let reader = try MediaReader(url: path)
    reader.composite(Compositing(background: .black))
    let frame = try #require(try reader.readFrame())
    try #require(frame.fieldOrder != nil)
    for plane in 1...2 {
      for y in stride(from: 1, to: height / 2, by: 2) {
        for x in 0..<width / 2 {
          #expect(frame.sample(plane: plane, x: x, y: y) == Int(chroma[plane - 1][y * width / 2 + x]))
        }
      }
      #expect(frame.sample(plane: plane, x: 5, y: 4) == 128)
    }
  }

  /// Straight and premultiplied, contiguous and planar, by the tag of the file; PQ by the word of the user.
  @Test(arguments: [1, 2], ["srgb", "pq"])
  func tiffIsReadAsItsTagSays(_ kind: Int, _ transfer: String) throws {
    for isPlanar in [false, true] {
      for (background, code) in [("black", 0), ("white", 255), ("#808080", 128)] {
        let pixels = kind == 1 ? Self.pixels.filter { $0.code <= $0.alpha } : Self.pixels
        var builder = TIFFBuilder(
          width: pixels.count, height: 2, samplesPerPixel: 4, bits: 16, fields: [338: [kind]]
        ) { component, x, _ in UInt32(component == 3 ? pixels[x].alpha : pixels[x].code) }
        builder.isPlanar = isPlanar
        let path = scratch.path("alpha.tif")
        try builder.data().write(to: URL(fileURLWithPath: path))
        let frame = try read(path, background, transfer: transfer == "pq" ? .pq : nil)
        let wanted = try expected(pixels, transfer, premultiplied: kind == 1, background: code)
        for plane in 0..<3 {
          for (x, wanted) in wanted.enumerated() {
            let found = frame.sample(plane: plane, x: x, y: 1)
            #expect(abs(found - wanted) <= 1, "\(pixels[x]) over \(background): \(found), not \(wanted)")
          }
        }
      }
    }
  }

  /// PNG is straight, whatever FFmpeg decodes it to; 8 bit and grey too.
  @Test(arguments: ["rgba64be", "rgba", "ya16be"]) func pngIsStraight(_ format: String) throws {
    let is16 = format.contains("16") || format.contains("64")
    let unit = is16 ? 1 : 257
    let pixels = Self.pixels.map { (code: $0.code / unit * unit, alpha: $0.alpha / unit * unit) }
    let path = scratch.path("alpha.png")
    let channels = format == "ya16be" ? 2 : 4
    var bytes: [UInt8] = []
    for pixel in pixels + pixels {
      for channel in 0..<channels {
        let value = channel == channels - 1 ? pixel.alpha : pixel.code
        bytes += is16 ? [UInt8(value >> 8), UInt8(value & 255)] : [UInt8(value / 257)]
      }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: scratch.path("alpha.raw")))
    try Tool.ffmpeg.run([
      "-f", "rawvideo", "-pix_fmt", format, "-s", "\(pixels.count)x2", "-i", scratch.path("alpha.raw"), "-y", path,
    ])
    let frame = try read(path, "white")
    let wanted = try expected(pixels, "srgb", premultiplied: false, background: 255)
    // Grey goes through Y'CbCr: what is transparent is white.
    guard frame.layout.components == .rgb else {
      #expect(frame.sample(plane: 0, x: 0, y: 0) >= 235 << (frame.layout.bitDepth - 8))
      return
    }
    for (x, wanted) in wanted.enumerated() {
      let found = frame.sample(plane: 0, x: x, y: 1) * (frame.layout.bitDepth == 8 ? 257 : 1)
      #expect(abs(found - wanted) <= (is16 ? 1 : 129), "\(pixels[x]): \(found), not \(wanted)")
    }
  }

  /// Premultiplied light plus what is behind it, whose white is 203 cd/m² where the file says what 1 is.
  @Test(arguments: [nil, 100.0, 203.0]) func exrIsPremultiplied(_ unit: Double?) throws {
    let light: [Float] = [0, 0.25, 0.5, 4, 1, 2]
    let alpha: [Float] = [0, 0.5, 0.25, 0.5, 0, 1]
    func channel(_ name: String, _ values: [Float]) -> EXRBuilder.Channel {
      EXRBuilder.Channel(name: name, samples: .half(values.map { Float16($0).bitPattern }))
    }
    var part = EXRBuilder.Part(
      ["R", "G", "B"].map { channel($0, light) } + [channel("A", alpha)], data: [0, 0, 5, 0], display: [0, 0, 6, 0])
    part.whiteLuminance = unit.map { Float($0) }
    let path = scratch.path("a.exr")
    try EXRBuilder(parts: [part]).data().write(to: URL(fileURLWithPath: path))
    let white = unit.map { 203 / $0 } ?? 1
    for (name, level) in [("black", 0.0), ("white", white)] {
      let frame = try read(path, name)
      // Outside the data window there is only the background.
      let wanted = zip(light, alpha).map { Double($0) + (1 - Double($1)) * level } + [level]
      for (found, wanted) in zip(frame.light(1), wanted) { #expect(abs(found - wanted) <= wanted / 1024 + 1e-6) }
    }
  }

  /// Y'CbCr with alpha, as ProRes and FFV1 have it, against numpy: BT.709, chroma by the taps of its siting.
  @Test(arguments: ["yuva444p10le", "yuva422p10le", "yuva420p"]) func videoIsLaidOverTheBackground(_ format: String)
    throws
  {
    let path = scratch.path("alpha.mkv")
    let source = "testsrc2=s=64x48:r=25:d=0.08,format=yuva444p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='X*4'"
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", source, "-c:v", "ffv1", "-pix_fmt", format, "-color_primaries", "bt709", "-color_trc",
      "bt709", "-colorspace", "bt709", "-color_range", "tv", "-chroma_sample_location", "left", path,
    ])
    let raw = try Tool.ffmpeg.run(["-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", format, "-"])
    try raw.write(to: URL(fileURLWithPath: scratch.path("raw")))
    let reader = try MediaReader(url: path)
    reader.composite(Compositing(background: .white))
    let frame = try #require(try reader.readFrame())
    #expect(reader.notes == ["Its alpha (straight) is composited over white in linear light."])
    let script = """
      import sys, json, numpy as np
      path, shift_x, shift_y, depth = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
      w, h, cw, ch = 64, 48, 64 >> shift_x, 48 >> shift_y
      data = np.fromfile(path, '<u2' if depth > 8 else 'u1').astype(float)
      y, cb, cr, a = np.split(data, np.cumsum([w*h, cw*ch, cw*ch]))
      step = 1 << (depth - 8)
      y = (y.reshape(h, w) - 16*step) / (219*step); a = a.reshape(h, w) / ((1 << depth) - 1)
      def up(c):
        c = (c.reshape(ch, cw) - 128*step) / (224*step)
        if shift_x: # sited on the left
          n = np.minimum(np.arange(cw) + 1, cw - 1); o = np.empty((ch, w)); o[:, ::2] = c; o[:, 1::2] = (c + c[:, n]) / 2; c = o
        if shift_y: # sited between
          i = np.arange(ch); b = np.maximum(i - 1, 0); n = np.minimum(i + 1, ch - 1); o = np.empty((h, w))
          o[::2] = .75 * c + .25 * c[b]; o[1::2] = .75 * c + .25 * c[n]; c = o
        return c
      cb, cr = up(cb), up(cr)
      kr, kb = .2126, .0722
      r = y + 2*(1-kr)*cr; b = y + 2*(1-kb)*cb; g = (y - kr*r - kb*b) / (1-kr-kb)
      over = lambda s: (lambda l: np.sign(l) * np.abs(l) ** (1/2.4))(a * np.sign(s) * np.abs(s) ** 2.4 + (1 - a))
      r, g, b = over(r), over(g), over(b)
      y = kr*r + (1-kr-kb)*g + kb*b
      cb, cr = (b - y) / (2*(1-kb)), (r - y) / (2*(1-kr))
      def down(c):
        if shift_x:
          i = np.arange(cw) * 2; c = .25*c[:, np.maximum(i - 1, 0)] + .5*c[:, i] + .25*c[:, np.minimum(i + 1, w - 1)]
        if shift_y: c = (c[::2] + c[1::2]) / 2
        return c
      q = lambda v, scale, offset: np.floor(v * scale * step + offset * step + .5).ravel().astype(int).tolist()
      print(json.dumps([q(y, 219, 16), q(down(cb), 224, 128), q(down(cr), 224, 128)]))
      """
    let layout = frame.layout
    let wanted = try JSONDecoder().decode(
      [[Int]].self,
      from: Data(
        try Python.run(
          script,
          [scratch.path("raw"), "\(layout.chromaShiftX)", "\(layout.chromaShiftY)", "\(layout.bitDepth)"]
        ).utf8))
    for plane in 0..<3 {
      let worst = zip(frame.samples(plane), wanted[plane]).map { abs($0 - $1) }.max() ?? .max
      #expect(worst <= 1, "plane \(plane): \(worst) codes off")
    }
  }

  /// WebM keeps alpha beside the packets.
  @Test(arguments: ["libvpx", "libvpx-vp9"]) func alphaOfWebMIsRead(_ encoder: String) throws {
    let path = scratch.path("alpha.webm")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "color=black:s=64x64:r=25:d=0.2,format=yuva420p,geq=lum=16:cb=128:cr=128:a='255*gt(X,31)'",
      "-c:v", encoder, "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", path,
    ])
    let reader = try MediaReader(url: path)
    reader.composite(Compositing(background: .white))
    let frame = try #require(try reader.readFrame())
    #expect(frame.sample(plane: 0, x: 8, y: 32) > 230)
    #expect(frame.sample(plane: 0, x: 56, y: 32) < 20)
  }

  @Test func noneLeavesAlphaOut() throws {
    let builder = TIFFBuilder(width: 2, height: 1, samplesPerPixel: 4, bits: 8, fields: [338: [2]]) { component, _, _ in
      component == 3 ? 128 : 77
    }
    let path = scratch.path("a.tif")
    try builder.data().write(to: URL(fileURLWithPath: path))
    let settings = StillSettings(compositing: Compositing(background: nil))
    let still = try #require(try StillReader(path: path, settings: settings))
    #expect(try still.readFrame()?.samples(0) == [77, 77])
    #expect(still.notes == ["Its alpha (straight) is ignored: colours are as they are stored."])
  }
}
