/// `moof` and `mdat` with one sample of track 1. Source: ISO/IEC 14496-12:2022, 8.8.4 to 8.8.8, 8.8.12 and 8.8.3.1
/// (flags of samples).
package struct MovieFragment {
  /// `tfhd`: data offsets count from the start of `moof`.
  private static let baseIsFragment: UInt32 = 0x02_0000
  /// `trun`: data offset, and the sample's duration, size and flags.
  private static let stated: UInt32 = 0x000701
  /// The sample depends on no other.
  private static let keyFlags: UInt32 = 0x0200_0000
  /// The sample depends on others, and is not a random access point.
  private static let otherFlags: UInt32 = 0x0101_0000
  /// The only track of a stream.
  package static let track: UInt32 = 1

  private let sequence: Int
  private let time: UInt64
  private let duration: UInt32
  private let isKey: Bool
  private let sample: [UInt8]

  /// - Parameters:
  ///   - time: Decoding time in the track's time scale.
  ///   - duration: In the same units.
  package init(sequence: Int, time: UInt64, duration: UInt32, isKey: Bool, sample: [UInt8]) {
    (self.sequence, self.time, self.duration, self.isKey, self.sample) = (sequence, time, duration, isKey, sample)
  }

  package var bytes: [UInt8] {
    // The size of `moof` does not depend on the offset that it contains.
    let size = fragment(dataOffset: 0).count
    return fragment(dataOffset: UInt32(size + ISOBoxHeader.shortByteCount)) + ISOBoxHeader.box("mdat", sample)
  }

  private func fragment(dataOffset: UInt32) -> [UInt8] {
    let header = full("mfhd", 0, [UInt32(truncatingIfNeeded: sequence)])
    let track = full("tfhd", Self.baseIsFragment, [Self.track])
    let start = full("tfdt", 1 << 24, [UInt32(time >> 32), UInt32(truncatingIfNeeded: time)])
    let run = full(
      "trun", Self.stated,
      [1, dataOffset, duration, UInt32(clamping: sample.count), isKey ? Self.keyFlags : Self.otherFlags])
    return ISOBoxHeader.box("moof", header + ISOBoxHeader.box("traf", track + start + run))
  }

  /// A box with version and flags.
  private func full(_ type: String, _ versionAndFlags: UInt32, _ content: [UInt32]) -> [UInt8] {
    ISOBoxHeader.box(type, ([versionAndFlags] + content).flatMap(\.bigEndianBytes))
  }
}

/// The box that states when the frame of the next fragment was captured. Source: ISO/IEC 14496-12:2022, 8.16.5.
package struct ProducerReferenceTime {
  /// Version 1, with a 64-bit media time, and the flags for "when the frame was captured".
  private static let versionAndFlags: UInt32 = 1 << 24 | 24
  /// Seconds from 1900 to 1970. Source: RFC 5905, figure 4.
  private static let ntpOffset = 2_208_988_800.0

  private let track: UInt32
  private let capturedAt: Double
  private let mediaTime: UInt64

  /// - Parameters:
  ///   - capturedAt: Unix time in seconds.
  ///   - mediaTime: Decoding time of the frame in the track's time scale.
  package init(track: UInt32, capturedAt: Double, mediaTime: UInt64) {
    (self.track, self.capturedAt, self.mediaTime) = (track, capturedAt, mediaTime)
  }

  /// Seconds since 1900 in units of 2^-32; the era that begins in 2036 restarts at zero. Source: RFC 5905, 6.
  private var ntpTime: UInt64 {
    let seconds = (capturedAt + Self.ntpOffset).remainder(dividingBy: 0x1p32)
    // From -2^31 to 2^31; as a signed number, this has the bits of the time.
    return UInt64(bitPattern: Int64(exactly: (seconds * 0x1p32).rounded()) ?? 0)
  }

  package var box: [UInt8] {
    ISOBoxHeader.box(
      "prft",
      Self.versionAndFlags.bigEndianBytes + track.bigEndianBytes + ntpTime.bigEndianBytes + mediaTime.bigEndianBytes)
  }
}
