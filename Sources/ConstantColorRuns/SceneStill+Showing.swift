internal import ColorScience
internal import ConstantColor
internal import Frames
internal import Rendering
internal import Sessions

extension SceneStill {
  /// Columns of the picture that the balance of a camera's components is measured on.
  private static let balanceColumns = 256

  /// The light as it came, of which 1 is white, for the eye.
  /// - Parameters:
  ///   - space: R, G and B of the result.
  ///   - columns: The picture is reduced to at most as many; nil: it is not.
  func light(in space: RGBSpace, columns: Int? = nil, pool: WorkerPool) -> LinearFrame {
    let shown = columns.map { image.reduced(toColumns: $0, pool: pool) } ?? image
    let matrix = Matrix3(diagonal: SIMD3(repeating: 1 / white)) * matrix(to: space, pool: pool)
    return shown.linearFrame(by: matrix, pool: pool)
  }

  /// From the image's components to those of a space, whose white is that of the room.
  ///
  /// A sensor's light is balanced so that its mean is grey.
  private func matrix(to space: RGBSpace, pool: WorkerPool) -> Matrix3 {
    switch image.description.components {
    case .rgb(let own): return RGBSpace.conversion(from: own, to: space)
    case .camera(_, let toXYZ):
      let toSpace = toXYZ.map { space.rgbToXYZ.inverse * $0 } ?? .identity
      let neutral = toSpace.inverse * SIMD3(repeating: 1)
      let balance = neutral / image.reduced(toColumns: Self.balanceColumns, pool: pool).mean
      return toSpace * Matrix3(diagonal: balance / balance.max() * neutral.max())
    }
  }
}
