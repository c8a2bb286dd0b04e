internal import SIMDShims

/// The root of light that coding polynomials take. One type per root, so that row loops have no branch on it.
protocol LightRoot {
  static func root(_ light: Floats) -> Floats
}

enum SquareRoot: LightRoot {
  @inline(__always)
  static func root(_ light: Floats) -> Floats { hr_sqrt(light) }
}

enum FourthRoot: LightRoot {
  @inline(__always)
  static func root(_ light: Floats) -> Floats { hr_sqrt(hr_sqrt(light)) }
}
