internal import Frames
internal import Media

/// Options for an encoder: options of FFmpeg's wrapper, and of the library behind it.
struct EncoderOptions {
  /// Options of the wrapper, by FFmpeg's names.
  private(set) var wrapper: [(String, String)] = []
  /// Options of the library, by its names.
  private(set) var library: [(String, String)] = []
  /// The wrapper's option that takes `library`.
  let libraryOption: String?
  /// Options that the user specified, for errors.
  let requested: [(String, String)]

  init(_ settings: MediaWriter.Settings, encoder: String) {
    libraryOption =
      switch encoder {
      case "libx264": "x264-params"
      case "libx265": "x265-params"
      case "libsvtav1": "svtav1-params"
      default: nil
      }
    var requested = settings.encoderOptions
    if let preset = settings.preset { requested.append((Self.speed(encoder)?.option ?? "preset", preset)) }
    if let crf = settings.crf {
      wrapper.append(
        (HardwareEncoder(encoder)?.qualityOption ?? "crf", crf == crf.rounded() ? "\(Int(crf))" : "\(crf)"))
    }
    self.requested = requested + wrapper
    addMetadata(settings.metadata, encoder: encoder)
    addBehaviour(settings, encoder: encoder)
    addSpeed(encoder)
    addSiting(settings, encoder: encoder)
    addPass(settings.pass, encoder: encoder)
    // Options that the wrapper handles rather than the library; SVT-AV1 has a different "tune".
    let wrapperOnly: Set = encoder == "libsvtav1" ? ["preset"] : ["preset", "tune", "profile", "forced-idr"]
    // The wrapper would use the last of two.
    if encoder == "libaom-av1", let own = requested.lastIndex(where: { $0.0 == "aom-params" }),
      let derived = wrapper.first(where: { $0.0 == "aom-params" })
    {
      requested[own].1 = derived.1 + ":" + requested[own].1
    }
    // Last, so that requested options take precedence over derived ones.
    for (name, value) in requested {
      if libraryOption == nil || wrapperOnly.contains(name) {
        wrapper.append((name, value))
      } else {
        library.append((name, value))
      }
    }
  }

  private mutating func addMetadata(_ metadata: HDRMetadata, encoder: String) {
    switch encoder {
    case "libx264":
      if let display = metadata.masteringDisplay { library.append(("mastering-display", display.integerText)) }
      if let light = metadata.contentLight { library.append(("cll", light.text)) }
    case "libx265":
      if let display = metadata.masteringDisplay { library.append(("master-display", display.integerText)) }
      if let light = metadata.contentLight { library.append(("max-cll", light.text)) }
    case "libsvtav1":
      if let display = metadata.masteringDisplay { library.append(("mastering-display", display.decimalText)) }
      if let light = metadata.contentLight { library.append(("content-light", light.text)) }
    default: break
    }
  }

  /// Adds threads and log output, for libraries that ignore FFmpeg's settings.
  private mutating func addBehaviour(_ settings: MediaWriter.Settings, encoder: String) {
    switch encoder {
    case "libx265":
      let level =
        switch FFmpegLog.level {
        case .quiet: "none"
        case .errors: "error"
        case .warnings: "warning"
        case .verbose: "info"
        }
      library.append(("log-level", level))
      if settings.threads > 0 { library.append(("pools", "\(settings.threads)")) }
    case "libsvtav1":
      if settings.threads > 0 { library.append(("lp", "\(settings.threads)")) }
      // SVT-AV1 1.4 allows 25 percent deviation either way, and stays 6 percent below a low rate over half a minute.
      if settings.rate.average != nil { library += [("undershoot-pct", "0"), ("overshoot-pct", "0")] }
    // NVENC opens its device itself, by number.
    case let name where HardwareEncoder(name)?.interface == .nvenc:
      if let device = settings.hardwareDevice { wrapper.append(("gpu", device)) }
    default: break
    }
  }

  /// The option in place of a preset, and its value where the library's default would take days for a film; nil for
  /// encoders that have presets or no such option.
  static func speed(_ encoder: String) -> (option: String, value: String?)? {
    switch encoder {
    case "libaom-av1": ("cpu-used", "6")
    case "libvpx-vp9": ("cpu-used", "2")
    case "libvpx": ("cpu-used", nil)
    case "librav1e": ("speed", nil)
    default: nil
    }
  }

  private mutating func addSpeed(_ encoder: String) {
    guard let (option, value) = Self.speed(encoder), let value else { return }
    // Rows of blocks are coded in parallel, without changing the pictures.
    wrapper += [(option, value), ("row-mt", "1")]
  }

  /// Adds chroma siting, which FFmpeg does not pass to libaom.
  private mutating func addSiting(_ settings: MediaWriter.Settings, encoder: String) {
    guard encoder == "libaom-av1", settings.layout.components == .ycbcr420 else { return }
    wrapper.append(("aom-params", "chroma-sample-position=\(settings.color.chromaLocation.av1Text)"))
  }

  private mutating func addPass(_ pass: PassStatistics.Pass?, encoder: String) {
    guard let pass, PassStatistics.Form(encoder) == .file else { return }
    if encoder == "libx265" {
      library += [("pass", pass.isFirst ? "1" : "2"), ("stats", pass.statistics.path)]
    } else {
      wrapper.append(("stats", pass.statistics.path))
    }
  }

  /// The error for a rejected option according to the encoder's log; nil: none.
  func complaint(in lines: [String], encoder: String) -> FFmpegError? {
    for line in lines {
      let isUnknown = line.hasPrefix("Unknown option")
      guard isUnknown || line.contains("Error parsing option") || line.hasPrefix("Invalid value for") else { continue }
      let words = line.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }.map(String.init)
      guard let (name, value) = requested.last(where: { words.contains($0.0) }) else { continue }
      return isUnknown
        ? .unknownEncoderOption(encoder: encoder, name: name)
        : .invalidEncoderOption(encoder: encoder, name: name, value: value)
    }
    return nil
  }
}
