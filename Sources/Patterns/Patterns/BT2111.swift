internal import ColorScience

/// One of the three colour bar signals of BT.2111, as published code values.
///
/// Source: ITU-R BT.2111-2 (2020), tables 1 to 3.
struct BT2111: Sendable {
  /// A published code value, at both published bit depths.
  struct Code: Sendable {
    let ten: Int
    let twelve: Int

    init(_ ten: Int, _ twelve: Int) {
      self.ten = ten
      self.twelve = twelve
    }

    /// Narrow range: four twelve-bit codes per ten-bit code.
    init(_ ten: Int) { self.init(ten, ten * 4) }
  }

  /// R', G' and B' of a bar.
  struct Bar: Sendable {
    let name: String
    let red: Code
    let green: Code
    let blue: Code
  }

  let range: VideoRange
  /// The name of the large bars: "75%".
  let level: String
  let black: Code
  let white: Code
  let gray: Code
  /// White of the large bars.
  let main: Code
  /// -7 % or 0 %, 0 to 100 %, 109 % or 100 %.
  let stairs: [Code]
  /// -2, 0, +2, 0, +4 %.
  let pluge: [Code]
  /// The bars of the main white in BT.709 primaries: yellow, cyan, green, magenta, red, blue.
  let bars709: [Bar]

  /// Returns R', G', B' at a bit depth; depths other than ten and twelve use the twelve-bit codes.
  func signal(_ red: Code, _ green: Code, _ blue: Code, bitDepth: Int) -> SIMD3<Double> {
    let scale = SampleScale(bitDepth: bitDepth == 10 ? 10 : 12, range: range)
    func signal(_ code: Code) -> Double { scale.luma(fromCode: bitDepth == 10 ? code.ten : code.twelve) }
    return SIMD3(signal(red), signal(green), signal(blue))
  }

  static let hlg = narrow(
    level: "75%", main: 721,
    bars709: [
      ("yellow", 713, 719, 316), ("cyan", 538, 709, 718), ("green", 512, 706, 296), ("magenta", 651, 286, 705),
      ("red", 639, 269, 164), ("blue", 227, 147, 702),
    ])

  static let pq = narrow(
    level: "58%", main: 572,
    bars709: [
      ("yellow", 568, 571, 381), ("cyan", 484, 566, 571), ("green", 474, 564, 368), ("magenta", 536, 361, 564),
      ("red", 530, 350, 256), ("blue", 317, 236, 562),
    ])

  private static func narrow(level: String, main: Int, bars709: [(String, Int, Int, Int)]) -> BT2111 {
    BT2111(
      range: .narrow, level: level, black: Code(64), white: Code(940), gray: Code(414), main: Code(main),
      stairs: [4, 64, 152, 239, 327, 414, 502, 590, 677, 765, 852, 940, 1019].map { Code($0) },
      pluge: [48, 64, 80, 64, 99].map { Code($0) },
      bars709: bars709.map { Bar(name: $0, red: Code($1), green: Code($2), blue: Code($3)) })
  }

  static let pqFull = BT2111(
    range: .full, level: "58%", black: Code(0), white: Code(1023, 4095), gray: Code(409, 1638),
    main: Code(593, 2375),
    stairs: [
      Code(0), Code(0), Code(102, 410), Code(205, 819), Code(307, 1229), Code(409, 1638), Code(512, 2048),
      Code(614, 2457), Code(716, 2867), Code(818, 3276), Code(921, 3686), Code(1023, 4095), Code(1023, 4095),
    ],
    pluge: [Code(0), Code(0), Code(20, 82), Code(0), Code(41, 164)],
    bars709: [
      Bar(name: "yellow", red: Code(589, 2356), green: Code(592, 2370), blue: Code(370, 1480)),
      Bar(name: "cyan", red: Code(491, 1964), green: Code(586, 2345), blue: Code(592, 2368)),
      Bar(name: "green", red: Code(478, 1915), green: Code(584, 2339), blue: Code(355, 1420)),
      Bar(name: "magenta", red: Code(551, 2206), green: Code(347, 1389), blue: Code(584, 2336)),
      Bar(name: "red", red: Code(544, 2178), green: Code(334, 1337), blue: Code(225, 900)),
      Bar(name: "blue", red: Code(296, 1184), green: Code(201, 805), blue: Code(582, 2328)),
    ])
}
