package import ColorScience
package import SIMDShims

// Colour science values in the form that kernels take.

package typealias KernelRow = (Float, Float, Float)
package typealias KernelMatrix = (Float, Float, Float, Float, Float, Float, Float, Float, Float)

extension SIMD3<Double> {
  package var kernelRow: KernelRow { (Float(x), Float(y), Float(z)) }
}

extension Matrix3 {
  /// Row by row.
  package var kernelMatrix: KernelMatrix {
    let (a, b, c) = (row0.kernelRow, row1.kernelRow, row2.kernelRow)
    return (a.0, a.1, a.2, b.0, b.1, b.2, c.0, c.1, c.2)
  }
}

extension hr_gamut_boundary {
  package init(_ boundary: GamutBoundary) {
    self.init(matrix: boundary.matrix.kernelMatrix, floor: Float(boundary.floor))
  }
}

extension hr_zones {
  /// - Parameters:
  ///   - weights: Weights of the components in the value compared with the levels.
  ///   - levels: At most eight.
  package init(weights: SIMD3<Double>, levels: [Double]) {
    precondition(levels.count <= 8)
    let l = levels.map { Float($0) } + [Float](repeating: .infinity, count: 8 - levels.count)
    self.init(weights: weights.kernelRow, levels: (l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]))
  }
}
