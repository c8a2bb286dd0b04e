import ColorScience
import FFmpegIO
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct HEIFTests {
  private static let display = MasteringDisplay(
    red: .init(x: 35_400, y: 14_600), green: .init(x: 8_500, y: 39_850), blue: .init(x: 6_550, y: 2_300),
    white: .init(x: 15_635, y: 16_450), maxLuminance: 10_000_000, minLuminance: 50)
  private static let light = ContentLight(maxCLL: 987, maxFALL: 321)
  private static let metadata = HDRMetadata(masteringDisplay: display, contentLight: light)
  private static let pq = ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, range: .narrow)

  private func write(_ frame: CodedFrame, _ scratch: Scratch, lossless: Bool = false) throws -> String {
    let path = scratch.path("a.avif")
    try Data(AVIFEncoder(isLossless: lossless).encode(frame)).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(arguments: AVIFEncoder.layouts) func losslessKeepsEverySample(_ layout: PixelLayout) throws {
    let scratch = try Scratch()
    let frame = Pictures.noise(Size(width: 67, height: 35), layout, Self.pq, Self.metadata)
    let path = try write(frame, scratch, lossless: true)
    let still = try HEIFReader.read(path)
    #expect(still.frame.format == frame.format)
    #expect(Pictures.areEqual(still.frame, frame))
    #expect(still.frame.metadata == Self.metadata)
    #expect(still.notes.isEmpty)
    // FFmpeg reads the same.
    let read = try #require(try MediaReader(url: path).readFrame())
    #expect(Pictures.areEqual(read, frame))
  }

  @Test(arguments: AVIFEncoder.layouts) func defaultQualityIsNearTheSource(_ layout: PixelLayout) throws {
    let scratch = try Scratch()
    let frame = Pictures.ramps(Size(width: 256, height: 128), layout, Self.pq)
    let still = try HEIFReader.read(write(frame, scratch))
    var squares = 0.0
    for y in 0..<128 {
      for x in 0..<256 {
        let error = frame.sample(plane: 0, x: x, y: y) - still.frame.sample(plane: 0, x: x, y: y)
        squares += Double(error * error)
      }
    }
    let peak = Double((1 << layout.bitDepth) - 1)
    let ratio = 10 * log10(peak * peak * 256 * 128 / squares)
    #expect(ratio > 45)
  }

  /// The boxes as bytes: ISO/IEC 14496-12, 12.1.5 and 12.1.6 (after the four letters).
  @Test func boxesAreThoseOfTheStandard() throws {
    let scratch = try Scratch()
    let frame = Pictures.ramps(
      Size(width: 64, height: 64), PixelLayout(.ycbcr420, bitDepth: 10), Self.pq, Self.metadata)
    let file = try Data(contentsOf: URL(fileURLWithPath: write(frame, scratch)))
    func holds(_ type: String, _ content: [UInt8]) -> Bool { file.range(of: Data(type.utf8) + Data(content)) != nil }
    func bytes(_ words: [UInt16]) -> [UInt8] { words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
    #expect(holds("clli", bytes([987, 321])))
    // Green, blue, red, white, the maximum and the minimum.
    #expect(
      holds("mdcv", bytes([8_500, 39_850, 6_550, 2_300, 35_400, 14_600, 15_635, 16_450, 152, 38_528, 0, 50])))
    #expect(holds("colrnclx", bytes([9, 16, 9]) + [0]))
  }

  @Test func fullRangeAndOtherCodesAreKept() throws {
    let scratch = try Scratch()
    let color = ColorDescription(primaries: .displayP3, transfer: .sRGB, matrix: .bt470BG, range: .full)
    let frame = Pictures.ramps(Size(width: 64, height: 64), PixelLayout(.ycbcr444, bitDepth: 8), color)
    let path = try write(frame, scratch)
    #expect(try HEIFReader.read(path).frame.color == color)
    let stream = try #require(try Probe(path, ["-show_streams"]).streams?.first)
    #expect(stream.color_primaries == "smpte432")
    #expect(stream.color_transfer == "iec61966-2-1")
    #expect(stream.color_range == "pc")
  }

  /// Without code points in the file and the coded picture: MIAF, 7.3.6.4, but for the range, which AV1 always has.
  @Test func unsaidColoursAreSRGB() throws {
    let scratch = try Scratch()
    let color = ColorDescription(
      primaries: .unspecified, transfer: .unspecified, matrix: .unspecified, range: .full)
    let frame = Pictures.ramps(Size(width: 64, height: 64), PixelLayout(.ycbcr420, bitDepth: 8), color)
    let read = try HEIFReader.read(write(frame, scratch)).frame.color
    #expect((read.primaries, read.transfer, read.matrix, read.range) == (.bt709, .sRGB, .smpte170M, .full))
  }

  @Test(arguments: Clip.all.filter { $0.file.hasSuffix(".avif") }) func stillsAreAsFFmpegReadsThem(_ clip: Clip) throws
  {
    let still = try HEIFReader.read(clip.path).frame
    let frame = try #require(try MediaReader(url: clip.path).readFrame())
    #expect(still.format == frame.format)
    #expect(Pictures.areEqual(still, frame))
  }

  @Test func otherLayoutsAreRefused() {
    let frame = CodedFrame(size: Size(width: 8, height: 8), layout: PixelLayout(.rgb, bitDepth: 8), color: .bt709)
    #expect(throws: ImageFileError.self) { try AVIFEncoder().encode(frame) }
  }

  @Test func damagedFilesAreErrors() throws {
    let scratch = try Scratch()
    let frame = Pictures.ramps(
      Size(width: 64, height: 64), PixelLayout(.ycbcr420, bitDepth: 10), Self.pq, Self.metadata)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: write(frame, scratch))))
    let path = scratch.path("b.avif")
    #expect(throws: ImageFileError.self) { try HEIFReader.read(path) }
    for length in stride(from: 0, to: whole.count - 1, by: 7) {
      try Data(whole[..<length]).write(to: URL(fileURLWithPath: path))
      _ = try? HEIFReader.read(path)
    }
    for index in stride(from: 0, to: min(whole.count, 600), by: 3) {
      var bytes = whole
      bytes[index] ^= 0xFF
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      _ = try? HEIFReader.read(path)
    }
    try Data(whole[..<(whole.count / 2)]).write(to: URL(fileURLWithPath: path))
    #expect(throws: ImageFileError.self) { try HEIFReader.read(path) }
  }
}

