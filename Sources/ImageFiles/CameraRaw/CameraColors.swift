internal import ColorScience
internal import Frames

/// The colours of a camera's sensor.
struct CameraColors {
  /// R, G and B to CIE XYZ under D65; nil if neither the file nor LibRaw's table states it.
  let toXYZ: Matrix3?
  let notes: [String]

  /// The response to D65, G being 1.
  let white: SIMD3<Float>

  /// Illuminants of DNG matrices, nearest to D65 first: D65, D75, D55, daylight, fine weather, cloudy, flash, D50.
  /// Source: CIPA DC-008 (Exif 2.32), 4.6.5, "LightSource".
  private static let lights = [21, 22, 20, 1, 9, 10, 4, 23]

  /// The matrix is the inverse of the one from XYZ to camera colours: the matrix of a DNG file whose illuminant is
  /// nearest D65, adjusted by its camera calibration and analog balance, or the D65 matrix in LibRaw's table, which is
  /// Adobe's.
  ///
  /// Source: DNG 1.6 (2021), chapter 6, "Mapping Camera Color Space to CIE XYZ Space".
  init(_ file: LibRawFile) {
    let place = { (which: Int) in Self.lights.firstIndex(of: file.light(which)) ?? Self.lights.count }
    let stated = file.isDNG ? [0, 1].sorted { place($0) < place($1) }.compactMap { Self.stated(file, $0) }.first : nil
    let matrix = stated ?? Self.usable(Matrix3 { file.tableMatrix(color: $0, axis: $1) })
    toXYZ = matrix?.inverse
    let light = Chromaticity.d65
    let response = matrix.map { $0 * SIMD3(light.x / light.y, 1, (1 - light.x - light.y) / light.y) }
    let isPossible = response.map { all($0 .> 0.01 * $0.max()) } ?? false
    white = response.map { isPossible ? SIMD3<Float>($0 / $0.y) : SIMD3(repeating: 1) } ?? SIMD3(repeating: 1)
    notes = matrix == nil ? ["The file states no colour matrix, and LibRaw knows none of this camera."] : []
  }

  private static func stated(_ file: LibRawFile, _ which: Int) -> Matrix3? {
    let colors = Matrix3 { file.matrix(which, color: $0, axis: $1) }
    let calibration = Matrix3 { file.calibration(which, color: $0, from: $1) }
    let balance = SIMD3(file.analogBalance(0), file.analogBalance(1), file.analogBalance(2))
    return usable(
      Matrix3(diagonal: all(balance .> 0) ? balance : SIMD3(repeating: 1)) * (usable(calibration) ?? .identity) * colors
    )
  }

  /// The matrix, if it can be inverted.
  private static func usable(_ matrix: Matrix3) -> Matrix3? {
    let inverse = matrix.inverse
    for row in 0..<3 {
      for column in 0..<3 where !(abs(matrix[row, column]) < 100 && abs(inverse[row, column]) < 1e4) { return nil }
    }
    return matrix
  }
}

extension Matrix3 {
  fileprivate init(_ element: (_ row: Int, _ column: Int) -> Double) {
    func row(_ row: Int) -> SIMD3<Double> { SIMD3(element(row, 0), element(row, 1), element(row, 2)) }
    self.init(row(0), row(1), row(2))
  }
}
