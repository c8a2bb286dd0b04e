internal import Frames
internal import Rendering

/// Resamples a picture at the positions of a map, by cubic convolution; edges are extended outside.
struct PictureResampler: Sendable {
  let image: SceneImage
  let map: PixelMap
  /// The level from which samples are saturated, and the value they get.
  private let saturation: (limit: SIMD3<Float>, value: SIMD3<Float>)

  init(_ image: SceneImage, map: PixelMap) {
    (self.image, self.map) = (image, map)
    let value = image.description.saturation ?? SIMD3(repeating: .infinity)
    saturation = (value * 0.98, value)
  }

  /// Returns the picture resampled at the map's positions, at the same size.
  func resampled(pool: WorkerPool) -> SceneImage {
    let result = SceneImage(size: image.size, description: image.description)
    pool.forRows(of: image.size.height) { [self] rows in
      let width = image.size.width
      unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * width) { places in
        let right = unsafe UnsafeMutableBufferPointer(rebasing: places[..<width])
        let down = unsafe UnsafeMutableBufferPointer(rebasing: places[width...])
        for y in rows {
          unsafe map.displacements(row: y, scale: 1, of: image.size, into: right, down)
          unsafe fill(y, of: result, right, down)
        }
      }
    }
    return result
  }

  private func fill(
    _ y: Int, of result: SceneImage, _ right: UnsafeMutableBufferPointer<Float>,
    _ down: UnsafeMutableBufferPointer<Float>
  ) {
    let (width, height) = (image.size.width, image.size.height)
    for channel in 0..<3 {
      guard let base = unsafe image.row(channel, 0).baseAddress else { return }
      let (target, limit) = unsafe (result.row(channel, y), saturation.limit[channel])
      for x in 0..<width {
        let (across, below) = unsafe (CubicSampler.parts(right[x]), CubicSampler.parts(down[x]))
        let (column, line) = (x + across.whole - 1, y + below.whole - 1)
        let columns = CubicSampler.weights(across.rest)
        let lines = CubicSampler.weights(below.rest)
        let samples: Neighborhood
        if column >= 0, column + 4 <= width, line >= 0, line + 4 <= height {
          samples = unsafe Neighborhood(base + (line * width + column), width)
        } else {
          samples = clamped(channel, column, line)
        }
        let value = samples.value(columns, lines)
        // Interpolating with a saturated sample gives no valid measurement.
        unsafe target[x] = samples.highest >= limit ? max(value, saturation.value[channel]) : value
      }
    }
  }

  private func clamped(_ channel: Int, _ column: Int, _ line: Int) -> Neighborhood {
    var lines = [SIMD4<Float>](repeating: .zero, count: 4)
    for index in 0..<4 {
      let row = unsafe image.row(channel, min(max(line + index, 0), image.size.height - 1))
      for part in 0..<4 { unsafe lines[index][part] = row[min(max(column + part, 0), image.size.width - 1)] }
    }
    return Neighborhood(first: lines[0], second: lines[1], third: lines[2], fourth: lines[3])
  }
}

/// Sixteen samples around a position.
private struct Neighborhood {
  let first, second, third, fourth: SIMD4<Float>
}

extension Neighborhood {
  @unsafe
  @inline(__always)
  init(_ start: UnsafePointer<Float>, _ stride: Int) {
    unsafe first = CubicSampler.neighbors(start)
    unsafe second = CubicSampler.neighbors(start + stride)
    unsafe third = CubicSampler.neighbors(start + 2 * stride)
    unsafe fourth = CubicSampler.neighbors(start + 3 * stride)
  }

  @inline(__always)
  func value(_ columns: SIMD4<Float>, _ lines: SIMD4<Float>) -> Float {
    let sums = (first * lines.x + second * lines.y) + (third * lines.z + fourth * lines.w)
    return (sums * columns).sum()
  }

  /// Returns the largest of the four samples that enclose the position.
  @inline(__always)
  var highest: Float { max(max(second.y, second.z), max(third.y, third.z)) }
}

/// Reads a row of values between the pixels of a plane by Catmull-Rom cubic convolution.
///
/// Source: Keys (1981), "Cubic convolution interpolation for digital image processing", a = -1/2.
enum CubicSampler {
  /// Returns the weights of four neighbours, for a position `t` (0..<1) past the second.
  @inline(__always)
  static func weights(_ t: Float) -> SIMD4<Float> {
    let (square, cube) = (t * t, t * t * t)
    return SIMD4(
      -0.5 * t + square - 0.5 * cube, 1 - 2.5 * square + 1.5 * cube, 0.5 * t + 2 * square - 1.5 * cube,
      -0.5 * square + 0.5 * cube)
  }

  /// Splits a displacement into its integer part and the remainder, 0..<1.
  @inline(__always)
  static func parts(_ displacement: Float) -> (whole: Int, rest: Float) {
    // `rounded(.down)` is a function call on the oldest supported processors.
    let toZero = Int(displacement)
    let whole = displacement < Float(toZero) ? toZero - 1 : toZero
    return (whole, displacement - Float(whole))
  }

  /// Four neighbours of a row.
  @unsafe
  @inline(__always)
  static func neighbors(_ first: UnsafePointer<Float>) -> SIMD4<Float> {
    unsafe UnsafeRawPointer(first).loadUnaligned(as: SIMD4<Float>.self)
  }
}

extension Plane {
  /// Resamples the plane at the positions of a map; NaN outside.
  /// - Parameters:
  ///   - map: Positions of the pixels.
  ///   - scale: Pixels of the picture per pixel of the plane.
  ///   - picture: Size of the picture.
  func resampled(_ map: PixelMap, scale: Double, of picture: Size, pool: WorkerPool) -> Plane {
    let result = Plane(size: size)
    pool.forRows(of: size.height) { [self] rows in resample(rows, map, scale: scale, of: picture, into: result) }
    return result
  }

  func resample(_ rows: Range<Int>, _ map: PixelMap, scale: Double, of picture: Size, into result: Plane) {
    let width = size.width
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * width) { places in
      let right = unsafe UnsafeMutableBufferPointer(rebasing: places[..<width])
      let down = unsafe UnsafeMutableBufferPointer(rebasing: places[width...])
      for y in rows {
        let target = unsafe result.row(y)
        unsafe map.displacements(row: y, scale: scale, of: picture, into: right, down)
        for x in 0..<width { unsafe target[x] = value(x, right[x], y, down[x]) }
      }
    }
  }

  @inline(__always)
  private func value(_ x: Int, _ right: Float, _ y: Int, _ down: Float) -> Float {
    let (across, below) = (CubicSampler.parts(right), CubicSampler.parts(down))
    let (column, line) = (x + across.whole - 1, y + below.whole - 1)
    guard column >= 0, line >= 0, column + 4 <= size.width, line + 4 <= size.height else {
      return edgeValue(x, right, y, down)
    }
    let (columns, lines) = (CubicSampler.weights(across.rest), CubicSampler.weights(below.rest))
    var sum = SIMD4<Float>(repeating: 0)
    for index in 0..<4 {
      guard let start = unsafe row(line + index).baseAddress else { return .nan }
      unsafe sum += lines[index] * CubicSampler.neighbors(start + column)
    }
    return (sum * columns).sum()
  }

  /// Returns the value of a pixel exactly on the edge; NaN between pixels and outside.
  private func edgeValue(_ x: Int, _ right: Float, _ y: Int, _ down: Float) -> Float {
    guard right == 0, down == 0 else { return .nan }
    return unsafe row(y)[x]
  }
}
