internal import CFFmpeg

/// The FFmpeg libraries in use.
public enum FFmpegVersion {
  /// For example "libavcodec 59.37.100, libavformat 59.27.100".
  public static var libraries: String {
    func words(_ version: UInt32) -> String { "\(version >> 16).\(version >> 8 & 255).\(version & 255)" }
    return "libavcodec \(words(avcodec_version())), libavformat \(words(avformat_version()))"
  }
}
