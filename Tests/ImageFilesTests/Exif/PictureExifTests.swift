import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct PictureExifTests {
  private typealias Fields = [Int: TIFFStructure.Field]

  /// 1/125 s, f/2.8, ISO 400, with flash.
  private static let taken: Fields = [
    0x829A: .rationals([(1, 125)]), 0x829D: .rationals([(28, 10)]), 0x8827: .shorts([400]), 0x9209: .shorts([0x1F]),
  ]

  private static func structure(_ exif: Fields, _ first: Fields = [:], isBigEndian: Bool = false) -> [UInt8] {
    TIFFStructure(first.merging([0x8769: .directory(TIFFStructure(exif))]) { $1 }, isBigEndian: isBigEndian).bytes
  }

  private static func read(_ bytes: [UInt8], _ scratch: Scratch) throws -> PictureExif? {
    let path = scratch.path("picture")
    // File systems flush a file that is written over.
    try? FileManager.default.removeItem(atPath: path)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let exif = try PictureExif.read(path)
    #expect(PictureExif.exposure(of: path) == (exif?.exposure == Exposure() ? nil : exif?.exposure))
    return exif
  }

  private static func exposure(_ exif: Fields, _ first: Fields = [:]) throws -> Exposure? {
    try read(structure(exif, first), Scratch())?.exposure
  }

  @Test(arguments: ExifContainers.allCases, [false, true])
  func everyContainer(_ container: ExifContainers, isBigEndian: Bool) throws {
    let camera: Fields = [0x10F: .text("Maker Corporation"), 0x110: .text("Model 3"), 0x112: .shorts([6])]
    let file = container.file(Self.structure(Self.taken, camera, isBigEndian: isBigEndian))
    let exif = try #require(try Self.read(file, Scratch()))
    #expect(exif.exposure == Exposure(seconds: 1.0 / 125, fNumber: 2.8, sensitivity: 400, flashFired: true))
    #expect(exif.camera == "Maker Corporation Model 3")
    #expect(exif.orientation == .clockwise)
  }

  @Test func namesOfCameras() throws {
    func name(_ first: Fields) throws -> String? { try Self.read(TIFFStructure(first).bytes, Scratch())?.camera }
    #expect(try name([0x10F: .text("NIKON CORPORATION"), 0x110: .text("NIKON D90")]) == "NIKON D90")
    #expect(try name([0x10F: .text("  Maker \u{1B}[31m ")]) == "Maker [31m")
    #expect(try name([0x110: .text("X")]) == "X")
    #expect(try name([0x110: .text("")]) == nil)
    #expect(try name([:]) == nil)
  }

  /// Seconds since 1970 as GNU date has them.
  @Test(arguments: [
    ("2026:11:25 20:30:15", "+02:00", 1_795_631_415.0), ("2000:02:29 23:59:59", nil, 951_868_799),
    ("1970:01:01 00:00:00", "-05:30", 19_800), ("2024:12:31 12:00:00", "nonsense", 1_735_646_400),
  ])
  func times(_ text: String, _ offset: String?, _ expected: Double) throws {
    var fields: Fields = [0x9003: .text(text)]
    if let offset { fields[0x9011] = .text(offset) }
    #expect(try Self.read(Self.structure(fields), Scratch())?.taken == expected)
  }

  @Test(arguments: ["", "    :  :     :  :  ", "2026:13:01 00:00:00", "2026-11-25 20:30:15", "2026:11:25"])
  func nonsenseTimes(_ text: String) throws {
    #expect(try Self.read(Self.structure([0x9003: .text(text)]), Scratch())?.taken == nil)
  }

  /// Annex C: Tv = -log2 t, Av = 2 log2 N.
  @Test func apexStandsForWhatIsMissing() throws {
    let apex: Fields = [0x9201: .signedRationals([(6, 1)]), 0x9202: .rationals([(4, 1)])]
    #expect(try Self.exposure(apex) == Exposure(seconds: 1.0 / 64, fNumber: 4))
    #expect(try Self.exposure([0x9201: .signedRationals([(-2, 1)])])?.seconds == 4)
    #expect(try Self.exposure(apex.merging(Self.taken) { $1 })?.seconds == 1.0 / 125)
  }

  @Test func sensitivities() throws {
    #expect(try Self.exposure([0x8827: .longs([102_400])])?.sensitivity == 102_400)
    #expect(try Self.exposure([0x8827: .shorts([200, 0])])?.sensitivity == 200)
    #expect(try Self.exposure([0x8827: .shorts([65_535]), 0x8832: .longs([204_800])])?.sensitivity == 204_800)
    #expect(try Self.exposure([0x8827: .shorts([65_535])])?.sensitivity == 65_535)
    #expect(try Self.exposure([0x8827: .shorts([0])]) == Exposure())
  }

  @Test func firstDirectoryAsInTIFFEP() throws {
    #expect(try Self.exposure([0x9209: .shorts([0])], Self.taken)?.flashFired == false)
    #expect(try Self.exposure([:], Self.taken)?.seconds == 1.0 / 125)
  }

  @Test func impossibleNumbersAreMissing() throws {
    for pair in [(1, 0), (0, 0), (0, 1), (1, 0xFFFF_FFFF), (0xFFFF_FFFF, 1)] {
      let fields: Fields = [
        0x829A: .rationals([pair]), 0x829D: .rationals([pair]), 0x8827: .rationals([pair]),
        0x9201: .signedRationals([(pair.0, 0)]), 0x9202: .rationals([(pair.0, 0)]), 0x9209: .rationals([pair]),
      ]
      let exposure = try #require(try Self.exposure(fields))
      #expect(exposure.seconds == nil && exposure.fNumber == nil && exposure.sensitivity == nil)
    }
    #expect(try Self.exposure([0x829A: .doubles([.infinity])])?.seconds == nil)
    #expect(try Self.exposure([0x829A: .doubles([.nan])])?.seconds == nil)
    #expect(try Self.exposure([0x829A: .text("1/125"), 0x9209: .bytes([])]) == Exposure())
  }

  /// Offsets to the directory itself, to nowhere, and counts beyond the file.
  @Test func offsetsAndCountsThatLie() throws {
    let scratch = try Scratch()
    for offset in [0, 4, 8, 9, 1 << 30, 0xFFFF_FFFF] {
      let first: Fields = [0x8769: .raw(type: 4, count: 1, value: offset), 0x829A: .rationals([(1, 4)])]
      #expect(try Self.read(TIFFStructure(first).bytes, scratch)?.exposure.seconds == 0.25)
    }
    for type in 0...20 {
      let field = TIFFStructure.Field.raw(type: type, count: 0xFFFF_FFFF, value: 8)
      let fields: Fields = [0x829A: field, 0x8827: field, 0x10F: field, 0x8769: field, 0x112: field, 0x9209: field]
      #expect(try Self.read(TIFFStructure(fields).bytes, scratch) != nil)
    }
  }

  @Test(arguments: ExifContainers.allCases) func damageIsNoCrash(_ container: ExifContainers) throws {
    let file = container.file(Self.structure(Self.taken, [0x10F: .text("Maker"), 0x112: .shorts([6])]))
    let path = try Scratch()
    for length in stride(from: 0, to: file.count, by: 3) { _ = try Self.read(Array(file.prefix(length)), path) }
    var random = Xorshift(seed: 1)
    for _ in 0..<100 {
      var bytes = file
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try Self.read(bytes, path)
    }
  }

  @Test func otherFilesHaveNone() throws {
    let scratch = try Scratch()
    #expect(try PictureExif.read(scratch.path("missing")) == nil)
    #expect(PictureExif.exposure(of: scratch.path("missing")) == nil)
    #expect(try Self.read([], scratch) == nil)
    #expect(try Self.read(Array("a text that is no picture".utf8), scratch) == nil)
    // Compressed boxes, and a picture without metadata.
    let plain = ExifContainers.jxl.file(Self.structure(Self.taken))
    let name = try #require(Data(plain).range(of: Data("Exif".utf8)))
    var compressed = plain
    compressed.replaceSubrange(name, with: Array("brob".utf8))
    #expect(try Self.read(compressed, scratch) == nil)
    #expect(try Self.read([0xFF, 0xD8, 0xFF, 0xDA, 0, 2], scratch) == nil)
  }
}
