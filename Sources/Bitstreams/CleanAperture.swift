internal import Frames
package import Media

/// The area of coded pictures that a container shows: `PixelCrop` of Matroska, `clap` of MP4 and QuickTime. FFmpeg
/// before 7.1 does not read these, and no version crops by them.
package struct CleanAperture: Sendable, Equatable {
  /// Size of the coded pictures.
  let size: Size
  /// The area that is shown.
  let area: PictureArea
  /// Display size in square samples; nil: the area has the sample aspect ratio of the stream.
  let shape: Size?

  /// - Returns: nil if the whole picture is shown, or the area is not inside it.
  init?(_ area: PictureArea, of size: Size, shape: Size?) {
    guard area.isInside(size), area != PictureArea(size) else { return nil }
    (self.size, self.area, self.shape) = (size, area, shape)
  }
}

extension VideoStreamInfo {
  /// Crops to the area that the container shows, enlarged if it would split chroma samples or exchange fields.
  package mutating func crop(to aperture: CleanAperture) {
    let (area, size) = (aperture.area, aperture.size)
    guard size == self.size, let layout else { return }
    let kept = area.enlarged(in: size, multiples: layout.cropMultiples(byField: isInterlaced))
    guard kept != PictureArea(size) else { return }
    if let shape = aperture.shape,
      let scaling = PictureScaling(width: .samples(area.width), height: .samples(area.height))
    {
      sampleAspectRatio = scaling.sampleAspectRatio(nil, of: shape)
    }
    self.aperture = PictureCrop(kept, of: size)
    self.size = Size(width: kept.width, height: kept.height)
  }
}
