internal import ColorScience
internal import Frames

/// Measures the light of the flash alone over an area.
struct RegionMeasurement {
  let pair: LinearPair
  let transform: FlashTransform
  /// Factor of XYZ.
  let scale: Double

  /// Sums over the unclipped pixels of an area.
  private struct Sums {
    var count = 0.0
    /// Flash light, ambient light before the gain, and variance of the flash light.
    var light = SIMD3<Double>.zero
    var ambient = SIMD3<Double>.zero
    var variance = SIMD3<Double>.zero
  }

  func color(of area: PictureArea, confidence: ConfidenceMap) -> RegionColor {
    let sums = sums(area)
    let matrix = Matrix3(diagonal: SIMD3(repeating: scale)) * transform.toXYZ
    let light = sums.light / sums.count
    let xyz = matrix * light
    let believed = confidence.mean(of: area)
    // No colour where everything is clipped, moved or dark.
    guard believed > 0, xyz.y > 0 else {
      let unknown = SIMD3<Double>(repeating: .nan)
      return RegionColor(area: area, lab: unknown, uncertainty: unknown, confidence: believed)
    }
    // Interpolated samples add no information.
    let own = sums.count * sums.count * pair.flash.description.sampleDensity
    let noise = sums.variance / own
    let tolerance = LinearPair.exposureTolerance * pair.gain * sums.ambient / sums.count
    return RegionColor(
      area: area, lab: CIELAB.fromXYZ(xyz),
      uncertainty: Self.uncertainty(light, noise: noise, tolerance: tolerance, matrix),
      confidence: believed)
  }

  /// Returns the standard uncertainties of L*, a*, b*: channel noise is independent, the exposure tolerance is common.
  private static func uncertainty(
    _ light: SIMD3<Double>, noise: SIMD3<Double>, tolerance: SIMD3<Double>, _ matrix: Matrix3
  ) -> SIMD3<Double> {
    func change(_ delta: SIMD3<Double>) -> SIMD3<Double> {
      (CIELAB.fromXYZ(matrix * (light + delta)) - CIELAB.fromXYZ(matrix * (light - delta))) / 2
    }
    var squares = change(tolerance) * change(tolerance)
    for channel in 0..<3 {
      var delta = SIMD3<Double>.zero
      delta[channel] = noise[channel].squareRoot()
      squares += change(delta) * change(delta)
    }
    return squares.squareRoot()
  }

  private func sums(_ area: PictureArea) -> Sums {
    var sums = Sums()
    let (width, height) = (Double(pair.size.width), Double(pair.size.height))
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let (flash, ambient) = (SIMD3<Double>(pair.flash.pixel(x, y)), SIMD3<Double>(pair.ambient.pixel(x, y)))
        guard !isClipped(flash, ambient) else { continue }
        let falloff = transform.falloff?.light(x: (Double(x) + 0.5) / width, y: (Double(y) + 0.5) / height) ?? 1
        sums.count += 1
        sums.light += (flash - pair.gain * ambient) / falloff
        sums.ambient += ambient / falloff
        sums.variance += pair.variance(flash: flash, ambient: ambient) / (falloff * falloff)
      }
    }
    return sums
  }

  private func isClipped(_ flash: SIMD3<Double>, _ ambient: SIMD3<Double>) -> Bool {
    let limit = Double(DarkRoomPicture.saturation.upperBound)
    func reaches(_ sample: SIMD3<Double>, _ image: SceneImage) -> Bool {
      guard let saturation = image.description.saturation else { return false }
      return any(sample .>= limit * SIMD3<Double>(saturation))
    }
    return reaches(flash, pair.flash) || reaches(ambient, pair.ambient)
  }
}

extension SceneImage {
  /// Returns R, G and B of a pixel.
  func pixel(_ x: Int, _ y: Int) -> SIMD3<Float> { SIMD3(self[0, x, y], self[1, x, y], self[2, x, y]) }
}
