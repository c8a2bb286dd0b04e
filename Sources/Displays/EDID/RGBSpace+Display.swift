import ColorScience

extension RGBSpace {
  /// A display's RGB space; nil if the white is outside the triangle of the primaries, for example if they are 0 or
  /// were never filled in.
  init?(displayRed red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    func side(_ first: Chromaticity, _ second: Chromaticity) -> Double {
      (second.x - first.x) * (white.y - first.y) - (second.y - first.y) * (white.x - first.x)
    }
    let sides = [side(red, green), side(green, blue), side(blue, red)]
    let points = [red, green, blue, white]
    // All signs are equal if the white is on the same side of every edge, in either order of the primaries.
    guard points.allSatisfy({ 0...1 ~= $0.x && 0...1 ~= $0.y }), white.y > 0,
      sides.allSatisfy({ $0 > 0 }) || sides.allSatisfy({ $0 < 0 })
    else { return nil }
    self.init(red: red, green: green, blue: blue, white: white)
  }
}
