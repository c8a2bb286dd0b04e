public import ColorScience

extension EDID {
  /// The best statement of primaries and white: the panel's native ones, or else those of the base block.
  public var primaries: RGBSpace? { displayID?.primaries ?? chromaticities }

  /// The statement of gamma: of the base block, or else of DisplayID.
  public var bestGamma: Double? { gamma ?? displayID?.gamma }

  /// The best statement of peak luminance in cd/m²: of a tenth of the panel, of all of it, or else the peak of the HDR
  /// content that the display wants.
  public var peakLuminance: Double? {
    displayID?.maxLuminance ?? displayID?.maxFullScreenLuminance ?? hdr?.maxLuminance
  }

  /// The lower statement of minimum luminance in cd/m²: the panel's, or that of the HDR content that the display wants.
  ///
  /// Some OLED panels state a minimum of 2 cd/m² in their DisplayID, and 0.01 in the other.
  public var minLuminance: Double? {
    [displayID?.minLuminance, hdr?.minLuminance].compactMap(\.self).min()
  }
}
