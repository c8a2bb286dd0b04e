internal import Frames
internal import Rendering
internal import Synchronization

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
