internal import Frames
package import Media

/// The part of coded pictures that a container shows: `PixelCrop` of Matroska, `clap` of MP4 and QuickTime. FFmpeg reads
/// neither before 7.1, and crops by neither.
package struct CleanAperture: Sendable, Equatable {
  /// Size of the coded pictures.
  let size: Size
  /// The part that is shown.
  let area: PictureArea
  /// Width and height in which the part is shown, in square samples; nil: it has the sample aspect ratio of the stream.
  let shape: Size?

  /// - Returns: nil if the whole picture is shown, or the part is not inside of it.
  init?(_ area: PictureArea, of size: Size, shape: Size?) {
    guard area.isInside(size), area != PictureArea(size) else { return nil }
    (self.size, self.area, self.shape) = (size, area, shape)
  }
}

extension VideoStreamInfo {
  /// Crops the stream to what its container shows. Where that would divide chroma samples, or move a field, more is kept.
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
