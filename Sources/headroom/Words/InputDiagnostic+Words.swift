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
      "--input-start-number is for a sequence of pictures, which '\(name)' is not: leave it out, or name the files as in "
        + "'frame-%06d.png'."
    case .hasTimes(let name): "--frame-rate is for pictures, and '\(name)' has times of its own: leave it out."
    case .cannotBeReadTwice(let name, let parameter): Self.cannotBeReadTwice(name, parameter)
    case .cannotBeReopened:
      "--map takes another video stream than the first best one, for which a pipe would have to be opened again: "
        + "write it to a file first."
    case .unknownProfile(let name, let profile):
      "The ICC profile\(profile.isEmpty ? "" : " '\(profile)'") of '\(name)' is not known, and is not used: "
        + "--input-primaries and --input-transfer say what it would."
    case .isTruncated(let name): "'\(name)' breaks off before its end: what could be read was kept (--keep-partial)."
    case .isDamaged(let name, let packets, let frames): Self.isDamaged(name, packets, frames)
    case .ignoredToneMaps(let count, let reason):
      "Ignored: ST 2094-50 metadata of \(count) packets\(reason.map { ": \($0)" } ?? "")."
    case .changes(let color): "The video changes in the middle: now \(color.words)."
    case .changesTooMuch(let color, let size):
      "The video changes in the middle, to \(color.words), \(size): draw the parts by themselves, with --frames or "
        + "--start and --duration."
    case .cannotBeTurned(let name, let degrees):
      "'\(name)' is to be shown rotated by \(degrees.words)°, which is neither a quarter turn nor a mirroring: transcode "
        + "without --bake-rotation leaves it to the player, dump with --no-bake-rotation leaves it as it is."
    case .hasUnknownLength(let name):
      "The length of '\(name)' is not known, so frames cannot be spread over it: give --duration."
    case .differsFromPlan(let name):
      "'\(name)' is not the input that the plan was made for: its size, streams or metadata differ. Make a new plan."
    }
  }

  private static func cannotBeReadTwice(_ name: String, _ parameter: Parameter) -> String {
    let isOutput = parameter == .contentLight
    let option = isOutput ? "--max-cll measure" : "--peak-detect"
    return
      "'\(name)' is a pipe or device, which cannot be read twice, and \(option) takes a pass of its own: write the "
      + "input to a file first\(isOutput ? "" : ", or give --measured what `headroom measure` says of it")."
  }

  private static func isDamaged(_ name: String, _ packets: Int, _ frames: Int) -> String {
    let lost = packets == 1 ? "1 packet" : "\(packets) packets"
    let damaged = frames == 1 ? "1 frame is" : "\(frames) frames are"
    return
      "'\(name)' is damaged: \(lost) could not be decoded, \(damaged) damaged. Frames that refer to them may be wrong, "
      + "too."
  }
}

extension SourceDiagnostic {
  var words: String {
    switch self {
    case .isNotFullyTagged(let name, let taken):
      "'\(name)' is not fully tagged: taken as \(taken.words). --input-transfer and --input-primaries say otherwise."
    case .ignoredMetadata(let reason): "Ignored: \(reason)."
    case .hasUnknownUnit(let name): "'\(name)' does not say what luminance its 1.0 is: taken for 100 cd/m²."
    case .isInterlaced(let order, let byField):
      "Interlaced, \(order.words)" + (byField ? ": each field is processed by itself." : ".")
    case .measured(let maxCLL, let maxFALL):
      "Measured: MaxCLL \(maxCLL.rounded().words) cd/m², MaxFALL \(maxFALL.rounded().words) cd/m²."
    case .dynamicMetadataIsUnused(let kinds):
      "\(kinds.map(\.rawValue).joined(separator: " and ")) metadata is not used, and not copied."
    case .hasNoHDR10PlusCurve:
      "The first frame has no HDR10+ curve that can be used: where there is none, the curve is 'system'."
    case .followsHDR10PlusCurves(let peak):
      "HDR10+: each shot has the tone curve that it states, made for \(peak.words) cd/m²."
    case .followsHDR10PlusPeaks: "HDR10+: each shot is mapped from the peak that it states."
    case .followsRenditions(let stops, let white):
      "ST 2094-50: mapped by its renditions; headroom of the content \(stops.words) stops, reference white "
        + "\(white.words) cd/m²."
    case .followsReferenceWhite(let white, let peak):
      "ST 2094-50: reference white \(white.words) cd/m²\(peak.map { ", peak \($0.rounded().words) cd/m²" } ?? "")."
    case .isUnsupportedDolbyVision(let name, let profile):
      "'\(name)' is Dolby Vision profile \(profile), whose base layer is IPT-PQ-c2 and neither HDR10, HLG nor SDR: "
        + "without Dolby's reshaping it would be green and purple. Use a version with profile 7 or 8."
    case .isUnmarkedDolbyVision(let name):
      "'\(name)' carries a Dolby Vision RPU without a configuration and no colour tags, as profile 5 does, which cannot be "
        + "shown: if its base layer is HDR10 or HLG, say so with --input-transfer."
    case .hasRPUWithoutConfiguration:
      "Dolby Vision RPU without a configuration: the base layer is rendered by its own tags."
    case .isDolbyVision(let profile, let compatibility, let lacksRPU):
      "Dolby Vision profile \(profile).\(compatibility): rendered through its \(Self.layer(compatibility))."
        + (lacksRPU ? " The stream has no RPU, which its configuration announces." : "")
    case .hasUnsupportedTransfer(let name, let transfer):
      "The transfer characteristics of '\(name)' are '\(transfer)' (H.273 code \(transfer.rawValue)), which cannot be "
        + "processed: if the tag is wrong, say what it is with --input-transfer pq, hlg or sdr."
    case .hasUnsupportedPrimaries(let name, let primaries):
      "The primaries of '\(name)' are '\(primaries)' (H.273 code \(primaries.rawValue)), which cannot be processed: say "
        + "what they are with --input-primaries."
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
