internal import CFFmpeg
internal import ColorScience
internal import Frames

/// Finds the colour tags of decoded pictures: from themselves, the header of a PNG file, the stream, an ICC profile.
final class FrameTagger {
  private let stream: ColorTags
  private let png: PNGColor?
  /// The last profile that was looked at: frames of a stream have the same one.
  private var last: (bytes: [UInt8], profile: ICCProfile?)?
  /// Name of a profile that no description was found in, though nothing else gave one; "" without a name.
  private(set) var unrecognizedProfile: String?

  /// - Parameters:
  ///   - stream: What the container says.
  ///   - png: What the header of the file says that FFmpeg may not read.
  init(stream: ColorTags, png: PNGColor?) {
    self.stream = stream
    self.png = png
  }

  /// The picture's own tags over those of the stream; a profile where neither says primaries or transfer.
  func tags(of picture: Picture) -> ColorTags {
    let frame = unsafe picture.frame.pointee
    var own = unsafe ColorTags(
      primaries: frame.color_primaries, transfer: frame.color_trc, matrix: frame.colorspace,
      range: frame.color_range, chroma: frame.chroma_location)
    if PixelFormats.native(picture.format)?.isFullRange == true { own.range = .full }
    var tags = own.merged(over: stream)
    if let png { tags = png.tags(over: tags) }
    guard tags.primaries == nil, tags.transfer == nil, let profile = profile(of: picture) else { return tags }
    if profile.tags == nil { unrecognizedProfile = profile.name ?? "" }
    return tags.merged(over: profile.tags ?? ColorTags())
  }

  private func profile(of picture: Picture) -> ICCProfile? {
    guard let data = unsafe av_frame_get_side_data(picture.frame, AV_FRAME_DATA_ICC_PROFILE) else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size))
    if let last, unsafe last.bytes.elementsEqual(bytes) { return last.profile }
    let copy = unsafe Array(bytes)
    let profile = ICCProfile(copy)
    last = (copy, profile)
    return profile
  }
}
