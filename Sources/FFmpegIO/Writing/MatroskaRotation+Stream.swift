internal import Bitstreams
internal import CFFmpeg
internal import Frames
internal import Media

extension MatroskaRotation {
  /// Describes `stream` for the muxer.
  static func add(_ matrix: DisplayMatrix, to stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
    if unsafe hr_stream_add_rolled_sphere(stream, matrix.rotation) < 0 { throw .outOfMemory }
  }
}
