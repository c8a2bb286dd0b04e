internal import ColorScience
internal import Frames
internal import ImageFiles
internal import Patterns
internal import Sessions

extension PictureDiagnostic {
  var words: String {
    switch self {
    case .holdsOne(let output, let format):
      "'\(output)' holds one picture, but more are requested: number the files, as in "
        + "'frame-%06d.\(format.suffixes.first ?? "")', or choose one frame with --frames (dump: or --at)."
    case .isForVideo(let parameter, let output):
      "\(parameter.flag) is for video, but '\(output)' is a picture: omit it."
    case .cannotCarry(let format, let space): Self.cannotCarry(format, space)
    case .bitDepth(let bitDepth, let format, let isLinear): Self.bitDepth(bitDepth, format, isLinear)
    case .compressionIsForEXR(let format): "--compression is for exr, not for \(format.rawValue): omit it."
    case .isLosslessAnyway(let format):
      "--lossless is for avif and jxl; \(format.rawValue) is always lossless: omit it."
    case .decodedIsNotMapped:
      "Decoded light is not mapped: omit --to, --tone-map, --peak, --reference-white, --exposure and what else maps light, or choose "
        + "--stage mapped."
    case .isForSDR(let space, let kind):
      "\(space.name) is for SDR, not for \(kind.rawValue): omit --to, or choose another --space."
    case .spaceIsNotTheDisplays(let space):
      "--to display makes pixels in the display's own space: omit --space \(space.shortName)."
    case .stageIsNotOfDisplays(let stage):
      "--to display is what light is mapped to, not --stage \(stage.rawValue): omit one of the two."
    case .metadataNeedsPQ: "--master-display and --max-cll are for PQ: other pictures carry no such metadata."
    case .statisticsOfContactSheet:
      "--stats is for frames, not for a contact sheet: omit one of the two."
    case .stageNeedsFilter: "--stage filtered is after the filters: add a --filter, or omit --stage."
    case .stageIsBeforeFilters(let stage):
      "--stage \(stage.rawValue) is before the filters: omit it, or choose filtered or output."
    case .clipWarningNeedsMapping:
      "clip-warning shows what the mapping to a display does, but decoded light is not mapped: add --to sdr, or choose "
        + "a --space for SDR."
    case .hasNonSquareSamples(let ratio, let format):
      "Samples are not square (\(ratio.numerator):\(ratio.denominator)), which \(format.rawValue) cannot signal: "
        + "--scale makes them square."
    case .isNotTurned(let degrees):
      "Y4M keeps the codes as they are and is not rotated by \(degrees.rounded().words)°."
    case .isSceneLight:
      "HLG as decoded is scene-referred, but other programs will read it as display-referred: use --stage mapped."
    case .clips(let space):
      "Light above \(space.transfer == .hlg ? "1000 cd/m²" : "SDR white") is clipped in \(space.name): --stage mapped "
        + "tone-maps it."
    case .contactSheetNeedsCodes:
      "A contact sheet is a picture of code values: choose png, tiff or jxl, a --space that is not linear, and --stage "
        + "mapped or decoded."
    case .contactSheetIsTooLarge(let size):
      "The sheet would be \(size): use fewer frames, or smaller ones with --scale."
    case .contactSheetIsNotMeasured: "--max-cll measure is not for a contact sheet: omit it."
    case .contactSheetHasGaps(let name, let count):
      "'\(name)' is shorter than stated: \(count == 1 ? "1 cell is" : "\(count) cells are") empty."
    }
  }

  private static func cannotCarry(_ format: ImageFormat, _ space: ImageSpace) -> String {
    let others = ImageFormat.allCases.filter { $0.spaces.contains(space) }.map(\.rawValue).joined(separator: ", ")
    let own =
      format.spaces.isEmpty
      ? "it holds frames as they are coded; omit --space"
      : "it takes \(format.spaces.map(\.name).joined(separator: ", "))"
    return "\(format.rawValue) cannot carry \(space.name): \(own), or choose one of \(others)."
  }

  fileprivate static func bitDepth(_ bitDepth: Int, _ format: ImageFormat, _ isLinear: Bool) -> String {
    let depths = format.bitDepths.map(String.init).joined(separator: ", ")
    return depths.isEmpty || isLinear
      ? "--bit-depth is not for \(format.rawValue)\(isLinear ? " of linear light" : ""), whose samples have a fixed "
        + "depth: omit it."
      : "\(format.rawValue) takes --bit-depth \(depths), not \(bitDepth)."
  }
}

