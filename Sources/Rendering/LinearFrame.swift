public import Frames

/// A whole frame of linear half-float R, G and B; 1.0 is SDR white.
@safe
public final class LinearFrame: @unchecked Sendable {
  // @unchecked and @safe: bands are written before the frame is handed on, after which rows are only read, and spans
  // cannot outlive this object.

  /// A component of a pixel.
  public enum Component: Int, Sendable, Hashable, CaseIterable {
    /// R, G or B, in the order of storage.
    case red, green, blue
  }

  /// Width and height in pixels.
  public let size: Size
  /// Presentation time of the frame.
  public let time: FrameTime
  private let storage: RowStorage<Float16>

  /// Creates a frame of zeros.
  /// - Parameters:
  ///   - size: Width and height in pixels.
  ///   - time: Presentation time; zero if irrelevant.
  public init(size: Size, time: FrameTime = FrameTime(presentation: 0, duration: 0, timeBase: Rational(1, 1))) {
    self.size = size
    self.time = time
    storage = RowStorage(rows: 3 * size.height, width: size.width)
  }

  /// Returns the `size.width` values of one component in row `y`.
  @_lifetime(borrow self)
  public func row(_ y: Int, _ component: Component) -> Span<Float16> {
    precondition(y >= 0 && y < size.height)
    let start = unsafe UnsafePointer(storage.row(component.rawValue * size.height + y))
    let span = unsafe Span(_unsafeStart: start, count: size.width)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Returns a band of this frame or of one of its fields.
  @unsafe
  package func band(rows: Range<Int>, of field: Field? = nil) -> LinearBand {
    let step = field == nil ? 1 : 2
    let first = step * rows.lowerBound + (field?.rawValue ?? 0)
    let planes = unsafe LinearBand.Row(
      red: storage.row(first), green: storage.row(size.height + first), blue: storage.row(2 * size.height + first))
    return unsafe LinearBand(
      planes: planes, width: size.width, height: rows.count, stride: step * storage.stride, firstRow: rows.lowerBound,
      field: field)
  }

  /// Returns this frame as a source for a renderer with `SignalTransfer.linear`, sharing the memory.
  /// - Parameters:
  ///   - color: The meaning of the light, with the primaries of R, G and B.
  ///   - time: Presentation time if it differs from `time`, because frames of a pool are reused.
  public func coded(color: ColorDescription, time: FrameTime? = nil) -> CodedFrame {
    let planes: [CodedFrame.Plane] = unsafe [Component.green, .blue, .red].map { component in
      unsafe CodedFrame.Plane(
        base: UnsafeMutableRawPointer(storage.row(component.rawValue * size.height)),
        stride: storage.stride * MemoryLayout<Float16>.stride, size: size)
    }
    return unsafe CodedFrame(
      size: size, layout: .linearRGB, color: color, time: time ?? self.time, planes: planes, owner: self)
  }
}
