internal import SIMDShims

/// An instruction-set level that the row kernels exist for, lowest first.
public enum KernelTier: String, Sendable, Hashable, CaseIterable, Comparable {
  /// What every processor of the architecture has.
  case baseline
  #if arch(x86_64)
    /// x86-64-v3: AVX2, FMA, F16C.
    case avx2
  #endif

  public static func < (a: KernelTier, b: KernelTier) -> Bool {
    (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
  }

  /// The best tier that this processor runs.
  public static let detected: KernelTier = {
    #if arch(x86_64)
      if hr_cpu_has_avx2() != 0 { return .avx2 }
    #endif
    return .baseline
  }()

  /// The tiers that this processor runs.
  public static var supported: [KernelTier] { allCases.filter { $0 <= detected } }
}
