/// Messages of HDR10+ (SMPTE ST 2094-40), from the T.35 country code on.
public enum HDR10PlusMessage {
  /// A message with a curve for 450 cd/m².
  /// - Parameter average: The mean of the shot in units of 0.1 cd/m², by which messages are told apart. 0 has zero bytes in a
  ///   row, which bitstreams escape.
  public static func bytes(average: Int) -> [UInt8] {
    var bits = BitWriter()
    for (value, width) in [
      (0xB5, 8), (0x3C, 16), (1, 16), (4, 8), (1, 8), (1, 2), (450, 27), (0, 1), (0, 17), (0, 17), (0, 17),
      (average, 17), (2, 4), (50, 7), (600, 17), (99, 7), (20_000, 17), (17, 10), (0, 1), (1, 1), (55, 12), (111, 12),
      (3, 4), (200, 10), (600, 10), (900, 10), (1, 1), (5, 6),
    ] { bits.put(value, width) }
    return bits.bytes
  }

  /// The averages that ffprobe reads from the frames of a file, in presentation order, in units of 0.1 cd/m²; nil for frames
  /// without HDR10+.
  public static func averages(_ path: String) throws -> [Int?] {
    try Probe(path, ["-show_frames", "-select_streams", "v:0"]).frames?.map { frame in
      let text = frame.side_data_list?.compactMap(\.average_maxrgb).first
      return text?.split(separator: "/").first.flatMap { Int($0) }
    } ?? []
  }
}
