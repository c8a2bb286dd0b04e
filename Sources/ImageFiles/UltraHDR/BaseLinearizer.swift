internal import ColorScience

/// Converts the signals of a base picture to linear light in the primaries that the gain map is applied in.
struct BaseLinearizer {
  private static let steps = 4096
  /// sRGB at equal steps of the signal; linear interpolation has an error below 1e-7.
  private static let table = (0...steps + 1).map { Float(SRGB.eotf(Double($0) / Double(steps))) }

  /// Conversion to the primaries of the gain map; nil: the base has these primaries.
  private let matrix: Matrix3?

  init(from base: ColorPrimaries, to target: ColorPrimaries) {
    guard base != target, let from = base.space, let to = target.space else {
      matrix = nil
      return
    }
    matrix = RGBSpace.conversion(from: from, to: to)
  }

  func linearize(_ row: JPEGRows.Row) -> JPEGRows.Row {
    var result = JPEGRows.Row(
      red: row.red.map(Self.light), green: row.green.map(Self.light), blue: row.blue.map(Self.light))
    guard let matrix else { return result }
    for x in result.red.indices {
      let light = matrix * SIMD3(Double(result.red[x]), Double(result.green[x]), Double(result.blue[x]))
      (result.red[x], result.green[x], result.blue[x]) = (Float(light.x), Float(light.y), Float(light.z))
    }
    return result
  }

  private static func light(_ signal: Float) -> Float {
    let position = signal * Float(steps)
    let index = Int(position)
    return table[index] + (table[index + 1] - table[index]) * (position - Float(index))
  }
}
