internal import ColorScience
internal import Foundation
internal import Frames
internal import ToneMapping

/// The mastering display and content light of an HDR10 output.
///
/// Light that the mapping leaves as it is keeps the source's values as they are, and says no more than the source. Else
/// the display is that which was rendered for, and MaxCLL and MaxFALL are what the tone curve makes of the source's; for a
/// concave curve no frame's average can be above that.
struct StaticMetadata {
  private(set) var metadata: HDRMetadata
  /// The user asked for values: a file without them is an error.
  private(set) var isAsked = false
  private(set) var warnings: [String] = []

  init(
    _ source: SourcePlan, _ mapping: DisplayMapping.Settings, _ mapper: ToneMapper?, asked: MetadataOptions?
  ) throws {
    let edr = source.interpretation.metadata
    let believed = source.metadata.masteringDisplay.flatMap { edr?.believes($0) == true ? $0 : nil }
    let light = source.measuredLight ?? (edr?.maxContentLight == nil ? nil : source.metadata.contentLight)
    let peak = mapping.contentPeak ?? mapping.display.sdrWhite
    let gray = { (nits: Double) in mapper?.map(SIMD3(repeating: nits)).max() ?? nits }
    let isIdentity = source.color.transfer == .pq && Self.isIdentity(gray, upTo: peak)
    if isIdentity {
      metadata = HDRMetadata(masteringDisplay: believed, contentLight: light)
    } else {
      var mastering = believed ?? .bt2020(peak: mapping.display.peak)
      mastering.maxLuminance = UInt32((mapping.display.peak * MasteringDisplay.luminanceUnits).rounded())
      if mastering.minLuminance >= mastering.maxLuminance { mastering.minLuminance = 0 }
      metadata = HDRMetadata(
        masteringDisplay: mastering,
        contentLight: ContentLight(roundingUp: gray(peak), maxFALL: gray(Double(light?.maxFALL ?? 0))))
    }
    if let asked { try obey(asked, source.metadata, isIdentity: isIdentity) }
  }

  /// What the user asked for goes before what is true.
  private mutating func obey(_ asked: MetadataOptions, _ source: HDRMetadata, isIdentity: Bool) throws {
    switch asked.masterDisplay {
    case .copy:
      guard let display = source.masteringDisplay else {
        throw CommandFailure("The input has no mastering display to copy: give --master-display its values.", .usage)
      }
      metadata.masteringDisplay = display
    case .value(let display): metadata.masteringDisplay = display
    case nil: break
    }
    switch asked.maxCLL {
    case .copy:
      guard let light = source.contentLight else {
        throw CommandFailure(
          "The input has no MaxCLL to copy: write --max-cll measure, or give its values.", .usage)
      }
      metadata.contentLight = light
    case .value(let light): metadata.contentLight = light
    case .measure, nil: break
    }
    isAsked = asked.masterDisplay != nil || asked.maxCLL != nil
    let isCopied =
      if case .copy = asked.masterDisplay { true } else if case .copy = asked.maxCLL { true } else { false }
    if isCopied, !isIdentity {
      warnings.append("The copied HDR10 metadata is the source's; the pixels are not as bright any more.")
    }
  }

  /// Greys from 0.01 cd/m² to `peak` come out as they went in, to a thousandth.
  private static func isIdentity(_ gray: (Double) -> Double, upTo peak: Double) -> Bool {
    (0...64).allSatisfy { step in
      let nits = 0.01 * pow(peak / 0.01, Double(step) / 64)
      return (gray(nits) / nits - 1).magnitude < 1e-3
    }
  }
}

extension MasteringDisplay {
  /// A display of BT.2020 primaries and D65 with the black that is assumed where nothing says it.
  static func bt2020(peak: Double) -> MasteringDisplay {
    let space = RGBSpace.bt2020
    func units(_ point: ColorScience.Chromaticity) -> Chromaticity {
      Chromaticity(
        x: UInt16((point.x * chromaticityUnits).rounded()), y: UInt16((point.y * chromaticityUnits).rounded()))
    }
    return MasteringDisplay(
      red: units(space.red), green: units(space.green), blue: units(space.blue), white: units(space.white),
      maxLuminance: UInt32((peak * luminanceUnits).rounded()),
      minLuminance: UInt32((EDRMetadata.defaultMinLuminance * luminanceUnits).rounded()))
  }
}
