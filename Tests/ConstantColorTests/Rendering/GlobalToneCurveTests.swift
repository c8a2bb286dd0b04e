import ColorScience
import ConstantColor
import Frames
import Rendering
import TestSupport
import Testing

/// The tone curve of pictures for displays.
@Suite struct GlobalToneCurveTests {
  @Test func lightUpToTheShoulderStays() {
    for step in 0...80 {
      let light = Double(step) / 100
      #expect(GlobalToneCurve.light(of: light) == light)
    }
  }

  /// Values of the formula by Python.
  @Test func brighterLightApproachesWhite() {
    let expected = [
      (0.9, 0.878_693_868_057), (1.0, 0.926_424_111_766), (1.4, 0.990_042_586_326), (2.0, 0.999_504_249_565),
    ]
    for (light, shown) in expected { #expect(abs(GlobalToneCurve.light(of: light) - shown) < 1e-11) }
    #expect(GlobalToneCurve.light(of: 1e6) <= 1)
  }

  @Test func itRisesWithoutAKink() {
    var last = -1.0
    for step in 0..<400 {
      let shown = GlobalToneCurve.light(of: Double(step) / 100)
      #expect(shown > last)
      last = shown
    }
    let (before, after) = (GlobalToneCurve.light(of: 0.8 - 1e-6), GlobalToneCurve.light(of: 0.8 + 1e-6))
    #expect(abs((after - before) / 2e-6 - 1) < 1e-4)
  }

  @Test func proportionsStay() {
    let shown = GlobalToneCurve().reference(SIMD3(2, 1, -0.1))
    #expect(abs(shown.x / shown.y - 2) < 1e-12 && abs(shown.z / shown.x + 0.05) < 1e-12)
    #expect(GlobalToneCurve().reference(SIMD3(-0.2, 0, -0.1)) == SIMD3(-0.2, 0, -0.1))
  }

  /// The kernels against the reference, over halves of all sizes.
  @Test(arguments: KernelTier.supported) func kernelsAgree(_ tier: KernelTier) throws {
    let size = Size(width: 64, height: 8)
    let image = SceneImage(size: size, description: SceneDescription(components: .rgb(.bt709)))
    var random = Xorshift(seed: 7)
    for channel in 0..<3 {
      for y in 0..<8 { for x in 0..<64 { image[channel, x, y] = Float.random(in: -0.2...2.8, using: &random) } }
    }
    let pool = WorkerPool(count: 2)
    let color = ColorDescription(primaries: .bt709, transfer: .linear, matrix: .rgb, range: .full)
    let light = image.linearFrame(pool: pool)
    let renderer = try FrameRenderer(
      source: FrameRenderer.Endpoint(format: light.coded(color: color).format, transfer: .linear(unit: 1)),
      outputs: [FrameRenderer.Output(stages: [GlobalToneCurve()], end: .linear)], tier: tier, pool: pool)
    let shown = try renderer.linearFrame(light.coded(color: color))
    for y in 0..<8 {
      for x in 0..<64 {
        func value(_ frame: LinearFrame, _ component: LinearFrame.Component) -> Double {
          Double(frame.row(y, component)[x])
        }
        let before = SIMD3(value(light, .red), value(light, .green), value(light, .blue))
        let after = SIMD3(value(shown, .red), value(shown, .green), value(shown, .blue))
        let difference = after - GlobalToneCurve().reference(before)
        #expect(max(difference.max(), -difference.min()) < 1e-3)
      }
    }
  }
}
