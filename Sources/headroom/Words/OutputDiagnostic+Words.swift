internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Rendering
internal import Sessions

extension MappingDiagnostic {
  var words: String {
    switch self {
    case .peakBelowSDRWhite(let peak, let white):
      "--peak \(peak) is below --sdr-white \(white): a display is at least as bright as its SDR white."
    case .peakTooLowForHDR10(let peak):
      "--peak \(peak) is too low for HDR10, whose players disbelieve less than 80 cd/m²: make SDR."
    case .hdr10PlusIsIgnored:
      "--tone-map \(MappingOptions.hdr10PlusCurve) is the curve of HDR10+, which --dynamic-metadata ignore leaves out: "
        + "drop one."
    case .metadataNeedsHDR10:
      "--master-display and --max-cll are for --to hdr10: other outputs carry no such metadata."
    case .nothingToCopy(let parameter):
      parameter == .masteringDisplay
        ? "The input has no mastering display to copy: give --master-display its values."
        : "The input has no MaxCLL to copy: write --max-cll measure, or give its values."
    case .copiedMetadataIsTheSources:
      "The copied HDR10 metadata is the source's; the pixels are not as bright any more."
    case .statedBelowLimit(let maxCLL, let limit):
      "MaxCLL \(maxCLL) is stated, and the output may reach \(limit.words) cd/m²: --max-cll measure states what is coded."
    case .statedByInput(let light):
      "MaxCLL \(light.text) is what the input says of itself: --max-cll measure states what is coded."
    case .hlgPeak(let peak, let gamma):
      "HLG for a peak of \(peak.words) cd/m² has a system gamma of \(gamma.words(decimals: 3)), which no file states: "
        + "BT.2100 and BT.2408 expect a nominal peak of 1000 cd/m² and 1.2. Other displays adapt by themselves, by 1.2 + "
        + "0.42 log10(Lw / 1000). Leave --peak out, or tell every display that it is for \(peak.words) cd/m²."
    case .unknownBrightness(let keepsLight):
      keepsLight
        ? "The input does not say how bright it gets, and neither does the output: --max-cll measure states it."
        : "The input does not say how bright it gets: taken for up to 1000 cd/m². --peak-detect measures it."
    }
  }
}

extension OutputDiagnostic {
  var words: String {
    switch self {
    case .isInput(let name): "'\(name)' is the input: give the output another name."
    case .isFolder(let name): "'\(name)' is a folder: name a file in it."
    case .exists(let name): "'\(name)' already exists: give another name, or add --overwrite to replace it."
    case .existsInFolder(let file, let folder):
      "'\(file)' already exists in '\(folder)': give another pattern, or add --overwrite to replace such files."
    case .inputIsAmong(let input, let name):
      "The input '\(input)' is one of the files of '\(name)': give the output other names."
    case .replacesInput(let name, let input):
      "'\(name)' would replace files of the input '\(input)': give the output another name."
    case .sameFile(let one, let other):
      "\(one.flag) and \(other.flag) name the same place: give one of them another name."
    case .isAmongPictures(let parameter): "\(parameter.flag) names one of the pictures: give it another name."
    case .hasNoName(let parameter): "\(parameter.flag) takes the name of a file, or -."
    case .isNoFile(let name): "'\(name)' is not a file: name one, or - for standard output."
    case .isNoFolder(let name): "'\(name)' is a file, and --report takes a folder: give another name."
    case .parentIsMissing(let folder):
      "There is no folder '\(folder)' for the report: make it first, or name another one."
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
      "Samples of \(layout.components.rawValue) with \(layout.bitDepth) bits are not written in this form: choose another "
        + "--pixel-format."
    case .eightBitsOfHDR:
      "Eight bits are too few for HDR and will show bands: choose --pixel-format yuv420p10le."
    case .hasNoChapters(let format, let count):
      "\(format) has no chapters: the \(count) of the input are left out."
    case .hasNoPlaceForTags(let format, let tags):
      "\(format) has no place for the tags \(tags.joined(separator: ", ")): left out."
    case .firstPictureIsLate(let seconds):
      "The first picture is at \((seconds * 100).rounded(.down) / 100) s of the output."
    case .losesTimes(let format):
      "\(format) has one frame rate, and the input has not: the times of its frames are lost."
    case .countsFrames(let rate):
      "The encoder counts frames, \(rate.words(decimals: 3)) a second, and the input has a variable rate: frames between "
        + "two counts are moved to the nearest."
    case .fieldsMix(let height):
      "The interlaced pictures are \(height) lines high, which do not divide into two fields: chroma of the two mixes."
    case .cannotSignalFields(let order, let encoder):
      "The pictures are interlaced, \(order.words), which \(encoder) cannot signal: players will take them for "
        + "progressive. libx264, prores_ks and ffv1 can."
    case .rotatesPanels:
      "Players turn this picture, and with it what filters write on it: --bake-rotation turns it before."
    case .becomesInterlaced:
      "Pictures become interlaced in the middle, where the output was begun as progressive."
    case .metadataChanges(let seconds):
      "The input's mastering display or MaxCLL changes within it, by the frame at \(seconds.words(decimals: 2)) s at the "
        + "latest: all is processed by those that it begins with. Cut it there with --start and --duration."
    case .movedTimes(let count):
      "\(count) frames or packets had a time that was not after the one before; they were moved."
    case .shiftedFrames(let seconds, let rate):
      "Frames were moved by up to \(Int((seconds * 1000).rounded())) ms: the output counts frames"
        + (rate.map { ", \($0.words(decimals: 3)) a second" } ?? "") + "."
    case .writer(let sentence): sentence
    default: "\(self)"
    }
  }

