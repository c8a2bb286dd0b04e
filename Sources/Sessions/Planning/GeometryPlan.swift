internal import Compositing
internal import FFmpegIO
public import Frames
public import Media

/// How the picture is deinterlaced, cropped, scaled and rotated, in this order.
public struct GeometryPlan: Sendable, Hashable, Codable {
  /// How interlaced pictures are deinterlaced; nil: their fields stay.
  public let deinterlacing: Deinterlacing?
  /// The part that is kept, in samples of the decoded picture; nil: all of it.
  public private(set) var crop: PictureCrop?
  /// Scaling before the rotation; nil: none.
  public let scaling: PictureScaling?
  /// A border before the rotation; nil: none.
  public private(set) var padding: PicturePadding?
  /// How pixels are rotated.
  public let orientation: Orientation
  /// Rotation that is left to the player.
  public let displayMatrix: DisplayMatrix?
  private let statedAspect: Rational?
  /// Sample aspect ratio of the output; nil: unknown.
  public private(set) var sampleAspectRatio: Rational?

  /// - Parameters:
  ///   - video: The stream that is read.
  ///   - name: Name of the input.
  ///   - request: What is done; an automatic crop is set once it is known (`crop(to:of:)`).
  package init(_ video: VideoStreamInfo, name: String, _ request: GeometryRequest) throws(Refusal) {
    var orientation = Orientation.identity
    if request.bakesRotation, let matrix = video.displayMatrix {
      guard let turn = matrix.orientation else {
        throw .failed(
          "unsupported-rotation",
          "'\(name)' is displayed rotated by \(video.rotation.words)°, which is neither a quarter turn nor a mirror "
            + "image: transcode without \(.bakeRotation) leaves it to the player, dump \(.noBakeRotation) leaves it as "
            + "it is.")
      }
      orientation = turn
    }
    self.orientation = orientation
    deinterlacing = request.deinterlacing
    displayMatrix = request.bakesRotation ? nil : video.displayMatrix
    statedAspect = request.sampleAspect
    // The requested size is that of the output.
    scaling = orientation.swapsAxes ? request.scale?.transposed : request.scale
    setAspect(video)
    if let area = try request.crop?.area(of: video, orientation, byField: keepsFields(of: video)) {
      self.crop(to: area, of: video)
    }
    // Without the bars that are still to be found, the size is not known.
    if request.crop != .automatic {
      padding = try request.padding?.plan(around: size(of: video), orientation, video, byField: keepsFields(of: video))
    }
  }

  /// Size of what is kept and scaled.
  private func size(of video: VideoStreamInfo) -> Size {
    let kept = crop.map { Size(width: $0.area.width, height: $0.area.height) } ?? video.size
    return scaling?.size(of: kept) ?? kept
  }

  /// Whether fields have to keep their rows.
  func keepsFields(of video: VideoStreamInfo) -> Bool { deinterlacing == nil && video.isInterlaced }

  /// Keeps a part of the decoded picture.
  mutating func crop(to area: PictureArea, of video: VideoStreamInfo) {
    crop = PictureCrop(area, of: video.size)
    setAspect(video)
  }

  private mutating func setAspect(_ video: VideoStreamInfo) {
    let size = crop.map { Size(width: $0.area.width, height: $0.area.height) } ?? video.size
    let ratio = scaling.map { $0.sampleAspectRatio(video.sampleAspectRatio, of: size) } ?? video.sampleAspectRatio
    sampleAspectRatio = statedAspect ?? ratio.map(orientation.rotated(sampleAspectRatio:))
  }

  /// What is worth knowing once the first frame was read.
  func notes(_ reader: any MediaInput) -> [Message] {
    guard deinterlacing != nil, reader.statistics.deinterlacedPictures == 0 else { return [] }
    return [
      Message(
        "nothing-to-deinterlace",
        "'\(reader.info.url)' begins with progressive pictures: \(.deinterlace) leaves these as they are.")
    ]
  }

  /// What the reader does.
  var preparation: PicturePreparation {
    PicturePreparation(deinterlacing: deinterlacing, crop: crop, scaling: scaling, padding: padding)
  }

  /// The part that is kept, as the output shows it.
  public var shownCrop: PictureArea? { crop.map { shown($0.area, of: $0.size) } }

  /// A part of decoded pictures, as the output shows it.
  func shown(_ area: PictureArea, of size: Size) -> PictureArea {
    orientation.inverse.source(of: area, in: orientation.rotated(size))
  }

