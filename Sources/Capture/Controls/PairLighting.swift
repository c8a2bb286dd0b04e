public import Frames

/// Holds the exposure of a device and drives its flash while a pair of frames is captured: some frames without it, some
/// with it. Afterwards the device has again what it had.
public final class PairLighting: Sendable {
  /// The flash that is driven; nil: the device has none, and somebody has to switch a lamp.
  public let flash: FlashControl?
  /// Nothing adapts by itself meanwhile, as far as the device tells.
  public let isExposureHeld: Bool
  /// The exposure of both frames, as far as the device tells.
  public let exposure: Exposure?
  private let hold: ControlHold

  /// Frames that an exposure takes to settle; they are none of the pair.
  public static let settling = 8
  /// Number of the frame after which the flash is switched on, and of that after which it is switched off. What is set
  /// shows some frames later.
  static let lit = 12..<28

  /// Holds the exposure; the flash is still as it was.
  /// - Parameter device: Opened beside whoever captures from it.
  /// - Throws: `CaptureError.isGone`
  public init(_ device: CaptureDevice) throws(CaptureError) {
    hold = ControlHold(device)
    flash = device.flash
    isExposureHeld = try hold.holdExposure()
    exposure = device.exposure.exposure
    // A torch that is on already would light both frames.
    if let flash { try hold.switchOff(flash) }
  }

  /// A frame has come: the flash is switched if it is time.
  /// - Parameter number: Number of the frame since the exposure was held, from 0.
  /// - Throws: `CaptureError` if the device refuses.
  public func advance(to number: Int) throws(CaptureError) {
    guard let flash else { return }
    if number == Self.lit.lowerBound { try hold.switchOn(flash) }
    if number == Self.lit.upperBound { try hold.switchOff(flash) }
  }

  /// Gives the device back what it had. From any thread, any number of times.
  public func restore() { hold.restore() }
}
