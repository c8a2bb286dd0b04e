internal import ColorScience
internal import Displays
internal import Frames
internal import Rendering

/// How pixels of a display itself are coded: R'G'B' in its own primaries and transfer, at full range.
///
/// They have no tags: no code point describes a single display, and what is fine-tuned for one is wrong on any other.
struct DisplayCoding {
  /// What no other display should interpret.
  static let color = ColorDescription(
    primaries: .unspecified, transfer: .unspecified, matrix: .rgb, range: .full)

  /// How light becomes the display's signal; 1.0 is its SDR white.
  let transfer: SignalTransfer
  /// Luminance in cd/m² of the largest code.
  let white: Double

  /// - Parameter sdrWhite: Luminance in cd/m² of 1.0.
  init(_ model: DisplayModel, sdrWhite: Double) {
    let peak = model.peak / sdrWhite
    white = model.transfer == .pq ? PQ.peak : model.peak
    transfer =
      switch model.transfer {
      case .pq: .pq(unit: sdrWhite)
      case .sRGB: .sRGB(peak: peak)
      case .bt1886: model.black > 0 ? .bt1886Black(model.black / model.peak, peak: peak) : .bt1886(peak: peak)
      case .gamma(let exponent): .power(exponent: exponent, peak: peak)
      }
  }
}
