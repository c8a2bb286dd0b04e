internal import CFFmpeg
internal import Frames

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
    guard encoder.layouts.contains(settings.layout), let format = HardwareEncoder.format(of: settings.layout) else {
      throw .unsupportedLayout(encoder: encoder.name, wanted: settings.layout, supported: encoder.layouts)
    }
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
