internal import Foundation

extension TranscodePreset {
  /// The presets that need no file. `docs/presets.md` has the reasons for their values.
  public static let builtIn: [TranscodePreset] = texts.compactMap { name, text in
    try? TranscodePreset(name: name, json: Data(text.utf8))
  }

  private static let texts = [
    ("archive-hdr10", archive), ("master-prores", master), ("phone-sdr", phone), ("tv-sdr", tv),
  ]

  private static let archive = """
    {
      "description": "HDR10 as it is, smaller: HEVC in 10 bits, transparent, with HDR10+ and all streams",
      "coding": {
        "encoder": "libx265", "preset": "slow", "crf": 16,
        "layout": {"components": "ycbcr420", "bitDepth": 10, "samples": "integer", "packing": "planar"}
      },
      "mapping": {"chosenKind": "hdr10"},
      "copiesHDR10Plus": true
    }
    """

  private static let master = """
    {
      "description": "HDR10 for further work: ProRes 422 HQ, for MOV",
      "coding": {
        "encoder": "prores_ks", "encoderOptions": [{"name": "profile", "value": "hq"}],
        "layout": {"components": "ycbcr422", "bitDepth": 10, "samples": "integer", "packing": "planar"}
      },
      "mapping": {"chosenKind": "hdr10"},
      "streams": {"audioEncoder": "pcm_s24le"}
    }
    """

  private static let phone = """
    {
      "description": "SDR for phones and messages: H.264, 1280 wide, small, stereo",
      "coding": {"encoder": "libx264", "preset": "medium", "crf": 23},
      "mapping": {"chosenKind": "sdr"},
      "scale": {"width": {"samples": {"_0": 1280}}, "height": {"ratio": {"multiple": 2}}},
      "streams": {"audioEncoder": "aac", "audioBitRate": 160000, "downmix": "stereo"}
    }
    """

  private static let tv = """
    {
      "description": "SDR for televisions and players of any age: H.264, 1920 wide",
      "coding": {"encoder": "libx264", "preset": "slow", "crf": 18},
      "mapping": {"chosenKind": "sdr"},
      "scale": {"width": {"samples": {"_0": 1920}}, "height": {"ratio": {"multiple": 2}}}
    }
    """
}
