internal import ColorScience
internal import Displays
internal import FFmpegIO
internal import Frames
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
    case .statedByInput(let light):
      "MaxCLL \(light.text) is what the input states: --max-cll measure states the coded light."
    case .hlgPeak(let peak, let gamma):
      "HLG for a peak of \(peak.words) cd/m² has a system gamma of \(gamma.words(decimals: 3)), which files cannot "
        + "signal: BT.2100 and BT.2408 expect a nominal peak of 1000 cd/m² and 1.2. Other displays adapt on their own, "
        + "by 1.2 + 0.42 log10(Lw / 1000). Set every display up for \(peak.words) cd/m², or make HLG for 1000."
    case .unknownBrightness(let keepsLight):
      keepsLight
        ? "The input does not state how bright it gets, and neither does the output: --max-cll measure states it."
        : "The input does not state how bright it gets: assuming up to 1000 cd/m². --peak-detect measures it."
    }
  }
}

extension OutputDiagnostic {
  var words: String {
    switch self {
    case .isInput(let name): "'\(name)' is an input: give the output another name."
    case .isFolder(let name): "'\(name)' is a folder: name a file in it."
    case .exists(let name): "'\(name)' already exists: give another name, or add --overwrite to replace it."
    case .existsInFolder(let file, let folder):
      "'\(file)' already exists in '\(folder)': give another pattern, or add --overwrite to replace existing files."
    case .inputIsAmong(let input, let name):
      "The input '\(input)' is one of the files of '\(name)': give the output other names."
    case .replacesInput(let name, let input):
      "'\(name)' would replace files of the input '\(input)': give the output another name."
    case .sameFile(let one, let other):
      "\(one.flag) and \(other.flag) name the same file: give one of them another name."
    case .isAmongPictures(let parameter): "\(parameter.flag) names one of the pictures: give it another name."
    case .hasNoName(let parameter): "\(parameter.flag) takes a file name, or -."
    case .isNoFile(let name): "'\(name)' is not a file: name one, or - for standard output."
    case .isNoFolder(let name): "'\(name)' is a file, but --report takes a folder: give another name."
    case .parentIsMissing(let folder):
      "There is no folder '\(folder)' for the report: create it first, or name another one."
    case .folderIsNotWritable(let name):
      "The folder '\(name)' cannot be written to: choose another one for the report."
    case .invalidPattern(let name, let fault): Self.invalid(name, fault)
    case .isUntagged(let color, let metadata): Self.untagged(color, metadata)
    default: formWords
    }
  }

  /// About the effects of the output's format on the picture, its times and its metadata.
  private var formWords: String {
    switch self {
    case .hasNoPixelFormat(let layout):
      "\(layout.bitDepth)-bit \(layout.components.rawValue) samples cannot be written in this form: choose another "
        + "--pixel-format."
    case .eightBitsOfHDR:
      "Eight bits are too few for HDR and will show bands: choose --pixel-format yuv420p10le."
    case .hasNoChapters(let format, let count):
      "\(format) does not support chapters: the input's \(count) are dropped."
    case .hasNoPlaceForTags(let format, let tags):
      "\(format) cannot store the tags \(tags.joined(separator: ", ")): they are dropped."
    case .firstPictureIsLate(let seconds):
      "The first picture is at \((seconds * 100).rounded(.down) / 100) s of the output."
    case .losesTimes(let format):
      "\(format) needs a constant frame rate, which the input does not have: frame times are lost."
    case .countsFrames(let rate):
      "The encoder has a constant frame rate, \(rate.words(decimals: 3)) fps, but the input's is variable: frames in "
        + "between are moved to the nearest tick."
    case .fieldsMix(let height):
      "The interlaced pictures are \(height) lines high, which does not divide into two fields: their chroma is mixed."
    case .cannotSignalFields(let order, let encoder):
      "The pictures are interlaced, \(order.words), which \(encoder) cannot signal: players will treat them as "
        + "progressive. libx264, prores_ks and ffv1 can."
    case .rotatesPanels:
      "Players will rotate this picture, including what filters draw: --bake-rotation rotates the pixels first."
    case .becomesInterlaced:
      "The video becomes interlaced mid-stream, but the output was started as progressive."
    case .metadataChanges(let seconds):
      "The input's mastering display or MaxCLL changes, at the latest at \(seconds.words(decimals: 2)) s; the initial "
        + "values are used throughout. To avoid that, split it with --start and --duration."
    case .movedTimes(let count):
      "\(count) frames or packets had non-increasing timestamps; they were moved."
    case .shiftedFrames(let seconds, let rate):
      "Frames were moved by up to \(Int((seconds * 1000).rounded())) ms: the output has a constant frame rate"
        + (rate.map { ", \($0.words(decimals: 3)) fps" } ?? "") + "."
    case .writer(let sentence): sentence
    default: "\(self)"
    }
  }

