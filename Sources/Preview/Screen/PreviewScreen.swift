public import Frames
public import Media

/// Where a preview is shown: a window, a terminal, or nothing at all.
///
/// Pictures arrive through `FrameSink.write(_:)`, already scaled: a picture fits into `area`, and the screen centres it. `write` returns
/// once the picture has been presented, so that latency can be measured.
public protocol PreviewScreen: FrameSink {
  /// The pixels that a picture may fill now. From any thread.
  var area: ScreenArea { get }
  /// Layout of the pictures that it takes: planar R'G'B' code values of 8 or 10 bits.
  var layout: PixelLayout { get }
  /// Where the pointer is in the picture that was presented last, as fractions of its width and height from 0 to below 1; nil: outside. From
  /// any thread.
  var pointer: SIMD2<Double>? { get }

  /// Why the screen has ended by itself; nil: it has not. From any thread.
  var fault: (any Failure)? { get }

  /// Opens the screen.
  /// - Parameter onInput: Gets what a person does, on a thread of the screen; it must return quickly.
  /// - Throws: Why there is no screen.
  func open(onInput: @escaping @Sendable (ScreenInput) -> Void) throws

  /// What the status line says from the next picture on. From any thread.
  func show(_ status: PreviewStatus)

  /// Shows a message over the picture for some seconds. From any thread.
  func say(_ message: String)

  /// Closes the screen and gives everything back. Called once, after the last picture.
  func close()
}

extension PreviewScreen {
  public var fault: (any Failure)? { nil }
}

/// The part of a screen that pictures may fill.
public struct ScreenArea: Sendable, Hashable {
  /// Pixels of the display itself.
  public var size: Size
  /// Pixels per point: 2 on a display whose desktop is scaled by 200 %.
  public var scale: Double
  /// Width of a pixel over its height: 1 but for cells of a terminal.
  public var pixelAspect: Double

  /// Square pixels unless stated.
  public init(size: Size, scale: Double = 1, pixelAspect: Double = 1) {
    (self.size, self.scale, self.pixelAspect) = (size, scale, pixelAspect)
  }
}

/// What a person does at a screen.
public enum ScreenInput: Sendable, Hashable {
  /// A key that stands for a command.
  case command(PreviewCommand)
  /// `area` has changed, or what was presented is lost: the picture is to be rendered again.
  case areaChanged
  /// `pointer` has changed.
  case pointerMoved
  /// The screen was closed.
  case closed
}
