public import ColorScience
package import Displays
public import Frames
package import ImageFiles
public import Rendering
public import ToneMapping

/// Processing of light between decoding and encoding: the mapping to a display, and conversions to the coded form.
public struct DisplayRendering: Sendable, Hashable, Codable {
  /// A conversion after the mapping.
  public enum Conversion: Sendable, Hashable, Codable {
    /// From display light to HLG scene light.
    case inverseOOTF(Display)
    /// From the linear components of one colour space to another's.
    case primaries(from: RGBSpace, to: RGBSpace)
    /// Gains of a display's primaries that fine-tune its white, applied to light in the given primaries.
    case white(SIMD3<Double>, display: RGBSpace, light: RGBSpace)

    var stage: (any Stage)? {
      switch self {
      case .inverseOOTF(let display): InverseOOTF(display: display)
      case .primaries(let source, let target): PrimariesConversion(from: source, to: target)
      case .white(let gains, let display, let light): PrimariesConversion(gains: gains, of: display, on: light)
      }
    }
  }

  /// nil: light stays as decoded.
  public var mapping: DisplayMapping.Settings?
  /// Dynamic metadata of a shot takes precedence over `mapping`.
  public var followsShots = true
  /// A requested reference white takes precedence over the metadata's.
  public var keepsReferenceWhite = false
  /// Conversions after the mapping, in order.
  public var conversions: [Conversion] = []

  package init(
    mapping: DisplayMapping.Settings? = nil, followsShots: Bool = true, keepsReferenceWhite: Bool = false,
    conversions: [Conversion] = []
  ) {
    (self.mapping, self.followsShots) = (mapping, followsShots)
    (self.keepsReferenceWhite, self.conversions) = (keepsReferenceWhite, conversions)
  }

  /// Returns the mapping for a shot.
  func mapping(for shot: ShotParameters?) -> DisplayMapping.Settings? {
    guard followsShots else { return mapping }
    var settings = mapping
    settings?.shot = shot
    if keepsReferenceWhite { settings?.shot?.referenceWhite = nil }
    return settings
  }

  /// Light stays as decoded.
  var leavesLight: Bool { mapping == nil && conversionStages.isEmpty }

  /// The stages after the mapping.
  var conversionStages: [any Stage] { conversions.compactMap(\.stage) }

  package func stages(for shot: ShotParameters?) -> [any Stage] {
    (mapping(for: shot).map { [DisplayMapping($0)] } ?? []) + conversionStages
  }
}

/// The target of rendered frames.
public struct RenderTarget: Sendable, Hashable, Codable {
  /// The format of coded frames, and how light becomes their signal.
  public var endpoint: FrameRenderer.Endpoint
  /// Area of the picture in frames with filter drawings or margins.
  public var picture: PictureArea
  /// Size to which the source's light is scaled before rotation; nil: not scaled.
  public var scaledSize: Size?
  /// Rotation of the picture before mapping.
  public var orientation = Orientation.identity
  /// Eight-bit samples are dithered.
  public var dithers = true
  /// Limit in cd/m² on the light of any decoding of a PQ picture; nil: unlimited.
  public var limit: Double?
  /// Limit in cd/m² on the light of any decoding of a PQ picture where something is drawn over it; nil: unlimited.
  public var graphicsLimit: Double?
  /// The mapping to the display, and the conversions after it.
  public var rendering = DisplayRendering()

  /// Size of the picture.
  var pictureSize: Size { Size(width: picture.width, height: picture.height) }

  /// Converts a position in the frame to one in the picture, both as fractions of width and height; nil: outside.
  package func place(inPicture place: SIMD2<Double>) -> SIMD2<Double>? {
    let frame = endpoint.format.size
    let result = SIMD2(
      (place.x * Double(frame.width) - Double(picture.x)) / Double(max(picture.width, 1)),
      (place.y * Double(frame.height) - Double(picture.y)) / Double(max(picture.height, 1)))
    return result.min() >= 0 && result.max() < 1 ? result : nil
  }

  var hasMargin: Bool { picture != PictureArea(endpoint.format.size) }

  /// Returns the limiter for `limit`; nil without a limit, and for linear samples.
  func limiter() throws(RenderingError) -> PeakLimiter? { try endpoint.limiter(limit) }

  /// Returns the limiter for `graphicsLimit` if `limit` has none.
  func graphicsLimiter() throws(RenderingError) -> PeakLimiter? {
    try limit == nil ? endpoint.limiter(graphicsLimit) : nil
  }
}

