internal import Rendering
internal import ToneMapping

/// What happens to the light of a scene between decoding and coding.
struct LightWay {
  /// The mapping to a display; nil where light stays as it was decoded.
  var mapping: (SceneParameters?) -> DisplayMapping.Settings? = { _ in nil }
  /// What follows, from that light to the light that is coded.
  var coding: [any Stage] = []

  func stages(for scene: SceneParameters?) -> [any Stage] {
    (mapping(scene).map { [DisplayMapping($0)] } ?? []) + coding
  }
}
