internal import Frames
internal import Rendering

/// Block means of both pictures, in blocks of `BlockMap.side` pixels.
struct PairBlocks: Sendable {
  /// Means of R, G, B of the flash picture.
  var flash: [BlockMap]
  /// Means of R, G, B of the ambient picture, before the gain.
  var ambient: [BlockMap]
  /// The brightest sample of the block in either picture, as a share of saturation.
  var saturation: BlockMap

  init(_ pair: LinearPair, pool: WorkerPool) {
    let empty = BlockMap(covering: pair.size)
    let results = BlockRows(count: 7, like: empty)
    let side = BlockMap.side
    let (columns, rows) = (empty.size.width, empty.size.height)
    pool.forRows(of: rows) { band in
      for row in band {
        let lines = row * side..<min((row + 1) * side, pair.size.height)
        for channel in 0..<3 {
          unsafe Self.sum(pair.flash, channel, lines, into: results.row(channel, row))
          unsafe Self.sum(pair.ambient, channel, lines, into: results.row(3 + channel, row))
          if let limit = pair.flash.description.saturation?[channel] {
            unsafe Self.peak(pair.flash, channel, lines, over: limit, into: results.row(6, row))
          }
          if let limit = pair.ambient.description.saturation?[channel] {
            unsafe Self.peak(pair.ambient, channel, lines, over: limit, into: results.row(6, row))
          }
        }
        for column in 0..<columns {
          let width = min(side, pair.size.width - column * side)
          for map in 0..<6 { unsafe results.row(map, row)[column] /= Float(width * lines.count) }
        }
      }
    }
    flash = (0..<3).map { results.map($0, like: empty) }
    ambient = (3..<6).map { results.map($0, like: empty) }
    saturation = results.map(6, like: empty)
  }

  private static func sum(
    _ image: SceneImage, _ channel: Int, _ rows: Range<Int>, into blocks: UnsafeMutableBufferPointer<Float>
  ) {
    for y in rows {
      let samples = unsafe image.row(channel, y)
      let whole = samples.count / 4
      for block in 0..<whole {
        let first = 4 * block
        unsafe blocks[block] += (samples[first] + samples[first + 1]) + (samples[first + 2] + samples[first + 3])
      }
      for x in 4 * whole..<samples.count { unsafe blocks[whole] += samples[x] }
    }
  }

  private static func peak(
    _ image: SceneImage, _ channel: Int, _ rows: Range<Int>, over limit: Float,
    into blocks: UnsafeMutableBufferPointer<Float>
  ) {
    for y in rows {
      let samples = unsafe image.row(channel, y)
      for block in blocks.indices {
        let first = 4 * block
        var peak: Float = 0
        for x in first..<min(first + 4, samples.count) { peak = max(peak, unsafe samples[x]) }
        unsafe blocks[block] = max(blocks[block], peak / limit)
      }
    }
  }
}

/// Rows of several maps, each written by one thread.
@safe
private final class BlockRows: @unchecked Sendable {
  // @unchecked: rows are disjoint, and only read after all threads have finished.
  private let memory: UnsafeMutableBufferPointer<Float>
  private let size: Size

  init(count: Int, like map: BlockMap) {
    size = map.size
    unsafe memory = .allocate(capacity: count * size.width * size.height)
    unsafe memory.initialize(repeating: 0)
  }

  deinit { unsafe memory.deallocate() }

  @unsafe func row(_ map: Int, _ y: Int) -> UnsafeMutableBufferPointer<Float> {
    let start = (map * size.height + y) * size.width
    return unsafe UnsafeMutableBufferPointer(rebasing: memory[start..<start + size.width])
  }

  func map(_ index: Int, like map: BlockMap) -> BlockMap {
    var result = map
    let count = size.width * size.height
    result.values = unsafe Array(memory[index * count..<(index + 1) * count])
    return result
  }
}