/// Files that no encoder of ours writes: a grid of tiles, turned and mirrored.
@Suite struct HEIFGridTests {
  private static let pq = ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, range: .narrow)
  private static let layout = PixelLayout(.ycbcr420, bitDepth: 10)

  private func u16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
  private func u32(_ value: Int) -> [UInt8] { u16(value >> 16) + u16(value) }
  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    u32(content.count + 8) + Array(type.utf8) + content
  }
  private func full(_ type: String, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
    box(type, [version, 0, 0, 0] + content)
  }

  /// Two tiles beside each other as item 2 and 3, the grid as item 1 with its data in `idat`.
  /// - Parameter hasGainMap: The second tile is a gain map of the grid, too, which a second `ipma` says.
  private func file(
    _ tiles: [CodedFrame], _ size: Size, _ turns: [[UInt8]], repeating: Bool = false, hasGainMap: Bool = false
  ) throws -> [UInt8] {
    let files = try tiles.map { Data(try AVIFEncoder(isLossless: true).encode($0)) }
    let payloads = try files.map { file in
      [UInt8](file[try #require(file.range(of: Data("mdat".utf8))).upperBound...])
    }
    let configuration = try #require(files[0].range(of: Data("av1C".utf8)))
    let av1C = [UInt8](files[0][configuration.upperBound..<configuration.upperBound + 4])
    func meta(_ start: Int) -> [UInt8] {
      func entry(_ id: Int, _ type: String) -> [UInt8] {
        full("infe", version: 2, u16(id) + u16(0) + Array(type.utf8) + [0])
      }
      func location(_ id: Int, _ method: Int, _ offset: Int, _ length: Int) -> [UInt8] {
        u16(id) + u16(method) + u16(0) + u16(1) + u32(offset) + u32(length)
      }
      let grid = [0, 0, 0, 1] + u16(size.width) + u16(size.height)
      let items = full("iinf", u16(3) + entry(1, "grid") + entry(2, "av01") + entry(3, "av01"))
      let places = full(
        "iloc", version: 1,
        [0x44, 0] + u16(3) + location(1, 1, 0, grid.count) + location(2, 0, start, payloads[0].count)
          + location(3, 0, start + payloads[0].count, payloads[1].count))
      let auxiliary = hasGainMap ? box("auxl", u16(3) + u16(1) + u16(1)) : []
      let references = full("iref", box("dimg", u16(1) + u16(2) + u16(2) + u16(repeating ? 2 : 3)) + auxiliary)
      let kind = full("auxC", Array("urn:com:apple:photo:2020:aux:hdrgainmap".utf8) + [0])
      let container = box("ipco", box("av1C", av1C) + turns.flatMap { $0 } + (hasGainMap ? kind : []))
      let own = turns.indices.map { UInt8($0 + 2) }
      let association = full(
        "ipma", u32(3) + u16(1) + [UInt8(own.count)] + own + u16(2) + [1, 0x81] + u16(3) + [1, 0x81])
      let second = hasGainMap ? full("ipma", u32(1) + u16(3) + [1, UInt8(turns.count + 2)]) : []
      return full(
        "meta",
        full("pitm", u16(1)) + items + places + references + box("iprp", container + association + second)
          + box("idat", grid))
    }
    let type = box("ftyp", Array("avif".utf8) + u32(0) + Array("mif1".utf8))
    return type + meta(type.count + meta(0).count + 8) + box("mdat", payloads[0] + payloads[1])
  }

  @Test func tilesAreJoined() throws {
    let scratch = try Scratch()
    let size = Size(width: 120, height: 50)
    let whole = Pictures.noise(size, Self.layout, Self.pq)
    let tiles = [0, 64].map { start in
      Pictures.frame(Size(width: 64, height: 64), Self.layout, Self.pq, HDRMetadata()) { plane, x, y in
        let place = (x: x + (plane == 0 ? start : start / 2), y: y)
        let extent = Self.layout.planeSize(plane, of: size)
        return place.x < extent.width && place.y < extent.height
          ? whole.sample(plane: plane, x: place.x, y: place.y) : 0
      }
    }
    let path = scratch.path("grid.avif")
    try Data(file(tiles, size, [])).write(to: URL(fileURLWithPath: path))
    let plain = try HEIFReader.read(path).frame
    #expect(plain.size == size)
    #expect(Pictures.areEqual(plain, whole))
    // A quarter turn against the clock, then top and bottom exchanged: rows become columns.
    try Data(file(tiles, size, [box("irot", [1]), box("imir", [0])])).write(to: URL(fileURLWithPath: path))
    let turned = try HEIFReader.read(path)
    #expect(turned.orientation == Orientation(swapsAxes: true, reversesColumns: false, reversesRows: false))
    #expect(Pictures.areEqual(turned.frame, whole))
  }

  @Test func gainMapsAreNoted() throws {
    let scratch = try Scratch()
    let tile = Pictures.noise(Size(width: 64, height: 64), Self.layout, Self.pq)
    let path = scratch.path("grid.avif")
    for hasGainMap in [false, true] {
      let bytes = try file([tile, tile], Size(width: 128, height: 64), [box("irot", [1])], hasGainMap: hasGainMap)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let still = try HEIFReader.read(path)
      #expect(still.notes == (hasGainMap ? ["Its gain map is not applied."] : []))
      #expect(still.orientation == .counterclockwise)
    }
  }

  /// One item at both places.
  @Test func repeatedTilesAreInEveryPlace() throws {
    let scratch = try Scratch()
    let tiles = (0..<2).map { _ in Pictures.noise(Size(width: 64, height: 64), Self.layout, Self.pq) }
    let path = scratch.path("grid.avif")
    try Data(file(tiles, Size(width: 128, height: 64), [], repeating: true)).write(to: URL(fileURLWithPath: path))
    let whole = try HEIFReader.read(path).frame
    for x in 0..<128 { #expect(whole.sample(plane: 0, x: x, y: 9) == tiles[0].sample(plane: 0, x: x % 64, y: 9)) }
  }

  @Test func damagedGridsAreErrors() throws {
    let scratch = try Scratch()
    let tile = Pictures.noise(Size(width: 64, height: 64), Self.layout, Self.pq)
    let path = scratch.path("grid.avif")
    // Larger than its tiles.
    try Data(file([tile, tile], Size(width: 200, height: 64), [])).write(to: URL(fileURLWithPath: path))
    #expect(throws: ImageFileError.self) { try HEIFReader.read(path) }
    let whole = try file([tile, tile], Size(width: 128, height: 64), [box("irot", [1])])
    for index in 0..<420 {
      var bytes = whole
      bytes[index] ^= 0xFF
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      _ = try? HEIFReader.read(path)
    }
  }

  /// Items that share their data are decoded once.
  @Test func `Many equal tiles are a quick picture`() throws {
    guard let path = Case.path("grid_of_9216_tiles.heic") else { return }
    #expect(try HEIFReader.read(path).frame.size == Size(width: 1536, height: 1536))
  }
}
