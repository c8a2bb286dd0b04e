internal import ColorScience
public import Frames
public import Rendering
internal import Synchronization

/// Summarizes frames of one format, from rows spread over the picture.
public struct FrameSummarizer: Sendable {
  /// Format of the frames.
  public var format: PixelFormat { renderer.source.format }
  private let renderer: FrameRenderer
  private let grid: GridLight
  private let curve: SceneCurve
  private let scale: SampleScale

  /// Maximum number of rows read.
  private static let maximumRows = 270

  /// - Parameters:
  ///   - format: Format of the frames, with all tags specified.
  ///   - pool: Worker threads.
  /// - Throws: `SceneConversionError` for unsupported formats.
  public init(_ format: PixelFormat, pool: WorkerPool) throws(SceneConversionError) {
    curve = try SceneCurve(format.color.transfer)
    guard (8...16).contains(format.layout.bitDepth) else { throw .rendering(.unsupportedSource(format.layout)) }
    scale = SampleScale(bitDepth: format.layout.bitDepth, range: format.color.range)
    grid = GridLight(size: format.size, light: curve.lightOfCarrier())
    do {
      renderer = try FrameRenderer(
        source: FrameRenderer.Endpoint(format: format, transfer: curve.carrier), trunk: [grid], outputs: [],
        chroma: .nearest, dividesFields: false, rowStep: (format.size.height + Self.maximumRows - 1) / Self.maximumRows,
        pool: pool)
    } catch { throw .rendering(error) }
  }

  /// Returns the summary of a frame; not concurrently.
  /// - Parameters:
  ///   - frame: A frame in `format`.
  ///   - index: Its number in the stream.
  /// - Throws: `SceneConversionError.rendering` if the frame is not in `format`.
  public func summary(of frame: CodedFrame, index: Int) throws(SceneConversionError) -> FrameSummary {
    let isFloat = format.layout.samples == .half
    let top = isFloat ? Float(Float16.greatestFiniteMagnitude) : curve.saturation(scale, frame.metadata)
    do {
      return try grid.summary(index: index, seconds: frame.time.seconds, clippingAt: top) { () throws(RenderingError) in
        try renderer.render(frame, into: [])
      }
    } catch { throw .rendering(error) }
  }
}

/// A coarse summary of a frame: the light of a grid.
public struct FrameSummary: Sendable, Hashable {
  /// Columns of the grid.
  public static let columns = 16
  /// Rows of the grid.
  public static let rows = 9

  /// Number of the frame in its stream, from 0.
  public var index: Int
  /// Presentation time in seconds.
  public var seconds: Double
  /// Mean linear light of R, G and B of each cell, row by row from the top left, in a unit common to all frames.
  public var light: [SIMD3<Float>]
  /// The share of pixels that are clipped, from 0 to 1.
  public var clippedShare: Double
  /// Mean difference between horizontal neighbours, relative to the mean light.
  public var sharpness: Double

  /// Creates a summary; `light` has `columns` times `rows` values.
  public init(index: Int, seconds: Double, light: [SIMD3<Float>], clippedShare: Double = 0, sharpness: Double = 0) {
    precondition(light.count == Self.columns * Self.rows)
    (self.index, self.seconds, self.light) = (index, seconds, light)
    (self.clippedShare, self.sharpness) = (clippedShare, sharpness)
  }

  /// R + G + B of each cell.
  var sums: [Float] { light.map { $0.sum() } }
}

/// Accumulates the light of grid cells while a frame is rendered.
///
/// Sums are kept per row, so that the result does not depend on the distribution of rows to workers.
final class GridLight: Stage {
  let leavesLight = true
  private let size: Size
  private let light: FloatTable
  private let state = Mutex(State())

  /// The sums of one row of pixels.
  private struct Row: Sendable {
    var cells = [SIMD3<Float>](repeating: .zero, count: FrameSummary.columns)
    var clipped = 0
    var steps: Float = 0
  }

  private struct State {
    var rows: [Int: Row] = [:]
    var top = Float.infinity
  }

  /// - Parameter light: Scene light of band samples, indexed by the bits of half floats.
  init(size: Size, light: [Float]) {
    self.size = size
    self.light = FloatTable(light)
  }

  func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { rgb }

  func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    let top = state.withLock { $0.top }
    var found: [(Int, Row)] = []
    for index in unsafe band.ownRows { unsafe found.append((band.frameRow(index), sums(of: band.row(index), top))) }
    state.withLock { state in for (y, row) in found { state.rows[y] = row } }
  }

  private func sums(of row: LinearBand.Row, _ top: Float) -> Row {
    var result = Row()
    let light = unsafe self.light.base
    var before: Float = 0
    for cell in 0..<FrameSummary.columns {
      let first = cell * size.width / FrameSummary.columns
      var sum = SIMD3<Float>.zero
      for x in first..<(cell + 1) * size.width / FrameSummary.columns {
        let pixel = unsafe SIMD3(
          light[Int(row.red[x].bitPattern)], light[Int(row.green[x].bitPattern)], light[Int(row.blue[x].bitPattern)])
        sum += pixel
        result.clipped += pixel.max() >= top ? 1 : 0
        result.steps += x > 0 ? abs(pixel.y - before) : 0
        before = pixel.y
      }
      result.cells[cell] = sum
    }
    return result
  }

  /// Returns the summary of the frame rendered by `render`.
  /// - Parameter top: The light at which channels clip.
  func summary(
    index: Int, seconds: Double, clippingAt top: Float, render: () throws(RenderingError) -> Void
  ) throws(RenderingError) -> FrameSummary {
    state.withLock { $0 = State(rows: [:], top: top) }
    try render()
    let rows = state.withLock { $0.rows }.sorted { $0.key < $1.key }
    var light = [SIMD3<Float>](repeating: .zero, count: FrameSummary.columns * FrameSummary.rows)
    var pixels = [Float](repeating: 0, count: light.count)
    var (clipped, steps, green) = (0, 0.0, 0.0)
    for (y, row) in rows {
      for cell in 0..<FrameSummary.columns {
        let place = y * FrameSummary.rows / size.height * FrameSummary.columns + cell
        let first = cell * size.width / FrameSummary.columns
        light[place] += row.cells[cell]
        pixels[place] += Float((cell + 1) * size.width / FrameSummary.columns - first)
        green += Double(row.cells[cell].y)
      }
      clipped += row.clipped
      steps += Double(row.steps)
    }
    for place in light.indices where pixels[place] > 0 { light[place] /= pixels[place] }
    return FrameSummary(
      index: index, seconds: seconds, light: light, clippedShare: Double(clipped) / Double(rows.count * size.width),
      sharpness: green > 0 ? steps / green : 0)
  }
}
