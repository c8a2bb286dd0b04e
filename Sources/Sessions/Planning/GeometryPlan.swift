internal import Compositing
internal import FFmpegIO
public import Frames
public import Media

/// Deinterlacing, cropping, scaling and rotation of the picture, in this order.
public struct GeometryPlan: Sendable, Hashable, Codable {
  /// Deinterlacing; nil: fields are kept.
  public let deinterlacing: Deinterlacing?
  /// The area kept, in samples of the decoded picture; nil: all.
  public private(set) var crop: PictureCrop?
  /// Scaling before the rotation; nil: none.
  public let scaling: PictureScaling?
  /// A border before the rotation; nil: none.
  public private(set) var padding: PicturePadding?
  /// Rotation of pixels.
  public let orientation: Orientation
  /// Rotation left to the player.
  public let displayMatrix: DisplayMatrix?
  private let statedAspect: Rational?
  /// Sample aspect ratio of the output; nil: unknown.
  public private(set) var sampleAspectRatio: Rational?

  /// - Parameters:
  ///   - video: The video stream.
  ///   - name: Name of the input.
  ///   - request: The requested geometry; an automatic crop is set once it is known (`crop(to:of:)`).
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
    // The requested size is the output's.
    scaling = orientation.swapsAxes ? request.scale?.transposed : request.scale
    setAspect(video)
    if let area = try request.crop?.area(of: video, orientation, byField: keepsFields(of: video)) {
      self.crop(to: area, of: video)
    }
    // The size is unknown until the bars have been detected.
    if request.crop != .automatic {
      padding = try request.padding?.plan(around: size(of: video), orientation, video, byField: keepsFields(of: video))
    }
  }

  /// Returns the size of the cropped and scaled picture.
  private func size(of video: VideoStreamInfo) -> Size {
    let kept = crop.map { Size(width: $0.area.width, height: $0.area.height) } ?? video.size
    return scaling?.size(of: kept) ?? kept
  }

  /// Whether fields have to keep their rows.
  func keepsFields(of video: VideoStreamInfo) -> Bool { deinterlacing == nil && video.isInterlaced }

  /// Crops the decoded picture to an area.
  mutating func crop(to area: PictureArea, of video: VideoStreamInfo) {
    crop = PictureCrop(area, of: video.size)
    setAspect(video)
  }

  private mutating func setAspect(_ video: VideoStreamInfo) {
    let size = crop.map { Size(width: $0.area.width, height: $0.area.height) } ?? video.size
    let ratio = scaling.map { $0.sampleAspectRatio(video.sampleAspectRatio, of: size) } ?? video.sampleAspectRatio
    sampleAspectRatio = statedAspect ?? ratio.map(orientation.rotated(sampleAspectRatio:))
  }

  /// Returns notes that become known with the first frame.
  func notes(_ reader: any MediaInput) -> [Message] {
    guard deinterlacing != nil, reader.statistics.deinterlacedPictures == 0 else { return [] }
    return [
      Message(
        "nothing-to-deinterlace",
        "'\(reader.info.url)' begins with progressive pictures: \(.deinterlace) leaves these as they are.")
    ]
  }

  /// The preparation done by the reader.
  var preparation: PicturePreparation {
    PicturePreparation(deinterlacing: deinterlacing, crop: crop, scaling: scaling, padding: padding)
  }

  /// The area kept, in coordinates of the output.
  public var shownCrop: PictureArea? { crop.map { shown($0.area, of: $0.size) } }

  /// Converts an area of decoded pictures to coordinates of the output.
  func shown(_ area: PictureArea, of size: Size) -> PictureArea {
    orientation.inverse.source(of: area, in: orientation.rotated(size))
  }

  /// Summary of the steps: "cropped to 1920x800+0+140, scaled and rotated"; nil: none.
  public var steps: String? {
    let steps = [
      deinterlacing.map { $0 == .field ? "deinterlaced to a frame for each field" : "deinterlaced" },
      shownCrop.map { "cropped to \($0)" }, scaling == nil ? nil : "scaled",
      padding == nil ? nil : "padded", orientation == .identity ? nil : "rotated",
    ].compactMap(\.self)
    guard let last = steps.last else { return nil }
    return steps.count == 1 ? last : steps.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Light averages stated by the input do not apply to the output.
  var changesAverages: Bool { crop != nil || padding != nil }

  /// The final size does not follow from the summary of the steps.
  var changesSize: Bool { scaling != nil || padding != nil || orientation != .identity }
}

extension GeometryRequest.Padding {
  /// Returns the border around decoded pictures.
  /// - Parameters:
  ///   - picture: Size of the picture without the border.
  ///   - orientation: Rotation applied afterwards.
  ///   - byField: Fields keep their rows.
  /// - Throws: `Refusal` if the picture does not fit, or its position is impossible.
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
  /// Returns the crop area in decoded pictures; nil: to be detected.
  /// - Parameters:
  ///   - orientation: Rotation of pixels.
  ///   - byField: Fields keep their rows.
  /// - Throws: `Refusal` if it exceeds the picture, or cannot be cropped exactly.
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
      // As in ffmpeg: a centre between two possible positions becomes the first of them.
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
  /// The crop would split chroma samples, or swap fields.
  /// - Parameters:
  ///   - multiples: Required multiples of sizes and positions.
  ///   - nearest: The nearest possible area.
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
  /// Layout assumed for a stream of unknown layout.
  static let assumed = PixelLayout(.ycbcr420, bitDepth: 8)
}

extension PictureArea {
  /// Returns the possible crop area with the nearest size and position.
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
  /// Rounds a non-negative number down to a multiple.
  fileprivate func rounded(downTo multiple: Int) -> Int { self / multiple * multiple }
}