  /// What is done: "cropped to 1920x800+0+140, scaled and rotated"; nil: nothing.
  public var steps: String? {
    let steps = [
      deinterlacing.map { $0 == .field ? "deinterlaced to a frame for each field" : "deinterlaced" },
      shownCrop.map { "cropped to \($0)" }, scaling == nil ? nil : "scaled",
      padding == nil ? nil : "padded", orientation == .identity ? nil : "rotated",
    ].compactMap(\.self)
    guard let last = steps.last else { return nil }
    return steps.count == 1 ? last : steps.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Averages of light that the input states are of another picture.
  var changesAverages: Bool { crop != nil || padding != nil }

  /// The steps end with a size that they do not state.
  var changesSize: Bool { scaling != nil || padding != nil || orientation != .identity }
}

extension GeometryRequest.Padding {
  /// The border around decoded pictures.
  /// - Parameters:
  ///   - picture: Size of what is bordered.
  ///   - orientation: How pixels are rotated afterwards.
  ///   - byField: Fields keep their rows.
  /// - Throws: `Refusal` if the picture does not fit, or cannot lie there.
  fileprivate func plan(
    around picture: Size, _ orientation: Orientation, _ video: VideoStreamInfo, byField: Bool
  ) throws(Refusal) -> PicturePadding {
    let shown = orientation.rotated(picture)
    let multiples = orientation.rotated((video.layout ?? .assumed).cropMultiples(byField: byField))
    let (x, y) = ((size.width - shown.width) / 2, (size.height - shown.height) / 2)
    let area = PictureArea(
      x: origin?.x ?? max(x, 0).rounded(downTo: multiples.width),
      y: origin?.y ?? max(y, 0).rounded(downTo: multiples.height),
      width: shown.width, height: shown.height)
    guard area.isInside(size) else {
      throw .invalid(
        "picture-larger-than-pad",
        "\(.pad, "\(size.width):\(size.height)") does not have room for the \(shown) picture there.")
    }
    let whole = orientation.rotated(size)
    let place = orientation.source(of: area, in: whole)
    let own = orientation.rotated(multiples)
    guard place.x % own.width == 0, place.y % own.height == 0 else {
      throw .invalid(
        "pad-not-aligned",
        "The picture cannot begin at \(area.x):\(area.y) of \(.pad): X has to be a multiple of \(multiples.width), Y of "
          + "\(multiples.height).")
    }
    return PicturePadding(around: place, size: whole, light: color.light)
  }
}

extension CropRequest {
  /// The part of decoded pictures; nil: it has to be looked for.
  /// - Parameters:
  ///   - orientation: How pixels are rotated.
  ///   - byField: Fields keep their rows.
  /// - Throws: `Refusal` if it does not lie inside of the picture, or cannot be cut out of it.
  fileprivate func area(
    of video: VideoStreamInfo, _ orientation: Orientation, byField: Bool
  ) throws(Refusal) -> PictureArea? {
    let shown = orientation.rotated(video.size)
    let multiples = (video.layout ?? .assumed).cropMultiples(byField: byField)
    let wanted: PictureArea
    switch self {
    case .automatic: return nil
    case .area(let area): wanted = area
    case .centered(let size):
      wanted = PictureArea(
        x: max(shown.width - size.width, 0) / 2, y: max(shown.height - size.height, 0) / 2, width: size.width,
        height: size.height)
    }
    guard wanted.isInside(shown) else {
      throw .invalid("crop-outside-picture", "\(.crop, wanted.argument) lies outside the \(shown) picture.")
    }
    var area = orientation.source(of: wanted, in: video.size)
    if case .centered = self {
      // As ffmpeg: a middle between two possible places is the first of them.
      (area.x, area.y) = (area.x.rounded(downTo: multiples.width), area.y.rounded(downTo: multiples.height))
    }
    guard area.divides(video.size, multiples: multiples) else {
      let nearest = orientation.inverse.source(of: area.nearest(in: video.size, multiples: multiples), in: shown)
      throw .invalid(
        .unevenCrop(wanted, multiples: orientation.rotated(multiples), byField: byField, nearest: nearest))
    }
    return area
  }
}

extension Message {
  /// The crop would cut chroma samples in two, or interchange fields.
  /// - Parameters:
  ///   - multiples: What sizes and places have to be multiples of.
  ///   - nearest: A possible area.
  fileprivate static func unevenCrop(
    _ area: PictureArea, multiples: Size, byField: Bool, nearest: PictureArea
  ) -> Message {
    let reason = byField ? ", because it is interlaced" : ""
    let end: MessageText = byField ? "; \(.deinterlace) allows finer steps." : "."
    return Message(
      "crop-not-aligned",
      "\(.crop, area.argument) cannot be cut out of this video: W and X have to be multiples of "
        + "\(multiples.width), H and Y of \(multiples.height)\(reason). The nearest is \(nearest.argument)\(end)")
  }
}

extension PixelLayout {
  /// What a stream of unknown layout is taken for.
  static let assumed = PixelLayout(.ycbcr420, bitDepth: 8)
}

extension PictureArea {
  /// An area that a picture can be cut to, with the nearest size and place.
  fileprivate func nearest(in size: Size, multiples: Size) -> PictureArea {
    func nearest(_ first: Int, _ count: Int, _ whole: Int, _ multiple: Int) -> (Int, Int) {
      let count = max((count + multiple / 2).rounded(downTo: multiple), multiple)
      if count >= whole { return (0, whole) }
      return (min((first + multiple / 2).rounded(downTo: multiple), (whole - count).rounded(downTo: multiple)), count)
    }
    let (x, width) = nearest(x, width, size.width, multiples.width)
    let (y, height) = nearest(y, height, size.height, multiples.height)
    return PictureArea(x: x, y: y, width: width, height: height)
  }
}

extension Int {
  /// The largest multiple that is not larger; for numbers from 0.
  fileprivate func rounded(downTo multiple: Int) -> Int { self / multiple * multiple }
}
