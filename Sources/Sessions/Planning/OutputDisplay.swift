internal import ColorScience
internal import Displays
internal import Foundation
internal import Rendering
internal import ToneMapping

/// The target display of an output, and the primaries of its coded light.
struct OutputDisplay {
  private(set) var display: Display
  let codedPrimaries: RGBSpace

  /// - Parameters:
  ///   - source: The source as the display sees it: in reference mode without its metadata.
  ///   - format: The content's format in reference mode.
  ///   - primaries: Coded primaries; nil: the default of the output kind.
  ///   - keepsLight: PQ and linear light are unchanged.
  /// - Throws: `Refusal` for a black level that is too high for the display.
  init(
    _ source: SourcePlan, _ request: MappingRequest, format: ReferenceFormat?, primaries: RGBSpace?,
    referenceWhite: Double, keepsLight: Bool
  ) throws(Refusal) {
    let model = request.display?.model
    display =
      request.display.map { Self.of($0, request) } ?? Self.assumed(source, request, referenceWhite, keepsLight)
    codedPrimaries = primaries ?? (request.kind == .display ? model?.primaries : nil) ?? display.primaries
    // SDR code values are shown in their own primaries.
    display.primaries = request.kind == .sdr ? codedPrimaries : model?.primaries ?? codedPrimaries
    if request.isReference {
      // Super-white included.
      if format?.isHDR == false { display.peak = display.sdrWhite }
    } else {
      // A dimmed backlight also lowers the black level.
      let most = display.peak / 2
      let stated = model.map { min(request.black ?? Self.black($0, request), most) }
      (display.black, display.surround) = (stated ?? request.black ?? 0, request.surround)
      guard display.black <= most else {
        throw .invalid(.outOfRange(.black, display.black, 0...most, unit: "cd/m²"))
      }
    }
  }

  /// Returns a display with the properties that the output kind requires.
  private static func assumed(
    _ source: SourcePlan, _ request: MappingRequest, _ referenceWhite: Double, _ keepsLight: Bool
  ) -> Display {
    switch request.kind {
    case .sdr:
      let white = request.sdrWhite ?? min(EDRMetadata.defaultOpticalOutputScale, request.peak ?? .infinity)
      return Display(sdrWhite: white, peak: request.peak ?? white, primaries: .bt709)
    case .hdr10:
      let peak = keepsLight ? PQ.peak : hdr10Peak(source, request, referenceWhite)
      return hdr(peak: peak, request, referenceWhite)
    case .hlg, .display:
      let peak = request.peak ?? max(EDRMetadata.defaultMaxLuminance, request.sdrWhite ?? 0)
      return hdr(peak: peak, request, referenceWhite)
    }
  }

  /// Returns the black level to compensate: none for displays with a pure power curve, which add it themselves.
  private static func black(_ model: DisplayModel, _ request: MappingRequest) -> Double {
    request.kind == .display && ![.pq, .bt1886].contains(model.transfer) ? 0 : model.black
  }

  /// Returns the display to render for. SDR ends at its white, whatever the display's peak. A requested SDR white does
  /// not change the peak.
  static func of(_ chosen: DisplayStatus, _ request: MappingRequest) -> Display {
    let white = request.sdrWhite ?? min(chosen.sdrWhite, request.peak ?? .infinity)
    let isSDR = request.kind == .sdr
    let most = request.sdrWhite == nil ? white * chosen.currentHeadroom : chosen.model.peak
    return Display(
      sdrWhite: white, peak: request.peak ?? (isSDR ? white : most),
      primaries: isSDR ? .bt709 : .bt2020)
  }

  private static func hdr10Peak(_ source: SourcePlan, _ request: MappingRequest, _ referenceWhite: Double) -> Double {
    let edr = source.interpretation.metadata
    let gain = request.isExpanded ? 1 : exp2(request.exposure)
    let content =
      switch edr?.kind {
      // MaxCLL may be understated: nothing within the mastering display's peak is clipped.
      case .hdr10: edr.map { max($0.contentPeak, $0.maxLuminance) }
      case .hlg: keepsPeak(request) ? EDRMetadata.defaultMaxLuminance : hlgPeak(source)
      case nil where request.isExpanded: EDRMetadata.defaultMaxLuminance
      case nil: (request.sdrWhite ?? referenceWhite) * source.superWhite()
      }
    // A lower exposure needs room for diffuse white, which would otherwise be darkened again.
    let least = gain < 1 ? min(content ?? 0, referenceWhite) : 0
    return request.peak ?? min(max((content ?? 0) * gain, least, request.sdrWhite ?? 0), PQ.peak)
  }

  /// Returns whether a brighter display would change the picture, as with a non-default curve or an OOTF made for it.
  private static func keepsPeak(_ request: MappingRequest) -> Bool {
    request.curve != nil || request.hlgOOTF == .display
  }

  /// Returns the light of HLG super-white on a 1000 cd/m² display.
  private static func hlgPeak(_ source: SourcePlan) -> Double {
    (EDRMetadata.defaultMaxLuminance * source.superWhite()).rounded(.up)
  }

  /// Returns an HDR display: its SDR white is the content's reference white, or the peak if that is lower.
  private static func hdr(peak: Double, _ request: MappingRequest, _ referenceWhite: Double) -> Display {
    Display(sdrWhite: request.sdrWhite ?? min(referenceWhite, peak), peak: peak, primaries: .bt2020)
  }
}
