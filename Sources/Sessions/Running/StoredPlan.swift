internal import ColorScience
internal import FFmpegIO
internal import Filters
internal import Frames
internal import ImageFiles
internal import Media
internal import Rendering
internal import Subtitles
internal import ToneMapping

/// A plan read back from a file.
///
/// The file may have been changed, checksum included. Values that follow from the request and the source are therefore
/// derived again, and values that no request and input could have produced are rejected.
package protocol StoredPlan: Codable, Sendable {
  /// Its parts fit together.
  var isSound: Bool { get }
}

extension AnyPlan: StoredPlan {
  package var isSound: Bool {
    switch self {
    case .transcode(let plan): plan.isSound
    case .pictures(let plan): plan.isSound
    case .scopes(let plan): plan.isSound
    case .pattern(let plan): (try? plan.request.validate()) != nil && (try? PatternPlan(plan.request)) == plan
    }
  }
}

extension TranscodePlan {
  /// Derived values still follow from the request and the source.
  package var isSound: Bool {
    guard (try? request.validate()) != nil, let filters = try? request.parsedFilters(),
      videoIndex >= 0, streams.passed.allSatisfy({ $0 >= 0 }), selection.selection == request.selection,
      decoded.size.isPossible, video.size.isPossible, geometry.isSound(decoded.size),
      video.size == Filter.frameSize(filters, picture: geometry.orientation.rotated(decoded.size)),
      video.timeBase.isPositive, video.frameRate?.isPositive ?? true, measured?.isSound ?? true
    else { return false }
    return source.isSound(request.input, measured) && source.layout == source.reading(decoded).layout && isTargetSound
      && subtitles?.isSound(pictureSize: renderTarget.pictureSize) ?? true
  }

  /// The target follows from the source, except for metadata determined by a measurement or by other displays.
  private var isTargetSound: Bool {
    // The layout that an encoder prefers is known only where it is installed.
    guard let filters = try? request.parsedFilters(),
      var derived = try? TargetPlan(source, request, filters: filters),
      request.coding.layout ?? video.layout == video.layout
    else { return false }
    derived.code(as: video.layout, of: source)
    (derived.metadata, derived.limit) = (target.metadata, target.limit)
    return derived == target && video.color == target.color
      && target.limit.map { 0...PQ.peak ~= $0 } ?? true
  }
}

extension PicturePlan {
  fileprivate var isSound: Bool {
    guard (try? request.validate()) != nil, decoded.size.isPossible, geometry.isSound(decoded.size),
      measured?.isSound ?? true, source.isSound(request.input, measured),
      let form = try? PictureForm(request, color: decoded.color), form.space == space, form.stage == stage,
      var derived = try? form.rendering(of: source, decoded, orientation: geometry.orientation)
    else { return false }
    // A measurement may have determined it.
    derived.metadata.contentLight = rendering.metadata.contentLight
    return derived == rendering
  }
}

extension ScopesPlan {
  fileprivate var isSound: Bool {
    guard (try? request.validate()) != nil, (try? selection.selection.validate()) != nil, decoded.size.isPossible,
      geometry.isSound(decoded.size), source.isSound(request.input)
    else { return false }
    let size = request.size.scaled(by: request.scale)
    switch form {
    case .pictures(let format):
      return format == request.pictureFormat && target.format == format.pixelFormat(size, in: .sRGB, bitDepth: 8)
        && target.transfer == .sRGB(peak: 1)
    case .video(let video):
      return video.size == size && video.timeBase.isPositive && video.frameRate?.isPositive ?? true
        && target == FrameRenderer.Endpoint(format: video.pixelFormat, transfer: .bt1886(peak: 1))
    }
  }
}

extension SourcePlan {
  fileprivate func isSound(_ input: InputRequest, _ measured: MeasuredLight? = nil) -> Bool {
    let derived = try? SourcePlan.interpretation(
      color, metadata, stated: input.overrides.descriptor, name: input.name)
    // SDR has no light that a measurement replaces.
    let light = interpretation.metadata == nil ? nil : measured?.contentLight
    return derived == interpretation && measuredLight == light
      && 1e-6...1e6 ~= metadata.linearUnit ?? 1
  }
}

extension MeasuredLight {
  fileprivate var isSound: Bool {
    0...20_000 ~= maxCLL && 0...20_000 ~= maxFALL && 0...20_000 ~= peak && frameCount >= 0
  }
}

extension GeometryPlan {
  /// - Parameter size: Size of decoded pictures.
  fileprivate func isSound(_ size: Size) -> Bool {
    guard let crop else { return true }
    let kept = Size(width: crop.area.width, height: crop.area.height)
    return crop.area.isInside(crop.size) && (scaling.map { $0.size(of: kept) } ?? kept) == size
  }
}

extension SubtitlePlan {
  fileprivate func isSound(pictureSize: Size) -> Bool {
    index >= 0 && offset.magnitude <= 1e9 && 1...10_000 ~= luminance
      && geometry.size == geometry.turn.rotated(pictureSize) && geometry.storage.isPossible
      && 1e-4...1e4 ~= geometry.pixelAspect
  }
}

extension Size {
  fileprivate var isPossible: Bool { width > 0 && height > 0 && width * height <= ReadLimits().maxPixels }
}

extension Rational {
  fileprivate var isPositive: Bool { numerator > 0 && denominator > 0 }
}
