extension ToneCurve {
  /// Linear up to a knee, then a Möbius transform with equal slope at the knee.
  ///
  /// Source: libplacebo 7, `tone_mapping.c`, function `mobius`.
  public static let mobius = ToneCurve(
    name: "mobius", summary: "linear up to 0.3 of the display's peak, Möbius transform above (libplacebo \"mobius\")"
  ) { conditions in
    .whiteAtReference(conditions) { conditions in
      let peak = conditions.display.peak
      // M(x) = scale (x + a) / (x + b), with M(knee) = knee, M'(knee) = 1 and M(source) = 1, relative to the peak.
      let knee = 0.3
      let source = conditions.contentPeak / peak
      let a = -knee * knee * (source - 1) / (knee * knee - 2 * knee + source)
      let b = (knee * knee - 2 * knee * source + source) / (source - 1)
      let scale = (b + knee) * (b + knee) / (b - a)
      return { nits in
        let x = nits / peak
        return x <= knee ? nits : scale * (x + a) / (x + b) * peak
      }
    }
  }
}
