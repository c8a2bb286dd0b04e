/// The box that states when the frame of the next fragment was captured.
///
/// Source: ISO/IEC 14496-12:2022, 8.16.5.
package struct ProducerReferenceTime {
  /// Version 1, with a 64-bit media time, and the flags for "when the frame was captured".
  private static let versionAndFlags: UInt32 = 1 << 24 | 24
  /// Seconds from 1900 to 1970. Source: RFC 5905, figure 4.
  private static let ntpOffset = 2_208_988_800.0

  private let track: UInt32
  private let capturedAt: Double
  private let mediaTime: UInt64

  /// - Parameters:
  ///   - track: Number of the track.
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
    func bytes(_ value: UInt64) -> [UInt8] {
      UInt32(truncatingIfNeeded: value >> 32).bigEndianBytes + UInt32(truncatingIfNeeded: value).bigEndianBytes
    }
    return ISOBoxHeader.box(
      "prft", Self.versionAndFlags.bigEndianBytes + track.bigEndianBytes + bytes(ntpTime) + bytes(mediaTime))
  }
}
