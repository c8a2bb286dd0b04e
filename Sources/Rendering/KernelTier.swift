internal import RowKernels
package import SIMDShims

#if arch(x86_64)
  internal import RowKernelsAVX2
  internal import RowKernelsAVX512
#endif

/// An instruction-set level of the row kernels, lowest first.
public enum KernelTier: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
  /// The baseline instruction set of the architecture.
  case baseline
  #if arch(x86_64)
    /// x86-64-v3: AVX2, FMA, F16C.
    case avx2
    /// x86-64-v4: AVX-512 F, BW, CD, DQ, VL.
    case avx512
  #endif

  public static func < (a: KernelTier, b: KernelTier) -> Bool {
    a.rank < b.rank
  }

  /// Position among all tiers, lowest first.
  package var rank: Int {
    switch self {
    case .baseline: 0
    #if arch(x86_64)
      case .avx2: 1
      case .avx512: 2
    #endif
    }
  }

  /// The best tier that this processor supports.
  public static let detected: KernelTier = {
    #if arch(x86_64)
      if hr_cpu_has_avx512() != 0 { return .avx512 }
      if hr_cpu_has_avx2() != 0 { return .avx2 }
    #endif
    return .baseline
  }()

  /// The tiers that this processor supports.
  public static var supported: [KernelTier] { allCases.filter { $0 <= detected } }

  /// The row kernels of this tier. There is one call per row and no dispatch inside a row.
  @unsafe
  package var kernels: hr_row_kernels {
    switch self {
    case .baseline: RowKernels.rowKernels()
    #if arch(x86_64)
      case .avx2: RowKernelsAVX2.rowKernels()
      case .avx512: RowKernelsAVX512.rowKernels()
    #endif
    }
  }

  /// Number of polynomial pieces that this tier selects from.
  package var pieces: Int { unsafe Int(kernels.pieces) }
}
