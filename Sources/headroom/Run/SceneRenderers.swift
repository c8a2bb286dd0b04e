internal import Rendering
internal import ToneMapping

/// The renderers of the last few scenes: cuts go back and forth between them.
struct SceneRenderers {
  /// A renderer takes some hundred kilobytes of tables, and rows for each worker.
  private static let capacity = 4

  /// The latest last.
  private var entries: [(scene: SceneParameters?, renderer: FrameRenderer)] = []

  /// The renderer for a scene, made where it is not among the last.
  mutating func renderer(for scene: SceneParameters?, make: () throws -> FrameRenderer) throws -> FrameRenderer {
    if let last = entries.last, last.scene == scene { return last.renderer }
    let renderer: FrameRenderer
    if let index = entries.firstIndex(where: { $0.scene == scene }) {
      renderer = entries.remove(at: index).renderer
    } else {
      renderer = try make()
      if entries.count == Self.capacity { entries.removeFirst() }
    }
    entries.append((scene, renderer))
    return renderer
  }
}
