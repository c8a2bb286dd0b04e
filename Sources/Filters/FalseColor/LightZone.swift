/// A luminance range that false colour shows uniformly.
public struct LightZone: Sendable, Hashable {
  /// Name in the legend.
  public let name: String
  /// Lower bound in cd/m², exclusive; the upper bound is the start of the next zone.
  public let start: Double
  /// nil: a grey of the pixel's luminance.
  public let color: SRGBColor?

  /// Returns the zones in ascending order. The SDR range stays grey; luminance too dark for displays, and luminance
  /// above SDR, is coloured.
  ///
  /// Source: ITU-R BT.2408-7, 2.2, for HDR reference white at 203 cd/m².
  /// - Parameter sdrWhite: SDR white in cd/m². Zones that become empty are omitted.
  public static func all(sdrWhite: Double) -> [LightZone] {
    let zones = [
      LightZone(name: "black", start: 0, color: .violet),
      LightZone(name: "deep shadow", start: 0.05, color: .blue),
      LightZone(name: "SDR", start: 1, color: nil),
      LightZone(name: "above SDR white", start: sdrWhite, color: .green),
      LightZone(name: "above reference white", start: 203, color: .skyBlue),
      LightZone(name: "highlight", start: 400, color: .yellow),
      LightZone(name: "bright highlight", start: 1000, color: .orange),
      LightZone(name: "extreme", start: 4000, color: .vermilion),
    ]
    return zones.reduce(into: []) { kept, zone in
      if kept.allSatisfy({ $0.start < zone.start }) { kept.append(zone) }
    }
  }
}
