internal import Frames

/// A picture downscaled for the chart search.
struct ReducedPicture {
  /// Columns and rows.
  let size: Size
  /// Pixels of the picture per pixel of this one, equal in both directions.
  let scale: Double
  /// Linear light, row by row.
  let linear: [SIMD3<Float>]
  /// Perceptually uniform tones, white about 1; lower in channels with much noise.
  let tones: [SIMD3<Float>]

  /// Maximum number of columns or rows.
  private static let maximumExtent = 800

  init(_ picture: SceneImage) {
    let factor = (max(picture.size.width, picture.size.height) + Self.maximumExtent - 1) / Self.maximumExtent
    let size = Size(
      width: max(picture.size.width / factor, 1), height: max(picture.size.height / factor, 1))
    self.size = size
    scale = Double(factor)
    var light = Array(repeating: SIMD3<Float>.zero, count: size.width * size.height)
    let columns = min(size.width * factor, picture.size.width)
    for channel in 0..<3 {
      for y in 0..<min(size.height * factor, picture.size.height) {
        let row = y / factor * size.width
        for x in 0..<columns {
          let value = picture[channel, x, y]
          if value.isFinite, value > 0 { light[row + x / factor][channel] += value }
        }
      }
    }
    let pixels = Float(factor * factor)
    for index in light.indices { light[index] /= pixels }
    let bright = Self.bright(light)
    linear = light
    let tones = light.map { pixel in (pixel / bright + 0.01).squareRoot() - 0.1 }
    let noise = pointwiseMax(Self.noise(tones), SIMD3(repeating: Self.tolerableNoise))
    self.tones = tones.map { $0 * (Self.tolerableNoise / noise) }
  }

  /// Tone noise that does not affect the search.
  private static let tolerableNoise: Float = 0.01

  /// Returns the median difference between neighbours in each channel.
  private static func noise(_ tones: [SIMD3<Float>]) -> SIMD3<Float> {
    var result = SIMD3<Float>.zero
    let step = max(tones.count / 20_000, 1)
    guard tones.count > 1 else { return result }
    for channel in 0..<3 {
      let steps = stride(from: 1, to: tones.count, by: step).map { index in
        (tones[index][channel] - tones[index - 1][channel]).magnitude
      }
      result[channel] = steps.sorted()[steps.count / 2]
    }
    return result
  }

  /// Returns the light of each channel that few pixels exceed.
  private static func bright(_ light: [SIMD3<Float>]) -> SIMD3<Float> {
    var result = SIMD3<Float>.one
    let step = max(light.count / 20_000, 1)
    for channel in 0..<3 {
      let values = stride(from: 0, to: light.count, by: step).map { light[$0][channel] }.sorted()
      let value = values[values.count * 98 / 100]
      if value > 0, value.isFinite { result[channel] = value }
    }
    return result
  }

  /// Returns the mean linear light around a position; nil outside the picture.
  /// - Parameter reach: Half the side of the averaged square, in pixels.
  func mean(at place: SIMD2<Double>, reach: Double) -> SIMD3<Double>? {
    let (low, high) = (place - reach, place + reach)
    guard low.x >= 0, low.y >= 0, high.x < Double(size.width), high.y < Double(size.height) else { return nil }
    var (sum, count) = (SIMD3<Double>.zero, 0.0)
    for y in Int(low.y)...Int(high.y) {
      for x in Int(low.x)...Int(high.x) {
        sum += SIMD3<Double>(linear[y * size.width + x])
        count += 1
      }
    }
    return sum / count
  }
}
