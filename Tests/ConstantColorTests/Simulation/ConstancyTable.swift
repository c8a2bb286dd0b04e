import ConstantColor
import Foundation

/// How much less colours vary over the lights of a trial than in ambient pictures.
struct ConstancyTable: Sendable {
  /// Variances of one surface over the rooms in which it is believed.
  struct Row: Sendable {
    let surface: Spectra.Reflectance
    let variance: Double
    /// That of the better of the two balanced ambient pictures.
    let ambient: Double

    /// The share of the ambient pictures' variance that is gone.
    var reduction: Double { 1 - variance / ambient }
  }

  /// Surfaces that are believed in at least three rooms.
  let rows: [Row]
  /// The share of all readings that are believed.
  let believed: Double

  init(_ readings: [ConstancyTrial.Reading]) {
    believed = Double(readings.count { $0.isBelieved }) / Double(max(readings.count, 1))
    rows = Dictionary(grouping: readings.filter(\.isBelieved), by: \.surface).compactMap { surface, readings in
      guard readings.count >= 3 else { return nil }
      var (own, gray, white) = (ColorSpread(), ColorSpread(), ColorSpread())
      for reading in readings {
        own.add(reading.color.lab)
        gray.add(reading.grayWorld)
        white.add(reading.whitePatch)
      }
      return Row(surface: surface, variance: own.variance, ambient: min(gray.variance, white.variance))
    }.sorted { $0.surface.name < $1.surface.name }
  }

  /// The share of the variance of all surfaces together that is gone.
  var reduction: Double {
    1 - rows.reduce(0) { $0 + $1.variance } / rows.reduce(0) { $0 + $1.ambient }
  }

  /// The share of surfaces of whose variance at least a share is gone.
  ///
  /// Surfaces that do not vary in the ambient pictures either, such as greys that white balance keeps, do not count.
  func share(reducedBy limit: Double) -> Double {
    let varying = rows.filter { $0.ambient > 1 }
    return Double(varying.count { $0.reduction >= limit }) / Double(max(varying.count, 1))
  }

  static let isWanted = ProcessInfo.processInfo.environment["HEADROOM_TABLES"] != nil

  /// A line for people who tune the confidence.
  func print(_ name: String) {
    guard Self.isWanted else { return }
    let reductions = rows.map(\.reduction).sorted()
    func percent(_ value: Double) -> String { String(format: "%6.1f %%", 100 * value) }
    let median = reductions.isEmpty ? 0 : reductions[reductions.count / 2]
    Swift.print(
      name.padding(toLength: 40, withPad: " ", startingAt: 0), "believed", percent(believed), " reduction",
      percent(reduction), " median", percent(median), " least", percent(reductions.first ?? 0), " at least 87 %:",
      percent(share(reducedBy: 0.87)),
      String(format: "ambient variance %.2f", rows.reduce(0) { $0 + $1.ambient } / Double(rows.count)))
  }
}