  private static func invalid(_ name: String, _ fault: PatternFault) -> String {
    switch fault {
    case .manyNumbers: "'\(name)' has two places for a number: keep one."
    case .unknownField(let field):
      "'\(field)' in '\(name)' is no place for a number: write %d, %06d, or %% for a percent sign."
    case .tooManyDigits(let digits): "'\(name)' asks for \(digits) digits: %06d will do."
    case .numberedFolder: "The number of '\(name)' is in the name of a folder: put it into that of the file."
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
      "'\(name)' has no stream '\(specifier)': see `headroom probe`, or add ? to take it where it is."
    case .hasNoVideo: "--map takes no video stream: add one, as --map 0:v:0."
    case .isEncoded(let label, let codec, let encoder, let format):
      "\(label.text) is encoded as \(encoder): \(format) does not hold \(codec)."
    case .otherVideoIsLeftOut(let streams):
      "One video stream is processed, and \(streams.joined(separator: ", ")) is left out: choose another with --map."
    case .leftOutOfPictures(let format, let labels):
      "\(format) holds the picture only: \(labels.map(\.text).joined(separator: ", ")) left out."
    case .notHeld(let format, let labels): Self.notHeld(labels, format)
    }
  }

  private static func notHeld(_ labels: [Label], _ format: String) -> String {
    var advice: [String] = []
    if labels.contains(where: \.isAudio) { advice.append("-c:a aac re-encodes audio") }
    if format != "matroska", labels.contains(where: { !$0.isData }) { advice.append("matroska holds most streams") }
    return "\(format) cannot hold \(labels.map(\.text).joined(separator: ", ")): left out"
      + (advice.isEmpty ? "." : " (\(advice.joined(separator: "; "))).")
  }
}

extension RunDiagnostic {
  var words: String {
    switch self {
    case .measuresInput(let name): "measuring '\(name)' first."
    case .measuresOutput: "measuring what will be coded first."
    case .measuredOutput(let light): "MaxCLL and MaxFALL of what will be coded: \(light.text) cd/m²."
    case .stoppedMeasuring(let frames):
      "stopped after \(frames) frames; an incomplete measurement is not written."
    case .sheetIsDone(let frames, let size): "\(frames) frames in a sheet of \(size)."
    case .kernelsDoNotRun(let kernels, let best):
      "This processor does not run the kernels '\(kernels.rawValue)': the best it has is '\(best.rawValue)' (--kernels)."
    }
  }
}