  private static func invalid(_ name: String, _ fault: PatternFault) -> String {
    switch fault {
    case .manyNumbers: "'\(name)' has two places for a number: keep one."
    case .unknownField(let field):
      "'\(field)' in '\(name)' is not a place for a number: write %d, %06d, or %% for a percent sign."
    case .tooManyDigits(let digits): "'\(name)' asks for \(digits) digits: %06d will do."
    case .numberedFolder: "The number in '\(name)' is in the name of a folder: put it in the file name."
    }
  }

  /// The options that the program at the other end of a pipe needs.
  private static func untagged(_ color: ColorDescription, _ metadata: HDRMetadata) -> String {
    let transfer = color.transfer == .pq ? "smpte2084" : "arib-std-b67"
    var x265 = "--colorprim bt2020 --transfer \(transfer) --colormatrix bt2020nc --range limited"
    var av1 =
      "--color-primaries 9 --transfer-characteristics \(color.transfer.rawValue) --matrix-coefficients 9 --color-range 0"
    if let display = metadata.masteringDisplay {
      x265 += " --master-display \"\(display.integerText)\""
      av1 += " --mastering-display \"\(display.decimalText)\""
    }
    if let light = metadata.contentLight {
      x265 += " --max-cll \"\(light.text)\""
      av1 += " --content-light \"\(light.text)\""
    }
    return "Y4M has no colour tags; tell the reader: x265 \(x265); SvtAv1EncApp \(av1)"
  }
}

extension StreamDiagnostic {
  var words: String {
    switch self {
    case .isMissing(let name, let specifier):
      "'\(name)' has no stream '\(specifier)': see `headroom probe`, or append ? to make it optional."
    case .hasNoVideo: "--map selects no video stream: add one, such as --map 0:v:0."
    case .isEncoded(let label, let codec, let encoder, let format):
      "\(label.text) is encoded with \(encoder): \(format) does not support \(codec)."
    case .otherVideoIsLeftOut(let streams):
      "Only one video stream is processed; dropping \(streams.joined(separator: ", ")). Choose another with --map."
    case .leftOutOfPictures(let format, let labels):
      "\(format) holds only the picture; dropping \(labels.map(\.text).joined(separator: ", "))."
    case .notHeld(let format, let labels): Self.notHeld(labels, format)
    }
  }

  private static func notHeld(_ labels: [Label], _ format: String) -> String {
    var advice: [String] = []
    if labels.contains(where: \.isAudio) { advice.append("-c:a aac re-encodes audio") }
    if format != "matroska", labels.contains(where: { !$0.isData }) { advice.append("matroska holds most streams") }
    return "\(format) cannot hold \(labels.map(\.text).joined(separator: ", ")): dropped"
      + (advice.isEmpty ? "." : " (\(advice.joined(separator: "; "))).")
  }
}

extension RunDiagnostic {
  var words: String {
    switch self {
    case .measuresInput(let name): "measuring '\(name)' first."
    case .measuresOutput: "measuring the light of the coded frames first."
    case .measuredOutput(let light): "MaxCLL and MaxFALL of the coded frames: \(light.text) cd/m²."
    case .stoppedMeasuring(let frames):
      "stopped after \(frames) frames; an incomplete measurement is not written."
    case .sheetIsDone(let frames, let size): "\(frames) frames in a sheet of \(size)."
    case .kernelsDoNotRun(let kernels, let best):
      "This processor does not run the kernels '\(kernels.rawValue)': the best it has is '\(best.rawValue)' (--kernels)."
    case .displayIsLost(let error):
      "\(error) The picture is made for what the display was before."
    case .exceedsStatedLight(let peak, let maxCLL):
      "A peak of \(peak.words) cd/m² is above the MaxCLL of \(maxCLL) that the file already states."
    case .outputNameIsTaken(let name): "Two outputs are called '\(name)'."
    case .bufferIsEmpty(let output): "The buffer of the output '\(output)' has no room for a frame."
    case .changesFormat: "Frames cannot change kind or size in the middle of a run."
    }
  }
}
