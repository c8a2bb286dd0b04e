/// `moof` and `mdat` with one sample of track 1.
///
/// Source: ISO/IEC 14496-12:2022, 8.8.4 to 8.8.8, 8.8.12 and 8.8.3.1 (flags of samples).
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
  ///   - sequence: Number of the fragment.
  ///   - time: Decoding time in the track's time scale.
  ///   - duration: In the same units.
  ///   - isKey: The sample is a random access point.
  ///   - sample: The only sample.
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
