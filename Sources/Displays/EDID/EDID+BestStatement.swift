public import ColorScience

extension EDID {
  /// The best available primaries and white: the panel's native ones, otherwise those of the base block.
  public var primaries: RGBSpace? { displayID?.primaries ?? chromaticities }

  /// The available gamma: of the base block, otherwise of DisplayID.
  public var bestGamma: Double? { gamma ?? displayID?.gamma }

  /// The best available peak luminance in cd/m²: of a tenth of the panel, of the full panel, otherwise the desired peak
  /// of HDR content.
  public var peakLuminance: Double? {
    displayID?.maxLuminance ?? displayID?.maxFullScreenLuminance ?? hdr?.maxLuminance
  }

  /// The lower minimum luminance in cd/m²: of the panel or of the desired HDR content.
  ///
  /// Some OLED panels state 2 cd/m² in DisplayID and 0.01 in the HDR metadata.
  public var minLuminance: Double? {
    [displayID?.minLuminance, hdr?.minLuminance].compactMap(\.self).min()
  }
}
