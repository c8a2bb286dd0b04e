#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

// The only mathematics that Rendering needs from the C library.

package func raise(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

package func cosine(_ angle: Double) -> Double { cos(angle) }

package func exponential(_ value: Double) -> Double { exp(value) }
