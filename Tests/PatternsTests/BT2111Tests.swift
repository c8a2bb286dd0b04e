import ColorScience
import Frames
import Testing

import Patterns

/// Source of the numbers: ITU-R BT.2111-2 (2020), tables 1 to 4.
@Suite("BT.2111 colour bars")
struct BT2111Tests {
  private static let hd = Size(width: 1920, height: 1080)
  private static let uhd = Size(width: 3840, height: 2160)

  private func drawing(_ name: String, _ size: Size = hd, bits: Int = 10) throws -> PatternDrawing {
    let pattern = try #require(TestPattern.named(name))
    let signal = PatternSignal(pattern.kinds[0], range: pattern.ranges[0], bitDepth: bits)
    return pattern.drawing(on: PatternCanvas(size: size, signal: signal))
  }

  /// Codes of a row of pixels, as painted.
  private func codes(_ name: String, _ size: Size, bits: Int, row: Int) throws -> [SIMD3<Int>] {
    let pattern = try #require(TestPattern.named(name))
    let signal = PatternSignal(pattern.kinds[0], range: pattern.ranges[0], bitDepth: bits)
    let painter = PatternPainter(try drawing(name, size, bits: bits))
    var signals = [SIMD3<Double>](repeating: .zero, count: size.width)
    painter.paint(row: row, into: &signals)
    return signals.map(signal.codes)
  }

  /// Lengths and values of what is alike side by side.
  private func runs(_ codes: [SIMD3<Int>]) -> [[Int]] {
    codes.reduce(into: [[Int]]()) { runs, code in
      let value = [code.x, code.y, code.z]
      if let last = runs.last, last[1...].elementsEqual(value) {
        runs[runs.count - 1][0] += 1
      } else {
        runs.append([1] + value)
      }
    }
  }

  struct Variant: Sendable, CustomTestStringConvertible {
    let name: String
    let bits: Int
    let black: Int
    let white: Int
    let gray: Int
    let main: Int
    let stairs: [Int]
    let bars709: [[Int]]
    let pluge: [Int]
    var testDescription: String { "\(name) \(bits) bit" }

    static let hlg = Variant(
      name: "bt2111-hlg", bits: 10, black: 64, white: 940, gray: 414, main: 721,
      stairs: [4, 64, 152, 239, 327, 414, 502, 590, 677, 765, 852, 940, 1019],
      bars709: [
        [713, 719, 316], [538, 709, 718], [512, 706, 296], [651, 286, 705], [639, 269, 164], [227, 147, 702],
      ],
      pluge: [48, 64, 80, 64, 99])
    static let pq = Variant(
      name: "bt2111-pq", bits: 10, black: 64, white: 940, gray: 414, main: 572, stairs: hlg.stairs,
      bars709: [
        [568, 571, 381], [484, 566, 571], [474, 564, 368], [536, 361, 564], [530, 350, 256], [317, 236, 562],
      ],
      pluge: hlg.pluge)
    static let full = Variant(
      name: "bt2111-pq-full", bits: 10, black: 0, white: 1023, gray: 409, main: 593,
      stairs: [0, 0, 102, 205, 307, 409, 512, 614, 716, 818, 921, 1023, 1023],
      bars709: [
        [589, 592, 370], [491, 586, 592], [478, 584, 355], [551, 347, 584], [544, 334, 225], [296, 201, 582],
      ],
      pluge: [0, 0, 20, 0, 41])
    static let full12 = Variant(
      name: "bt2111-pq-full", bits: 12, black: 0, white: 4095, gray: 1638, main: 2375,
      stairs: [0, 0, 410, 819, 1229, 1638, 2048, 2457, 2867, 3276, 3686, 4095, 4095],
      bars709: [
        [2356, 2370, 1480], [1964, 2345, 2368], [1915, 2339, 1420], [2206, 1389, 2336], [2178, 1337, 900],
        [1184, 805, 2328],
      ], pluge: [0, 0, 82, 0, 164])

    /// The same in twelve bits: four times each code.
    var twelve: Variant {
      Variant(
        name: name, bits: 12, black: black * 4, white: white * 4, gray: gray * 4, main: main * 4,
        stairs: stairs.map { $0 * 4 }, bars709: bars709.map { $0.map { $0 * 4 } }, pluge: pluge.map { $0 * 4 })
    }

    static let all = [hlg, hlg.twelve, pq, pq.twelve, full, full12]
  }

