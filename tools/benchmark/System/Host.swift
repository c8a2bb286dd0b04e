internal import Foundation
internal import Rendering

/// The machine on which the figures were measured.
struct Host: Encodable {
  let cpuModel: String
  let logicalCores: Int
  let kernelTiers: [String]

  init() {
    let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
    let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    cpuModel = model?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    logicalCores = ProcessInfo.processInfo.activeProcessorCount
    kernelTiers = KernelTier.supported.map(\.rawValue)
  }
}
