internal import ColorScience

extension DisplayModel {
  /// SDR white in cd/m² of displays that state only their peak: that of HDR television. Source: ITU-R BT.2408-7, 2.1.
  private static let hdrWhite = 203.0

  /// What a display states about itself.
  ///
  /// An EDID has no SDR white. A display that accepts PQ or HLG is taken to show it at 203 cd/m² at full brightness, and
  /// to be used down to 100; another one to have no headroom. What is not stated at all is that of sRGB.
  /// - Parameters:
  ///   - edid: What it states.
  ///   - name: Used where the EDID has none.
  public init(_ edid: EDID, name: String) {
    let accepts = edid.hdr?.transferFunctions ?? []
    let isHDR = !accepts.isDisjoint(with: [.pq, .hlg, .traditionalHDR])
    let peak = min(
      max(edid.peakLuminance ?? ReferenceMode.sdrWhite, Self.luminances.lowerBound), Self.luminances.upperBound)
    self.init(
      edid.name ?? name, peak: peak, sdrWhite: isHDR ? min(Self.hdrWhite, peak) : peak,
      minimumSDRWhite: isHDR ? min(ReferenceMode.sdrWhite, peak) : peak,
      primaries: edid.primaries ?? .bt709, transfer: accepts.contains(.pq) ? .pq : Self.transfer(edid))
    black = min(max(edid.minLuminance ?? 0, 0), peak / 2, 10)
    bitDepth = min(max(edid.displayID?.bitsPerColor ?? edid.bitsPerColor ?? 8, 6), 16)
  }

  private static func transfer(_ edid: EDID) -> DisplayTransfer {
    if edid.isSRGB { return .sRGB }
    return DisplayTransfer(named: "gamma\(edid.gamma ?? 2.2)") ?? .gamma(2.2)
  }
}
