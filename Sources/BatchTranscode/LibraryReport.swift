internal import Foundation
internal import Sessions

/// The JSON report on a library.
struct LibraryReport {
  let summary: LibrarySummary
  let isCancelled: Bool

  func json() throws -> String {
    let status = summary.failed > 0 ? "failed" : isCancelled ? "interrupted" : "finished"
    return try JSON.text(
      JSON.fields([
        ("headroom", Program.version), ("status", status), ("seconds", rounded(summary.seconds)),
        ("converted", summary.converted), ("failed", summary.failed), ("not_begun", summary.open),
        (
          "files",
          summary.entries.map { fields($0.film, $0.result) }
            + summary.existing.map { fields($0, FilmResult(.skipped(.exists))) }
        ),
      ]))
  }

  private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  private func fields(_ film: LibraryPlan.Film, _ result: FilmResult?) -> [String: Any] {
    var (status, reason, output): (String, String?, String?) = ("not_begun", nil, nil)
    switch result?.ending {
    case .converted: (status, output) = ("converted", film.output)
    case .skipped(let skip): (status, reason) = ("skipped", Self.word(skip))
    case .stopped(let partial): (status, output) = ("interrupted", partial)
    case .failed(let words, _): (status, reason, output) = ("failed", words, result?.partial)
    case .isWrittenElsewhere, nil: break
    }
    let details = result?.report.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
    return JSON.fields([
      ("input", film.input), ("output", output), ("status", status), ("reason", reason),
      ("frames", result?.progress?.frames),
      ("seconds", (result?.progress?.seconds).map(rounded)), ("size", result?.progress?.bytes),
      ("warnings", result?.warnings), ("report", details),
    ])
  }

  private static func word(_ skip: FilmResult.Skip) -> String {
    switch skip {
    case .exists: "exists"
    case .isSDR: "sdr"
    case .hasNoVideo: "no_video"
    }
  }
}
