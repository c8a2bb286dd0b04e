internal import CFFmpeg
internal import Frames

/// Pictures of one size and format whose memory is reused after release.
///
/// The pool grows with the number of pictures in use, which is bounded by the frames in flight.
@safe
final class PicturePool: @unchecked Sendable {
  // @unchecked: an AVBufferPool locks itself, everything else is immutable.
  // @safe: the pool is released with this object, and lives on until its last buffer is back.
  let size: Size
  let layout: PixelLayout
  let format: AVPixelFormat
  private let pool: OpaquePointer
  private let planes: [(offset: Int, stride: Int, size: Size)]

  init(size: Size, layout: PixelLayout, format: AVPixelFormat) throws(FFmpegError) {
    var offset = 0
    planes = (0..<layout.planeCount).map { index in
      let extent = layout.planeSize(index, of: size)
      let stride = (extent.width * layout.bytesPerSample + 63) & ~63
      defer { offset += stride * extent.height }
      return (offset, stride, extent)
    }
    // Encoders and vector code may read slightly past the last row.
    guard let pool = unsafe hr_pool_create(offset + 64) else { throw .outOfMemory }
    unsafe self.pool = unsafe pool
    (self.size, self.layout, self.format) = (size, layout, format)
  }

  deinit {
    var pool: OpaquePointer? = unsafe pool
    unsafe av_buffer_pool_uninit(&pool)
  }

  func picture() throws(FFmpegError) -> Picture {
    let picture = try Picture()
    guard let buffer = unsafe av_buffer_pool_get(pool), let base = unsafe buffer.pointee.data
    else { throw .outOfMemory }
    unsafe hr_frame_adopt_buffer(picture.frame, buffer)
    for (index, plane) in planes.enumerated() {
      unsafe hr_frame_set_plane(picture.frame, Int32(index), base + plane.offset, Int32(plane.stride))
    }
    unsafe picture.frame.pointee.width = Int32(size.width)
    unsafe picture.frame.pointee.height = Int32(size.height)
    unsafe picture.frame.pointee.format = format.rawValue
    return picture
  }

  /// An unfilled frame.
  func frame(
    time: FrameTime, color: ColorDescription, fieldOrder: FieldOrder?, metadata: HDRMetadata, captions: [UInt8]
  ) throws(FFmpegError) -> CodedFrame {
    let picture = try picture()
    guard let planes = unsafe picture.planes(layout, of: size) else { throw .outOfMemory }
    return unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, captions: captions,
      fieldOrder: fieldOrder, planes: planes, owner: picture)
  }

  /// A picture with the samples of `frame`, which has this pool's size and layout.
  func copy(of frame: CodedFrame) throws(FFmpegError) -> Picture {
    let picture = try picture()
    for (index, plane) in planes.enumerated() {
      guard let base = unsafe hr_frame_plane(picture.frame, Int32(index)) else { throw .outOfMemory }
      let bytes = plane.size.width * layout.bytesPerSample
      unsafe frame.withPlane(index) { source in
        for y in 0..<plane.size.height {
          unsafe UnsafeMutableRawPointer(base + y * plane.stride).copyMemory(from: source.row(y), byteCount: bytes)
        }
      }
    }
    return picture
  }

  /// A frame for an encoder: over the same memory if FFmpeg owns it, otherwise a copy.
  func picture(of frame: CodedFrame, for settings: MediaWriter.Settings) throws(FFmpegError) -> Picture {
    var picture: Picture
    if let owner = frame.owner as? Picture {
      guard let share = unsafe hr_frame_share(owner.frame) else { throw .outOfMemory }
      picture = unsafe Picture(adopting: share)
    } else {
      picture = try copy(of: frame)
    }
    unsafe picture.frame.pointee.format = format.rawValue
    unsafe picture.frame.pointee.color_primaries = settings.color.avPrimaries
    unsafe picture.frame.pointee.color_trc = settings.color.avTransfer
    unsafe picture.frame.pointee.colorspace = settings.color.avMatrix
    unsafe picture.frame.pointee.color_range = settings.color.avRange
    unsafe picture.frame.pointee.chroma_location = settings.color.avChromaLocation
    if settings.fieldOrder != nil, let order = frame.fieldOrder {
      unsafe hr_frame_set_interlaced(picture.frame, order == .topFirst ? 1 : 0)
    }
    if let aspect = settings.sampleAspectRatio?.native { unsafe picture.frame.pointee.sample_aspect_ratio = aspect }
    return picture
  }
}
