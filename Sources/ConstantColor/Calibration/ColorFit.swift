internal import ColorScience
internal import Glibc

/// Colours with known camera components and CIE XYZ, and the matrix between them.
struct ColorFit {
  struct Sample {
    /// R, G, B in a unit common to all samples.
    var rgb: SIMD3<Double>
    /// XYZ in D65, Y = 1 for white.
    var xyz: SIMD3<Double>
    var weight = 1.0
  }

  let samples: [Sample]
  private let targets: [Target]

  /// Creates a fit from at least three distinct colours.
  init(_ samples: [Sample]) {
    self.samples = samples
    targets = samples.map(Target.init)
  }

  /// Returns the matrix with the smallest sum of weighted squared colour differences; nil if the colours do not
  /// determine one.
  ///
  /// The problem is linear in XYZ wherever lightness is, so linear equations weighted by the slope of L* give a good
  /// start.
  func matrix() -> Matrix3? {
    guard let start = linearMatrix() else { return nil }
    let unit = start.largestElement
    let search = LevenbergMarquardt { residuals(Matrix3(elements: $0, scale: 1 / unit)) }
    let result = Matrix3(elements: search.minimum(from: start.elements(scale: unit)).parameters, scale: 1 / unit)
    return result.isWellConditioned ? result : nil
  }

  /// Returns weighted differences in lightness, chroma and hue, three per sample.
  /// - Parameter rgb: R, G, B of the samples; nil: their stored values.
  func residuals(_ matrix: Matrix3, rgb: [SIMD3<Double>]? = nil) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(3 * samples.count)
    for (index, target) in targets.enumerated() {
      let difference = target.difference(of: CIELAB.fromXYZ(matrix * (rgb?[index] ?? samples[index].rgb)))
      result += [difference.x, difference.y, difference.z]
    }
    return result
  }

  /// Returns the CIEDE2000 of each sample.
  func differences(_ matrix: Matrix3) -> [Double] {
    zip(samples, targets).map { CIELAB.deltaE2000(CIELAB.fromXYZ(matrix * $0.rgb), $1.lab) }
  }

  /// Solves the linear least squares with errors relative to the light.
  func linearMatrix() -> Matrix3? {
    let scale = scale
    var rows: [SIMD3<Double>] = []
    for channel in 0..<3 {
      var equations = NormalEquations(count: 3)
      for sample in samples {
        let rgb = sample.rgb * scale
        // The slope of L* is proportional to Y to the power of -2/3.
        let weight = sample.weight / pow(max(sample.xyz.y, 0.01), 4.0 / 3)
        equations.add([rgb.x, rgb.y, rgb.z], sample.xyz[channel], weight: weight)
      }
      guard let solution = equations.solution() else { return nil }
      rows.append(SIMD3(solution[0], solution[1], solution[2]) * scale)
    }
    return Matrix3(rows[0], rows[1], rows[2])
  }

  /// Normalizes the components to about 1, whatever their unit.
  private var scale: Double {
    let largest = samples.map { $0.rgb.max() }.max() ?? 1
    return largest > 0 ? 1 / largest : 1
  }

  /// A target colour, with the tolerances around it.
  private struct Target {
    let lab: SIMD3<Double>
    /// Unit vector of chroma in a*, b*.
    private let direction: SIMD2<Double>
    private let factors: SIMD3<Double>

    /// Source: CIE 116:1995: CIE94 weights of chroma and hue differences.
    init(_ sample: Sample) {
      lab = CIELAB.fromXYZ(sample.xyz)
      let chroma = hypot(lab.y, lab.z)
      direction = chroma > 0 ? SIMD2(lab.y, lab.z) / chroma : SIMD2(1, 0)
      factors = sample.weight.squareRoot() / SIMD3(1, 1 + 0.045 * chroma, 1 + 0.015 * chroma)
    }

    func difference(of color: SIMD3<Double>) -> SIMD3<Double> {
      let step = color - lab
      let chroma = step.y * direction.x + step.z * direction.y
      let hue = step.z * direction.x - step.y * direction.y
      return SIMD3(step.x, chroma, hue) * factors
    }
  }
}

extension Matrix3 {
  /// The largest magnitude of its elements.
  var largestElement: Double { [row0, row1, row2].map { max($0.max(), -$0.min()) }.max() ?? 0 }

  /// Creates a matrix from nine elements in row-major order, divided by a scale; extra elements are ignored.
  init(elements: [Double], scale: Double) {
    let values = elements.map { $0 / scale }
    self.init(
      SIMD3(values[0], values[1], values[2]), SIMD3(values[3], values[4], values[5]),
      SIMD3(values[6], values[7], values[8]))
  }

  /// Returns the elements in row-major order, divided by a scale.
  func elements(scale: Double) -> [Double] {
    [row0, row1, row2].flatMap { [$0.x / scale, $0.y / scale, $0.z / scale] }
  }
}
