import Bitstreams
import ColorScience
import Foundation
import Frames
internal import Media
import TestSupport
import Testing

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
}
