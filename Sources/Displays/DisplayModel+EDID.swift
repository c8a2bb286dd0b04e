internal import ColorScience

extension DisplayModel {
  /// SDR white in cd/m² of displays that state only their peak; the value for HDR television. Source: ITU-R BT.2408-7,
  /// 2.1.
  private static let hdrWhite = 203.0

  /// Peak in cd/m² of HDR displays that state none, such as most televisions. Source: ITU-R BT.2100-2, table 5, the
  /// nominal peak.
  private static let assumedHDRPeak = 1000.0

  /// A display model from an EDID.
  ///
  /// An EDID does not state SDR white. Displays that accept PQ or HLG are assumed to show it at 203 cd/m² at full
  /// brightness and to be used down to 100; others to have no headroom. An unstated peak is 1000 cd/m² with PQ or HLG,
  /// 100 without; other unstated values default to sRGB.
  /// - Parameters:
  ///   - edid: The display's EDID.
  ///   - name: The name if the EDID has none.
  public init(_ edid: EDID, name: String) {
    let accepts = edid.hdr?.transferFunctions ?? []
    let isHDR = !accepts.isDisjoint(with: [.pq, .hlg])
    let assumed = isHDR ? Self.assumedHDRPeak : ReferenceMode.sdrWhite
    let peak = min(max(edid.peakLuminance ?? assumed, Self.luminances.lowerBound), Self.luminances.upperBound)
    self.init(
      edid.name ?? name, peak: peak, sdrWhite: isHDR ? min(Self.hdrWhite, peak) : peak,
      minimumSDRWhite: isHDR ? min(ReferenceMode.sdrWhite, peak) : peak,
      primaries: edid.primaries ?? .bt709, transfer: accepts.contains(.pq) ? .pq : Self.transfer(edid))
    (isPeakAssumed, problems) = (isHDR && edid.peakLuminance == nil, edid.problems)
    black = min(max(edid.minLuminance ?? 0, 0), peak / 2, 10)
    bitDepth = min(max(edid.displayID?.bitsPerColor ?? edid.bitsPerColor ?? (isHDR ? 10 : 8), 6), 16)
  }

  private static func transfer(_ edid: EDID) -> DisplayTransfer {
    if edid.isSRGB { return .sRGB }
    // The EDID range is 1 to 3.54.
    return .gamma(edid.bestGamma ?? 2.2)
  }
}
