internal import CFFmpeg
internal import Compositing
internal import Frames

/// Owns an `AVFrame`.
@safe
final class Picture: @unchecked Sendable {
  // @unchecked: the frame is filled before it is handed on, then only read; its buffers count references atomically.
  // @safe: the pointer does not leave this module, and is freed with this object.
  let frame: UnsafeMutablePointer<AVFrame>
  /// Whether the decoder flagged it, or logged an error while decoding it.
  var isDamaged = false
  /// Messages in its packet.
  var messages = PacketMetadataReader.Messages()

  init() throws(FFmpegError) {
    guard let frame = unsafe av_frame_alloc() else { throw .outOfMemory }
    unsafe self.frame = unsafe frame
  }

  /// Takes ownership of a frame.
  init(adopting frame: UnsafeMutablePointer<AVFrame>) { unsafe self.frame = unsafe frame }

  deinit { unsafe release(frame, av_frame_free) }

  var format: AVPixelFormat { AVPixelFormat(rawValue: unsafe frame.pointee.format) }

  /// HDR metadata that FFmpeg reports, completed from the packet.
  var metadata: HDRMetadata { unsafe HDRMetadata(frame: frame).merged(over: messages.sequence) }

  /// Closed captions of CEA-608 and CEA-708: triplets of `cc_data`.
  var captions: [UInt8] {
    guard let data = unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_A53_CC) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)))
  }

  func set(captions: [UInt8]) throws(FFmpegError) {
    unsafe av_frame_remove_side_data(frame, AV_FRAME_DATA_A53_CC)
    guard let data = unsafe av_frame_new_side_data(frame, AV_FRAME_DATA_A53_CC, captions.count)
    else { throw .outOfMemory }
    unsafe data.pointee.data.update(from: captions, count: captions.count)
  }

  /// Size of the samples in memory.
  var size: Size { unsafe Size(width: Int(frame.pointee.width), height: Int(frame.pointee.height)) }

  /// The planes of a layout; nil if one is missing, or its rows are too short.
  func planes(_ layout: PixelLayout, of size: Size) -> [CodedFrame.Plane]? {
    var planes: [CodedFrame.Plane] = unsafe []
    for index in 0..<layout.planeCount {
      let extent = layout.planeSize(index, of: size)
      let stride = unsafe Int(hr_frame_stride(frame, Int32(index)))
      guard let base = unsafe hr_frame_plane(frame, Int32(index)), stride >= extent.width * layout.bytesPerSample
      else { return nil }
      unsafe planes.append(CodedFrame.Plane(base: UnsafeMutableRawPointer(base), stride: stride, size: extent))
    }
    return unsafe planes
  }
}

extension AlphaPlane {
  /// The alpha of a decoded picture; nil if it has none.
  init?(_ picture: Picture) {
    guard PixelFormats.hasAlpha(picture.format) else { return nil }
    if picture.format == AV_PIX_FMT_PAL8 {
      self.init(palette: picture)
      return
    }
    guard let descriptor = unsafe av_pix_fmt_desc_get(picture.format) else { return nil }
    self.init(picture, component: unsafe Int32(descriptor.pointee.nb_components) - 1)
  }

  /// Luma as alpha, as in auxiliary pictures: full range unless tagged otherwise.
  init?(luma picture: Picture) { self.init(picture, component: 0) }

  private init?(_ picture: Picture, component: Int32) {
    guard let descriptor = unsafe av_pix_fmt_desc_get(picture.format) else { return nil }
    self.init(size: picture.size)
    let depth = unsafe hr_component_depth(descriptor, component)
    let isNarrow = unsafe component == 0 && picture.frame.pointee.color_range == AVCOL_RANGE_MPEG
    let step = Float(UInt32(1) << UInt32(max(min(depth, 16), 8) - 8))
    let (offset, scale) = isNarrow ? (16 * step, 219 * step) : (0, Float((UInt64(1) << UInt64(depth)) - 1))
    var codes = [UInt32](repeating: 0, count: size.width)
    for y in 0..<size.height {
      unsafe hr_frame_read_component(picture.frame, descriptor, &codes, Int32(y), component, Int32(size.width))
      for x in 0..<size.width { self[x, y] = (Float(codes[x]) - offset) / scale }
    }
  }

  /// Palette entries are 32-bit words of alpha, red, green, blue.
  private init?(palette picture: Picture) {
    guard let indices = unsafe picture.frame.pointee.data.0, let entries = unsafe picture.frame.pointee.data.1
    else { return nil }
    self.init(size: picture.size)
    let stride = unsafe Int(picture.frame.pointee.linesize.0)
    let alphas = (0..<256).map { index in
      let entry = unsafe UnsafeRawPointer(entries).loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
      return Float(entry >> 24) / 255
    }
    for y in 0..<size.height {
      for x in 0..<size.width { self[x, y] = alphas[Int(unsafe indices[y * stride + x])] }
    }
  }
}
