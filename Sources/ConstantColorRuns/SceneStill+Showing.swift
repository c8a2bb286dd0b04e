internal import ColorScience
internal import ConstantColor
internal import Frames
internal import Rendering
internal import Sessions

extension SceneStill {
  /// Width in pixels of the picture from which a camera's component balance is measured.
  private static let balanceColumns = 256

  /// Returns the unprocessed light for viewing; 1 is white.
  /// - Parameters:
  ///   - space: RGB space of the result.
  ///   - columns: Maximum width of the result; nil: full size.
  func light(in space: RGBSpace, columns: Int? = nil, pool: WorkerPool) -> LinearFrame {
    let shown = columns.map { image.reduced(toColumns: $0, pool: pool) } ?? image
    let matrix = Matrix3(diagonal: SIMD3(repeating: 1 / white)) * matrix(to: space, pool: pool)
    return shown.linearFrame(by: matrix, pool: pool)
  }

  /// Returns the matrix from the image's components to a colour space whose white is the ambient light.
  ///
  /// Balances sensor light so that its mean is grey.
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
