public import Frames
public import Media

/// The output of a preview: a window, a terminal, or none.
///
/// Pictures arrive through `FrameSink.write(_:)`, already scaled to fit `area`; the screen centres them. `write`
/// returns once the picture has been presented, so that latency can be measured.
public protocol PreviewScreen: FrameSink {
  /// The area available for pictures. Callable from any thread.
  var area: ScreenArea { get }
  /// The layout of accepted pictures: planar R'G'B' code values of 8 or 10 bits.
  var layout: PixelLayout { get }
  /// The pointer position in the last presented picture, as fractions of its width and height, from 0 to below 1; nil:
  /// outside. Callable from any thread.
  var pointer: SIMD2<Double>? { get }

  /// The failure that ended the screen; nil: none. Callable from any thread.
  var fault: (any Failure)? { get }

  /// Opens the screen.
  /// - Parameter onInput: Receives user input, on a thread of the screen; must return quickly.
  /// - Throws: If the screen cannot be opened.
  func open(onInput: @escaping @Sendable (ScreenInput) -> Void) throws

  /// Updates the status line, from the next picture on. Callable from any thread.
  func show(_ status: PreviewStatus)

  /// Shows a message over the picture for a few seconds. Callable from any thread.
  func say(_ message: String)

  /// Closes the screen and releases its resources. Called once, after the last picture.
  func close()
}

extension PreviewScreen {
  public var fault: (any Failure)? { nil }
}

/// The area of a screen available for pictures.
public struct ScreenArea: Sendable, Hashable {
  /// Size in device pixels.
  public var size: Size
  /// Pixels per point: 2 on a desktop scaled by 200 %.
  public var scale: Double
  /// Pixel width over height: 1, except for terminal cells.
  public var pixelAspect: Double

  /// Creates an area, with square pixels by default.
  public init(size: Size, scale: Double = 1, pixelAspect: Double = 1) {
    (self.size, self.scale, self.pixelAspect) = (size, scale, pixelAspect)
  }
}

/// User input at a screen.
public enum ScreenInput: Sendable, Hashable {
  /// A key that triggers a command.
  case command(PreviewCommand)
  /// `area` has changed, or the presented picture was lost: render again.
  case areaChanged
  /// `pointer` has changed.
  case pointerMoved
  /// The screen was closed.
  case closed
}
