internal import ColorScience
package import Rendering

/// The way from a band's light to that which is measured: light of the reference display in units of a number of cd/m².
package struct DisplayLight: Sendable {
  package let nitsPerUnit: Double
  /// Where bands hold scene light.
  package let ootf: ColorTransform?
  package let form: ContentLightForm

  /// Light as the reference display shows it.
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
    // As bright in the units of bands as other content is, well inside of half float.
    nitsPerUnit = EDRMetadata.defaultOpticalOutputScale
    let gain = ootf.gain.scaled(by: form.nitsPerUnit / nitsPerUnit)
    self.ootf = ColorTransform(tone: .luminanceGain(gain, weights: ootf.weights), gamut: .keep)
  }
}
