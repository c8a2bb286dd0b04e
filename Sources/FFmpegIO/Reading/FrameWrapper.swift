internal import Bitstreams
internal import CFFmpeg
internal import ColorScience
internal import Compositing
internal import Frames
internal import Media

/// Wraps decoded pictures as coded frames, without copying if format and size allow it.
final class FrameWrapper {
  private let video: VideoStreamInfo
  private let path: String
  private let tagger: FrameTagger
  /// Processing of the pictures, except deinterlacing, which comes before.
  var preparation = PicturePreparation()
  /// The compositing of pictures with alpha.
  var compositing = Compositing()
  /// A note about alpha; nil while all pictures were opaque.
  private(set) var alphaNote: String?
  /// Converters to a layout, then to a size.
  private var converters: (layout: PictureConverter?, size: PictureConverter?)
  private var previous: FrameTime?
  /// The latest HDR10+ metadata from messages.
  private var recentHDR10Plus: [HDR10PlusMetadata] = []
  /// Maximum number of pictures that a decoder holds back.
  private static let picturesInDecoder = 32

  init(video: VideoStreamInfo, png: PNGColor?, isOfPictures: Bool, path: String) {
    (self.video, self.path) = (video, path)
    tagger = FrameTagger(stream: video.color, png: png, isOfPictures: isOfPictures)
  }

  /// Name of an unrecognized ICC profile of otherwise untagged frames; "" without a name.
  var unrecognizedProfile: String? { tagger.unrecognizedProfile }

  /// Metadata of the coded video sequence, if decoding began in its middle.
  var sequence = HDRMetadata()

  /// Forgets earlier pictures, after a seek.
  func reset() {
    previous = nil
    sequence = HDRMetadata()
  }

  /// - Parameter time: Time of the frame; nil: the picture's.
  func wrap(_ picture: Picture, at time: FrameTime? = nil) throws(FFmpegError) -> CodedFrame {
    let size = unsafe Size(width: Int(picture.frame.pointee.width), height: Int(picture.frame.pointee.height))
    guard size.width > 0, size.height > 0 else { throw .unsupportedSize(size, path: path) }
    let format = picture.format
    guard let stored = PixelFormats.layout(for: format) else {
      if PixelFormats.isFloat(format) {
        throw .floatingPointSamples(name: PixelFormats.name(format) ?? "unknown", path: path)
      }
      throw .unsupportedPixelFormat(name: PixelFormats.name(format) ?? "unknown", path: path)
    }
    let tags = tagger.tags(of: picture)
    // Applies to R'G'B' in Y'CbCr planes; FFmpeg's R'G'B' formats are R'G'B' regardless of the matrix tag.
    let layout = stored.components == .rgb ? stored : stored.read(by: tags.matrix ?? .unspecified)
    let color = tags.description(for: layout)
    let order: FieldOrder? =
      unsafe hr_frame_is_interlaced(picture.frame) == 0
      ? nil : hr_frame_is_top_first(picture.frame) != 0 ? .topFirst : .bottomFirst
    var image = Image(picture: picture, size: size, layout: layout)
    if PixelFormats.native(format) == nil {
      image = try convert(image, to: size, layout, color, isByField: order != nil, by: &converters.layout)
    }
    try composite(picture, image, color, isByField: order != nil)
    image = try crop(image, isByField: order != nil)
    if let target = preparation.scaling?.size(of: image.size), target != image.size {
      image = try scale(image, to: target, color, isByField: order != nil)
    } else if !image.isUpright {
      image.picture = try image.picture.upright(path: path)
    }
    var metadata = picture.metadata.merged(over: video.metadata).merged(over: sequence)
    metadata.adaptiveToneMap = picture.messages.toneMap
    noteHDR10Plus(of: picture, in: &metadata)
    let time = time ?? self.time(of: picture)
    let frame = unsafe CodedFrame(
      size: image.size, layout: image.layout, color: color, time: time, metadata: metadata,
      captions: picture.captions, isDamaged: picture.isDamaged, fieldOrder: order, planes: try planes(of: image),
      owner: image.picture)
    return try preparation.padding?.padded(frame, compositing.tags, path: path) ?? frame
  }

  /// Notes HDR10+ of pictures: FFmpeg's HEVC decoder repeats it for pictures that have none.
  private func noteHDR10Plus(of picture: Picture, in metadata: inout HDRMetadata) {
    let messages = picture.messages
    metadata.hdr10PlusMessage = messages.hdr10Plus
    let isOwn = metadata.hdr10Plus.map { !recentHDR10Plus.contains($0) } ?? false
    metadata.lacksHDR10PlusMessage = messages.hdr10Plus == nil && (messages.hasHDR10PlusBeside || isOwn)
    guard messages.hdr10Plus != nil, let own = metadata.hdr10Plus, isOwn else { return }
    recentHDR10Plus = recentHDR10Plus.suffix(Self.picturesInDecoder) + [own]
  }

