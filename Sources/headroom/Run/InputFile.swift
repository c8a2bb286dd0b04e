internal import FFmpegIO
internal import ImageFiles

/// An input by its name.
enum InputFile {
  /// Opened by FFmpeg or, of stills that it does not read or not whole, by the library of their format.
  /// - Parameters:
  ///   - videoIndex: Place of the stream to decode; nil: the best one.
  ///   - threads: Of the decoder; 0: as many as there are cores.
  ///   - gainMap: Headroom that an Ultra HDR image is made for; nil: all that it holds.
  static func open(
    _ name: String, videoIndex: Int? = nil, threads: Int = 0, limits: MediaReader.Limits = MediaReader.Limits(),
    gainMap: Double? = nil
  ) throws -> any MediaInput {
    if let still = try StillReader(path: name, gainMapHeadroom: gainMap) { return still }
    return try MediaReader(url: name, videoIndex: videoIndex, threads: threads, limits: limits)
  }
}
