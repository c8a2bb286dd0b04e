internal import ColorScience
internal import Displays
internal import FFmpegIO
internal import Frames
internal import Media
internal import Rendering
internal import Sessions
internal import ToneMapping

extension OutputDiagnostic {
  var words: String {
    switch self {
    case .isInput(let name): "'\(name)' is an input: give the output another name."
    case .isFolder(let name): "'\(name)' is a folder: name a file in it."
    case .exists(let name): "'\(name)' already exists: give another name, or add --overwrite to replace it."
    case .isPartial(let name):
      "The part that was encoded is in '\(name)' (--keep-partial-name keeps the requested name)."
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
    case .isUntagged(let color, let metadata, let layout): Self.untagged(color, metadata, layout)
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
      "\(format) does not support chapters: the input's \(count.counting("chapter")) \(count == 1 ? "is" : "are") dropped."
    case .hasNoPlaceForTags(let format, let tags):
      "\(format) cannot store the tags \(tags.joined(separator: ", ")): they are dropped."
    case .hasNoPlaceForHDR10Plus(let encoder):
      "\(encoder ?? "This container") has no place for HDR10+: --hdr10plus copy needs HEVC (libx265) or AV1 (libsvtav1)."
    case .hasNoPlaceForCaptions(let encoder):
      "The input has closed captions (CEA-608/708), which \(encoder ?? "this container") has no place for: they are dropped. "
        + "H.264, HEVC, AV1 and MPEG-2 have one."
    case .breaksCaptions:
      "The input has closed captions (CEA-608/708), which are spread over all of its frames: with --every they are dropped."
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
      "The input's mastering display or MaxCLL rises, at the latest at \(seconds.words(decimals: 2)) s; the earlier "
        + "values are used throughout. To avoid that, split it with --start and --duration."
    case .hasNoHardware(let encoder):
      "--hw-device is only for hardware encoders, and \(encoder ?? "the default encoder") is not one: name one with -c:v, "
        + "such as hevc_vaapi."
    case .onlyContainerHasMetadata(let encoder):
      "\(encoder) does not write mastering display and MaxCLL to the stream: only the container has them (mp4, mov and "
        + "matroska do). libx265 writes both."
    case .movedTimes(let count):
      "\(count.counting("frame or packet", "frames or packets")) had non-increasing timestamps; they were moved."
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
  private static func untagged(_ color: ColorDescription, _ metadata: HDRMetadata, _ layout: PixelLayout) -> String {
    let transfer = color.transfer == .pq ? "smpte2084" : "arib-std-b67"
    var x265 = "--colorprim bt2020 --transfer \(transfer) --colormatrix bt2020nc --range limited"
    var av1 =
      "--color-primaries 9 --transfer-characteristics \(color.transfer.rawValue) --matrix-coefficients 9 --color-range 0"
    if layout.components == .ycbcr420 {
      x265 += " --chromaloc \(color.chromaLocation.rawValue)"
      av1 += " --chroma-sample-position \(color.chromaLocation.av1Text)"
    }
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
