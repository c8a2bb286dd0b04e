extension ChromaticityRange {
  init(pixels: Int, sum: SIMD2<Int>, least: SIMD2<Int>, most: SIMD2<Int>) {
    self.init()
    (self.pixels, self.sum, self.least, self.most) = (pixels, sum, least, most)
  }

  mutating func add(_ other: ChromaticityRange) {
    guard other.pixels > 0 else { return }
    pixels += other.pixels
    sum &+= other.sum
    least = SIMD2(min(least.x, other.least.x), min(least.y, other.least.y))
    most = SIMD2(max(most.x, other.most.x), max(most.y, other.most.y))
  }
}
