import ColorScience
import FFmpegIO
import Foundation
import Frames
internal import Media
import TestSupport
import Testing

/// An ICC profile put together by ICC.1:2022, clause 7.
struct ProfileBytes {
  var elements: [(tag: String, data: [UInt8])] = []

  static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
  static func fixed(_ value: Double) -> [UInt8] { word(UInt32(bitPattern: Int32((value * 65_536).rounded()))) }

  /// A matrix profile of the three columns, with one curve for all.
  init(columns: [[Double]], curve: [UInt8], name: String = "made for a test") {
    elements = [("desc", "desc".utf8 + [0, 0, 0, 0] + Self.word(UInt32(name.utf8.count + 1)) + name.utf8 + [0])]
    for (tag, column) in zip(["rXYZ", "gXYZ", "bXYZ"], columns) {
      elements.append((tag, "XYZ ".utf8 + [0, 0, 0, 0] + column.flatMap(Self.fixed)))
    }
    for tag in ["rTRC", "gTRC", "bTRC"] { elements.append((tag, curve)) }
  }

  static func parametric(_ form: UInt8, _ values: [Double]) -> [UInt8] {
    "para".utf8 + [0, 0, 0, 0, 0, form, 0, 0] + values.flatMap(fixed)
  }

  static func table(_ values: [Double]) -> [UInt8] {
    Array("curv".utf8) + [0, 0, 0, 0] + word(UInt32(values.count))
      + values.flatMap { value -> [UInt8] in
        let code = UInt16((value * 65_535).rounded())
        return [UInt8(code >> 8), UInt8(code & 255)]
      }
  }

  static func gamma(_ eightBitFraction: UInt16) -> [UInt8] {
    "curv".utf8 + [0, 0, 0, 0] + word(1) + [UInt8(eightBitFraction >> 8), UInt8(eightBitFraction & 255)]
  }

  var bytes: [UInt8] {
    var offset = 132 + 12 * elements.count
    var table = Self.word(UInt32(elements.count))
    for (tag, data) in elements {
      table += tag.utf8 + Self.word(UInt32(offset)) + Self.word(UInt32(data.count))
      offset += data.count
    }
    var header = Self.word(UInt32(offset)) + Array("test".utf8) + [4, 64, 0, 0] + Array("mntrRGB XYZ ".utf8)
    header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 88)
    return header + table + elements.flatMap(\.data)
  }

  // Matrices as published, by others: sRGB by B. Lindbloom (Bradford-adapted to D50), the rest from profiles in use.
  static let sRGB = [
    [0.4360747, 0.2225045, 0.0139322], [0.3850649, 0.7168786, 0.0971045], [0.1430804, 0.0606169, 0.7141733],
  ]
  static let displayP3 = [[0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407]]
  static let bt2020 = [
    [0.673459, 0.279033, -0.00193139], [0.165661, 0.675338, 0.0299794], [0.1251, 0.0456288, 0.797162],
  ]
  static let adobeRGB = [[0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457]]
  /// Source: IEC 61966-2-1, as form 3 of ICC.1:2022, table 68.
  static let sRGBCurve = parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
}

@Suite struct ICCProfileTests {
  private func tags(_ columns: [[Double]], _ curve: [UInt8]) -> ColorTags? {
    ICCProfile(ProfileBytes(columns: columns, curve: curve).bytes)?.tags
  }

  @Test func matricesAreRecognised() {
    let curve = ProfileBytes.sRGBCurve
    #expect(tags(ProfileBytes.sRGB, curve) == ColorTags(primaries: .bt709, transfer: .sRGB))
    #expect(tags(ProfileBytes.displayP3, curve) == ColorTags(primaries: .displayP3, transfer: .sRGB))
    #expect(tags(ProfileBytes.bt2020, curve) == ColorTags(primaries: .bt2020, transfer: .sRGB))
    #expect(tags(ProfileBytes.adobeRGB, curve) == nil)
    #expect(tags([[0, 0, 0], [0, 0, 0], [0, 0, 0]], curve) == nil)
  }

