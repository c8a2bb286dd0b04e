#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

// All that Rendering needs from the C library.

package func raise(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

package func cosine(_ angle: Double) -> Double { cos(angle) }

package func exponential(_ value: Double) -> Double { exp(value) }

/// Bytes of a core's second-level cache; what small cores have where the system does not tell.
package let secondLevelCache: Int = {
  #if canImport(Glibc)
    let size = sysconf(Int32(_SC_LEVEL2_CACHE_SIZE))
    if size > 0 { return min(size, 4 << 20) }
  #endif
  return 256 << 10
}()
