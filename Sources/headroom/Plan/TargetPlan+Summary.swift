internal import ColorScience
internal import Foundation
internal import Frames
internal import ToneMapping

extension TargetPlan {
  /// What is done, in one line: "HDR10 bt2020, peak 1000 cd/m² -> SDR BT.709, ...; tone map system, gamut compress".
  func summary(from source: SourcePlan) -> String {
    let kind = source.interpretation.metadata?.kind
    let content = mapping(for: source.scene).contentPeak.map { ", peak \(nits($0))" } ?? ""
    let from =
      switch kind {
      case .hdr10: "HDR10"
      case .hlg: "HLG"
      case nil: "SDR"
      }
    let to =
      switch color.transfer {
      case .pq where source.color.transfer == .pq && display.peak == PQ.peak: "HDR10, range unchanged"
      case .pq: "HDR10, peak \(nits(display.peak))"
      case .hlg: "HLG for \(nits(display.peak))"
      default: "SDR BT.709, white \(nits(display.sdrWhite)), headroom \(round(display.headroom))"
      }
    let curve = kind == nil ? "no tone mapping" : "tone map \(source.scene?.curveName ?? mapping.curve.name)"
    let isSameGamut = source.interpretation.primaries == display.primaries.space
    return "\(from) \(source.color.primaries)\(content) -> \(to); \(curve)"
      + (isSameGamut ? "" : ", gamut \(mapping.gamut.rawValue)")
  }

  private func nits(_ value: Double) -> String { round(value) + " cd/m²" }

  private func round(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : String(format: "%.2f", value)
  }
}

extension SceneParameters {
  /// The standard that states the curve; nil without one.
  fileprivate var curveName: String? {
    switch curve {
    case .hdr10Plus: "st2094-40"
    case .renditions: "st2094-50"
    case nil: nil
    }
  }
}
