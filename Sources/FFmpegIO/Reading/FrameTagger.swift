internal import Bitstreams
internal import CFFmpeg
internal import ColorScience
internal import Frames
internal import Media

/// Determines the colour tags of decoded pictures: from the picture, the header of a PNG file, the stream, or an ICC
/// profile, with defaults for stills.
final class FrameTagger {
  private let stream: ColorTags
  private let png: PNGColor?
  private let isOfPictures: Bool
  /// The last profile seen: frames of a stream usually share one.
  private var last: (bytes: [UInt8], profile: ICCProfile?)?
  /// Name of an unrecognized profile of otherwise untagged frames; "" without a name.
  private(set) var unrecognizedProfile: String?

  /// - Parameter png: Tags in the file header that FFmpeg may not read.
  init(stream: ColorTags, png: PNGColor?, isOfPictures: Bool) {
    (self.stream, self.png, self.isOfPictures) = (stream, png, isOfPictures)
  }

  /// sRGB, in the Y'CbCr of JPEG. Source: JFIF 1.02 (1992), "Standards"; W3C PNG (2025), 4.3; IEC 61966-2-1.
  private static let ofPictures = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt470BG)

  /// The picture's tags merged over the stream's; a profile fills missing primaries or transfer.
  ///
  /// Missing tags of stills default to sRGB, unless there is an unrecognized profile.
  func tags(of picture: Picture) -> ColorTags {
    let (tags, isUnknown) = statedTags(of: picture)
    guard isOfPictures else { return tags }
    var assumed = Self.ofPictures
    // PGM, JPEG 2000 and TIFF do not signal it.
    if PixelFormats.isGray(picture.format) { assumed.range = .full }
    if isUnknown { (assumed.primaries, assumed.transfer) = (nil, nil) }
    return tags.merged(over: assumed)
  }

  /// - Returns: The tags, and whether there is an unrecognized profile.
  private func statedTags(of picture: Picture) -> (ColorTags, isUnknown: Bool) {
    let frame = unsafe picture.frame.pointee
    var own = unsafe ColorTags(
      primaries: frame.color_primaries, transfer: frame.color_trc, matrix: frame.colorspace,
      range: frame.color_range, chroma: frame.chroma_location)
    if PixelFormats.isFullRange(picture.format) { own.range = .full }
    var tags = own.merged(over: stream)
    if let png { tags = png.tags(over: tags) }
    guard tags.primaries == nil, tags.transfer == nil else { return (tags, false) }
    let profile = profile(of: picture)
    // A profile that is too long is in the file, but not in the picture.
    guard profile != nil || png?.isOfProfile ?? false else { return (tags, false) }
    if profile?.tags == nil { unrecognizedProfile = profile?.name ?? "" }
    return (tags.merged(over: profile?.tags ?? ColorTags()), profile?.tags == nil)
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
