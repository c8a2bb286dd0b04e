/// `value` clamped to 0...1; NaN becomes 0.
func unitClamped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }

/// `value` clamped to 0 and above; NaN becomes 0.
func nonNegative(_ value: Double) -> Double { value > 0 ? value : 0 }

/// `curve`, defined for 0 and above, continued through the origin by point symmetry.
func oddSymmetric(_ value: Double, _ curve: (Double) -> Double) -> Double {
  value < 0 ? -curve(-value) : curve(value)
}
