import Foundation
import TestSupport

extension Xorshift {
  /// Two independent numbers of mean 0 and variance 1. Source: Box and Muller (1958), Ann. Math. Statist. 29, 610.
  mutating func gaussians() -> (Double, Double) {
    let radius = (-2 * log((Double(next() >> 11) + 1) * 0x1p-53)).squareRoot()
    let angle = 2 * .pi * Double(next() >> 11) * 0x1p-53
    return (radius * cos(angle), radius * sin(angle))
  }
}
