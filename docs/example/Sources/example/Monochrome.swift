import Rendering

/// A stage with arithmetic of its own: every pixel becomes the grey of its luminance, in BT.2020 primaries.
struct Monochrome: Stage {
  /// ITU-R BT.2020-2, table 4.
  static let weights = SIMD3(0.2627, 0.6780, 0.0593)

  func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { SIMD3(repeating: (rgb * Self.weights).sum()) }

  func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    for y in 0..<band.height {
      let row = band.row(y)
      for x in 0..<band.width {
        let rgb = SIMD3(Double(row.red[x]), Double(row.green[x]), Double(row.blue[x]))
        let grey = Float16(reference(rgb).x)
        (row.red[x], row.green[x], row.blue[x]) = (grey, grey, grey)
      }
    }
  }
}