  @Test func curvesAreRecognised() {
    func transfer(_ curve: [UInt8]) -> TransferCharacteristics? { tags(ProfileBytes.displayP3, curve)?.transfer }
    let steps = (0..<1024).map { Double($0) / 1023 }
    #expect(transfer(ProfileBytes.gamma(563)) == .gamma22)
    #expect(transfer(ProfileBytes.gamma(461)) == nil)
    #expect(transfer(ProfileBytes.parametric(0, [2.2])) == .gamma22)
    #expect(transfer(ProfileBytes.parametric(0, [1])) == .linear)
    #expect(transfer("curv".utf8 + [0, 0, 0, 0, 0, 0, 0, 0]) == .linear)
    #expect(
      transfer(ProfileBytes.table(steps.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) })) == .sRGB)
    // Source: ITU-R BT.709-6, item 1.2, inverted.
    #expect(transfer(ProfileBytes.parametric(3, [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])) == .bt709)
    // Source: SMPTE ST 2084, 5.1 (m1 = 0.1593, m2 = 78.84, c1 = 0.8359, c2 = 18.85, c3 = 18.69).
    let pq = steps.map { step in
      let power = pow(step, 1 / 78.84375)
      return pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
    }
    #expect(transfer(ProfileBytes.table(pq)) == .pq)
    // Source: ITU-R BT.2100-2, table 5, inverse OETF.
    let hlg = steps.map { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - 0.55991073) / 0.17883277) + 0.28466892) / 12 }
    #expect(transfer(ProfileBytes.table(hlg)) == .hlg)
  }

  @Test func curvesOfTheThreeMustBeOne() {
    var profile = ProfileBytes(columns: ProfileBytes.sRGB, curve: ProfileBytes.sRGBCurve)
    profile.elements[5].data = ProfileBytes.gamma(563)
    #expect(ICCProfile(profile.bytes)?.tags == nil)
  }

  @Test func codePointsGoFirst() {
    var profile = ProfileBytes(columns: ProfileBytes.sRGB, curve: ProfileBytes.sRGBCurve)
    profile.elements.append(("cicp", "cicp".utf8 + [0, 0, 0, 0, 9, 16, 0, 1]))
    #expect(ICCProfile(profile.bytes)?.tags == ColorTags(primaries: .bt2020, transfer: .pq))
  }

  @Test func namesAreRead() {
    var profile = ProfileBytes(columns: ProfileBytes.adobeRGB, curve: ProfileBytes.gamma(563), name: "Adobe RGB (1998)")
    #expect(ICCProfile(profile.bytes) == ICCProfile(profile.bytes + [1, 2, 3]))
    #expect(ICCProfile(profile.bytes)?.name == "Adobe RGB (1998)")
    // Source: ICC.1:2022, 10.15: one record of 12 bytes, then UTF-16.
    profile.elements[0].data =
      "mluc".utf8 + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + "deDE".utf8 + [0, 0, 0, 4, 0, 0, 0, 28, 0, 0xE9, 0, 0x41]
    #expect(ICCProfile(profile.bytes)?.name == "éA")
  }

  /// Every byte of a profile in turn is another, and every length is tried: nothing is read outside of it.
  @Test func anyBytesAreSafe() {
    var profile = ProfileBytes(columns: ProfileBytes.sRGB, curve: ProfileBytes.sRGBCurve)
    profile.elements[4].data = ProfileBytes.table([0, 0.5, 1])
    let bytes = profile.bytes
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var other = bytes
        other[index] = value
        _ = ICCProfile(other)
      }
      _ = ICCProfile(Array(bytes[..<index]))
    }
    #expect(ICCProfile([]) == nil)
    #expect(ICCProfile([UInt8](repeating: 0xFF, count: 4096)) == nil)
  }

  @Test(.enabled(if: !Clip.all.isEmpty)) func profilesOfPhotosAreRead() throws {
    for file in ["golden_androidx_hlg10-color-test_frame0_ultrahdr.jpg", "still_ultrahdr_photo.jpg"] {
      let reader = try MediaReader(url: Clip.folder.appendingPathComponent(file).path)
      let color = try #require(try reader.readFrame()).color
      #expect(color.primaries == .bt709 || color.primaries == .displayP3)
      #expect(color.transfer == .sRGB)
      #expect(reader.statistics.unrecognizedProfile == nil)
    }
  }
}
