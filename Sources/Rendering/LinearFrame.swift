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

  /// Pixels in a row, and rows.
  public let size: Size
  /// When the frame is shown.
  public let time: FrameTime
  private let storage: RowStorage<Float16>

  /// A frame that is all zero.
  /// - Parameters:
  ///   - size: Pixels in a row, and rows.
  ///   - time: When it is shown; zero if irrelevant.
  public init(size: Size, time: FrameTime = FrameTime(presentation: 0, duration: 0, timeBase: Rational(1, 1))) {
    self.size = size
    self.time = time
    storage = RowStorage(rows: 3 * size.height, width: size.width)
  }

  /// The values of one component in row `y`, `size.width` of them.
  @_lifetime(borrow self)
  public func row(_ y: Int, _ component: Component) -> Span<Float16> {
    precondition(y >= 0 && y < size.height)
    let start = unsafe UnsafePointer(storage.row(component.rawValue * size.height + y))
    let span = unsafe Span(_unsafeStart: start, count: size.width)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The band's rows of this frame or of one of its fields.
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

  /// This frame as a source of a renderer whose transfer is `SignalTransfer.linear`, over the same memory.
  /// - Parameters:
  ///   - color: The meaning of the light; its primaries are those of R, G and B.
  ///   - time: When it is shown, if that is not `time`: frames of a pool are used again.
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
