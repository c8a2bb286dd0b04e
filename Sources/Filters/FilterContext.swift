internal import ColorScience
public import Frames
public import ToneMapping

/// What filters need to know about the light that they get, and what happens to it afterwards.
public struct FilterContext: Sendable {
  /// What bands hold.
  public var content: ContentInterpretation
  /// How the light is mapped to a display after them; nil for light as it was decoded.
  public var mapping: DisplayMapping.Settings?
  /// Luminance of SDR white in cd/m².
  public var sdrWhite: Double
  /// Of the picture.
  public var size: Size
  /// Of the pool that renders.
  public var workers: Int

  /// Takes luminance in cd/m².
  public init(
    content: ContentInterpretation, mapping: DisplayMapping.Settings?, sdrWhite: Double, size: Size, workers: Int
  ) {
    self.content = content
    self.mapping = mapping
    self.sdrWhite = sdrWhite
    self.size = size
    self.workers = workers
  }

  /// What the components of a band stand for.
  var form: ContentLightForm {
    mapping.map { ContentLightForm($0) } ?? ContentLightForm(content, sdrWhite: sdrWhite)
  }

  /// Primaries in which pixels are painted.
  var paintedPrimaries: RGBSpace { mapping.map { $0.display.primaries.space ?? .bt709 } ?? content.primaries }

  /// What 1.0 of a painted colour is, in components of the band that is painted.
  var paintedWhite: Double { mapping == nil ? form.light(ofGray: sdrWhite) : 1 }
}