  @Test("Codes and widths are the published ones at HD and UHD, 10 and 12 bit", arguments: Variant.all, [hd, uhd])
  func codes(_ variant: Variant, _ size: Size) throws {
    let factor = size.width / 1920
    func expected(_ widths: [Int], _ values: [[Int]]) -> [[Int]] {
      var pixels: [SIMD3<Int>] = []
      for (width, value) in zip(widths, values) {
        pixels += Array(repeating: SIMD3(value[0], value[1], value[2]), count: width * factor)
      }
      return runs(pixels)
    }
    func gray(_ code: Int) -> [Int] { [code, code, code] }
    func row(_ y: Int) throws -> [[Int]] {
      runs(try codes(variant.name, size, bits: variant.bits, row: y * factor))
    }
    func bars(_ w: Int) -> [[Int]] {
      let b = variant.black
      return [
        gray(variant.gray), [w, w, w], [w, w, b], [b, w, w], [b, w, b], [w, b, w], [w, b, b], [b, b, w],
        gray(variant.gray),
      ]
    }
    let widths = [240, 206, 206, 206, 204, 206, 206, 206, 240]
    for y in [0, 89] { #expect(try row(y) == expected(widths, bars(variant.white))) }
    for y in [90, 629] { #expect(try row(y) == expected(widths, bars(variant.main))) }
    let stairs = [gray(variant.main)] + variant.stairs.map(gray) + [gray(variant.main)]
    for y in [630, 719] {
      #expect(
        try row(y)
          == expected([240, 206, 103, 103, 103, 103, 102, 102, 103, 103, 103, 103, 103, 103, 240], stairs))
    }
    let black = gray(variant.black)
    let bottom =
      Array(variant.bars709[..<3]) + [black] + variant.pluge.map(gray) + [black, gray(variant.main), black]
      + Array(variant.bars709[3...])
    for y in [810, 1079] {
      #expect(
        try row(y) == expected([80, 80, 80, 136, 70, 68, 70, 68, 70, 238, 438, 282, 80, 80, 80], bottom))
    }
  }

  @Test(
    "The ramp is as wide as published at HD, UHD and 8K, 10 and 12 bit, and leaves out no code",
    arguments: [
      ("bt2111-hlg", 10, 1920, [240, 559, 1014, 107]), ("bt2111-pq", 10, 3840, [480, 1118, 2028, 214]),
      ("bt2111-pq", 10, 7680, [960, 2236, 4056, 428]), ("bt2111-pq-full", 10, 1920, [240, 551, 1022, 107]),
      ("bt2111-pq-full", 10, 3840, [480, 1102, 2044, 214]), ("bt2111-hlg", 12, 1920, [240, 559, 1015, 106]),
      ("bt2111-pq", 12, 3840, [480, 1117, 2031, 212]), ("bt2111-pq", 12, 7680, [960, 2233, 4062, 425]),
      ("bt2111-pq-full", 12, 1920, [240, 551, 1023, 106]), ("bt2111-pq-full", 12, 3840, [480, 1101, 2047, 212]),
      ("bt2111-pq-full", 12, 7680, [960, 2201, 4094, 425]),
    ])
  func ramp(_ name: String, _ bits: Int, _ width: Int, _ widths: [Int]) throws {
    let size = Size(width: width, height: 64)
    let drawing = try drawing(name, size, bits: bits)
    let ramp = try #require(drawing.ramps.first)
    let patches = drawing.patches.filter { $0.group == "ramp" }
    #expect([patches[0].area.width, patches[1].area.width, ramp.area.width, patches[2].area.width] == widths)
    let codes = try codes(name, size, bits: bits, row: 45).map(\.x)
    let range = SampleScale(bitDepth: bits, range: name.hasSuffix("full") ? .full : .narrow).videoCodes
    let rising = Array(codes[(width / 8)...])
    #expect(rising.first == range.lowerBound && rising.last == range.upperBound)
    let step = max((4 * 1920 / width) >> (12 - bits), 1)
    #expect(zip(rising, rising.dropFirst()).allSatisfy { (0...step).contains($1 - $0) })
    if bits == 10 { #expect(Set(rising).count == range.count) }
  }

  @Test("Every one of the 51 patches has its own name")
  func patches() throws {
    for name in ["bt2111-hlg", "bt2111-pq", "bt2111-pq-full"] {
      let patches = try drawing(name).patches
      #expect(patches.count == 51)
      #expect(Set(patches.map(\.name)).count == 51)
      let ramp = try #require(drawing(name).ramps.first).area
      let pixels = patches.map { $0.area.width * $0.area.height }.reduce(ramp.width * ramp.height, +)
      #expect(pixels == 1920 * 1080)
    }
  }
}
