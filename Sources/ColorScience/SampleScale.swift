/// Code values of a bit depth and range, and their signals.
///
/// Source: ITU-R BT.2100-2, table 9; ITU-T H.273 (07/2021), clause 8.3.
public struct SampleScale: Sendable, Hashable {
  /// Bits per sample, 8...16.
  public let bitDepth: Int
  /// Full: all code values are used. Limited: black at 16 and white at 235 of eight bits.
  public let range: VideoRange

  /// A scale of 8...16 bits; other depths trap.
  public init(bitDepth: Int, range: VideoRange) {
    precondition((8...16).contains(bitDepth))
    self.bitDepth = bitDepth
    self.range = range
  }

  /// Codes per 8-bit step.
  private var step: Int { 1 << (bitDepth - 8) }

  /// Largest code of this depth.
  public var maxCode: Int { (1 << bitDepth) - 1 }

  /// Valid video data codes: in limited range the first and last 8-bit step are reserved for synchronization.
  ///
  /// 4...1019 at ten bit. Source: ITU-R BT.2100-2, table 9, "video data".
  public var videoCodes: ClosedRange<Int> {
    range == .full ? 0...maxCode : step...(255 * step - 1)
  }

  /// Code of luma, R', G' or B' 0.
  public var lumaOffset: Double { range == .full ? 0 : Double(16 * step) }
  /// Codes between luma, R', G' or B' 0 and 1.
  public var lumaScale: Double { Double(range == .full ? maxCode : 219 * step) }
  /// Code of Cb or Cr 0.
  public var chromaOffset: Double { Double(128 * step) }
  /// Codes between Cb or Cr -0.5 and 0.5.
  public var chromaScale: Double { Double(range == .full ? maxCode : 224 * step) }

  /// Signal of a luma, R', G' or B' code: nominally 0...1.
  public func luma(fromCode code: Int) -> Double { (Double(code) - lumaOffset) / lumaScale }

  /// Signal of a Cb or Cr code: nominally -0.5...0.5.
  public func chroma(fromCode code: Int) -> Double { (Double(code) - chromaOffset) / chromaScale }

  /// Nearest code to a luma, R', G' or B' signal, halves up, limited to `videoCodes`.
  public func code(fromLuma luma: Double) -> Int { nearestCode(luma * lumaScale + lumaOffset) }

  /// Nearest code to a Cb or Cr signal, halves up, limited to `videoCodes`.
  public func code(fromChroma chroma: Double) -> Int { nearestCode(chroma * chromaScale + chromaOffset) }

  /// NaN becomes the lowest code.
  private func nearestCode(_ value: Double) -> Int {
    let codes = videoCodes
    let rounded = (value + 0.5).rounded(.down)
    guard rounded > Double(codes.lowerBound) else { return codes.lowerBound }
    return Int(min(rounded, Double(codes.upperBound)))
  }
}
