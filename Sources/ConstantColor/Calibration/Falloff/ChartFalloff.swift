internal import ColorScience
internal import Frames
internal import Glibc

/// The light over a frame, as far as a chart in it shows it.
struct ChartFalloff {
  /// What is fitted.
  enum Model: Int, CaseIterable {
    /// Even light.
    case even = 0
    /// Darker towards the corners, as light on a plane and lenses make it.
    case radial = 1
    /// That, and brighter to one side.
    case tilted = 3

    var parameterCount: Int { rawValue }
  }

  /// Strength of the radial falloff, and logarithmic slopes to the right and down, all for half a diagonal.
  private let radial: Double, slope: SIMD2<Double>
  private let size: Size

  /// - Parameters:
  ///   - parameters: As many as the model has.
  ///   - size: Extent of the picture.
  init(_ parameters: [Double], size: Size) {
    radial = parameters.first ?? 0
    slope = parameters.count == Model.tilted.parameterCount ? SIMD2(parameters[1], parameters[2]) : .zero
    self.size = size
  }

  /// Relative light at a place in pixels; 1 at the centre.
  ///
  /// Source: the cosine to the fourth power of the angle to the axis, whose squared tangent grows with the squared
  /// distance from the centre. The coefficient is fitted.
  func light(at place: SIMD2<Double>) -> Double {
    let extent = SIMD2(Double(size.width), Double(size.height))
    let offset = (place - extent / 2) * (2 / hypot(extent.x, extent.y))
    let tangent = max(1 + radial * (offset * offset).sum(), 0.01)
    return exp((slope * offset).sum()) / (tangent * tangent)
  }

  /// Whether a flash can light a frame like this: not brighter at the edges than in the middle, and never far from it.
  var isPlausible: Bool {
    let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { x, y in
      light(at: SIMD2(x * Double(size.width), y * Double(size.height)))
    }
    return radial > -0.05 && corners.allSatisfy { (0.1...4).contains($0) }
  }

  /// As a grid.
  var field: FlatField {
    FlatField(columns: 17, rows: 13) { x, y in
      light(at: SIMD2(x * Double(size.width), y * Double(size.height)))
    }
  }
}
