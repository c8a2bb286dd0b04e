internal import CFFmpeg
internal import Frames
internal import Media

/// Converts planar pictures to the semi-planar form that hardware takes.
struct SemiplanarPictures {
  private let layout: PixelLayout
  private let color: ColorDescription
  private let pool: PicturePool

  /// - Parameters:
  ///   - settings: Settings of the planar 4:2:0 pictures.
  ///   - format: NV12 or P010.
  /// - Throws: `FFmpegError.outOfMemory`.
  init(_ settings: MediaWriter.Settings, format: AVPixelFormat) throws(FFmpegError) {
    (layout, color) = (settings.layout, settings.color)
    let semiplanar = PixelLayout(layout.components, bitDepth: layout.bitDepth, packing: .semiplanar)
    pool = try PicturePool(size: settings.size, layout: semiplanar, format: format)
  }

  /// A picture with the samples, times and tags of a planar one.
  func picture(of planar: Picture) throws(FFmpegError) -> Picture {
    let picture = try pool.picture()
    if unsafe av_frame_copy_props(picture.frame, planar.frame) < 0 { throw .outOfMemory }
    try view(of: planar, layout).copySamples(toSemiplanar: view(of: picture, pool.layout))
    return picture
  }

  private func view(of picture: Picture, _ layout: PixelLayout) throws(FFmpegError) -> CodedFrame {
    var planes: [CodedFrame.Plane] = unsafe []
    for index in 0..<layout.planeCount {
      guard let base = unsafe hr_frame_plane(picture.frame, Int32(index)) else { throw .outOfMemory }
      unsafe planes.append(
        CodedFrame.Plane(
          base: UnsafeMutableRawPointer(base), stride: Int(hr_frame_stride(picture.frame, Int32(index))),
          size: layout.planeSize(index, of: pool.size)))
    }
    let time = FrameTime(presentation: 0, duration: 0, timeBase: Rational(1, 1))
    return unsafe CodedFrame(
      size: pool.size, layout: layout, color: color, time: time, metadata: HDRMetadata(), fieldOrder: nil,
      planes: planes, owner: picture)
  }
}
