import ColorScience
import Testing

@Suite struct ColorCheckerPatchTests {
  /// colour-science 0.4.7: its "ColorChecker24 - After November 2014", adapted by Bradford's transform to x 0.3127,
  /// y 0.3290.
  @Test(arguments: [
    (0, SIMD3(0.10934, 0.09709, 0.06298)), (5, SIMD3(0.30320, 0.41710, 0.45348)),
    (7, SIMD3(0.13039, 0.11285, 0.38175)), (14, SIMD3(0.20434, 0.12381, 0.05149)),
    (15, SIMD3(0.55335, 0.59007, 0.08913)), (17, SIMD3(0.13352, 0.18500, 0.38552)),
    (18, SIMD3(0.82976, 0.88015, 0.91540)), (23, SIMD3(0.03003, 0.03152, 0.03508)),
  ])
  func adaptsToD65(_ index: Int, _ expected: SIMD3<Double>) {
    let error = ColorCheckerPatch.all[index].xyzD65 - expected
    #expect(max(error.max(), -error.min()) < 1e-5)
  }

  /// The spectra are of older charts than the colours, so that they agree only roughly.
  @Test func hasASpectrumForEachPatch() {
    #expect(ColorCheckerPatch.reflectances.count == 24)
    for (patch, spectrum) in zip(ColorCheckerPatch.all, ColorCheckerPatch.reflectances) {
      #expect(spectrum.count == ColorCheckerPatch.wavelengths.count)
      var (sum, white) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
      for (wavelength, reflectance) in zip(ColorCheckerPatch.wavelengths, spectrum) {
        let index = (wavelength - 380) / 5
        let weight = CIE1931Observer.colorMatching[index] * IlluminantD65.power[index]
        sum += weight * reflectance
        white += weight
      }
      let ratio = sum / (white.y * patch.xyzD65)
      #expect(ratio.min() > 0.9 && ratio.max() < 1.12, "\(patch.name): \(ratio)")
    }
  }
}
