internal import CFFmpeg
internal import Frames

/// An encoding device, and the surfaces that it encodes from.
@safe
final class HardwareDevice {
  // @safe: the pointers do not leave this module, and are freed with this object.
  private let device: UnsafeMutablePointer<AVBufferRef>
  private let surfaces: UnsafeMutablePointer<AVBufferRef>
  private let path: String

  /// Surfaces that an encoder keeps for reordering and references, and surfaces that are queued.
  private static let surfaceCount: Int32 = 32

  /// - Parameters:
  ///   - encoder: An encoder that takes surfaces: not NVENC, which reads memory.
  ///   - node: The device; nil: the first.
  ///   - format: The semi-planar format of the surfaces.
  /// - Throws: `FFmpegError.hardwareFails` with FFmpeg's text.
  init(
    for encoder: HardwareEncoder, node: String?, size: Size, format: AVPixelFormat, path: String
  ) throws(FFmpegError) {
    self.path = path
    let type = encoder.interface == .qsv ? AV_HWDEVICE_TYPE_QSV : AV_HWDEVICE_TYPE_VAAPI
    let node = node ?? HardwareEncoder.renderNode()
    let made = try unsafe Self.open(type, node, encoder: encoder.name)
    var surfaces = unsafe av_hwframe_ctx_alloc(made)
    guard
      let context = unsafe surfaces.flatMap({ unsafe UnsafeMutableRawPointer($0.pointee.data) })?
        .assumingMemoryBound(to: AVHWFramesContext.self)
    else {
      var made: UnsafeMutablePointer<AVBufferRef>? = unsafe made
      unsafe av_buffer_unref(&made)
      throw .outOfMemory
    }
    unsafe context.pointee.format = Self.format(of: type)
    unsafe context.pointee.sw_format = format
    unsafe context.pointee.width = Int32(size.width)
    unsafe context.pointee.height = Int32(size.height)
    unsafe context.pointee.initial_pool_size = Self.surfaceCount
    let (code, lines) = FFmpegLog.listening { unsafe av_hwframe_ctx_init(surfaces) }
    guard code >= 0, let ready = unsafe surfaces else {
      var made: UnsafeMutablePointer<AVBufferRef>? = unsafe made
      unsafe av_buffer_unref(&surfaces)
      unsafe av_buffer_unref(&made)
      throw Self.failure(encoder.name, node, code, lines)
    }
    unsafe (self.device, self.surfaces) = unsafe (made, ready)
  }

  deinit {
    var (device, surfaces): (UnsafeMutablePointer<AVBufferRef>?, UnsafeMutablePointer<AVBufferRef>?) =
      unsafe (device, surfaces)
    unsafe av_buffer_unref(&surfaces)
    unsafe av_buffer_unref(&device)
  }

  private static func open(
    _ type: AVHWDeviceType, _ node: String?, encoder: String
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVBufferRef> {
    var device: UnsafeMutablePointer<AVBufferRef>?
    var options: OpaquePointer?
    defer { unsafe av_dict_free(&options) }
    // Quick Sync selects an adapter by number, and runs on the device that is given as a child.
    if type == AV_HWDEVICE_TYPE_QSV, let node { unsafe av_dict_set(&options, "child_device", node, 0) }
    let name = type == AV_HWDEVICE_TYPE_QSV ? nil : node
    let (code, lines) = FFmpegLog.listening { unsafe av_hwdevice_ctx_create(&device, type, name, options, 0) }
    guard code >= 0, let made = unsafe device else { throw failure(encoder, node, code, lines) }
    return unsafe made
  }

  private static func failure(_ encoder: String, _ node: String?, _ code: Int32, _ lines: [String]) -> FFmpegError {
    guard case .failed(_, _, _, let message) = FFmpegError.failure(.openEncoder, encoder, code, detail: lines) else {
      return .outOfMemory
    }
    return .hardwareFails(encoder: encoder, device: node, message: message)
  }

  static func format(of type: AVHWDeviceType) -> AVPixelFormat {
    type == AV_HWDEVICE_TYPE_QSV ? AV_PIX_FMT_QSV : AV_PIX_FMT_VAAPI
  }

  /// Assigns the surfaces to an encoder, before it is opened.
  func attach(to context: UnsafeMutablePointer<AVCodecContext>) throws(FFmpegError) {
    unsafe context.pointee.hw_frames_ctx = unsafe av_buffer_ref(surfaces)
    if unsafe context.pointee.hw_frames_ctx == nil { throw .outOfMemory }
  }

  /// Copies a picture in memory to a surface, with its times and tags.
  func upload(_ picture: Picture) throws(FFmpegError) -> Picture {
    let surface = try Picture()
    let taken = unsafe av_hwframe_get_buffer(surfaces, surface.frame, 0)
    if taken < 0 { throw .failure(.encode, path, taken) }
    let (code, lines) = FFmpegLog.listening { unsafe av_hwframe_transfer_data(surface.frame, picture.frame, 0) }
    if code < 0 { throw .failure(.encode, path, code, detail: lines) }
    if unsafe av_frame_copy_props(surface.frame, picture.frame) < 0 { throw .outOfMemory }
    return surface
  }
}
