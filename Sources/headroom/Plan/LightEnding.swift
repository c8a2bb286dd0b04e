internal import ColorScience
internal import Frames
internal import ImageFiles
internal import Rendering
internal import ToneMapping

/// How light ends as samples of a colour space.
struct LightEnding {
  var transfer: SignalTransfer
  var way = LightWay()
  /// Luminance in cd/m² of 1.0 in linear samples; nil where they are HLG's scene light.
  var unit: Double?
  /// Luminance in cd/m² of 1.0, or of the largest code; nil for light of a scene.
  var white: Double?

  /// Peak in cd/m² that HLG's OOTF is made for where no display is chosen.
  private static let referencePeak = EDRMetadata.defaultMaxLuminance

  /// Light as it was decoded, tone mapped by nothing.
  ///
  /// HLG is scene light in linear spaces and those of HLG, and what a reference display of 1000 cd/m² shows in others.
  /// - Parameters:
  ///   - content: What bands hold.
  ///   - space: What samples are in; codes have no room for light above their peak, and colours outside of the gamut
  ///     are brought into it.
  ///   - sdrWhite: Luminance of SDR white in cd/m².
  static func decoded(
    _ content: ContentInterpretation, in space: ImageSpace, gamut: GamutMapping.Method, sdrWhite: Double
  ) -> LightEnding {
    let kind = content.metadata?.kind
    let target = space.primaries.space ?? .bt2020
    if space.isLinear || kind == .hlg && space.transfer == .hlg {
      let conversion = PrimariesConversion(from: content.primaries, to: target).map { [$0] } ?? []
      let unit = kind == nil ? sdrWhite : kind == .hlg ? nil : EDRMetadata.defaultOpticalOutputScale
      return LightEnding(
        transfer: space.isLinear ? .linear(unit: 1) : .hlg, way: LightWay(coding: conversion), unit: unit,
        white: space.isLinear ? unit : nil)
    }
    let peak =
      switch space.transfer {
      case .pq: PQ.peak
      case .hlg: Self.referencePeak
      default: sdrWhite
      }
    let display = Display(sdrWhite: sdrWhite, peak: peak, primaries: space.primaries)
    let mapping = DisplayMapping.Settings(
      metadata: content.metadata, primaries: content.primaries, curve: .clip, gamut: gamut, display: display)
    return mapped(display, in: space) { _ in mapping }
  }

  /// Light of a display.
  /// - Parameters:
  ///   - display: 1.0 is its SDR white; it has the primaries of the space.
  ///   - mapping: What brings the light of a scene to the display.
  static func mapped(
    _ display: Display, in space: ImageSpace, by mapping: @escaping (SceneParameters?) -> DisplayMapping.Settings?
  ) -> LightEnding {
    let (unit, way) = (display.sdrWhite, LightWay(mapping: mapping))
    switch space.transfer {
    case .linear: return LightEnding(transfer: .linear(unit: 1), way: way, unit: unit, white: unit)
    case .pq: return LightEnding(transfer: .pq(unit: unit), way: way, unit: unit, white: PQ.peak)
    case .hlg:
      let coding = [SceneLightStage(display: display)]
      return LightEnding(transfer: .hlg, way: LightWay(mapping: mapping, coding: coding), unit: unit)
    default:
      return LightEnding(
        transfer: .sRGB(peak: display.headroom), way: way, unit: unit, white: display.sdrWhite * display.headroom
      )
    }
  }
}
