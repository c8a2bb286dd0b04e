internal import ColorScience

/// The conversion of a band's light to reference-display light, in units of `nitsPerUnit` cd/m².
package struct DisplayLight: Sendable {
  package let nitsPerUnit: Double
  /// nil: bands do not hold scene light.
  package let ootf: ColorTransform?
  package let form: ContentLightForm

  /// Creates the conversion to light of the reference display.
  /// - Parameter sdrWhite: Luminance of SDR white in cd/m².
  package init(_ content: ContentInterpretation, sdrWhite: Double) {
    self.init(ContentLightForm(content, sdrWhite: sdrWhite))
  }

  package init(_ form: ContentLightForm) {
    self.form = form
    guard let ootf = form.compiledOOTF else {
      nitsPerUnit = form.nitsPerUnit
      self.ootf = nil
      return
    }
    // The scale of bands of other content, well within half float.
    nitsPerUnit = EDRMetadata.defaultOpticalOutputScale
    let gain = ootf.gain.scaled(by: form.nitsPerUnit / nitsPerUnit)
    self.ootf = ColorTransform(tone: .luminanceGain(gain, weights: ootf.weights), gamut: .keep)
  }
}
