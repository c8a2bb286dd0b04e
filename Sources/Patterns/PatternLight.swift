internal import ColorScience
public import Frames
internal import Synchronization
internal import Threads

/// Content light level of a pattern, computed from its pixels: from R'G'B' code values, or from Y'CbCr as coded.
///
/// Codes below black are treated as no light; PQ codes above signal 1 as 10000 cd/m².
/// Source: CTA-861.3-A (2016), annex A.
public struct PatternLight: Sendable {
  /// The brightest pixel of all frames, max(R, G, B) in cd/m².
  public private(set) var maxCLL = 0.0
  /// The largest frame average of max(R, G, B) in cd/m².
  public private(set) var maxFALL = 0.0

  private let signal: PatternSignal
  private let table: LightTable

  /// Creates an accumulator without frames.
  /// - Parameter signal: Interpretation of the codes.
  public init(_ signal: PatternSignal) {
    self.signal = signal
    table = LightTable(signal)
  }

  /// Light of some rows: the sum and the maximum over the pixels of max(R, G, B) in cd/m².
  private struct Part {
    var sum = 0.0
    var peak = 0.0
  }

  /// Adds a frame. The result does not depend on the number of threads.
  /// - Parameters:
  ///   - painter: Paints the frame.
  ///   - threads: Maximum number of threads; nil: one per processor.
  public mutating func add(_ painter: PatternPainter, threads: Int? = nil) {
    let frame = light(of: painter, threads)
    maxCLL = max(maxCLL, frame.peak)
    maxFALL = max(maxFALL, frame.sum / (Double(painter.size.width) * Double(painter.size.height)))
  }

  /// Takes the maximum of each.
  mutating func merge(maxCLL: Double, maxFALL: Double) {
    self.maxCLL = max(self.maxCLL, maxCLL)
    self.maxFALL = max(self.maxFALL, maxFALL)
  }

  /// Both, rounded up to whole numbers for metadata.
  public var contentLight: ContentLight { ContentLight(roundingUp: maxCLL, maxFALL: maxFALL) }

  private func light(of painter: PatternPainter, _ threads: Int?) -> Part {
    let strips = RowStrips(rows: painter.size.height)
    let parts = Mutex(Array(repeating: Part(), count: strips.count))
    strips.run(threads: threads) { strip, rows in
      let part = light(rows, of: painter)
      parts.withLock { $0[strip] = part }
    }
    return parts.withLock { $0 }.reduce(Part()) { Part(sum: $0.sum + $1.sum, peak: max($0.peak, $1.peak)) }
  }

  private func light(_ strip: Range<Int>, of painter: PatternPainter) -> Part {
    var rows = PatternRows(painter)
    var codes = [SIMD3<UInt16>](repeating: .zero, count: painter.size.width)
    var (row, total) = (Part(), Part())
    for y in strip {
      if rows.move(to: y) {
        rows.round(by: .luma(signal.scale), into: &codes)
        row = light(codes)
      }
      total.sum += row.sum
      total.peak = max(total.peak, row.peak)
    }
    return total
  }

  private func light(_ codes: [SIMD3<UInt16>]) -> Part {
    var part = Part()
    var (last, nits) = (SIMD3<UInt16>.zero, table.brightest(.zero))
    for code in codes {
      if code != last { (last, nits) = (code, table.brightest(code)) }
      part.sum += nits
      part.peak = max(part.peak, nits)
    }
    return part
  }
}

/// The light of code values on the reference display, from tables.
struct LightTable: Sendable {
  private let kind: PatternSignal.Kind
  /// By code value: cd/m², or HLG scene light. Non-decreasing.
  private let components: [Double]

  init(_ signal: PatternSignal) {
    kind = signal.kind
    components = (0...signal.scale.maxCode).map { code in
      let value = signal.scale.luma(fromCode: code)
      return signal.kind == .hlg ? HLG.inverseOETF(value) : signal.nits(SIMD3(repeating: value)).x
    }
  }

  /// max(R, G, B) in cd/m².
  func brightest(_ codes: SIMD3<UInt16>) -> Double {
    guard kind == .hlg else { return components[Int(codes.max())] }
    let scene = SIMD3(components[Int(codes.x)], components[Int(codes.y)], components[Int(codes.z)])
    return HLG.ootf(scene, peak: PatternSignal.hlgPeak, gamma: HLG.gamma(peak: PatternSignal.hlgPeak)).max()
  }
}
