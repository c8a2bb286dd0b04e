internal import ColorScience
public import Frames

/// The mode that a device is set to, and why.
///
/// Without a request it is the widest that keeps the rate: at the size that the device has now, among the formats that reach its highest rate
/// there, the one with most bits, then with the widest gamut, then with most chroma. A coded format comes after all others. An input without
/// digital video timings that takes any size, as those of television, keeps the format that it has.
public struct ModeChoice: Sendable, Hashable {
  /// What the user asks for; what is nil is left to the device.
  public struct Request: Sendable, Hashable, Codable {
    /// The pixel format.
    public var format: FourCC?
    /// Pixels of the picture.
    public var size: Size?
    /// Frames per second.
    public var rate: Rational?

    /// The widest mode that keeps the rate.
    public init() {}

    /// "NV12 1280x720 at 30", of what is asked for.
    var text: String {
      [
        format?.text, size.map { "\($0.width)x\($0.height)" }, rate.map { "at \(($0.value * 1000).rounded() / 1000)" },
      ].compactMap(\.self).joined(separator: " ")
    }
  }

  /// Why a mode is chosen.
  public enum Reason: Sendable, Hashable, Codable {
    /// It is asked for.
    case asked
    /// The device has its format and size: of a television or analogue input no other is better.
    case kept
    /// It is the widest that keeps the rate.
    case widest
  }

  /// The mode.
  public let mode: CaptureMode
  /// Why it was chosen.
  public internal(set) var reason: Reason
  /// Modes of the same size that are as fast and not as wide.
  public let narrower: [CaptureMode]
  /// Modes of the same size that are wider, but slower.
  public let slower: [CaptureMode]

  /// Rates that differ by less are the same: 59.94 and 60 are not.
  private static let tolerance = 0.0005

  /// - Parameters:
  ///   - modes: What the device has.
  ///   - current: The size that it has now.
  ///   - gamut: The primaries that the driver states for a mode.
  /// - Returns: nil if there is no such mode.
  init?(
    _ request: Request, among modes: [CaptureMode], current: Size,
    gamut: (CaptureMode) -> ColorPrimaries = { _ in .bt709 }
  ) {
    func isAsked(_ mode: CaptureMode) -> Bool {
      (request.format == nil || mode.format.code == request.format)
        && (request.size == nil || mode.size == request.size)
        && (request.rate.map { Self.isSame(mode.rate, $0) } ?? true)
    }
    let asked = modes.filter(isAsked)
    // The size of the signal, or else the largest of those that there is memory for.
    let area = { (mode: CaptureMode) in mode.size.width * mode.size.height }
    let affordable = asked.filter { $0.byteCount <= CaptureMode.maximumBytes }
    let largest = (affordable.isEmpty ? asked : affordable).max { area($0) < area($1) }
    guard let size = asked.first(where: { $0.size == current })?.size ?? largest?.size else { return nil }
    let fitting = asked.filter { $0.size == size }
    let fastest = fitting.compactMap { $0.rate?.value }.max() ?? 0
    func isFast(_ mode: CaptureMode) -> Bool { (mode.rate?.value ?? 0) >= fastest * (1 - Self.tolerance) }
    func width(_ mode: CaptureMode) -> (fidelity: Int, bits: Int, gamut: Int, chroma: Int) {
      let format = mode.format
      return (format.coding == nil ? 1 : 0, format.bitDepth, gamut(mode) == .bt2020 ? 1 : 0, format.chroma)
    }
    let ranked = fitting.filter(isFast).enumerated().sorted { first, second in
      let (a, b) = (width(first.element), width(second.element))
      // Of equals the one that the driver names first.
      return a == b ? first.offset < second.offset : a > b
    }.map(\.element)
    guard let best = ranked.first else { return nil }
    mode = best
    reason = request == Request() ? .widest : .asked
    narrower = Array(ranked.dropFirst())
    slower = fitting.filter { !isFast($0) && width($0) > width(best) }
  }

  private static func isSame(_ rate: Rational?, _ asked: Rational) -> Bool {
    rate.map { abs($0.value / asked.value - 1) < tolerance } ?? false
  }
}