extension RenderTarget {
  /// Frames of a format with light coded for the display of a plan.
  /// - Parameter limit: Limit in cd/m² on the light of any decoding of a PQ picture; nil: unlimited.
  package init(
    _ plan: TargetPlan, _ format: PixelFormat, picture: Size, orientation: Orientation, dithers: Bool, limit: Double?
  ) {
    self.init(
      endpoint: FrameRenderer.Endpoint(format: format, transfer: plan.transfer, reach: plan.reach),
      picture: PictureArea(picture), orientation: orientation, dithers: dithers, limit: limit,
      rendering: plan.rendering)
  }
}

extension FrameRenderer.Endpoint {
  /// Returns the limiter for a peak in cd/m²; nil without a peak, and for samples that are not PQ code values.
  func limiter(_ peak: Double?) throws(RenderingError) -> PeakLimiter? {
    guard let peak, case .pq = transfer, format.layout.samples == .integer else { return nil }
    return try PeakLimiter(format: format, peak: peak)
  }
}

/// The encoding of light as samples of a colour space.
package struct OutputEncoding {
  package var transfer: SignalTransfer
  package var rendering = DisplayRendering()
  /// Luminance in cd/m² of 1.0 in linear samples; nil for HLG scene light, and if unknown.
  package var unit: Double?
  /// Luminance in cd/m² of 1.0, or of the largest code; nil for scene light.
  var white: Double?

  /// Peak in cd/m² for which HLG's OOTF is made unless a display is chosen.
  private static let referencePeak = EDRMetadata.defaultMaxLuminance

  /// Returns the encoding of light as decoded, without tone mapping.
  ///
  /// HLG is scene-referred in linear and HLG spaces; in others it is the light of a 1000 cd/m² reference display.
  /// - Parameters:
  ///   - content: Contents of the bands.
  ///   - space: Colour space of the samples. Code values cannot represent light above their peak; out-of-gamut colours
  ///     are mapped into the gamut.
  ///   - sdrWhite: Luminance of SDR white in cd/m².
  package static func decoded(
    _ content: ContentInterpretation, in space: ImageSpace, gamut: GamutMapping.Method, sdrWhite: Double
  ) -> OutputEncoding {
    let kind = content.metadata?.kind
    let unit: Double? =
      switch kind {
      // 1.0 is SDR white, whatever its luminance on a display.
      case nil: content.isUnmapped ? nil : sdrWhite
      case .hlg: nil
      case .hdr10(let scale): scale
      }
    if space.isLinear || kind == .hlg && space.transfer == .hlg {
      let target = space.primaries.space ?? .bt2020
      return OutputEncoding(
        transfer: space.isLinear ? .linear(unit: 1) : .hlg,
        rendering: DisplayRendering(conversions: [.primaries(from: content.primaries, to: target)]), unit: unit,
        white: space.isLinear ? unit : nil)
    }
    let peak =
      switch space.transfer {
      case .pq: PQ.peak
      case .hlg: Self.referencePeak
      default: sdrWhite
      }
    let display = Display(sdrWhite: sdrWhite, peak: peak, primaries: space.primaries.space ?? .bt709)
    let mapping = DisplayMapping.Settings(
      metadata: content.metadata, primaries: content.primaries, curve: .clip, gamut: gamut, display: display)
    return mapped(display, in: space, by: DisplayRendering(mapping: mapping, followsShots: false))
  }

  /// Returns the encoding of a plan's light.
  /// - Parameter model: The display whose native pixels `ImageSpace.display` contains.
  package static func mapped(_ plan: TargetPlan, in space: ImageSpace, for model: DisplayModel?) -> OutputEncoding {
    guard space == .display, let model else { return mapped(plan.display, in: space, by: plan.rendering) }
    return OutputEncoding(
      transfer: plan.transfer, rendering: plan.rendering, unit: plan.display.sdrWhite,
      white: model.transfer == .pq ? PQ.peak : model.peak)
  }

  /// Returns the encoding of display-referred light.
  /// - Parameters:
  ///   - display: The display: 1.0 is its SDR white, and it has the primaries of `space`.
  ///   - rendering: Maps light to the display.
  package static func mapped(_ display: Display, in space: ImageSpace, by rendering: DisplayRendering) -> OutputEncoding
  {
    let unit = display.sdrWhite
    var rendering = rendering
    rendering.conversions.removeAll { if case .inverseOOTF = $0 { true } else { false } }
    switch space.transfer {
    case .linear: return OutputEncoding(transfer: .linear(unit: 1), rendering: rendering, unit: unit, white: unit)
    case .pq: return OutputEncoding(transfer: .pq(unit: unit), rendering: rendering, unit: unit, white: PQ.peak)
    case .hlg:
      rendering.conversions.append(.inverseOOTF(display))
      return OutputEncoding(transfer: .hlg, rendering: rendering, unit: unit)
    default:
      return OutputEncoding(
        transfer: .sRGB(peak: display.headroom), rendering: rendering, unit: unit,
        white: display.sdrWhite * display.headroom)
    }
  }
}
