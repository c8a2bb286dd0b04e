internal import Rendering

/// The part of a filter that chooses, from the content's light, how each pixel is painted after the mapping.
protocol PixelPainter: Sendable {
  var palette: Palette { get }

  /// Returns the code of a pixel.
  /// - Parameter rgb: Linear components of the content in band units.
  func code(_ rgb: SIMD3<Double>) -> Int

  /// Computes the codes of a row.
  /// - Parameter levels: A scratch row.
  @unsafe
  func encode(
    _ row: LinearBand.Row, width: Int, tier: KernelTier, levels: UnsafeMutablePointer<UInt16>,
    to codes: UnsafeMutablePointer<UInt16>)
}

/// The mapping to a display between filters: painters choose colours from the light before it, in filter order, and
/// paint on the light after it, so that colours match the legend.
struct PaintedMapping: Stage {
  /// The effect of a filter on the content's light.
  enum Step: Sendable {
    case stage(any Stage)
    case painter(any PixelPainter)
  }

  private let steps: [Step]
  private let painters: [any PixelPainter]
  private let mapping: [any Stage]
  private let width: Int
  private let workers: [Worker]

  /// - Parameters:
  ///   - mapping: Per-pixel stages.
  ///   - width: Pixels in a row of the widest band.
  init(_ steps: [Step], around mapping: [any Stage], width: Int, workers: Int) {
    self.steps = steps
    painters = steps.compactMap { step in
      guard case .painter(let painter) = step else { return nil }
      return painter
    }
    (self.mapping, self.width) = (mapping, width)
    self.workers = (0..<workers).map { _ in Worker() }
  }

  func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    var (rgb, codes) = (rgb, [Int]())
    for step in steps {
      switch step {
      case .stage(let stage): rgb = stage.reference(rgb)
      case .painter(let painter): codes.append(painter.code(rgb))
      }
    }
    let mapped = mapping.reduce(rgb) { $1.reference($0) }
    return zip(painters, codes).reduce(mapped) { $1.0.palette.reference($1.1, $0) }
  }

  @unsafe
  func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    let (height, count) = unsafe (band.height, painters.count)
    let codes = workers[worker].rows(count * height + 1, width: width)
    var number = 0
    for step in steps {
      switch step {
      case .stage(let stage): unsafe stage.process(band, tier: tier, worker: worker)
      case .painter(let painter):
        for index in 0..<height {
          unsafe painter.encode(
            band.row(index), width: band.width, tier: tier, levels: codes.row(count * height),
            to: codes.row(number * height + index))
        }
        number += 1
      }
    }
    for stage in mapping { unsafe stage.process(band, tier: tier, worker: worker) }
    for (number, painter) in painters.enumerated() {
      for index in 0..<height {
        unsafe painter.palette.paint(
          band.row(index), UnsafePointer(codes.row(number * height + index)), width: band.width, tier: tier)
      }
    }
  }

  /// The codes of one worker's band.
  private final class Worker: @unchecked Sendable {
    // @unchecked: only worker n uses its own instance.
    private var storage: (count: Int, rows: RowStorage<UInt16>)?

    /// Returns at least this many rows: bands have equal heights except the last.
    func rows(_ count: Int, width: Int) -> RowStorage<UInt16> {
      if let storage, storage.count >= count { return storage.rows }
      let rows = RowStorage<UInt16>(rows: count, width: width)
      storage = (count, rows)
      return rows
    }
  }
}
