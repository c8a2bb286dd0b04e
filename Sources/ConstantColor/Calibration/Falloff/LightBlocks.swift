internal import Frames

/// Mean light of blocks of a picture, without the brightest and darkest pixels of each.
struct LightBlocks {
  /// Columns and rows of blocks.
  let size: Size
  /// Row by row, in any unit.
  let light: [Double]

  /// Maximum number of pixels sampled along each side of a block.
  private static let samples = 24
  /// The fraction of pixels that may be clipped.
  private static let tolerableClipping = 0.005

  /// - Throws: `CalibrationError.evenPictureClipped` or `evenPictureRange`
  init(of picture: SceneImage) throws(CalibrationError) {
    size = Size(width: min(48, picture.size.width / 4), height: min(32, picture.size.height / 4))
    guard size.width >= 12, size.height >= 12 else { throw .evenPictureRange }
    let limit = picture.description.saturation.map { $0 * 0.98 } ?? SIMD3(repeating: .infinity)
    var (values, clipped, count): ([Double], Int, Int) = ([], 0, 0)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var light: [SIMD3<Float>] = []
        for row in Self.places(y, of: size.height, in: picture.size.height) {
          for column in Self.places(x, of: size.width, in: picture.size.width) {
            light.append(SIMD3(picture[0, column, row], picture[1, column, row], picture[2, column, row]))
          }
        }
        count += light.count
        let usable = light.filter { rgb in (0..<3).allSatisfy { rgb[$0].isFinite && rgb[$0] < limit[$0] } }
        clipped += light.count - usable.count
        values.append(Self.middleMean(usable.map { Double($0.sum()) }))
      }
    }
    guard Double(clipped) <= Self.tolerableClipping * Double(count) else { throw .evenPictureClipped }
    let largest = values.max() ?? 0
    guard largest > 0, values.allSatisfy({ $0 > FlatField.possibleLight.lowerBound * largest }) else {
      throw .evenPictureRange
    }
    light = values
  }

  /// Returns the sampled columns or rows of a block.
  private static func places(_ block: Int, of blocks: Int, in extent: Int) -> StrideTo<Int> {
    let (first, end) = (block * extent / blocks, (block + 1) * extent / blocks)
    return stride(from: first, to: end, by: (end - first + samples - 1) / samples)
  }

  /// Returns the mean without the lowest and highest tenth.
  private static func middleMean(_ values: [Double]) -> Double {
    let middle = values.sorted().dropFirst(values.count / 10).dropLast(values.count / 10)
    return middle.isEmpty ? 0 : middle.reduce(0, +) / Double(middle.count)
  }
}
