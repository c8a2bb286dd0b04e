internal import ColorScience
internal import Displays
internal import FFmpegIO
internal import Frames
internal import Media
internal import Rendering
internal import Sessions
internal import ToneMapping

extension MappingDiagnostic {
  var words: String {
    switch self {
    case .peakBelowSDRWhite(let peak, let white):
      "--peak \(peak) is below --sdr-white \(white): a display is at least as bright as its SDR white."
    case .peakTooLowForHDR10(let peak):
      "--peak \(peak) is too low for HDR10: players ignore peaks below 80 cd/m². Make SDR instead."
    case .hdr10PlusIsIgnored:
      "--tone-map \(MappingOptions.hdr10PlusCurve) is the HDR10+ curve, which --dynamic-metadata ignore disables: drop "
        + "one."
    case .desaturationNeedsPerceptualGamut(let gamut):
      "--highlight-desaturation is a part of --gamut perceptual, which --gamut \(gamut.rawValue) replaces: drop one."
    case .expandsSDROnly: "--inverse-tone-map is for SDR, and the input is HDR: drop it."
    case .expandsToHDROnly: "--inverse-tone-map makes HDR: add --to hdr10 or --to hlg."
    case .viewingNeedsGain:
      "--tone-map bt2446a cannot be fitted to --black and --ambient: use another curve, such as bt2390."
    case .viewingIsOfHLGsDisplay:
      "--black and --ambient are for --to sdr and --to hdr10: HLG is fitted to them by the display that shows it."
    case .choosesSDR(let display, let headroom, let threshold):
      "display '\(display)' has a potential headroom of \(headroom.words(decimals: 2)), below \(threshold.words): making SDR."
    case .isReferenceFormat(let format):
      "reference mode: \(format.map { "\($0.name), for a \($0.surround.rawValue) surround" } ?? "linear light"), shown as it is."
    case .isNoReferenceFormat(let color):
      "reference mode has no format of \(color.primaries) / \(color.transfer) / \(color.matrix): it is colour-managed as in "
        + "the default mode."
    case .referenceModeIsLimited(let headroom):
      "Reference mode is limited: the headroom is \(headroom.words(decimals: 2)) instead of 10, and light above it is clipped."
    case .hasNoReferenceMode(let display, let headroom):
      "Display '\(display)' does not support reference mode, as its potential headroom is \(headroom.words(decimals: 2)): "
        + "using the default mode."
    case .displayIsMissing: "--to display makes pixels of a display: choose it with --display."
    case .displayIsNoVideo:
      "--to display makes pixels that no video format describes: write pictures (PNG, TIFF, bgr10a2), or choose --to hdr10 or sdr."
    case .isForDisplay(let display):
      "pixels of display '\(display)' itself, without tags: show them without colour management."
    case .assumesPeak(let display, let nits):
      "Display '\(display)' does not state its peak: assuming \(nits.words) cd/m². Describe it in a JSON file, or give --peak."
    case .displayIsDamaged(let display, let problems):
      "The EDID of display '\(display)' is damaged (\(problems.map(\.description).joined(separator: "; "))): what it states "
        + "there is not known."
    case .headroomNeedsHDR: "--headroom is for --to hdr10, hlg and display: SDR ends at SDR white."
    case .nothingToFollow:
      "--follow needs a display that can change: give --display a connector of this machine, or a file."
    case .hlgIsNotFollowed:
      "--follow is for --to hdr10 and --to sdr: HLG is fitted to the headroom by the display that shows it."
    case .lockedByReferenceMode(let parameters):
      "Reference mode is not adapted to the room: \(parameters.map(\.flag).joined(separator: ", ")) "
        + "\(parameters.count == 1 ? "has" : "have") no effect."
    case .metadataNeedsHDR10:
      "--master-display and --max-cll are for --to hdr10: other outputs carry no such metadata."
    case .nothingToCopy(let parameter):
      parameter == .masteringDisplay
        ? "The input has no mastering display to copy: give its values with --master-display."
        : "The input has no MaxCLL to copy: use --max-cll measure, or give its values."
    case .copiedMetadataIsTheSources:
      "The copied HDR10 metadata describes the source; the pixels are no longer that bright."
    case .statedBelowLimit(let maxCLL, let limit):
      "The stated MaxCLL is \(maxCLL), but the output may reach \(limit.words) cd/m²: --max-cll measure states the "
        + "coded light."
    case .raisesMasteringDisplay(let stated, let measured):
      "The measured light exceeds the mastering display of \(stated.words) cd/m²: a peak of \(measured.words) cd/m² is stated. "
        + "--master-display copy keeps the input's."
    case .statedByInput(let light, let hasDisplay):
      (light.map { light in
        let values = light.maxFALL == 0 ? "\(light.maxCLL)" : light.text
        return hasDisplay ? "The mastering display and MaxCLL \(values) are" : "MaxCLL \(values) is"
      } ?? "The mastering display is")
        + " what the input states, not measured\(light?.maxFALL == 0 ? "; MaxFALL is not known" : ""): --max-cll measure states "
        + "the coded light."
    case .hlgPeak(let peak, let gamma):
      "HLG for a peak of \(peak.words) cd/m² has a system gamma of \(gamma.words(decimals: 3)), which files cannot "
        + "signal: BT.2100 and BT.2408 expect a nominal peak of 1000 cd/m² and 1.2. Other displays adapt on their own, "
        + "by 1.2 + 0.42 log10(Lw / 1000). Set every display up for \(peak.words) cd/m², or make HLG for 1000."
    case .unknownBrightness(let keepsLight):
      keepsLight
        ? "The input does not state how bright it gets, and neither does the output: --max-cll measure states it."
        : "The input does not state how bright it gets: assuming up to 1000 cd/m². --peak-detect measures it."
    case .hdr10PlusWouldBeWrong(let changes):
      "--hdr10plus copy is for an output with the light of its input, but \(Self.reasons(changes)): omit that, or use "
        + "--hdr10plus none."
    case .hasNoHDR10PlusMessage(let seconds):
      "The HDR10+ of the frame at \(seconds.words(decimals: 3)) s is not in the coded picture, where it could be copied "
        + "from: use --hdr10plus none."
    case .canCopyHDR10Plus: "The light is left as it is: --hdr10plus copy keeps the HDR10+ metadata."
    case .copiesHDR10Plus(let startsWithFirst):
      startsWithFirst
        ? "HDR10+ is copied, frame by frame." : "The first frame has no HDR10+: it is copied where frames have it."
    }
  }
}

extension MappingDiagnostic {
  /// What changes the light, as parts of a sentence.
  fileprivate static func reasons(_ changes: [LightChange]) -> String {
    var settings: [String] = []
    var parts: [String] = []
    for change in changes {
      switch change {
      case .setting(let parameter): settings.append(parameter.flag)
      case .kind(let kind):
        parts.append("the output is \(kind == .hlg ? "HLG" : kind == .sdr ? "SDR" : "for a display")")
      case .transfer(let transfer): parts.append("the input is \(transfer), not PQ")
      case .primaries(let primaries): parts.append("the input has the primaries \(primaries)")
      }
    }
    if !settings.isEmpty {
      parts.append("\(settings.joined(separator: " and ")) \(settings.count == 1 ? "changes" : "change") the picture")
    }
    return parts.joined(separator: ", ")
  }
}
