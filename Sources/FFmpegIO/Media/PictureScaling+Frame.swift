internal import CFFmpeg
internal import Compositing
package import Frames
internal import Media

extension PicturePreparation {
  /// Processes a progressive frame as a `MediaReader` does.
  /// - Throws: As `PictureScaling.scaled(_:path:)`, and `FFmpegError.unfitCrop` for a frame of another size.
  package func applied(to frame: CodedFrame, path: String) throws(FFmpegError) -> CodedFrame {
    var frame = frame
    if let crop {
      try crop.check(frame.size, frame.layout, byField: false, path: path)
      frame = frame.part(crop.area)
    }
    frame = try scaling?.scaled(frame, path: path) ?? frame
    return try padding?.padded(frame, ColorTags(), path: path) ?? frame
  }
}

extension PictureCrop {
  /// Checks that a picture can be cropped to the area.
  /// - Parameter byField: The picture is interlaced.
  /// - Throws: `FFmpegError.unfitCrop` for a picture of another size, `.undividedCrop` if it would split a chroma
  ///   sample.
  func check(_ size: Size, _ layout: PixelLayout, byField: Bool, path: String) throws(FFmpegError) {
    guard size == self.size else { throw .unfitCrop(area, of: self.size, actual: size, path: path) }
    let multiples = layout.cropMultiples(byField: byField)
    guard area.divides(size, multiples: multiples)
    else { throw .undividedCrop(area, multiples: multiples, path: path) }
  }
}

extension PicturePadding {
  /// A picture inside the border.
  /// - Parameter tags: Overrides of the file's tags.
  /// - Throws: `FFmpegError.unfitCrop` for a picture of another size.
  func padded(_ frame: CodedFrame, _ tags: ColorTags, path: String) throws(FFmpegError) -> CodedFrame {
    guard let result = padded(frame, tags) else {
      let expected = Size(width: picture.width, height: picture.height)
      throw .unfitCrop(picture, of: expected, actual: frame.size, path: path)
    }
    return result
  }
}

extension PictureScaling {
  /// Scales a frame as a `MediaReader` does.
  /// - Throws: `FFmpegError.unsupportedScale` for an invalid size, `.unsupportedPixelFormat` for linear samples, which
  ///   have no coded signal to scale.
  package func scaled(_ frame: CodedFrame, path: String) throws(FFmpegError) -> CodedFrame {
    guard let format = PixelFormats.format(of: frame.layout)
    else { throw .unsupportedPixelFormat(name: frame.layout.words, path: path) }
    let picture = try PicturePool(size: frame.size, layout: frame.layout, format: format).copy(of: frame)
    let color = frame.color
    unsafe picture.frame.pointee.color_primaries = color.avPrimaries
    unsafe picture.frame.pointee.color_trc = color.avTransfer
    unsafe picture.frame.pointee.colorspace = color.avMatrix
    unsafe picture.frame.pointee.color_range = color.avRange
    unsafe picture.frame.pointee.chroma_location = color.avChromaLocation
    let wrapper = FrameWrapper(video: VideoStreamInfo(still: frame), png: nil, isOfPictures: false, path: path)
    wrapper.preparation.scaling = self
    return try wrapper.wrap(picture).at(frame.time)
  }
}