  /// A picture during conversion to a frame.
  private struct Image {
    var picture: Picture
    var size: Size
    var layout: PixelLayout

    var isUpright: Bool {
      (0..<layout.planeCount).allSatisfy { unsafe hr_frame_stride(picture.frame, Int32($0)) > 0 }
    }
  }

  /// Composites a picture with transparency over the background. Formats with alpha are not native, so `image` is a
  /// copy.
  private func composite(
    _ picture: Picture, _ image: Image, _ color: ColorDescription, isByField: Bool
  ) throws(FFmpegError) {
    guard let alpha = AlphaPlane(picture), !alpha.isOpaque else { return }
    let format = PixelFormat(size: image.size, layout: image.layout, color: color)
    let compositor = AlphaCompositor(format, unit: video.metadata.linearUnit, isPremultiplied: false, compositing)
    alphaNote = compositing.note(isPremultiplied: false, isPossible: compositor != nil)
    let time = FrameTime(presentation: 0, duration: 0, timeBase: video.timeBase)
    let frame = unsafe CodedFrame(
      size: image.size, layout: image.layout, color: color, time: time, planes: try planes(of: image),
      owner: image.picture)
    // Chroma of one field must not affect the other.
    if isByField, image.layout.chromaShiftY > 0, image.layout.dividesIntoFields(height: image.size.height) {
      for field in Field.allCases { compositor?.composite(alpha.field(field), frame.field(field), field) }
    } else {
      compositor?.composite(alpha, frame)
    }
  }

  /// Crops a picture, over the same samples.
  private func crop(_ image: Image, isByField: Bool) throws(FFmpegError) -> Image {
    guard let crop = preparation.crop else { return image }
    try crop.check(image.size, image.layout, byField: isByField, path: path)
    var result = image
    result.picture = try image.picture.part(crop.area, path: path)
    result.size = Size(width: crop.area.width, height: crop.area.height)
    return result
  }

  private func convert(
    _ image: Image, to size: Size, _ layout: PixelLayout, _ color: ColorDescription, isByField: Bool,
    by converter: inout PictureConverter?
  ) throws(FFmpegError) -> Image {
    // If rows do not mix, as in R'G'B' of the same size, fields need no special treatment.
    let mixesRows = size != image.size || layout.components != .rgb
    let divides = layout.dividesIntoFields(height: size.height)
    let key = PictureConverter.Key(
      format: image.picture.format, size: image.size, targetLayout: layout, targetSize: size, color: color,
      isByField: isByField && mixesRows && divides)
    let made: PictureConverter
    if let converter, converter.converts(key) { made = converter } else { made = try PictureConverter(key, path: path) }
    converter = made
    return Image(picture: try made.convert(image.picture, path: path), size: size, layout: layout)
  }

  private func scale(
    _ image: Image, to size: Size, _ color: ColorDescription, isByField: Bool
  ) throws(FFmpegError) -> Image {
    var layout = image.layout
    layout.packing = .planar
    guard PictureScaling.extents.contains(size.width), PictureScaling.extents.contains(size.height)
    else { throw .unsupportedScale(from: image.size, to: size, path: path) }
    if isByField, ![image.size, size].allSatisfy({ layout.dividesIntoFields(height: $0.height) }) {
      throw .undividedFields(from: image.size, to: size, multiple: 2 << layout.chromaShiftY, path: path)
    }
    return try convert(image, to: size, layout, color, isByField: isByField, by: &converters.size)
  }

  private func planes(of image: Image) throws(FFmpegError) -> [CodedFrame.Plane] {
    guard let planes = unsafe image.picture.planes(image.layout, of: image.size)
    else { throw .unsupportedSize(image.size, path: path) }
    return unsafe planes
  }

  /// The picture's timestamp, FFmpeg's estimate, or one frame after the previous picture. Called once per picture.
  func time(of picture: Picture) -> FrameTime {
    let frame = unsafe picture.frame.pointee
    let duration = max(0, unsafe hr_frame_duration(picture.frame))
    let presentation =
      unsafe known(frame.best_effort_timestamp) ?? known(frame.pts)
      ?? previous.map { $0.presentation &+ ($0.duration > 0 ? $0.duration : nominalDuration) } ?? 0
    let time = FrameTime(presentation: presentation, duration: duration, timeBase: video.timeBase)
    previous = time
    return time
  }

  /// Duration of one frame at the average rate, at least one tick.
  var nominalDuration: Int64 { video.nominalDuration }
}

extension VideoStreamInfo {
  /// Duration of one frame at the average rate, at least one tick.
  var nominalDuration: Int64 {
    guard let rate = frameRate else { return 1 }
    let ticks = 1 / (rate.value * timeBase.value)
    return ticks.isFinite ? max(1, Int64(exactly: ticks.rounded()) ?? 1) : 1
  }
}
