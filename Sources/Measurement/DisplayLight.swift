internal import ColorScience
internal import Rendering
internal import ToneMapping

/// The way from a band's light to that which is measured: light of the reference display in units of so many cd/m².
struct DisplayLight {
  let nitsPerUnit: Double
  /// Where bands hold scene light.
  let ootf: LightMapping?
  private let form: ContentLightForm

  /// - Parameter sdrWhite: Luminance of SDR white in cd/m².
  init(_ content: ContentInterpretation, sdrWhite: Double) {
    form = ContentLightForm(content, sdrWhite: sdrWhite)
    guard let ootf = form.compiledOOTF else {
      nitsPerUnit = form.nitsPerUnit
      self.ootf = nil
      return
    }
    // As bright in the units of bands as other content is, well inside of half float.
    nitsPerUnit = EDRMetadata.defaultOpticalOutputScale
    let gain = ootf.gain.scaled(by: form.nitsPerUnit / nitsPerUnit)
    self.ootf = LightMapping(tone: .luminanceGain(gain, weights: ootf.weights), gamut: .keep)
  }

  /// The components in a band of a grey of so many cd/m².
  func bandLight(ofGray nits: Double) -> Double {
    switch form {
    case .display(let unit): nits / unit
    case .scene(let peak, let gamma): HLG.inverseOOTF(SIMD3(repeating: nits), peak: peak, gamma: gamma).x
    }
  }
}
