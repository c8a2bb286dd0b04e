internal import ColorScience
internal import Frames
internal import Glibc

/// The illumination of a frame, as far as a chart in it reveals it.
struct ChartFalloff {
  /// The fitted model.
  enum Model: Int, CaseIterable {
    /// Uniform light.
    case even = 0
    /// Darker towards the corners, as with light on a plane and through lenses.
    case radial = 1
    /// Radial, and brighter on one side.
    case tilted = 3

    var parameterCount: Int { rawValue }
  }

  /// Strength of the radial falloff, and logarithmic slopes to the right and down, all per half diagonal.
  private let radial: Double, slope: SIMD2<Double>
  private let size: Size

  /// - Parameters:
  ///   - parameters: As many as the model needs.
  ///   - size: Extent of the picture.
  init(_ parameters: [Double], size: Size) {
    radial = parameters.first ?? 0
    slope = parameters.count == Model.tilted.parameterCount ? SIMD2(parameters[1], parameters[2]) : .zero
    self.size = size
  }

  /// Returns the relative light at a position in pixels; 1 at the centre.
  ///
  /// Source: cosine-fourth law: the squared tangent of the angle to the axis is proportional to the squared distance
  /// from the centre. The coefficient is fitted.
  func light(at place: SIMD2<Double>) -> Double {
    let extent = SIMD2(Double(size.width), Double(size.height))
    let offset = (place - extent / 2) * (2 / hypot(extent.x, extent.y))
    let tangent = max(1 + radial * (offset * offset).sum(), 0.01)
    return exp((slope * offset).sum()) / (tangent * tangent)
  }

  /// Whether a flash can light a frame like this: no brighter at the edges than at the centre, and within bounds.
  var isPlausible: Bool {
    let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { x, y in
      light(at: SIMD2(x * Double(size.width), y * Double(size.height)))
    }
    return radial > -0.05 && corners.allSatisfy { (0.1...4).contains($0) }
  }

  /// The falloff as a grid.
  var field: FlatField {
    FlatField(columns: 17, rows: 13) { x, y in
      light(at: SIMD2(x * Double(size.width), y * Double(size.height)))
    }
  }
}
