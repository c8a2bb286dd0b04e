import ColorScience
import Displays
import Foundation
import Testing

/// What displays at hand do not show: rare codes, and faults one by one.
struct EDIDBlockTests {
  private static let sample = "dell-3007wfp-dvi.bin"

  /// The base block of a real display with extension blocks behind it, all checksums right.
  private static func edid(extensions: [[UInt8]], announced: Int? = nil) throws -> EDID {
    let base = try #require(EDIDIndex.entries.first { $0["file"] == sample }).bytes()
    var bytes = Array(base.prefix(126))
    bytes.append(UInt8(announced ?? extensions.count))
    bytes = sealed(bytes)
    for block in extensions { bytes += sealed(block) }
    return try EDID(bytes)
  }

  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let block = bytes + [UInt8](repeating: 0, count: 127 - bytes.count)
    return block + [0 &- block.reduce(0, &+)]
  }

  private static func cta(_ blocks: [UInt8]) -> [UInt8] { [0x02, 3, UInt8(4 + blocks.count), 0] + blocks }

  private static func displayID(_ version: UInt8, _ blocks: [UInt8]) -> [UInt8] {
    let section = [version, UInt8(blocks.count), 3, 0] + blocks
    return [0x70] + section + [0 &- section.reduce(0, &+)]
  }

  /// Display parameters of DisplayID 2 with the primaries of BT.709, in x, y or u′, v′.
  private static func parameters(
    features: UInt8 = 0, coordinates: [Int], luminances: [UInt16] = [0x8000, 0x8000, 0x8000], depth: UInt8 = 0
  ) -> [UInt8] {
    let points = stride(from: 0, to: 8, by: 2).flatMap { index in
      let bits = coordinates[index] | coordinates[index + 1] << 12
      return [UInt8(bits & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits >> 16)]
    }
    let levels = luminances.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return [0x21, 0x80, 29, 0x58, 0x02, 0x58, 0x01, 0, 0, 0, 0, features] + points + levels + [depth, 0xFF]
  }

  private static let bt709 = [0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290]

  @Test func luminanceCodes() throws {
    let most = try #require(try Self.edid(extensions: [Self.cta([0xE6, 0x06, 0x3F, 1, 255, 255, 255])]).hdr)
    let peak = 50 * pow(2, 255.0 / 32)
    #expect(abs(try #require(most.maxLuminance) - peak) < 1e-9)
    #expect(abs(try #require(most.maxFrameAverageLuminance) - peak) < 1e-9)
    #expect(abs(try #require(most.minLuminance) - peak / 100) < 1e-9)
    #expect(most.transferFunctions.isSuperset(of: [.traditionalSDR, .traditionalHDR, .pq, .hlg]))

    let none = try #require(try Self.edid(extensions: [Self.cta([0xE6, 0x06, 4, 1, 0, 0, 9])]).hdr)
    #expect(none.transferFunctions == .pq)
    #expect([none.maxLuminance, none.maxFrameAverageLuminance, none.minLuminance] == [nil, nil, nil])
    let short = try #require(try Self.edid(extensions: [Self.cta([0xE4, 0x06, 4, 1, 96])]).hdr)
    #expect(short.maxLuminance == 400)
    #expect(short.maxFrameAverageLuminance == nil)
  }

  @Test func colorimetryOfLaterStandards() throws {
    let edid = try Self.edid(extensions: [Self.cta([0xE3, 0x05, 0x80, 0xFF])])
    #expect(edid.colorimetry == [.bt2020RGB, .defaultRGB, .sRGB, .iCtCp, .dciP3])
  }

  @Test(arguments: [false, true])
  func panelOfDisplayID2(isUniform: Bool) throws {
    let coordinates = stride(from: 0, to: 8, by: 2).flatMap { index in
      let (x, y) = (Self.bt709[index], Self.bt709[index + 1])
      let scale = 12 * y - 2 * x + 3
      return (isUniform ? [4 * x / scale, 9 * y / scale] : [x, y]).map { Int(($0 * 4096).rounded()) }
    }
    // 600 and 1000 cd/m² and 0: half floats.
    let block = Self.parameters(
      features: isUniform ? 0x48 : 0x08, coordinates: coordinates, luminances: [0x60B0, 0x63D0, 0], depth: 3)
    let edid = try Self.edid(extensions: [Self.displayID(0x20, block)])
    let panel = try #require(edid.displayID)
    let primaries = try #require(panel.primaries)
    for (actual, expected) in zip(
      [primaries.red, primaries.green, primaries.blue, primaries.white].flatMap { [$0.x, $0.y] }, Self.bt709)
    {
      #expect(abs(actual - expected) < 6e-4)
    }
    #expect(edid.primaries == primaries)
    #expect([panel.maxFullScreenLuminance, panel.maxLuminance, panel.minLuminance] == [600, 1000, 0])
    #expect(edid.peakLuminance == 1000)
    #expect(edid.minLuminance == 0)
    #expect(panel.luminanceMeaning == .guidance)
    #expect(panel.size == EDID.ScreenSize(width: 60, height: 34.4))
    #expect(panel.bitsPerColor == 10)
    #expect(panel.gamma == nil && panel.nativeWidth == nil)
    #expect(edid.problems == [])
  }

  /// −0, which means none, infinity, not a number, a negative value, and 0 as a maximum.
  @Test(arguments: [0x8000, 0x7C00, 0x7E00, 0xC000, 0] as [UInt16])
  func luminanceThatIsNone(bits: UInt16) throws {
    let block = Self.parameters(coordinates: [Int](repeating: 0, count: 8), luminances: [bits, bits, bits])
    let panel = try #require(try Self.edid(extensions: [Self.displayID(0x21, block)]).displayID)
    #expect(panel.maxFullScreenLuminance == nil && panel.maxLuminance == nil)
    #expect(panel.minLuminance == (bits == 0 ? 0 : nil))
    #expect(panel.primaries == nil)
    #expect(panel.version == EDID.Version(2, 1))
  }

  @Test(arguments: [(0, RGBSpace.bt709), (2, .bt709), (4, .dciP3), (5, nil)] as [(UInt8, RGBSpace?)])
  func namedSpaceOfDisplayID1(code: UInt8, space: RGBSpace?) throws {
    let edid = try Self.edid(extensions: [Self.displayID(0x13, [0x02, 1, 2, 0, code])])
    #expect(edid.displayID?.primaries == space)
    #expect(edid.primaries == space ?? edid.chromaticities)
  }

  /// What is too short to name a space names none.
  @Test func shortColorBlockOfDisplayID1() throws {
    let edid = try Self.edid(extensions: [Self.displayID(0x13, [0x02, 1, 1, 0])])
    #expect(edid.displayID?.primaries == nil && edid.primaries == edid.chromaticities)
    #expect(edid.problems.map(\.description) == ["the data block at 5 of block 1 is too short"])
  }

  @Test func overriddenNumberOfExtensions() throws {
    let first = Self.cta([0xE2, 0x78, 2])
    let second = Self.cta([0xE3, 0x05, 0x80, 0])
    #expect(try Self.edid(extensions: [first, second], announced: 1).colorimetry == .bt2020RGB)
    #expect(try Self.edid(extensions: [first]).problems == [.missingExtensions(announced: 2, present: 1)])
    // The first block is there, whatever it says, and others do not count.
    #expect(try Self.edid(extensions: [Self.cta([0xE2, 0x78, 0])]).problems == [])
    #expect(try Self.edid(extensions: [second, Self.cta([0xE2, 0x78, 3])]).problems == [])
  }

  @Test(
    arguments: [
      ([0x33], .unknownExtension(block: 1, tag: 0x33)),
      ([0x02, 3, 2, 0], .wrongTimingOffset(block: 1, offset: 2)),
      ([0x02, 3, 200, 0], .wrongTimingOffset(block: 1, offset: 200)),
      (cta([0xE0]), .shortDataBlock(block: 1, offset: 4)),
      (cta([0x41, 0, 0xE2, 0x05, 1]), .shortDataBlock(block: 1, offset: 6)),
      (cta([0xE3, 0x01, 0x8B, 0x84]), .shortDataBlock(block: 1, offset: 4)),
      (cta([0xE6, 0x06, 4, 1]), .overlongDataBlock(block: 1, offset: 4)),
      (cta([0xE3, 0x06, 4, 1, 0xE3, 0x06, 8, 1]), .repeatedDataBlock(block: 1, offset: 8)),
      ([0x02, 3, 100, 0] + [UInt8](repeating: 0, count: 122) + [1], .nonZeroPadding(block: 1)),
      (displayID(0x30, []), .unsupportedDisplayID(block: 1, version: 0x30)),
      ([0x70, 0x20, 122], .overlongDisplayID(block: 1, length: 122)),
      ([0x70, 0x20, 0, 0, 0, 1], .wrongDisplayIDChecksum(block: 1)),
      (displayID(0x20, []) + [1], .nonZeroPadding(block: 1)),
      (displayID(0x20, [0x21, 0, 1, 0]), .shortDataBlock(block: 1, offset: 5)),
      (displayID(0x20, [0x21, 0, 29, 0]), .overlongDataBlock(block: 1, offset: 5)),
      (displayID(0x20, [0, 0, 0, 1]), .nonZeroPadding(block: 1)),
    ] as [([UInt8], EDID.Problem)])
  func faultOfAnExtension(block: [UInt8], problem: EDID.Problem) throws {
    #expect(try Self.edid(extensions: [block]).problems.first == problem)
  }

  @Test func dataBlockThatIsCutIsReadInPart() throws {
    let hdr = try #require(try Self.edid(extensions: [Self.cta([0xE6, 0x06, 4, 1, 96, 80])]).hdr)
    #expect(hdr.maxLuminance == 400)
    #expect(hdr.minLuminance == nil)
  }

  @Test func trailingBytes() throws {
    #expect(try Self.edid(extensions: [[0x10]], announced: 0).problems == [.trailingBytes])
    #expect(try Self.edid(extensions: [[]], announced: 0).problems == [])
  }

  /// The base block of a real display with some bytes replaced.
  private static func edid(replacing bytes: [Int: UInt8]) throws -> EDID {
    var block = try #require(EDIDIndex.entries.first { $0["file"] == sample }).bytes()
    for (offset, byte) in bytes { block[offset] = byte }
    return try EDID(sealed(Array(block[..<127])))
  }

  @Test func fieldsThatDependOnTheVersion() throws {
    let undefined = try Self.edid(replacing: [19: 2, 24: 0x04])
    #expect(!undefined.isSRGB)
    let old = try Self.edid(replacing: [16: 0xFF, 17: 30, 19: 3, 20: 0xA0, 24: 0x04])
    #expect(old.isSRGB && old.bitsPerColor == nil && !old.isModelYear && old.week == nil && old.year == 2020)
    let new = try Self.edid(replacing: [16: 0xFF, 17: 30, 19: 4, 20: 0xA0, 24: 0])
    #expect(!new.isSRGB && new.bitsPerColor == 8 && new.isModelYear && new.week == nil && new.year == 2020)
    let reserved = try Self.edid(replacing: [19: 4, 20: 0xF0])
    #expect(reserved.bitsPerColor == nil)
  }

  @Test func fieldsThatStateNothing() throws {
    func zeros(_ offsets: [Int]) throws -> EDID {
      try Self.edid(replacing: Dictionary(uniqueKeysWithValues: offsets.map { ($0, 0) }))
    }
    let timings = [54, 72, 90, 108]
    let edid = try zeros([12, 13, 14, 15, 21] + Array(25..<35))
    #expect(edid.serialNumber == nil && edid.size == nil && edid.chromaticities == nil && edid.primaries == nil)
    let withoutWidth = try zeros(timings.flatMap { [$0 + 2, $0 + 4] })
    let withoutLines = try zeros(timings.flatMap { [$0 + 5, $0 + 7] })
    let withoutClock = try zeros(timings.flatMap { [$0, $0 + 1] })
    #expect([withoutWidth, withoutLines, withoutClock].map(\.preferredMode) == [nil, nil, nil])
    let gamma = try Self.edid(replacing: [23: 0xFF]).gamma
    #expect(gamma == nil)
  }

  @Test func unsupportedVersion() throws {
    #expect(throws: EDIDError.unsupportedVersion(major: 2, minor: 3)) { try Self.edid(replacing: [18: 2]) }
    #expect(throws: EDIDError.tooShort(count: 0)) { try EDID([]) }
  }

  @Test(arguments: EDIDIndex.entries.filter { $0["error"] == nil })
  func codableKeepsEverything(_ entry: EDIDIndex.Entry) throws {
    let edid = try EDID(try entry.bytes())
    #expect(try JSONDecoder().decode(EDID.self, from: JSONEncoder().encode(edid)) == edid)
  }
}