extension PatternDiagnostic {
  var words: String {
    switch self {
    case .cannotCarry(let kind, let format, _, let allowed) where allowed.isEmpty:
      "\(format.rawValue) cannot hold \(kind.title): choose video, or linear light in exr or tiff."
    case .cannotCarry(let kind, let format, let space, let allowed):
      "\(kind.title) as \(format.rawValue) takes --space \(allowed.map(\.name).joined(separator: ", ")), not "
        + "\(space.name)."
    case .bitDepth(let bitDepth, let format, let isLinear): PictureDiagnostic.bitDepth(bitDepth, format, isLinear)
    case .needsBits(let pattern, let bits): "\(pattern) needs \(bits.counting("bit")): choose another --bit-depth."
    case .needsBitsOfVideo(let pattern, let bits, let layout, let encoder):
      "\(pattern) needs \(bits.counting("bit")), but \(layout.name ?? "the pixel format") has \(layout.bitDepth): choose "
        + "--pixel-format yuv420p10le\(encoder.map { ", or an encoder other than \($0)" } ?? "")."
    case .clipsLevels(let pattern):
      "Pictures are full range: levels below 0 % and above 100 %, which \(pattern) has, are clipped."
    case .size(let size):
      "A pattern can have \(TestPattern.minimumSize) to \(TestPattern.maximumSize) pixels, not \(size): choose another "
        + "--size."
    case .kind(let pattern, let kind, let allowed):
      "\(pattern) is available as \(allowed.map(\.rawValue).joined(separator: ", ")), not as \(kind.rawValue): omit "
        + "--to."
    case .isTooLong(let seconds, let frames):
      "\(seconds.words) s is more than \(frames.counting("frame")): choose a shorter --duration."
    case .holdsOne(let output, let format):
      "'\(output)' holds one picture: number the files, as in 'frame-%04d.\(format.suffixes[0])', or omit --duration."
    case .isForVideo(let parameter, let output):
      "\(parameter.flag) is for video, but '\(output)' is a picture: omit it."
    case .isForPictures(let parameter):
      "\(parameter.flag) is for pictures (png, exr, tiff, ...), not for video: "
        + (parameter == .bitDepth ? "choose a --pixel-format instead." : "omit it.")
    case .range(let pattern, let range):
      "\(pattern) is defined for \(range.words) range: omit --range, or choose another pattern."
    case .hasNoSiting(let layout):
      "--chroma-site is for 4:2:0; the chroma of \(layout.name ?? "this") is co-sited with luma."
    case .hasNoLabels(let reason): "Labels are omitted. \(reason)"
    }
  }
}

extension VerificationDiagnostic {
  var words: String {
    switch self {
    case .tolerance(let tolerance): "--tolerance takes a ΔE ITP above 0 and up to 1000, not \(tolerance)."
    case .size(let size):
      "--size \(size) is out of range: \(TestPattern.minimumSize) to \(TestPattern.maximumSize)."
    case .kind(let pattern, let kind, let allowed):
      "\(pattern) is not available as \(kind.rawValue), only as \(allowed.map(\.rawValue).joined(separator: ", "))."
    case .renditionIsFor(let kind, let input):
      "--expect says to=\(kind.rawValue), but the input is \(input.title): if its tags are wrong, override them with "
        + "--input-transfer."
    }
  }
}

extension ScopesDiagnostic {
  var words: String {
    switch self {
    case .planeWithoutVectorscope:
      "--vectorscope needs a vectorscope: add one to --scopes, or omit it."
    case .isTooLarge(let size): "A picture of \(size) is too large: choose a smaller --size or --scale."
    case .needsEightBits(let format, let allowed):
      "Scopes are 8-bit pictures, which \(format.rawValue) cannot hold: choose "
        + "\(allowed.map(\.rawValue).joined(separator: ", ")) or a video."
    case .cannotBeWritten(let output):
      "Scopes cannot be written as '\(output)': choose png, tiff, avif, jxl or a video."
    case .isOnePicture:
      "Only one frame is drawn: choose it with --at or --frames, or put a number in the name to draw them all."
    }
  }
}

extension TableDiagnostic {
  var words: String {
    switch self {
    case .size(let size, let allowed, let dimensions):
      "--size takes \(allowed.lowerBound) to \(allowed.upperBound) with --dimensions \(dimensions.rawValue), not \(size)."
    case .shaperOfCurve: "--shaper is a 1D LUT ahead of a 3D one: drop it, or --dimensions 1."
    case .tooSmallForShaper(let size): "--shaper needs a --size of at least 3, not \(size)."
    case .changesWithScenes:
      "--tone-map \(MappingOptions.hdr10PlusCurve) changes from shot to shot, which a table cannot: choose another one."
    case .shaperNeedsPeak:
      "--shaper is for PQ content that does not reach 10000 cd/m²: this content uses the whole signal."
    case .contentPeakIsForPQ: "--content-peak is for PQ: other signals do not say how bright they are."
    }
  }
}
