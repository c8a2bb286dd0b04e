internal import ColorScience
internal import Frames
internal import Sessions

extension InputDiagnostic {
  var words: String {
    switch self {
    case .reader(let sentence): sentence
    case .hasNoFrameAfter(let name, let start): "'\(name)' has no frame at or after --start \(start)."
    case .nothingSelected(let name):
      "No frame of '\(name)' lies in the selected range: check --start, --at and --frames."
    case .isNoSequence(let name):
      "--input-start-number is for a sequence of pictures, which '\(name)' is not: omit it, or name the files as in "
        + "'frame-%06d.png'."
    case .hasTimes(let name): "--frame-rate is for pictures, but '\(name)' has timestamps: omit it."
    case .cannotBeReadTwice(let name, let parameter): Self.cannotBeReadTwice(name, parameter)
    case .cannotBeReopened:
      "--map selects a video stream other than the default one, which would mean opening the pipe again: write the "
        + "input to a file first."
    case .unknownProfile(let name, let profile):
      "The ICC profile\(profile.isEmpty ? "" : " '\(profile)'") of '\(name)' is not recognized and is ignored: "
        + "set --input-primaries and --input-transfer instead."
    case .isTruncated(let name): "'\(name)' is truncated: what could be read was kept (--keep-partial)."
    case .isDamaged(let name, let packets, let frames): Self.isDamaged(name, packets, frames)
    case .clockJumps(let name, let count):
      "The clock of '\(name)' jumps \(count == 1 ? "once" : "\(count) times"), as in recordings that were joined: it is read as "
        + "one recording without the gap."
    case .ignoredToneMaps(let count, let reason):
      "Ignored: ST 2094-50 metadata in \(count.counting("packet"))\(reason.map { ": \($0)" } ?? "")."
    case .changes(let color, let size): "The video changes mid-stream: now \(color.words), \(size)."
    case .changesTooMuch(let color, let size):
      "The video changes mid-stream, to \(color.words), \(size): process the parts separately, with --frames or "
        + "--start and --duration."
    case .cannotBeTurned(let name, let degrees):
      "'\(name)' is displayed rotated by \(degrees.words)°, which is neither a quarter turn nor a mirror image: "
        + "transcode without --bake-rotation leaves it to the player, dump --no-bake-rotation leaves it as it is."
    case .hasUnknownLength(let name):
      "The duration of '\(name)' is unknown, so frames cannot be spread over it: give --duration."
    case .isNoDevice(let name):
      "'\(name)' is no capture device: omit --format, --size, --rate, --channel and --wait."
    case .hasNoStart(let name): "'\(name)' is a device, which begins when it is opened: omit --start and --at."
    case .isNotPrepared(let name):
      "'\(name)' is a device, whose pictures are taken as they are: choose one of its sizes, or deinterlace, crop and "
        + "scale the result."
    case .deliversNothing(let name, let reason):
      "'\(name)' delivers no frames"
        + (reason.map { ": it has \($0)." } ?? ": see that something is connected to it, and switched on.")
    case .hasLostFrames(let name, let count):
      "\(count == 1 ? "1 frame of '\(name)' was" : "\(count) frames of '\(name)' were") lost: they came faster than they could be processed, or never arrived."
    case .changedWhileRead(let name, let bytes, let now):
      "'\(name)' changed while it was read "
        + (now.map { $0 == bytes ? "(it was written to)" : "(from \(bytes) to \($0) bytes)" }
          ?? "(it is no longer there)")
        + ": start again when it is complete, or accept it with --keep-partial."
    case .differsFromPlan(let name):
      "'\(name)' is not the input that the plan was made for: its size, streams or metadata differ. Make a new plan."
    }
  }

  private static func cannotBeReadTwice(_ name: String, _ parameter: Parameter) -> String {
    if parameter == .burnSubtitles {
      return "'\(name)' is a pipe or device and cannot be read first for its subtitles: write it to a file, or give "
        + "\(parameter.flag) a file of subtitles."
    }
    let (option, advice) =
      switch parameter {
      case .contentLight: ("--max-cll measure", "")
      case .crop: ("--crop auto", ", or give --crop W:H:X:Y")
      case .peakDetection: (parameter.flag, ", or give --measured the result of `headroom measure`")
      default: (parameter.flag, "")
      }
    return
      "'\(name)' is a pipe or device and cannot be read twice, which \(option) needs: write it to a file first\(advice)."
  }

