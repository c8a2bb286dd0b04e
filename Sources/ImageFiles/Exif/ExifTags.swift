internal import Foundation
internal import Frames

/// The exposure tags: in the Exif directory, or in the first directory as in TIFF/EP.
struct ExifTags {
  private let directories: [TIFFDirectory]

  /// - Parameter first: The first directory, which refers to the Exif directory.
  init(_ first: TIFFDirectory) { directories = first.directories(0x8769, limit: 1) + [first] }

  /// The first number of a tag.
  /// - Parameter range: Plausible values; others count as missing.
  func number(_ tag: UInt16, in range: ClosedRange<Double>) -> Double? {
    let values = directories.lazy.compactMap { $0.numbers(tag)?.first }
    // NaN is in no range.
    return values.first { range.contains($0) }
  }

  /// DateTimeOriginal, by OffsetTimeOriginal, in seconds since 1970.
  var timeTaken: Double? {
    func text(_ tag: UInt16) -> String? { directories.lazy.compactMap { $0.text(tag) }.first }
    guard let fields = text(0x9003)?.split(whereSeparator: { $0 == ":" || $0 == " " }).map({ Int($0) }),
      fields.count == 6, let year = fields[0], let month = fields[1], let day = fields[2], let hour = fields[3],
      let minute = fields[4], let second = fields[5], 1970...9999 ~= year, 1...12 ~= month, 1...31 ~= day,
      0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
    else { return nil }
    let days = Self.days(year, month, day)
    return Double(((days * 24 + hour) * 60 + minute) * 60 + second) - Self.offset(text(0x9011))
  }

  /// Days from 1970-01-01 to a Gregorian date: years begin in March, so that leap days come last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month < 3 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }

  /// Seconds east of UTC of "+02:00".
  private static func offset(_ text: String?) -> Double {
    guard let text, let sign = text.first, "+-".contains(sign) else { return 0 }
    let fields = text.dropFirst().split(separator: ":").map { Int($0) }
    guard fields.count == 2, let hours = fields[0], let minutes = fields[1], 0...14 ~= hours, 0...59 ~= minutes else {
      return 0
    }
    return Double((sign == "-" ? -60 : 60) * (hours * 60 + minutes))
  }
}

extension Exposure {
  /// From 0.1 µs to twelve days, beyond the range of any camera.
  private static let times = 1e-7...1e6
  private static let fNumbers = 0.1...1000.0
  private static let sensitivities = 1...1e8

  /// Implausible values count as missing.
  ///
  /// Source: CIPA DC-008 (Exif 2.32), 4.6.5, tables 7 and 8, and annex C for APEX units.
  init(_ tags: ExifTags) {
    let speed = tags.number(0x9201, in: -20...24).map { exp2(-$0) }
    let aperture = tags.number(0x9202, in: -6...20).map { exp2($0 / 2) }
    self.init(
      seconds: tags.number(0x829A, in: Self.times) ?? speed,
      fNumber: tags.number(0x829D, in: Self.fNumbers) ?? aperture,
      sensitivity: Self.sensitivity(tags),
      flashFired: tags.number(0x9209, in: 0...65_535).map { Int($0) & 1 == 1 })
  }

  private static func sensitivity(_ tags: ExifTags) -> Double? {
    let short = tags.number(0x8827, in: sensitivities)
    // 65535 means at least as much; ISOSpeed, RecommendedExposureIndex and StandardOutputSensitivity have 32 bits.
    guard short == nil || short == 65_535 else { return short }
    let longs: [UInt16] = [0x8833, 0x8832, 0x8831]
    return longs.lazy.compactMap { tags.number($0, in: sensitivities) }.first ?? short
  }
}
