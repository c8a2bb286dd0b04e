internal import CFFmpeg
internal import Frames

extension PicturePool {
  /// A frame for an encoder: over the same memory if FFmpeg owns it, otherwise a copy.
  /// - Parameters:
  ///   - frame: A frame in this pool's size and layout.
  ///   - settings: Settings of the stream, which supply the description.
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
