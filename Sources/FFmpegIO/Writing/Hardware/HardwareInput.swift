internal import CFFmpeg
internal import Frames
internal import Media

/// Converts pictures for a hardware encoder: semi-planar samples, on a surface unless it reads memory.
struct HardwareInput {
  let encoder: HardwareEncoder
  /// FFmpeg's format of the encoder's input.
  let format: AVPixelFormat
  private let pictures: SemiplanarPictures
  /// nil for NVENC, which reads memory and opens its own device.
  private let device: HardwareDevice?
  private let metadata: HDRMetadata
  /// As the user named it.
  private let node: String?

  /// - Parameter node: The device; nil: the first.
  /// - Throws: `FFmpegError.hardwareIsMissing`, or the error of opening the device.
  init(
    _ encoder: HardwareEncoder, _ settings: MediaWriter.Settings
  ) throws(FFmpegError) {
    guard encoder.layouts.contains(settings.layout), let format = HardwareEncoder.format(of: settings.layout)
    else { throw .unsupportedLayout(encoder: encoder.name, wanted: settings.layout, supported: encoder.layouts) }
    (self.encoder, node) = (encoder, settings.hardwareDevice)
    metadata = encoder.writesMetadata ? settings.metadata : HDRMetadata()
    pictures = try SemiplanarPictures(settings, format: format)
    if encoder.interface == .nvenc {
      (device, self.format) = (nil, format)
    } else {
      do {
        device = try HardwareDevice(
          for: encoder, node: settings.hardwareDevice, size: settings.size, format: format, path: settings.url)
      } catch { throw encoder.explained(error, device: settings.hardwareDevice) }
      self.format = encoder.interface == .qsv ? AV_PIX_FMT_QSV : AV_PIX_FMT_VAAPI
    }
  }

  /// Prepares an encoder before it is opened.
  func attach(to context: UnsafeMutablePointer<AVCodecContext>) throws(FFmpegError) {
    unsafe context.pointee.pix_fmt = format
    try unsafe device?.attach(to: context)
  }

  /// Explains a failure to open the encoder: NVENC opens its device itself.
  func explained(_ failure: FFmpegError) -> FFmpegError {
    device == nil ? encoder.explained(failure, device: node) : failure
  }

  /// The encoder's input for a planar picture.
  func picture(of planar: UnsafePointer<AVFrame>) throws(FFmpegError) -> Picture {
    guard let share = unsafe av_frame_clone(planar) else { throw .outOfMemory }
    let picture = try pictures.picture(of: unsafe Picture(adopting: share))
    try unsafe metadata.add(to: picture.frame)
    return try device?.upload(picture) ?? picture
  }
}

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
      unsafe release(made, av_buffer_unref)
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
    guard case .failed(_, _, _, let message) = FFmpegError.failure(.openEncoder, encoder, code, detail: lines)
    else { return .outOfMemory }
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

/// Converts planar pictures to the semi-planar form that hardware takes.
struct SemiplanarPictures {
  private let layout: PixelLayout
  private let color: ColorDescription
  private let pool: PicturePool

  /// - Parameter format: NV12 or P010.
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
    guard let planes = unsafe picture.planes(layout, of: pool.size) else { throw .outOfMemory }
    let time = FrameTime(presentation: 0, duration: 0, timeBase: Rational(1, 1))
    return unsafe CodedFrame(
      size: pool.size, layout: layout, color: color, time: time, metadata: HDRMetadata(), fieldOrder: nil,
      planes: planes, owner: picture)
  }
}
