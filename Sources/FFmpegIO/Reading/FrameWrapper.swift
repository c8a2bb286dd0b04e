internal import CFFmpeg
internal import ColorScience
internal import Frames

/// Makes coded frames of decoded pictures, without a copy where the format allows it.
final class FrameWrapper {
  private let video: VideoStreamInfo
  private let path: String
  private var converter: PictureConverter?
  private var previous: FrameTime?

  init(video: VideoStreamInfo, path: String) {
    self.video = video
    self.path = path
  }

  /// Forgets the time of the picture before, after a seek.
  func reset() { previous = nil }

  func wrap(_ picture: Picture) throws(FFmpegError) -> CodedFrame {
    let size = unsafe Size(width: Int(picture.frame.pointee.width), height: Int(picture.frame.pointee.height))
    guard size.width > 0, size.height > 0 else { throw .unsupportedSize(size, path: path) }
    let format = picture.format
    guard let layout = PixelFormats.layout(for: format) else {
      throw .unsupportedPixelFormat(name: PixelFormats.name(format) ?? "unknown", path: path)
    }
    let tags = tags(of: picture, format: format)
    let color = tags.description(for: layout)
    var source = picture
    if PixelFormats.native(format) == nil {
      source = try convert(picture, size: size, layout: layout, color: color)
    } else if !Self.isUpright(picture, layout: layout) {
      source = try picture.upright(path: path)
    }
    var metadata = unsafe HDRMetadata(frame: picture.frame).merged(over: video.metadata)
    metadata.adaptiveToneMap = picture.adaptiveToneMap
    let time = time(of: picture)
    previous = time
    let planes = try unsafe planes(of: source, size: size, layout: layout)
    return unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata,
      isDamaged: hr_frame_is_damaged(picture.frame) != 0, planes: planes, owner: source)
  }

  /// The frame's own tags over those of the stream.
  private func tags(of picture: Picture, format: AVPixelFormat) -> ColorTags {
    let frame = unsafe picture.frame.pointee
    var own = unsafe ColorTags(
      primaries: frame.color_primaries, transfer: frame.color_trc, matrix: frame.colorspace,
      range: frame.color_range, chroma: frame.chroma_location)
    if PixelFormats.native(format)?.isFullRange == true { own.range = .full }
    return own.merged(over: video.color)
  }

  private func convert(
    _ picture: Picture, size: Size, layout: PixelLayout, color: ColorDescription
  ) throws(FFmpegError) -> Picture {
    let key = PictureConverter.Key(
      size: size, format: picture.format, matrix: UInt32(color.matrix.rawValue), isFullRange: color.range == .full)
    if let converter, converter.converts(key) { return try converter.convert(picture, path: path) }
    let made = try PictureConverter(key, to: layout, path: path)
    converter = made
    return try made.convert(picture, path: path)
  }

  private static func isUpright(_ picture: Picture, layout: PixelLayout) -> Bool {
    (0..<layout.planeCount).allSatisfy { unsafe hr_frame_stride(picture.frame, Int32($0)) > 0 }
  }

  private func planes(of picture: Picture, size: Size, layout: PixelLayout) throws(FFmpegError) -> [CodedFrame.Plane] {
    var planes: [CodedFrame.Plane] = unsafe []
    for index in 0..<layout.planeCount {
      let extent = layout.planeSize(index, of: size)
      let stride = unsafe Int(hr_frame_stride(picture.frame, Int32(index)))
      guard let base = unsafe hr_frame_plane(picture.frame, Int32(index)),
        stride >= extent.width * layout.bytesPerSample
      else { throw .unsupportedSize(size, path: path) }
      unsafe planes.append(CodedFrame.Plane(base: UnsafeMutableRawPointer(base), stride: stride, size: extent))
    }
    return unsafe planes
  }

  /// The picture's own time; FFmpeg's estimate without one; else one frame after the picture before.
  private func time(of picture: Picture) -> FrameTime {
    let frame = unsafe picture.frame.pointee
    let duration = max(0, unsafe hr_frame_duration(picture.frame))
    let presentation =
      unsafe known(frame.best_effort_timestamp) ?? known(frame.pts)
      ?? previous.map { $0.presentation &+ ($0.duration > 0 ? $0.duration : nominalDuration) } ?? 0
    return FrameTime(presentation: presentation, duration: duration, timeBase: video.timeBase)
  }

  /// One frame at the mean rate, at least one tick.
  private var nominalDuration: Int64 {
    guard let rate = video.averageFrameRate ?? video.realFrameRate else { return 1 }
    let ticks = 1 / (rate.value * video.timeBase.value)
    return ticks.isFinite ? max(1, Int64(exactly: ticks.rounded()) ?? 1) : 1
  }
}
