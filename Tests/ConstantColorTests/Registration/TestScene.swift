import ColorScience
import ConstantColor
import Frames
import Glibc
import Rendering
import TestSupport

/// A flat scene that is known at every place: patterns of many sizes, lit by a lamp and by a flash, which throw
/// different shadows. Places are counted in widths of the picture from its centre.
struct TestScene: Sendable {
  /// A disc of another colour, with stripes.
  struct Disc: Sendable {
    var center: SIMD2<Double>
    var radius: Double
    var color: SIMD3<Double>
    var stripes = 0.0

    func share(at place: SIMD2<Double>) -> Double {
      let offset = place - center
      return 1 / (1 + exp(((offset * offset).sum().squareRoot() - radius) * 1500))
    }
  }

  private struct Wave {
    var frequency: SIMD2<Double>
    var phase: Double
    var strength: SIMD3<Double>
  }

  private var waves: [Wave] = []
  private(set) var spots: [Disc] = []
  let size: Size
  /// Light of the lamp and of the flash.
  var lamp = SIMD3(0.5, 0.3, 0.12)
  var flash = SIMD3(0.6, 0.7, 0.8)
  /// Variance of samples: for each unit of light, and without light.
  var noise = NoiseModel(shot: SIMD3(repeating: 0), read: SIMD3(repeating: 0))
  var hasShadows = true

  init(seed: UInt64, size: Size, contrast: Double = 1, spots count: Int = 60) {
    self.size = size
    var random = Xorshift(seed: seed)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    for _ in 0..<16 {
      let (angle, length) = (number(0...(2 * .pi)), 0.012 * pow(20, number(0...1)))
      waves.append(
        Wave(
          frequency: SIMD2(cos(angle), sin(angle)) * (2 * .pi / length), phase: number(0...(2 * .pi)),
          strength: SIMD3(number(0...1), number(0...1), number(0...1)) * 0.1 * contrast))
    }
    for _ in 0..<count {
      spots.append(
        Disc(
          center: SIMD2(number(-0.6...0.6), number(-0.5...0.5)), radius: number(0.008...0.05),
          color: SIMD3(number(0.1...1.2), number(0.1...1.2), number(0.1...1.2))))
    }
  }

  private func reflectance(_ place: SIMD2<Double>, _ moving: [Disc]) -> SIMD3<Double> {
    var color = SIMD3(repeating: 0.5)
    for wave in waves { color += wave.strength * sin((wave.frequency * place).sum() + wave.phase) }
    color.clamp(lowerBound: SIMD3(repeating: 0.04), upperBound: SIMD3(repeating: 0.95))
    for disc in spots + moving {
      let offset = place - disc.center
      guard abs(offset.x) < disc.radius + 0.01, abs(offset.y) < disc.radius + 0.01 else { continue }
      let share = disc.share(at: place)
      let stripe = 1 + disc.stripes * sin(offset.x * 400) * sin(offset.y * 400)
      color = color * (1 - share) + disc.color * (0.5 * stripe * share)
    }
    return color
  }

  private func light(_ place: SIMD2<Double>, withFlash: Bool) -> SIMD3<Double> {
    // The lamp's shadow has a soft edge, that of the flash a sharper one.
    let fromLamp = hasShadows ? 0.25 + 0.75 / (1 + exp((place.x * 0.9 + place.y * 0.5 - 0.1) * 120)) : 1
    var light = lamp * fromLamp * (1 + 0.5 * place.x)
    if withFlash {
      let shadow = Disc(center: SIMD2(-0.25, -0.1), radius: 0.09, color: .zero).share(at: place)
      light += flash * (1 - 0.8 * (place * place).sum()) * (hasShadows ? 1 - 0.9 * shadow : 1)
    }
    return light
  }

  /// A picture of the scene.
  /// - Parameters:
  ///   - map: From places to pixels.
  ///   - bend: Displacement at a pixel, in widths, that comes on top.
  ///   - moving: Discs above everything else.
  func picture(
    _ map: AffineMap, withFlash: Bool, bend: @escaping @Sendable (SIMD2<Double>) -> SIMD2<Double> = { _ in .zero },
    moving: [Disc] = [], seed: UInt64 = 1, pool: WorkerPool
  ) -> SceneImage {
    let image = SceneImage(size: size, description: SceneDescription(components: .rgb(.bt709), noise: noise))
    let (width, height) = (Double(size.width), Double(size.height))
    let determinant = map.xx * map.yy - map.xy * map.yx
    pool.forEachBand(of: size.height, span: 16) { rows, _, _ in
      var random = Xorshift(seed: seed &* 7919 &+ UInt64(rows.lowerBound))
      for y in rows {
        for x in 0..<size.width {
          let pixel = SIMD2(Double(x) + 0.5 - width / 2 - map.x, Double(y) + 0.5 - height / 2 - map.y)
          let straight =
            SIMD2(map.yy * pixel.x - map.xy * pixel.y, map.xx * pixel.y - map.yx * pixel.x) / determinant / width
          let place = straight - bend(straight)
          let light = reflectance(place, moving) * light(place, withFlash: withFlash)
          let variance = noise.variance(of: light)
          for channel in 0..<3 {
            // Nearly a normal distribution.
            let normal = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) }
            unsafe image.row(channel, y)[x] = Float(
              light[channel] + normal * (variance[channel] * 0.75).squareRoot())
          }
        }
      }
    }
    return image
  }
}
