internal import CFFmpeg
internal import ColorScience
internal import Frames
internal import Media

/// Finds the colour tags of decoded pictures: from themselves, the header of a PNG file, the stream, an ICC profile;
/// and what pictures are without.
final class FrameTagger {
  private let stream: ColorTags
  private let png: PNGColor?
  private let isOfPictures: Bool
  /// The last profile that was looked at: frames of a stream have the same one.
  private var last: (bytes: [UInt8], profile: ICCProfile?)?
  /// Name of a profile that no description was found in, though nothing else gave one; "" without a name.
  private(set) var unrecognizedProfile: String?

  /// - Parameters:
  ///   - stream: What the container says.
  ///   - png: What the header of the file says that FFmpeg may not read.
  ///   - isOfPictures: The file is of a format of pictures, not of video.
  init(stream: ColorTags, png: PNGColor?, isOfPictures: Bool) {
    self.stream = stream
    self.png = png
    self.isOfPictures = isOfPictures
  }

  /// sRGB, in the Y'CbCr of JPEG. Source: JFIF 1.02 (1992), "Standards"; W3C PNG (2025), 4.3; IEC 61966-2-1.
  private static let ofPictures = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt470BG)

  /// The picture's own tags over those of the stream; a profile where neither says primaries or transfer.
  ///
  /// What is then missing of a picture that is no video is as for sRGB, unless its profile says that it is not.
  func tags(of picture: Picture) -> ColorTags {
    let (tags, isUnknown) = statedTags(of: picture)
    guard isOfPictures else { return tags }
    var usual = Self.ofPictures
    // PGM, JPEG 2000 and TIFF do not say so.
    if PixelFormats.isGray(picture.format) { usual.range = .full }
    if isUnknown { (usual.primaries, usual.transfer) = (nil, nil) }
    return tags.merged(over: usual)
  }

  /// - Returns: The tags, and whether there is a profile that would say more, and is not known.
  private func statedTags(of picture: Picture) -> (ColorTags, isUnknown: Bool) {
    let frame = unsafe picture.frame.pointee
    var own = unsafe ColorTags(
      primaries: frame.color_primaries, transfer: frame.color_trc, matrix: frame.colorspace,
      range: frame.color_range, chroma: frame.chroma_location)
    if PixelFormats.isFullRange(picture.format) { own.range = .full }
    var tags = own.merged(over: stream)
    if let png { tags = png.tags(over: tags) }
    guard tags.primaries == nil, tags.transfer == nil, let profile = profile(of: picture) else { return (tags, false) }
    if profile.tags == nil { unrecognizedProfile = profile.name ?? "" }
    return (tags.merged(over: profile.tags ?? ColorTags()), profile.tags == nil)
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
