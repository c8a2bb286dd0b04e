internal import ColorScience
public import Frames
public import Rendering
public import ToneMapping

/// The input light of filters and its further processing.
public struct FilterContext: Sendable {
  /// Interpretation of the bands.
  public var content: ContentInterpretation
  /// The subsequent mapping to a display; nil: light as decoded.
  public var mapping: DisplayMapping.Settings?
  /// Luminance of SDR white in cd/m².
  public var sdrWhite: Double
  /// Size of the picture.
  public var size: Size
  /// Number of workers of the rendering pool.
  public var workers: Int

  /// Creates a context; luminance is in cd/m².
  public init(
    content: ContentInterpretation, mapping: DisplayMapping.Settings?, sdrWhite: Double, size: Size, workers: Int
  ) {
    self.content = content
    self.mapping = mapping
    self.sdrWhite = sdrWhite
    self.size = size
    self.workers = workers
  }

  /// The meaning of a band's components.
  var form: ContentLightForm {
    mapping.map { ContentLightForm($0) } ?? ContentLightForm(content, sdrWhite: sdrWhite)
  }

  /// Primaries of painted pixels.
  var paintedPrimaries: RGBSpace { mapping.map { $0.display.primaries } ?? content.primaries }

  /// Component value in a painted band that corresponds to 1.0 in a painted colour.
  var paintedWhite: Double { mapping == nil ? form.light(ofGray: sdrWhite) : 1 }
}
