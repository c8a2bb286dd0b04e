public import Frames
internal import Glibc

/// The light of a flash over the frame, as an interpolated coarse grid of gains.
public struct FlatField: Sendable, Hashable, Codable {
  /// Columns of the grid, at least 2; the first and last lie on the frame edges.
  public let columns: Int
  /// Rows of the grid, at least 2.
  public let rows: Int
  /// Relative light, row by row; the centre of the frame is 1.
  public let light: [Double]

  /// Valid range of relative light.
  public static let possibleLight = 0.02...50.0
  /// Valid number of columns or rows.
  public static let possibleCounts = 2...256

  /// Creates a grid of `columns` times `rows` values.
  public init(columns: Int, rows: Int, light: [Double]) {
    precondition(columns >= 2 && rows >= 2 && light.count == columns * rows)
    self.columns = columns
    self.rows = rows
    self.light = light
  }

  /// Samples a function of the position in the frame (both coordinates from 0 to 1) on a grid, divided by its value at
  /// the centre.
  init(columns: Int, rows: Int, _ function: (_ x: Double, _ y: Double) -> Double) {
    let center = function(0.5, 0.5)
    let places = (0..<columns * rows).map { index in
      (Double(index % columns) / Double(columns - 1), Double(index / columns) / Double(rows - 1))
    }
    self.init(columns: columns, rows: rows, light: places.map { function($0.0, $0.1) / center })
  }

  /// Returns the relative light at a position in the frame, both coordinates from 0 to 1.
  ///
  /// The interpolation passes through the grid values and is smooth.
  /// Source: Keys (1981), "Cubic convolution interpolation for digital image processing", a = -1/2, with edges of equal
  /// slope.
  public func light(x: Double, y: Double) -> Double {
    let (column, across) = Self.cell(x, count: columns)
    let (row, down) = Self.cell(y, count: rows)
    let (horizontal, vertical) = (Self.weights(across), Self.weights(down))
    var sum = 0.0
    for j in 0..<4 {
      var line = 0.0
      for i in 0..<4 { line += horizontal[i] * value(column + i - 1, row + j - 1) }
      sum += vertical[j] * line
    }
    // The limits only act on grids that no real light produces.
    let upper = min(value(column, row), value(column + 1, row))
    return max(sum, min(upper, value(column, row + 1), value(column + 1, row + 1)) / 2)
  }

  /// Returns the grid value, extrapolated linearly by one column and row at each edge.
  private func value(_ column: Int, _ row: Int) -> Double {
    if column < 0 { return 2 * value(0, row) - value(1, row) }
    if column >= columns { return 2 * value(columns - 1, row) - value(columns - 2, row) }
    if row < 0 { return 2 * value(column, 0) - value(column, 1) }
    if row >= rows { return 2 * value(column, rows - 1) - value(column, rows - 2) }
    return light[row * columns + column]
  }

  /// Returns the grid cell of a coordinate from 0 to 1, and the position within it.
  private static func cell(_ coordinate: Double, count: Int) -> (Int, Double) {
    let place = (coordinate > 0 ? min(coordinate, 1) : 0) * Double(count - 1)
    let index = min(Int(place), count - 2)
    return (index, place - Double(index))
  }

  private static func weights(_ t: Double) -> SIMD4<Double> {
    let (t2, t3) = (t * t, t * t * t)
    return SIMD4(-t3 + 2 * t2 - t, 3 * t3 - 5 * t2 + 2, -3 * t3 + 4 * t2 + t, t3 - t2) / 2
  }

  /// Measures the light on a uniform surface that fills a picture, such as a grey card: smoothed, without the surface's
  /// texture.
  ///
  /// Its logarithm is fitted by a sixth-degree polynomial, robust to small spots.
  /// - Parameter picture: Linear light of the flash alone.
  /// - Throws: `CalibrationError` if the picture is clipped, too dark, or not of a uniform surface.
  public init(of picture: SceneImage) throws(CalibrationError) {
    let blocks = try LightBlocks(of: picture)
    let surface = try LightSurface(blocks)
    guard surface.deviation <= Self.tolerableDeviation else {
      throw .evenPictureTextured(deviation: surface.deviation)
    }
    self.init(columns: 17, rows: 13) { x, y in exp(surface.logarithm(x: x, y: y)) }
    guard light.allSatisfy({ Self.possibleLight.contains($0) }) else { throw .evenPictureRange }
  }

  /// Root mean square deviation of the blocks from the polynomial.
  private static let tolerableDeviation = 0.03
}

/// Mean light of blocks of a picture, without the brightest and darkest pixels of each.
struct LightBlocks {
  /// Columns and rows of blocks.
  let size: Size
  /// Row by row, in any unit.
  let light: [Double]

  /// Maximum number of pixels sampled along each side of a block.
  private static let samples = 24
  /// The fraction of pixels that may be clipped.
  private static let tolerableClipping = 0.005

