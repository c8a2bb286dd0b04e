import ColorScience
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct EXRReaderTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func read(_ parts: EXRBuilder.Part...) throws -> StillImage {
    let path = scratch.path("a.exr")
    try EXRBuilder(parts: parts).data().write(to: URL(fileURLWithPath: path))
    return try EXRReader.read(path)
  }

  private func halves(_ name: String, _ values: [Float], sampling: Int32 = 1) -> EXRBuilder.Channel {
    EXRBuilder.Channel(
      name: name, samples: .half(values.map { Float16($0).bitPattern }), sampling: sampling)
  }

  @Test(arguments: EXRCompression.allCases)
  func whatWasWrittenIsRead(_ compression: EXRCompression) throws {
    let frame = HalfFrames.anyBits(Size(width: 37, height: 71), primaries: .displayP3, linearUnit: 203)
    let path = scratch.path("a.exr")
    try Data(EXREncoder(compression: compression).encode(frame)).write(to: URL(fileURLWithPath: path))
    let image = try EXRReader.read(path)
    for plane in 0..<3 { #expect(difference(image.frame.samples(plane), frame.samples(plane)) == nil) }
    #expect(image.frame.color == ImageSpace.linearP3.color)
    #expect(image.frame.metadata.linearUnit == 203)
    #expect(image.notes.isEmpty)
  }

  @Test(arguments: ["none", "rle", "zip1", "zip16"], ["half", "float"])
  func filesOfFFmpegAreRead(_ compression: String, _ format: String) throws {
    let frame = HalfFrames.anyBits(Size(width: 40, height: 35))
    let raw = scratch.path("a.raw")
    let floats = (0..<3).flatMap { frame.samples($0) }.map { Float(Float16(bitPattern: UInt16($0))) }
    try unsafe floats.withUnsafeBytes { unsafe Data($0) }.write(to: URL(fileURLWithPath: raw))
    let path = scratch.path("a.exr")
    try Tool.ffmpeg.run([
      "-f", "rawvideo", "-pix_fmt", "gbrpf32le", "-s", "40x35", "-i", raw, "-compression", compression, "-format",
      format, path,
    ])
    let image = try EXRReader.read(path)
    for plane in 0..<3 { #expect(difference(image.frame.samples(plane), frame.samples(plane)) == nil) }
    #expect(image.frame.color.primaries == .bt709)
    #expect(image.frame.metadata.linearUnit == nil)
  }

  @Test(arguments: [nil, 4]) func dataIsPlacedInTheDisplayWindow(_ tile: Int?) throws {
    // Data from (-2, 1) to (5, 10), display from (1, -1) to (8, 6): what overlaps is x 1...5, y 1...6.
    let (width, height) = (8, 10)
    func values(_ plane: Int) -> [Float] {
      (0..<width * height).map { Float(100 * plane + 10 * ($0 / width) + $0 % width) }
    }
    let channels = ["R", "G", "B"].enumerated().map { halves($1, values($0 + 1)) }
    let frame = try read(EXRBuilder.Part(channels, data: [-2, 1, 5, 10], display: [1, -1, 8, 6], tile: tile)).frame
    #expect(frame.size == Size(width: 8, height: 8))
    for (plane, number) in [(0, 2), (1, 3), (2, 1)] {
      let expected = (0..<64).map { index -> Double in
        let (x, y) = (index % 8 + 1, index / 8 - 1)
        guard (1...5).contains(x), (1...6).contains(y) else { return 0 }
        return Double(100 * number + 10 * (y - 1) + x + 2)
      }
      #expect(frame.light(plane) == expected)
    }
  }

  @Test func typesAreConvertedAndNumbersKept() throws {
    let image = try read(
      EXRBuilder.Part(
        [
          EXRBuilder.Channel(name: "R", samples: .float([.nan, .infinity, -.infinity, 1e9, 0.1])),
          EXRBuilder.Channel(name: "G", samples: .half([0x7E00, 0x7C00, 0xFC00, 0x8000, 1])),
          EXRBuilder.Channel(name: "B", samples: .uint([0, 1, 1000, 4_000_000_000, 2049])),
        ], data: [0, 0, 4, 0]))
    #expect(image.frame.light(2) == [0, 65_504, -65_504, 65_504, Double(Float16(0.1))])
    #expect(image.frame.samples(0) == [0, 0x7BFF, 0xFBFF, 0x8000, 1])
    #expect(image.frame.light(1) == [0, 1, 1000, 65_504, 2048])
  }

  @Test func channelsAreFound() throws {
    let window: [Int32] = [0, 0, 0, 0]
    let layer = ["R", "G", "B"].enumerated().map { halves("beauty.\($1)", [Float($0 + 1)]) }
    let plain = ["R", "G", "B"].enumerated().map { halves($1, [Float($0 + 4)]) }
    let depth = halves("Z", [9])
    func light(_ image: StillImage) -> [Double] { [2, 0, 1].flatMap { image.frame.light($0) } }
    #expect(light(try read(EXRBuilder.Part(layer + [depth], data: window))) == [1, 2, 3])
    #expect(light(try read(EXRBuilder.Part(layer + plain, data: window))) == [4, 5, 6])
    #expect(light(try read(EXRBuilder.Part([halves("Y", [7])], data: window))) == [7, 7, 7])
    let first = EXRBuilder.Part([depth], data: window)
    #expect(light(try read(first, EXRBuilder.Part(plain, data: window, tile: 16))) == [4, 5, 6])
    let error = #expect(throws: ImageFileError.self) { try read(first) }
    #expect("\(try #require(error))".contains("R, G and B"))
    #expect(throws: ImageFileError.self) {
      try read(EXRBuilder.Part([halves("Y", [7]), halves("RY", [1]), halves("BY", [1])], data: window))
    }
  }

  @Test func deepDataIsRefused() throws {
    var part = EXRBuilder.Part(["R", "G", "B"].map { halves($0, [1]) }, data: [0, 0, 0, 0])
    part.type = "deepscanline"
    let error = #expect(throws: ImageFileError.self) { try read(part) }
    guard case .unsupported(_, let reason) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("deep"))
  }

  @Test func transparencyIsNoted() throws {
    let window: [Int32] = [0, 0, 1, 0]
    let color = ["R", "G", "B"].map { halves($0, [1, 1]) }
    #expect(try read(EXRBuilder.Part(color + [halves("A", [1, 1])], data: window)).notes.isEmpty)
    let transparent = try read(EXRBuilder.Part(color + [halves("A", [1, 0.5])], data: window))
    #expect(transparent.composited().notes == ["Its alpha (premultiplied) is composited over black in linear light."])
  }

  @Test func otherPrimariesBecomeBT2020() throws {
    // ACES AP0 (SMPTE ST 2065-1).
    var part = EXRBuilder.Part(
      [halves("R", [1, 1, 0]), halves("G", [1, 0, 1]), halves("B", [1, 0, 0])], data: [0, 0, 2, 0])
    part.chromaticities = [0.7347, 0.2653, 0, 1, 0.0001, -0.077, 0.32168, 0.33767]
    part.whiteLuminance = 100
    let image = try read(part)
    #expect(image.frame.color == ImageSpace.linearBT2020.color)
    #expect(image.frame.metadata.linearUnit == 100)
    #expect(image.notes.count == 1)
    let red = image.frame.light(2)
    let green = image.frame.light(0)
    let blue = image.frame.light(1)
    // Grey stays grey; the columns are those of colour-science 0.4.7, matrix_RGB_to_RGB(ACES2065-1, ITU-R BT.2020,
    // "Bradford").
    let expected = [
      [1.0, 1.0, 1.0], [1.4904, -0.0801, 0.0032], [-0.2662, 1.1824, -0.0348],
    ]
    for (index, values) in expected.enumerated() {
      for (found, value) in zip([red[index], green[index], blue[index]], values) {
        #expect(abs(found - value) < 0.002)
      }
    }
    part.chromaticities = Array(repeating: 0.3, count: 8)
    #expect(throws: ImageFileError.self) { try read(part) }
  }

  /// More rows than the file can have chunks, rejected before memory is allocated for them.
  @Test(arguments: [(Int32(16_383), Int32(16_383), true), (0, 69_999, false)])
  func hugeWindowsAreRefused(_ x: Int32, _ y: Int32, _ isTruncated: Bool) throws {
    let part = EXRBuilder.Part(["R", "G", "B"].map { halves($0, [0.5, 0.5]) }, data: [0, 0, 1, 0])
    var bytes = EXRBuilder(parts: [part]).data()
    func little(_ values: [Int32]) -> Data {
      Data(values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } })
    }
    while let range = bytes.range(of: little([0, 0, 1, 0])) {
      bytes.replaceSubrange(range, with: little([0, 0, x, y]))
    }
    let path = scratch.path("huge.exr")
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: ImageFileError.self) { try EXRReader.read(path) }
    switch try #require(error) {
    case .unreadable(_, let reason): #expect(isTruncated && reason == "it is truncated before its pixels")
    case .unsupported(_, let reason): #expect(!isTruncated && reason.contains("70000"))
    case let other: Issue.record("\(other)")
    }
  }

  @Test func damageIsAnErrorAndNeverMore() throws {
    let path = scratch.path("a.exr")
    let parts = [
      EXRBuilder.Part(
        ["R", "G", "B", "A"].map { halves($0, Array(repeating: 0.5, count: 320)) }, data: [0, 0, 19, 15])
    ]
    let frame = HalfFrames.anyBits(Size(width: 21, height: 40))
    let files =
      [Data(EXRBuilder(parts: parts).data())]
      + (try EXRCompression.allCases.map { Data(try EXREncoder(compression: $0).encode(frame)) })
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for file in files {
      for length in stride(from: 0, to: file.count, by: max(1, file.count / 25)) {
        try file.prefix(length).write(to: URL(fileURLWithPath: path))
        #expect(throws: ImageFileError.self) { try EXRReader.read(path) }
      }
      for _ in 0..<40 {
        var damaged = file
        for _ in 0...random(3) { damaged[random(random(2) == 0 ? 400 : file.count)] = UInt8(random(256)) }
        try damaged.write(to: URL(fileURLWithPath: path))
        if let image = try? EXRReader.read(path) { #expect(image.frame.size.width > 0) }
      }
    }
    #expect(throws: ImageFileError.self) { try EXRReader.read(scratch.path("missing.exr")) }
  }
}