  private static func isDamaged(_ name: String, _ packets: Int, _ frames: Int) -> String {
    func part(_ count: Int, _ noun: String, _ state: String) -> String? {
      count == 0 ? nil : count.counting(noun) + (count == 1 ? " is " : " are ") + state
    }
    let parts = [part(packets, "packet", "damaged or missing"), part(frames, "frame", "damaged")].compactMap(\.self)
    return "'\(name)' is damaged: \(parts.joined(separator: ", ")). Frames that refer to them may be wrong too."
  }
}

extension SourceDiagnostic {
  var words: String {
    switch self {
    case .isNotFullyTagged(let name, let taken):
      "'\(name)' is not fully tagged: assuming \(taken.words). Override with --input-transfer and --input-primaries."
    case .ignoredMetadata(let reason): "Ignored: \(reason)."
    case .lightRises(let display, let light):
      "Parts of the input state different light. The brightest holds for all: "
        + [
          display.map { "a mastering display of \($0.maxNits.words) cd/m²" },
          light.map { "MaxCLL \($0.maxCLL), MaxFALL \($0.maxFALL) cd/m²" },
        ].compactMap(\.self).joined(separator: ", ") + "."
    case .hasUnknownUnit(let name): "'\(name)' does not state the luminance of 1.0: assuming 100 cd/m²."
    case .isInterlaced(let order, let byField):
      "Interlaced, \(order.words)" + (byField ? ": each field is processed by itself." : ".")
    case .measured(let maxCLL, let maxFALL, let peak):
      "Measured: MaxCLL \(maxCLL.rounded().words) cd/m², MaxFALL \(maxFALL.rounded().words) cd/m²"
        + (peak.rounded() < maxCLL.rounded() ? "; mapped for \(peak.rounded().words) cd/m²." : ".")
    case .dynamicMetadataIsUnused(let kinds):
      "\(kinds.map(\.rawValue).joined(separator: " and ")) metadata is neither used nor copied."
    case .hasNoHDR10PlusCurve:
      "The first frame has no usable HDR10+ curve: frames without one use 'system'."
    case .followsHDR10PlusCurves(let peak):
      "HDR10+: each shot uses the tone curve in its metadata, made for \(peak.words) cd/m²."
    case .followsHDR10PlusPeaks: "HDR10+: each shot is mapped from the peak in its metadata."
    case .followsRenditions(let stops, let white):
      "ST 2094-50: mapped by its renditions; content headroom \(stops.words) stops, reference white "
        + "\(white.words) cd/m²."
    case .followsReferenceWhite(let white, let peak):
      "ST 2094-50: reference white \(white.words) cd/m²\(peak.map { ", peak \($0.rounded().words) cd/m²" } ?? "")."
    case .isUnsupportedDolbyVision(let name, let profile):
      "'\(name)' is Dolby Vision profile \(profile), whose base layer is IPT-PQ-c2, not HDR10, HLG or SDR: "
        + "without Dolby's reshaping it would be green and purple. Use a version with profile 7 or 8."
    case .isUnmarkedDolbyVision(let name):
      "'\(name)' carries a Dolby Vision RPU but no configuration and no colour tags, like profile 5, which cannot be "
        + "rendered: if its base layer is HDR10 or HLG, say so with --input-transfer."
    case .hasRPUWithoutConfiguration:
      "Dolby Vision RPU without a configuration: the base layer is rendered according to its own tags."
    case .isDolbyVision(let profile, let compatibility, let lacksRPU):
      "Dolby Vision profile \(profile).\(compatibility): rendered from its \(Self.layer(compatibility))."
        + (lacksRPU ? " The stream has no RPU, although its configuration announces one." : "")
    case .hasUnsupportedTransfer(let name, let transfer):
      "The transfer characteristics of '\(name)' are '\(transfer)' (H.273 code \(transfer.rawValue)), which cannot be "
        + "processed: if the tag is wrong, override it with --input-transfer pq, hlg or sdr."
    case .contradictsDescriptor(let name, let transfer):
      "--edr-metadata contradicts '\(name)': \(transfer == .pq ? "PQ is display light, not HLG's scene light" : "HLG is scene light, not display light")."
    case .hasUnsupportedPrimaries(let name, let primaries):
      "The primaries of '\(name)' are '\(primaries)' (H.273 code \(primaries.rawValue)), which cannot be processed: if "
        + "the tag is wrong, override it with --input-primaries."
    }
  }

  private static func layer(_ compatibility: Int) -> String {
    switch compatibility {
    case 1, 6: "HDR10 base layer"
    case 2: "base layer (marked SDR-compatible; its own tags decide)"
    case 4: "HLG base layer"
    default: "base layer"
    }
  }
}
