internal import CFFmpeg
internal import Frames

extension HDR10PlusMetadata {
  /// nil if the frame has none, or its fractions are invalid.
  init?(frame: UnsafePointer<AVFrame>) {
    guard let plus = unsafe hr_hdr_plus(frame) else { return nil }
    // FFmpeg states light as fractions of 10,000 cd/m², and the targeted peak in cd/m².
    let scale = 10_000 * Self.lightUnits
    func light(_ value: AVRational) -> UInt32? { value.units(of: scale, as: UInt32.self) }
    guard let red = light(unsafe hr_hdr_plus_maxscl(plus, 0)), let green = light(unsafe hr_hdr_plus_maxscl(plus, 1)),
      let blue = light(unsafe hr_hdr_plus_maxscl(plus, 2)), let average = light(unsafe hr_hdr_plus_average(plus)),
      let targeted = unsafe plus.pointee.targeted_system_display_maximum_luminance.units(of: 1, as: UInt32.self)
    else { return nil }
    let percentiles = unsafe (0..<hr_hdr_plus_percentile_count(plus)).compactMap { index -> Percentile? in
      let entry = unsafe hr_hdr_plus_percentile(plus, index)
      return light(entry.percentile).map { Percentile(percentage: entry.percentage, value: $0) }
    }
    self.init(
      applicationVersion: unsafe plus.pointee.application_version, targetedMaxLuminance: targeted,
      maxSCL: SIMD3(red, green, blue), averageMaxRGB: average, distribution: percentiles,
      fractionBright: unsafe hr_hdr_plus_fraction_bright(plus).units(of: 1000, as: UInt16.self) ?? 0,
      curve: unsafe Curve(plus),
      saturationWeight: unsafe hr_hdr_plus_has_saturation(plus) != 0
        ? hr_hdr_plus_saturation(plus).units(of: 8, as: UInt8.self) : nil)
  }
}

extension HDR10PlusMetadata.Curve {
  /// nil if the message has no curve.
  fileprivate init?(_ plus: UnsafePointer<AVDynamicHDRPlus>) {
    guard unsafe hr_hdr_plus_has_curve(plus) != 0,
      let kneeX = unsafe hr_hdr_plus_knee_x(plus).units(of: HDR10PlusMetadata.kneeUnits, as: UInt16.self),
      let kneeY = unsafe hr_hdr_plus_knee_y(plus).units(of: HDR10PlusMetadata.kneeUnits, as: UInt16.self)
    else { return nil }
    let anchors = unsafe (0..<hr_hdr_plus_anchor_count(plus)).compactMap {
      unsafe hr_hdr_plus_anchor(plus, $0).units(of: HDR10PlusMetadata.anchorUnits, as: UInt16.self)
    }
    self.init(kneeX: kneeX, kneeY: kneeY, anchors: anchors)
  }
}
