internal import FFmpegIO
internal import Frames
internal import Media
internal import Rendering

extension PicturePreparation {
  /// Crops and scales a progressive picture: code values as a `MediaReader` does, linear light by averaging.
  /// - Throws: `FFmpegError` for a frame of another size.
  func prepared(_ frame: CodedFrame, path: String) throws(FFmpegError) -> CodedFrame {
    guard let scaling, frame.layout == .linearRGB else { return try applied(to: frame, path: path) }
    var cropping = self
    let padding = PicturePreparation(padding: padding)
    (cropping.scaling, cropping.padding) = (nil, nil)
    let part = try cropping.applied(to: frame, path: path)
    let size = scaling.size(of: part.size)
    guard [size.width, size.height].allSatisfy(PictureScaling.extents.contains) else {
      throw .unsupportedScale(from: part.size, to: size, path: path)
    }
    let (source, result) = (LinearFrame(size: part.size), LinearFrame(size: size))
    source.coded(color: part.color).put(part, x: 0, y: 0)
    LinearScaler(from: part.size, to: size, pool: WorkerPool(count: 1)).scale(source, into: result)
    let scaled = result.coded(color: part.color, time: part.time).with(part.metadata)
    return try padding.applied(to: scaled, path: path)
  }
}
