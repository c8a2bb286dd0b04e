internal import CFFmpeg
internal import Frames

/// Brings pictures of a format that is no `PixelLayout` into the nearest one; matrix and range stay as they are.
@safe
final class PictureConverter {
  // @safe: the pointer does not leave this object, and is freed with it.
  private let converter: OpaquePointer
  private let key: Key
  private let target: AVPixelFormat

  /// What a converter is made for.
  struct Key: Equatable {
    let size: Size
    let format: AVPixelFormat
    let matrix: UInt32
    let isFullRange: Bool
  }

  init(_ key: Key, to layout: PixelLayout, path: String) throws(FFmpegError) {
    let name = PixelFormats.name(key.format) ?? "unknown"
    guard let target = PixelFormats.format(of: layout),
      let converter = unsafe hr_converter_create(
        Int32(clamping: key.size.width), Int32(clamping: key.size.height), key.format, target, Int32(key.matrix),
        key.isFullRange ? 1 : 0)
    else { throw .unsupportedPixelFormat(name: name, path: path) }
    self.key = key
    self.target = target
    unsafe self.converter = unsafe converter
  }

  deinit { unsafe hr_converter_free(converter) }

  func converts(_ other: Key) -> Bool { key == other }

  /// A converted copy with the properties of `picture`.
  func convert(_ picture: Picture, path: String) throws(FFmpegError) -> Picture {
    let result = try Picture.allocate(size: key.size, format: target)
    let rows = unsafe hr_converter_run(converter, picture.frame, result.frame)
    if rows < 0 { throw .failure(.convert, path, rows) }
    let code = unsafe av_frame_copy_props(result.frame, picture.frame)
    if code < 0 { throw .failure(.convert, path, code) }
    return result
  }
}

extension Picture {
  /// A picture with planes of its own.
  static func allocate(size: Size, format: AVPixelFormat) throws(FFmpegError) -> Picture {
    let picture = try Picture()
    unsafe picture.frame.pointee.width = Int32(clamping: size.width)
    unsafe picture.frame.pointee.height = Int32(clamping: size.height)
    unsafe picture.frame.pointee.format = format.rawValue
    if unsafe av_frame_get_buffer(picture.frame, 64) < 0 { throw .outOfMemory }
    return picture
  }

  /// A copy whose rows run downwards.
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