  /// - Throws: `CalibrationError.evenPictureClipped` or `evenPictureRange`
  init(of picture: SceneImage) throws(CalibrationError) {
    size = Size(width: min(48, picture.size.width / 4), height: min(32, picture.size.height / 4))
    guard size.width >= 12, size.height >= 12 else { throw .evenPictureRange }
    let limit = picture.description.saturation.map { $0 * 0.98 } ?? SIMD3(repeating: .infinity)
    var (values, clipped, count): ([Double], Int, Int) = ([], 0, 0)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var light: [SIMD3<Float>] = []
        for row in Self.places(y, of: size.height, in: picture.size.height) {
          for column in Self.places(x, of: size.width, in: picture.size.width) {
            light.append(picture.pixel(column, row))
          }
        }
        count += light.count
        let usable = light.filter { rgb in (0..<3).allSatisfy { rgb[$0].isFinite && rgb[$0] < limit[$0] } }
        clipped += light.count - usable.count
        values.append(Self.middleMean(usable.map { Double($0.sum()) }))
      }
    }
    guard Double(clipped) <= Self.tolerableClipping * Double(count) else { throw .evenPictureClipped }
    let largest = values.max() ?? 0
    guard largest > 0, values.allSatisfy({ $0 > FlatField.possibleLight.lowerBound * largest }) else {
      throw .evenPictureRange
    }
    light = values
  }

  /// Returns the sampled columns or rows of a block.
  private static func places(_ block: Int, of blocks: Int, in extent: Int) -> StrideTo<Int> {
    let (first, end) = (block * extent / blocks, (block + 1) * extent / blocks)
    return stride(from: first, to: end, by: (end - first + samples - 1) / samples)
  }

  /// Returns the mean without the lowest and highest tenth.
  private static func middleMean(_ values: [Double]) -> Double {
    let middle = values.sorted().dropFirst(values.count / 10).dropLast(values.count / 10)
    return middle.isEmpty ? 0 : middle.reduce(0, +) / Double(middle.count)
  }
}

/// A polynomial fitted to the logarithm of the light over a frame.
struct LightSurface {
  /// Root mean square deviation of the blocks, as a fraction of the light; spots are excluded.
  let deviation: Double
  private let coefficients: [Double]

  private static let degree = 6
  private static let rounds = 6
  /// Deviations of more robust standard deviations than this are spots.
  ///
  /// Source: Beaton and Tukey (1974): the biweight's constant.
  private static let cutoff = 4.685

  /// - Throws: `CalibrationError.evenPictureRange` if the blocks do not determine a polynomial.
  init(_ blocks: LightBlocks) throws(CalibrationError) {
    let terms = blocks.light.indices.map { index in
      Self.terms(
        x: (Double(index % blocks.size.width) + 0.5) / Double(blocks.size.width),
        y: (Double(index / blocks.size.width) + 0.5) / Double(blocks.size.height))
    }
    let values = blocks.light.map { log($0) }
    var weights = Array(repeating: 1.0, count: values.count)
    var (coefficients, squares): ([Double], Double) = ([], 0)
    for _ in 0..<Self.rounds {
      var equations = NormalEquations(count: terms[0].count)
      for index in values.indices { equations.add(terms[index], values[index], weight: weights[index]) }
      guard let solution = equations.solution() else { throw .evenPictureRange }
      coefficients = solution
      let errors = values.indices.map { values[$0] - Self.value(solution, terms[$0]) }
      squares = zip(errors, weights).reduce(0) { $0 + $1.0 * $1.0 * $1.1 } / weights.reduce(0, +)
      let magnitudes = errors.map(\.magnitude).sorted()
      let limit = max(Self.cutoff * 1.4826 * magnitudes[magnitudes.count / 2], 1e-9)
      weights = errors.map { error in
        let inside = 1 - (error / limit) * (error / limit)
        return inside > 0 ? inside * inside : 0
      }
    }
    self.coefficients = coefficients
    deviation = squares.squareRoot()
  }

  /// Returns the natural logarithm of the light at a position in the frame, both coordinates from 0 to 1.
  func logarithm(x: Double, y: Double) -> Double { Self.value(coefficients, Self.terms(x: x, y: y)) }

  private static func value(_ coefficients: [Double], _ terms: [Double]) -> Double {
    zip(coefficients, terms).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// Returns products of Chebyshev polynomials of both coordinates, which are nearly independent.
  private static func terms(x: Double, y: Double) -> [Double] {
    let (across, down) = (chebyshev(2 * x - 1), chebyshev(2 * y - 1))
    return (0...degree).flatMap { i in (0...degree - i).map { across[i] * down[$0] } }
  }

  private static func chebyshev(_ x: Double) -> [Double] {
    var result = [1, x]
    while result.count <= degree { result.append(2 * x * result[result.count - 1] - result[result.count - 2]) }
    return result
  }
}
