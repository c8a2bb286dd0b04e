internal import CFFmpeg
internal import ColorScience
internal import Frames

/// Converts pictures to another pixel format or size; matrix, range and chroma siting are unchanged.
///
/// The fields of interlaced pictures are converted separately.
@safe
final class PictureConverter {
  // @safe: the pointers do not leave this object, and are freed with it.
  /// One for a whole picture, two for its fields.
  private let converters: [OpaquePointer]
  private let key: Key
  private let target: AVPixelFormat

  /// Parameters of a converter.
  struct Key: Equatable {
    let format: AVPixelFormat
    let size: Size
    let targetLayout: PixelLayout
    let targetSize: Size
    let color: ColorDescription
    let isByField: Bool
  }

  init(_ key: Key, path: String) throws(FFmpegError) {
    let name = PixelFormats.name(key.format) ?? "unknown"
    guard let target = PixelFormats.format(of: key.targetLayout)
    else { throw .unsupportedPixelFormat(name: name, path: path) }
    (self.key, self.target) = (key, target)
    let fields: [Field?] = key.isByField ? Field.allCases : [nil]
    unsafe converters = unsafe fields.compactMap { unsafe Self.converter(key, to: target, field: $0) }
    guard unsafe converters.count == fields.count else {
      if key.targetSize != key.size { throw .unsupportedScale(from: key.size, to: key.targetSize, path: path) }
      throw .unsupportedPixelFormat(name: name, path: path)
    }
  }

  private static func converter(_ key: Key, to target: AVPixelFormat, field: Field?) -> OpaquePointer? {
    var formats = (source: key.format, target: target)
    if key.targetLayout.components == .rgb, PixelFormats.native(key.format) != nil {
      // Planes are converted separately: swscale would go through Y'CbCr, with rounding.
      let planes = PixelFormats.planes(bitDepth: key.targetLayout.bitDepth)
      formats = (planes, planes)
    }
    let offset = key.color.chromaLocation.offset(in: field) * 256
    let rows = field == nil ? 1 : 2
    func side(_ size: Size, _ format: AVPixelFormat) -> hr_conversion_side {
      let descriptor = unsafe av_pix_fmt_desc_get(format)
      let (shiftX, shiftY) = unsafe (descriptor?.pointee.log2_chroma_w ?? 0, descriptor?.pointee.log2_chroma_h ?? 0)
      return hr_conversion_side(
        width: Int32(clamping: size.width), height: Int32(clamping: size.height / rows), format: format,
        chroma_x: shiftX == 0 ? 0 : Int32(offset.x), chroma_y: shiftY == 0 ? 0 : Int32(offset.y))
    }
    return unsafe hr_converter_create(
      side(key.size, formats.source), side(key.targetSize, formats.target), Int32(key.color.matrix.rawValue),
      key.color.range == .full ? 1 : 0)
  }

  deinit { unsafe converters.forEach { unsafe hr_converter_free($0) } }

  func converts(_ other: Key) -> Bool { key == other }

  /// A converted copy with the properties of `picture`.
  func convert(_ picture: Picture, path: String) throws(FFmpegError) -> Picture {
    let result = try Picture.allocate(size: key.targetSize, format: target)
    for unsafe(index, converter) in unsafe converters.enumerated() {
      let rows = unsafe hr_converter_run(
        converter, picture.frame, result.frame, Int32(index), Int32(converters.count))
      if rows < 0 { throw .failure(.convert, path, rows) }
    }
    let code = unsafe av_frame_copy_props(result.frame, picture.frame)
    if code < 0 { throw .failure(.convert, path, code) }
    return result
  }
}

extension Picture {
  /// A picture with newly allocated planes.
  static func allocate(size: Size, format: AVPixelFormat) throws(FFmpegError) -> Picture {
    let picture = try Picture()
    unsafe picture.frame.pointee.width = Int32(clamping: size.width)
    unsafe picture.frame.pointee.height = Int32(clamping: size.height)
    unsafe picture.frame.pointee.format = format.rawValue
    if unsafe av_frame_get_buffer(picture.frame, 64) < 0 { throw .outOfMemory }
    return picture
  }

  /// An area of the picture, over the same samples.
  /// - Parameter area: Inside the picture, and aligned to its chroma samples.
  func part(_ area: PictureArea, path: String) throws(FFmpegError) -> Picture {
    let part = try Picture(sharing: self)
    unsafe part.frame.pointee.crop_left = area.x
    unsafe part.frame.pointee.crop_top = area.y
    unsafe part.frame.pointee.crop_right = Int(frame.pointee.width) - area.maxX
    unsafe part.frame.pointee.crop_bottom = Int(frame.pointee.height) - area.maxY
    let code = unsafe av_frame_apply_cropping(part.frame, Int32(AV_FRAME_CROP_UNALIGNED))
    if code < 0 { throw .failure(.convert, path, code) }
    return part
  }

  /// A copy with rows in top-to-bottom order.
  func upright(path: String) throws(FFmpegError) -> Picture {
    let size = unsafe Size(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    let copy = try Picture.allocate(size: size, format: format)
    let copied = unsafe av_frame_copy(copy.frame, frame)
    if copied < 0 { throw .failure(.convert, path, copied) }
    let code = unsafe av_frame_copy_props(copy.frame, frame)
    if code < 0 { throw .failure(.convert, path, code) }
    return copy
  }
}
