internal import ColorScience
internal import Foundation
internal import Frames
public import ToneMapping

/// The error of a table relative to its mapping.
public struct LUTReport {
  /// Errors by interpolation method, over colours and over greys.
  private let errors: [(interpolation: String, colors: LUTAccuracy, greys: LUTAccuracy)]
  private let plan: LUTPlan
  private let counts: (colors: Int, greys: Int)

  /// Compares a table with its mapping, over colours and over greys.
  public init(_ lut: SignalLUT, _ plan: LUTPlan) {
    self.plan = plan
    let colors = LUTAccuracy.Colors(plan.mapping, upTo: plan.end)
    let greys = LUTAccuracy.Colors(plan.mapping, greysUpTo: plan.end)
    counts = (colors.count, greys.count)
    let isCurve = if case .curve = lut.table { true } else { false }
    let interpolations = isCurve ? [CubeTable.Interpolation.trilinear] : CubeTable.Interpolation.allCases
    errors = interpolations.map { interpolation in
      let lookUp = { lut.signal(at: $0, interpolation) }
      return (
        isCurve ? "linear" : interpolation.rawValue, colors.accuracy(of: lookUp), greys.accuracy(of: lookUp)
      )
    }
  }

  /// One sentence per interpolation method.
  public var notes: [String] {
    errors.map { entry in
      "\(entry.interpolation): ΔE ITP over \(counts.colors) colours \(words(entry.colors)); over \(counts.greys) greys "
        + "\(words(entry.greys))"
    }
  }

  /// - Parameters:
  ///   - file: File name of the table.
  ///   - shaperFile: File name of its shaper, if that is a separate file.
  package func json(file: String, shaperFile: String?, wording: Wording) throws -> String {
    let settings = plan.target.mapping
    return try JSON.text(
      JSON.fields(
        plan.target.mappingFields(for: plan.source, hasGamut: plan.request.dimensions == .three) + [
          ("headroom", Program.version), ("file", file),
          ("shaper_file", shaperFile), ("title", plan.title), ("size", plan.request.nodes),
          ("dimensions", plan.request.dimensions.rawValue), ("shaper", plan.request.shaper.rawValue),
          ("source_transfer", "\(plan.source.color.transfer)"), ("source_primaries", "\(plan.source.color.primaries)"),
          ("target_transfer", "\(plan.target.color.transfer)"), ("target_primaries", "\(plan.target.color.primaries)"),
          ("black_nits", settings.display.black), ("surround_nits", settings.display.surround),
          ("exposure_stops", settings.exposure), ("inverse_tone_map", settings.isExpanded),
          ("content_peak_nits", settings.contentPeak), ("peak_nits", settings.display.peak),
          ("sdr_white_nits", settings.display.sdrWhite), ("reference_white_nits", settings.referenceWhite),
          ("warnings", (plan.source.warnings + plan.target.warnings).map(wording.text)),
          (
            "delta_e_itp",
            errors.map { entry in
              [
                "interpolation": entry.interpolation, "colors": fields(entry.colors, counts.colors),
                "greys": fields(entry.greys, counts.greys),
              ] as [String: Any]
            }
          ),
        ]))
  }

  private func fields(_ accuracy: LUTAccuracy, _ count: Int) -> [String: Any] {
    [
      "count": count, "mean": rounded(accuracy.mean), "percentile_99": rounded(accuracy.percentile99),
      "max": rounded(accuracy.max), "worst": (0..<3).map { rounded(accuracy.worst[$0]) },
    ]
  }

  private func words(_ accuracy: LUTAccuracy) -> String {
    String(format: "mean %.3f, 99 %% %.2f, max %.2f", accuracy.mean, accuracy.percentile99, accuracy.max)
  }

  private func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
