import ColorScience
import FFmpegIO
import Foundation
import Frames
import ImageFiles
import Media
import TestSupport
import Testing

@Suite struct UltraHDRTests {
  private static let size = Size(width: 90, height: 62)
  private static let mapSize = Size(width: 23, height: 16)
  /// A picture of one component, 23x16, which ffmpeg does not write: waves, by libjpeg.
  private static let greyMap = Data(
    base64Encoded: """
      /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC\
      0oMCUoKSj/wAALCAAQABcBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAABAMF/8QAJBAAAAQFBAMBAAAAAAAAAAAAAQIEIQADBRIiBgdxwREx8WH/\
      2gAIAQEAAD8A10u4kvS0saco8GE+IWv6+wGZpA+ozmWGcJjhZ+fYRTl4bZAMlVlewWv655g5duj1841FawBkS7HnqFI9YF0kUUdRYSsS/HnqIm\
      QDuGIzlbeHJdjz1H//2Q==
      """)
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func jpeg(_ size: Size, _ format: String, _ source: String = "testsrc2") throws -> Data {
    let path = scratch.path("\(source.prefix { $0.isLetter })-\(format).jpg")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", source.hasSuffix(":") ? "\(source)size=\(size)" : "\(source)=size=\(size)", "-frames:v", "1",
      "-pix_fmt", format, "-q:v", "3", "-y", path,
    ])
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func read(_ builder: GainMapFileBuilder, headroom: Double? = nil) throws -> StillImage? {
    let path = scratch.path("a.jpg")
    try builder.data().write(to: URL(fileURLWithPath: path))
    return try UltraHDRReader.read(path, headroom: headroom)
  }

  private func judge(
    _ builder: GainMapFileBuilder, _ formats: (base: String, map: String), _ numbers: GainMapFileBuilder.Numbers,
    headroom: Double?, matrix: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
  ) throws -> StillImage {
    let image = try #require(try read(builder, headroom: headroom))
    let base = try GainMapJudge.decode(builder.base, formats.base, Self.size, scratch, "base")
    let map = try GainMapJudge.decode(builder.map, formats.map, Self.mapSize, scratch, "map")
    let error = try GainMapJudge.error(
      of: image, base: base, map: map, numbers, headroom: headroom, matrix: matrix, scratch)
    #expect(error < 1.2)
    return image
  }

  private static let xmpStart = "xmlns:g=\"http://ns.adobe.com/hdr-gain-map/1.0/\" g:Version=\"1.0\" "

  @Test(arguments: GainMapFileBuilder.Index.allCases)
  func attributesOfXMPWithDefaults(_ index: GainMapFileBuilder.Index) throws {
    let builder = GainMapFileBuilder(
      base: try jpeg(Self.size, "yuvj420p"), map: try #require(Self.greyMap), index: index,
      metadata: GainMapFileBuilder.xmp(Self.xmpStart + "g:GainMapMax='2.5' g:HDRCapacityMax = \"2.5\"/>"))
    let numbers = GainMapFileBuilder.Numbers(
      min: [0], max: [2.5], gamma: [1], baseOffset: [1.0 / 64], alternateOffset: [1.0 / 64], baseHeadroom: 0,
      alternateHeadroom: 2.5)
    let image = try judge(builder, ("yuvj420p", "gray"), numbers, headroom: nil)
    #expect(image.frame.color == ImageSpace.linearSRGB.color)
    #expect(image.frame.metadata.linearUnit == 203)
    let brightest = (0..<3).flatMap { image.frame.light($0) }.max() ?? 0
    let light = try #require(image.frame.metadata.contentLight)
    #expect(brightest > 1 && abs(Double(light.maxCLL) - brightest * 203) < 2)
    #expect(light.maxFALL > 0 && light.maxFALL < light.maxCLL)
  }

  @Test(arguments: [nil, 1.0, 2.0, 100.0]) func elementsOfXMPOverAnHDRBase(_ headroom: Double?) throws {
    func list(_ name: String, _ values: [Double]) -> String {
      "<g:\(name)><rdf:Seq>\(values.map { "<rdf:li>\($0)</rdf:li>" }.joined())</rdf:Seq></g:\(name)>"
    }
    let description =
      Self.xmpStart + "><g:HDRCapacityMin>0.1</g:HDRCapacityMin><g:HDRCapacityMax>2</g:HDRCapacityMax>"
      + "<g:BaseRenditionIsHDR>True</g:BaseRenditionIsHDR>" + list("GainMapMax", [2, 1.5, 1])
      + list("GainMapMin", [-0.5, 0, 0.25]) + list("Gamma", [1, 1.5, 0.8]) + list("OffsetSDR", [0.01, 0.02, 0.03])
      + list("OffsetHDR", [0.04, 0.05, 0.06]) + "</rdf:Description>"
    let builder = GainMapFileBuilder(
      base: try jpeg(Self.size, "yuvj444p"), map: try jpeg(Self.mapSize, "yuvj444p", "mandelbrot"),
      metadata: GainMapFileBuilder.xmp(description))
    let numbers = GainMapFileBuilder.Numbers(
      min: [-0.5, 0, 0.25], max: [2, 1.5, 1], gamma: [1, 1.5, 0.8], baseOffset: [0.04, 0.05, 0.06],
      alternateOffset: [0.01, 0.02, 0.03], baseHeadroom: 2, alternateHeadroom: 0.1)
    _ = try judge(builder, ("yuvj444p", "yuvj444p"), numbers, headroom: headroom)
  }

  /// A profile that says by code points that it is Display P3. Source: ICC.1:2022, 7.2, 7.3 and 10.3.
  private static let displayP3: [UInt8] = {
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(16..<24, with: Array("RGB XYZ ".utf8))
    header.replaceSubrange(36..<40, with: Array("acsp".utf8))
    let table: [UInt8] = [0, 0, 0, 1] + Array("cicp".utf8) + [0, 0, 0, 144, 0, 0, 0, 12]
    return header + table + Array("cicp".utf8) + [0, 0, 0, 0, 12, 13, 0, 1]
  }()

  /// An Exif segment that asks for a quarter turn.
  @Test(arguments: [false, true]) func rotated(_ isLittle: Bool) throws {
    let numbers = GainMapFileBuilder.Numbers(
      min: [0], max: [2], gamma: [1], baseOffset: [0.5], alternateOffset: [0.5], baseHeadroom: 0,
      alternateHeadroom: 2)
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
      return isLittle ? bytes : bytes.reversed()
    }
    let entry = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(6, 2) + [0, 0]
    let exif = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(1, 2) + entry
    var base = try jpeg(Self.size, "yuvj420p")
    base.insert(contentsOf: GainMapFileBuilder.segment(0xE1, "Exif", [0] + exif), at: 2)
    let builder = GainMapFileBuilder(
      base: base, map: try #require(Self.greyMap), metadata: GainMapFileBuilder.binary(numbers, usesBaseColors: true))
    let image = try #require(try read(builder))
    #expect(image.orientation == .clockwise)
    #expect(image.frame.size == Self.size)
  }

  @Test(arguments: [false, true]) func fractionsOfISO(_ hasCommonDenominator: Bool) throws {
    let numbers = GainMapFileBuilder.Numbers(
      min: [-1, 0, 0.5], max: [3, 2, 1], gamma: [0.5, 1, 2], baseOffset: [0.25, 0.125, 0],
      alternateOffset: [0, 0.5, 0.25], baseHeadroom: 0.5, alternateHeadroom: 3)
    let builder = GainMapFileBuilder(
      base: try jpeg(Self.size, "yuvj420p"), map: try jpeg(Self.mapSize, "yuvj420p", "mandelbrot"),
      metadata: GainMapFileBuilder.binary(numbers, usesBaseColors: true, hasCommonDenominator: hasCommonDenominator),
      profile: Self.displayP3)
    let image = try judge(builder, ("yuvj420p", "yuvj420p"), numbers, headroom: 4)
    #expect(image.frame.color == ImageSpace.linearP3.color)
  }

  @Test func mapInPrimariesOfTheAlternate() throws {
    let numbers = GainMapFileBuilder.Numbers(
      min: [0], max: [2], gamma: [1], baseOffset: [0.5], alternateOffset: [0.5], baseHeadroom: 0,
      alternateHeadroom: 2)
    var map = try #require(Self.greyMap)
    let profile = GainMapFileBuilder.segment(0xE2, "ICC_PROFILE", [1, 1] + Self.displayP3)
    let plain = map
    map.insert(contentsOf: profile, at: 2)
    let builder = GainMapFileBuilder(
      base: try jpeg(Self.size, "yuvj420p"), map: map,
      metadata: GainMapFileBuilder.binary(numbers, usesBaseColors: false))
    let image = try #require(try read(builder))
    #expect(image.frame.color == ImageSpace.linearP3.color)
    // BT.709 to P3 with D65, by colour-science 0.4.7 (matrix_RGB_to_RGB, "Display P3").
    let matrix = [0.822462, 0.177538, 0, 0.033194, 0.966806, 0, 0.017083, 0.072397, 0.91052]
    let base = try GainMapJudge.decode(builder.base, "yuvj420p", Self.size, scratch, "base")
    let judged = try GainMapJudge.decode(plain, "gray", Self.mapSize, scratch, "map")
    let error = try GainMapJudge.error(
      of: image, base: base, map: judged, numbers, headroom: nil, matrix: matrix, scratch)
    #expect(error < 1.5)
  }

  @Test(
    arguments: [
      (
        "golden_androidx_hlg10-color-test_frame0_ultrahdr.jpg", "yuvj444p", Size(width: 1920, height: 1080), 2.30045,
        0xDC20E
      ), ("still_ultrahdr_photo.jpg", "yuvj420p", Size(width: 3072, height: 4080), 1.072403, 0x1FA82B),
    ].filter { clip in Clip.all.contains { $0.file == clip.0 } })
  func filesOfPhones(_ file: String, _ format: String, _ size: Size, _ stops: Double, _ offset: Int) throws {
    let path = Clip.folder.appendingPathComponent(file).path
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let numbers = GainMapFileBuilder.Numbers(
      min: [0], max: [stops], gamma: [1], baseOffset: [0], alternateOffset: [0], baseHeadroom: 0,
      alternateHeadroom: stops)
    let image = try #require(try UltraHDRReader.read(path))
    #expect(image.frame.size == size)
    #expect(image.frame.color == ImageSpace.linearSRGB.color)
    let base = try GainMapJudge.decode(data.prefix(offset), format, size, scratch, "base")
    let mapSize = Size(width: size.width / 4, height: size.height / 4)
    let map = try GainMapJudge.decode(data.dropFirst(offset), "gray", mapSize, scratch, "map")
    let error = try GainMapJudge.error(
      of: image, base: base, map: map, numbers, headroom: nil, step: 40, scratch)
    #expect(error < 1.2)
  }

  @Test func othersAreNil() throws {
    let base = try jpeg(Self.size, "yuvj420p")
    let path = scratch.path("plain.jpg")
    try base.write(to: URL(fileURLWithPath: path))
    #expect(try UltraHDRReader.read(path) == nil)
    try Data("a text".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try UltraHDRReader.read(path) == nil)
    // A second picture that is no gain map.
    let pair = GainMapFileBuilder(base: base, map: base, metadata: [])
    #expect(try read(pair) == nil)
    #expect(throws: ImageFileError.self) { try UltraHDRReader.read(scratch.path("missing.jpg")) }
  }

  /// Its base picture is left to FFmpeg.
  @Test func mapsThatCannotBeDecodedAreNone() throws {
    var map = try #require(Self.greyMap)
    // Behind the header of the frame (SOF0), the sampling factors.
    let frame = try #require(map.range(of: Data([0xFF, 0xC0])))
    map[frame.lowerBound + 5] = 0
    map[frame.lowerBound + 6] = 0
    let builder = GainMapFileBuilder(
      base: try jpeg(Self.size, "yuvj420p"), map: map,
      metadata: GainMapFileBuilder.xmp(Self.xmpStart + "g:GainMapMax='2.5' g:HDRCapacityMax='2.5'/>"))
    #expect(try read(builder) == nil)
    #expect(try StillReader(path: scratch.path("a.jpg")) == nil)
    #expect(try MediaReader(url: scratch.path("a.jpg")).readFrame()?.size == Self.size)
  }

  @Test func damageIsAnErrorOrNoGainMap() throws {
    let numbers = GainMapFileBuilder.Numbers(
      min: [0], max: [2], gamma: [1], baseOffset: [0], alternateOffset: [0], baseHeadroom: 0, alternateHeadroom: 2)
    let (base, map) = (try jpeg(Self.size, "yuvj420p"), try #require(Self.greyMap))
    let files = GainMapFileBuilder.Index.allCases.map { index in
      let metadata =
        index == .container
        ? GainMapFileBuilder.xmp(Self.xmpStart + "g:GainMapMax='2.5' g:HDRCapacityMax='2.5'/>")
        : GainMapFileBuilder.binary(numbers, usesBaseColors: true)
      return GainMapFileBuilder(base: base, map: map, index: index, metadata: metadata).data()
    }
    let path = scratch.path("damaged.jpg")
    var state: UInt64 = 5
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for file in files {
      for _ in 0..<40 {
        var damaged = file
        for _ in 0...random(4) {
          let place = [random(600), base.count + random(file.count - base.count), random(file.count)][random(3)]
          damaged[place] = UInt8(random(256))
        }
        if random(4) == 0 { damaged = damaged.prefix(random(file.count)) }
        try damaged.write(to: URL(fileURLWithPath: path))
        if let image = try? UltraHDRReader.read(path) { #expect(image.frame.size.width > 0) }
      }
    }
  }

  /// A note of an iPhone in Exif.
  /// - Parameters:
  ///   - range: Tag 33, in tenths.
  ///   - gain: Tag 48, in thousandths.
  private static func makerNote(range: UInt8, gain: UInt8) -> [UInt8] {
    func entry(_ tag: [UInt8], _ type: UInt8, _ count: UInt8, _ offset: UInt8) -> [UInt8] {
      tag + [0, type, 0, 0, 0, count, 0, 0, 0, offset]
    }
    let numbers: [UInt8] = [0, 0, 0, range, 0, 0, 0, 10, 0, 0, 0, gain, 0, 0, 3, 232]
    let note =
      Array("Apple iOS".utf8) + [0, 0, 1] + Array("MM".utf8) + [0, 2] + entry([0, 33], 10, 1, 44)
      + entry([0, 48], 10, 1, 52) + [0, 0, 0, 0] + numbers
    return Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry([0x87, 0x69], 4, 1, 26) + [0, 0, 0, 0, 0, 1]
      + entry([0x92, 0x7C], 7, UInt8(note.count), 44) + [0, 0, 0, 0] + note
  }

  /// Where the headroom of Apple's map is stated.
  enum Statement { case inMap, inNote(range: UInt8, gain: UInt8, stops: Double), nowhere }

  @Test(
    arguments: [
      .inMap, .nowhere,
      // 1.8 - 20 · 0.005, 1.601 - 0.101 · 0.1, 3 - 70 · 0.005, 2.303 - 0.303 · 0.1.
      .inNote(range: 9, gain: 5, stops: 1.7), .inNote(range: 9, gain: 100, stops: 1.5909),
      .inNote(range: 15, gain: 5, stops: 2.65), .inNote(range: 15, gain: 100, stops: 2.2727),
    ] as [Statement])
  func `Apple's gain maps are applied`(_ statement: Statement) throws {
    var (stated, headroom, note) = ("", 1.0, [UInt8]())
    switch statement {
    case .inMap: (stated, headroom) = ("<h:HDRGainMapHeadroom>4.0</h:HDRGainMapHeadroom>", 4)
    case .inNote(let range, let gain, let stops):
      (note, headroom) = (Self.makerNote(range: range, gain: gain), exp2(stops))
    case .nowhere: break
    }
    let description = """
      xmlns:a="http://ns.apple.com/pixeldatainfo/1.0/" xmlns:h="http://ns.apple.com/HDRGainMap/1.0/">\
      <a:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</a:AuxiliaryImageType>\(stated)</rdf:Description>
      """
    var builder = GainMapFileBuilder(
      base: try jpeg(Self.size, "yuvj420p", "color=0x808080:"), map: try jpeg(Self.mapSize, "gray", "color=0x606060:"),
      metadata: GainMapFileBuilder.xmp(description))
    if !note.isEmpty {
      builder.base.insert(contentsOf: GainMapFileBuilder.segment(0xE1, "Exif", [0] + note), at: 2)
    }
    let image = try #require(try read(builder))
    #expect(image.notes[0].contains("not applied") == (headroom == 1))
    // sRGB of 128, and the light that BT.709 codes as 96.
    let (base, gain) = (pow((128.0 / 255 + 0.055) / 1.055, 2.4), pow((96.0 / 255 + 0.099) / 1.099, 1 / 0.45))
    let wanted = base * (1 + (headroom - 1) * gain)
    #expect((image.frame.light(0)[Self.size.width * 30 + 40] - wanted).magnitude < 0.01 * wanted)
  }

  /// FFmpeg takes the size of the last picture for that of the file.
  @Test func `Of several pictures without a gain map the first is read`() throws {
    let pair = GainMapFileBuilder(
      base: try jpeg(Self.size, "yuvj420p"), map: try jpeg(Self.mapSize, "yuvj420p"), metadata: [])
    #expect(try read(pair) == nil)
    let path = scratch.path("a.jpg")
    let reader = try MediaReader(url: path, bytes: UltraHDRReader.firstPicture(of: path))
    #expect(try reader.video.size == Self.size && reader.readFrame()?.size == Self.size)
    try pair.base.write(to: URL(fileURLWithPath: path))
    #expect(try UltraHDRReader.firstPicture(of: path) == nil)
  }

  /// 60 KB in which no element ends, for each of twenty entries of the index.
  @Test func `Hostile XMP is read in one pass`() throws {
    guard let path = Case.path("xmp_quadratic.jpg") else { return }
    #expect(try UltraHDRReader.read(path) == nil)
  }
}
