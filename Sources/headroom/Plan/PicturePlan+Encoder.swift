internal import FFmpegIO
internal import Frames
internal import ImageFiles

extension PicturePlan {
  /// The encoder of pictures.
  func encoder() throws -> any ImageEncoder {
    switch format {
    case .exr: EXREncoder(compression: options.output.compression)
    default: throw CommandFailure("soon")
    }
  }
}
