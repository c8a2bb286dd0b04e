/// A picture as a media segment of ISO base media: `prft`, `moof` and `mdat`.
///
/// Source: ISO BMFF Byte Stream Format (W3C, 2023), section 4.
public struct MediaSegment: Sendable, Hashable {
  /// The boxes.
  public let bytes: [UInt8]
  /// Whether the picture is a random access point, where a decoder may begin.
  public let isKey: Bool
  /// Number of the fragment, from 1; the `sequence_number` of its `mfhd`.
  public let sequence: Int
}
