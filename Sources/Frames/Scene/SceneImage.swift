/// A picture of linear, scene-referred light: planes of R, G and B in single precision, not yet rendered for any
/// display.
///
/// One thread writes an image, or several write disjoint rows of it; once it has been handed on, it is only read.
@safe
public final class SceneImage: @unchecked Sendable {
  // @unchecked: planes are written before the image is handed on (see above); everything else is immutable.
  // @safe: planes are reachable only through scoped or bounds-checked access, and live as long as this object.

  /// Columns and rows.
  public let size: Size
  /// The meaning of the components, and how they were captured.
  public let description: SceneDescription
  private let memory: UnsafeMutableRawPointer

  /// An image whose samples are all zero.
  /// - Parameters:
  ///   - size: At least one pixel.
  ///   - description: Meaning of the components.
  public init(size: Size, description: SceneDescription) {
    precondition(size.width > 0 && size.height > 0)
    self.size = size
    self.description = description
    unsafe memory = ZeroedMemory.allocate(
      byteCount: 3 * size.width * size.height * MemoryLayout<Float>.stride, isDense: true)
  }

  deinit { unsafe ZeroedMemory.free(memory) }

  /// The sample of a channel (0: R, 1: G, 2: B) at column `x` of row `y`; set it only before the image is handed on.
  public subscript(channel: Int, x: Int, y: Int) -> Float {
    get {
      precondition(0..<3 ~= channel && 0..<size.width ~= x && 0..<size.height ~= y)
      return unsafe row(channel, y)[x]
    }
    set {
      precondition(0..<3 ~= channel && 0..<size.width ~= x && 0..<size.height ~= y)
      unsafe row(channel, y)[x] = newValue
    }
  }

  /// The samples of one row of a channel; they must not outlive the image.
  @unsafe
  public func row(_ channel: Int, _ y: Int) -> UnsafeMutableBufferPointer<Float> {
    precondition(0..<3 ~= channel && 0..<size.height ~= y)
    let start = unsafe memory.assumingMemoryBound(to: Float.self) + (channel * size.height + y) * size.width
    return unsafe UnsafeMutableBufferPointer(start: start, count: size.width)
  }
}
