internal import Rendering
internal import ToneMapping

/// The way from a band's light to that which is measured: light of the reference display in units of so many cd/m².
struct DisplayLight {
  let nitsPerUnit: Double
  /// The OOTF, where bands hold scene light.
  let mapping: LightMapping?

  /// - Parameter sdrWhite: Luminance of SDR white in cd/m².
  init(_ content: ContentInterpretation, sdrWhite: Double) {
    let form = ContentLightForm(content, sdrWhite: sdrWhite)
    guard let ootf = form.compiledOOTF else {
      nitsPerUnit = form.nitsPerUnit
      mapping = nil
      return
    }
    // As bright in the units of bands as other content is, well inside of half float.
    nitsPerUnit = EDRMetadata.defaultOpticalOutputScale
    let gain = ootf.gain.scaled(by: form.nitsPerUnit / nitsPerUnit)
    mapping = LightMapping(tone: .luminanceGain(gain, weights: ootf.weights), gamut: .keep)
  }
}
