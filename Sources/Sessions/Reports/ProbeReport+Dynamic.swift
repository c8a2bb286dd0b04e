internal import Frames

extension ProbeReport {
  /// HDR10+ with ffprobe's names; repeated elements are lists here.
  func describe(_ plus: HDR10PlusMetadata) -> [String: Any] {
    func light(_ units: UInt32) -> String { "\(units)/100000" }
    return JSON.fields([
      ("side_data_type", "HDR Dynamic Metadata SMPTE2094-40 (HDR10+)"),
      ("application version", Int(plus.applicationVersion)),
      ("targeted_system_display_maximum_luminance", "\(plus.targetedMaxLuminance)/1"),
      ("maxscl", (0..<3).map { light(plus.maxSCL[$0]) }), ("average_maxrgb", light(plus.averageMaxRGB)),
      ("num_distribution_maxrgb_percentiles", plus.distribution.count),
      ("distribution_maxrgb_percentage", plus.distribution.map { Int($0.percentage) }),
      ("distribution_maxrgb_percentile", plus.distribution.map { light($0.value) }),
      ("fraction_bright_pixels", "\(plus.fractionBright)/1000"),
      ("knee_point_x", plus.curve.map { "\($0.kneeX)/4095" }), ("knee_point_y", plus.curve.map { "\($0.kneeY)/4095" }),
      ("num_bezier_curve_anchors", plus.curve?.anchors.count),
      ("bezier_curve_anchors", plus.curve?.anchors.map { "\($0)/1023" }),
      ("color_saturation_weight", plus.saturationWeight.map { "\($0)/8" }),
    ])
  }

  /// ST 2094-50 with the names of its syntax, values as coded.
  func describe(_ map: AdaptiveToneMap) -> [String: Any] {
    var alternates: [AdaptiveToneMap.Alternate]?
    if case .alternates(let list, _) = map.adaptation?.method { alternates = list }
    return JSON.fields([
      ("side_data_type", "HDR Dynamic Metadata SMPTE2094-50"),
      ("hdr_reference_white", map.codedReferenceWhite.map { Int($0) }),
      ("baseline_hdr_headroom", map.adaptation.map { Int($0.baselineHeadroom) }),
      ("use_reference_white_tone_mapping_flag", map.adaptation.map { $0.method == .referenceWhite ? 1 : 0 }),
      ("num_alternate_images", alternates?.count),
      ("alternate_hdr_headrooms", alternates?.map { Int($0.headroom) }),
    ])
  }
}

extension HDR10PlusMetadata {
  private func nits(_ units: UInt32) -> String { (Double(units) / Self.lightUnits).words }

  /// One line, light in cd/m².
  var words: String {
    var parts = [
      "MaxSCL \(nits(maxSCL.x)), \(nits(maxSCL.y)), \(nits(maxSCL.z)), average \(nits(averageMaxRGB)) cd/m²"
    ]
    if let curve {
      parts.append("curve of \(curve.anchors.count) anchors for a display of \(targetedMaxLuminance) cd/m²")
    } else {
      parts.append("no tone curve")
    }
    return parts.joined(separator: "; ")
  }
}

extension AdaptiveToneMap {
  /// One line.
  var words: String {
    let white = "reference white \(referenceWhite.words) cd/m²"
    guard let adaptation else { return white }
    let method =
      switch adaptation.method {
      case .referenceWhite: "reference white tone mapping"
      case .alternates(let list, _): "\(list.count) rendition\(list.count == 1 ? "" : "s")"
      }
    return "\(white), headroom \(adaptation.baselineStops.words) stops, \(method)"
  }
}
