import ColorScience
import ConstantColor
import Frames

/// What the same camera makes of the ambient picture alone: white balance and the same matrix.
struct AmbientBalance {
  /// How white is found.
  enum Method: Sendable { case grayWorld, whitePatch(PictureArea) }

  private let picture: SceneImage
  private let matrix: Matrix3

  /// - Parameter calibration: Its matrix, which the balance makes right for white and grey.
  init(_ picture: SceneImage, _ method: Method, _ calibration: ColorCalibration) {
    let reference =
      switch method {
      case .grayWorld: picture.mean(of: PictureArea(picture.size)) / 0.3
      case .whitePatch(let area): picture.mean(of: area)
      }
    let unit = 1 / (calibration.toXYZ * calibration.white).y
    self.picture = picture
    matrix = calibration.toXYZ * Matrix3(diagonal: unit * calibration.white / reference)
  }

  func lab(of area: PictureArea) -> SIMD3<Double> { CIELAB.fromXYZ(matrix * picture.mean(of: area)) }
}

extension SceneImage {
  /// The mean of R, G and B over an area.
  func mean(of area: PictureArea) -> SIMD3<Double> {
    var sum = SIMD3<Double>()
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        sum += SIMD3(Double(self[0, x, y]), Double(self[1, x, y]), Double(self[2, x, y]))
      }
    }
    return sum / Double(area.width * area.height)
  }
}
