internal import CFFmpeg
package import Frames
internal import Media

extension PictureScaling {
  /// Scales a frame as a `MediaReader` does.
  /// - Throws: `FFmpegError.unsupportedScale` for an invalid size, `.unsupportedPixelFormat` for linear samples, which
  ///   have no coded signal to scale.
  package func scaled(_ frame: CodedFrame, path: String) throws(FFmpegError) -> CodedFrame {
    guard let format = PixelFormats.format(of: frame.layout) else {
      throw .unsupportedPixelFormat(name: frame.layout.words, path: path)
    }
    let picture = try PicturePool(size: frame.size, layout: frame.layout, format: format).copy(of: frame)
    let color = frame.color
    unsafe picture.frame.pointee.color_primaries = color.avPrimaries
    unsafe picture.frame.pointee.color_trc = color.avTransfer
    unsafe picture.frame.pointee.colorspace = color.avMatrix
    unsafe picture.frame.pointee.color_range = color.avRange
    unsafe picture.frame.pointee.chroma_location = color.avChromaLocation
    let wrapper = FrameWrapper(video: VideoStreamInfo(still: frame), png: nil, isOfPictures: false, path: path)
    wrapper.scaling = self
    return try wrapper.wrap(picture).at(frame.time)
  }
}
