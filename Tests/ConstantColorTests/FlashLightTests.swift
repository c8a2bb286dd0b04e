import ColorScience
import ConstantColor
import Frames
import Testing

@Suite struct FlashLightTests {
  /// Published chromaticities: illuminant A and Planckian radiators, D50, D55, D65 and D75.
  /// Source: CIE 015:2018, tables; 2856 K, 5003 K, 5503 K, 6504 K, 7504 K.
  @Test(arguments: [
    (2856.0, 0.44758, 0.40745), (5003, 0.34567, 0.35850), (5503, 0.33242, 0.34743), (6504, 0.31272, 0.32903),
    (7504, 0.29902, 0.31485), (2000, 0.52669, 0.41331),
  ])
  func temperatures(_ kelvins: Double, _ x: Double, _ y: Double) {
    let light = Chromaticity.illuminant(kelvins: kelvins)
    #expect(abs(light.x - x) < 8e-4 && abs(light.y - y) < 8e-4, "\(light)")
  }

  /// What is neutral in the light of the flash has the chromaticity of D65 afterwards.
  @Test func neutralBecomesWhite() throws {
    let camera = SceneDescription.Components.camera(
      name: "a", toXYZ: Matrix3(SIMD3(0.6, 0.3, 0.1), SIMD3(0.25, 0.7, 0.05), SIMD3(0.02, 0.1, 0.9)))
    for (light, components) in [
      (FlashLight.neutral(SIMD3(0.5, 1, 0.6)), camera), (.temperature(4500), camera),
      (.temperature(3200), .rgb(.bt2020)), (.neutral(SIMD3(0.5, 1, 0.6)), .camera(name: "b", toXYZ: nil)),
    ] {
      let transform = try FlashTransform(light, components)
      let white = transform.toXYZ * transform.white
      #expect((white / white.y - CIELAB.white).max() < 1e-9, "\(light)")
      #expect((CIELAB.white - white / white.y).max() < 1e-9, "\(light)")
    }
  }

  @Test func unknownColours() {
    #expect(throws: ConstantColorError.unknownColor(camera: "b")) {
      try FlashTransform(.temperature(5000), .camera(name: "b", toXYZ: nil))
    }
    #expect(throws: ConstantColorError.calibration(of: "a", picture: "b")) {
      try FlashTransform(
        .calibrated(ColorCalibration(components: "a", toXYZ: .identity, white: SIMD3(repeating: 1))),
        .camera(name: "b", toXYZ: nil))
    }
  }
}
