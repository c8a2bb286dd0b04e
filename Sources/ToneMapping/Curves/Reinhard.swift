extension ToneCurve {
  /// A rational curve over the whole range.
  ///
  /// y = x (1 + 1 / S) / (1 + x) maps the content's peak S to 1, relative to the display's peak.
  /// Source: Reinhard and others, "Photographic Tone Reproduction for Digital Images" (2002), equation 3, scaled so
  /// that the peak becomes white: libplacebo 7, `tone_mapping.c`, and FFmpeg, `vf_tonemap.c`, with their default
  /// contrast of 0.5.
  public static let reinhard = ToneCurve(
    name: "reinhard", summary: "rational curve over the whole range (Reinhard 2002, as in libplacebo and FFmpeg)"
  ) { conditions in
    .whiteAtReference(conditions) { conditions in
      let (source, target) = (conditions.contentPeak, conditions.display.peak)
      return { x in x * (1 + target / source) / (1 + x / target) }
    }
  }
}
