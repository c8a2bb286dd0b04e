public import ColorScience
public import Frames
public import ImageFiles
public import Patterns

/// About pictures.
public enum PictureDiagnostic: Sendable, Hashable, Codable {
  /// The format holds one picture, but more were requested.
  case holdsOne(output: String, ImageFormat)
  /// The parameter is for video, but the output is a picture.
  case isForVideo(Parameter, output: String)
  /// The format cannot carry the colour space.
  case cannotCarry(ImageFormat, ImageSpace)
  /// The format has no such bit depth; `isLinear`: because the space is linear.
  case bitDepth(Int, ImageFormat, isLinear: Bool)
  /// A compression was requested for a format other than OpenEXR.
  case compressionIsForEXR(ImageFormat)
  /// The format is always lossless.
  case isLosslessAnyway(ImageFormat)
  /// A mapping was requested, but frames are taken as decoded.
  case decodedIsNotMapped
  /// The space is for SDR, but another kind of output was requested.
  case isForSDR(ImageSpace, OutputKind)
  /// Pixels of a display were requested in another space.
  case spaceIsNotTheDisplays(ImageSpace)
  /// Pixels of a display are what the mapping makes, and were requested at another stage.
  case stageIsNotOfDisplays(PictureRequest.Stage)
  /// HDR10 metadata was requested for pictures that are not PQ.
  case metadataNeedsPQ
  /// Statistics of frames were requested for a contact sheet.
  case statisticsOfContactSheet
  /// Frames are to be taken after the filters, but there are none.
  case stageNeedsFilter
  /// Frames are to be taken before the filters that were requested.
  case stageIsBeforeFilters(PictureRequest.Stage)
  /// The clip warning shows what the mapping does, but frames are taken as decoded.
  case clipWarningNeedsMapping
  /// The samples are not square, which the format cannot signal.
  case hasNonSquareSamples(Rational, ImageFormat)
  /// Y4M holds the codes as they are, and is not rotated.
  case isNotTurned(degrees: Double)
  /// HLG as decoded is scene-referred, but other programs will read it as display-referred.
  case isSceneLight
  /// Light above 1000 cd/m² of HLG, or above SDR white, is clipped.
  case clips(ImageSpace)
  /// A contact sheet is made of code values, but linear light or another stage was requested.
  case contactSheetNeedsCodes
  /// The sheet would have this many pixels.
  case contactSheetIsTooLarge(Size)
  /// A contact sheet is not measured for MaxCLL.
  case contactSheetIsNotMeasured
  /// The input is shorter than stated: cells of the sheet stay empty.
  case contactSheetHasGaps(name: String, Int)
}

/// About generating test patterns.
public enum PatternDiagnostic: Sendable, Hashable, Codable {
  /// The format holds this kind of signal only in the spaces that are allowed.
  case cannotCarry(PatternSignal.Kind, ImageFormat, ImageSpace, allowed: [ImageSpace])
  /// Pictures of this format have no such bit depth.
  case bitDepth(Int, ImageFormat, isLinear: Bool)
  /// The pattern needs more bits than a picture has.
  case needsBits(pattern: String, Int)
  /// The pattern needs more bits than video has.
  case needsBitsOfVideo(pattern: String, Int, layout: PixelLayout, encoder: String?)
  /// The pattern has levels below 0 % and above 100 %, which full-range pictures clip.
  case clipsLevels(pattern: String)
  /// The size in pixels is out of range for patterns.
  case size(Size)
  /// The pattern does not support this kind of video.
  case kind(pattern: String, PatternSignal.Kind, allowed: [PatternSignal.Kind])
  /// The duration is longer than the number of frames that can be made.
  case isTooLong(seconds: Double, frames: Int)
  /// The format holds one picture, but a duration was requested.
  case holdsOne(output: String, ImageFormat)
  /// The parameter is for video, but the output is a picture.
  case isForVideo(Parameter, output: String)
  /// The parameter is for pictures, but the output is video.
  case isForPictures(Parameter)
  /// The pattern is not defined for this range of code values.
  case range(pattern: String, VideoRange)
  /// A chroma siting was requested for a layout that is not 4:2:0.
  case hasNoSiting(PixelLayout)
  /// Labels are left out, and why.
  case hasNoLabels(String)
}

/// About verification.
public enum VerificationDiagnostic: Sendable, Hashable, Codable {
  /// A ΔE ITP that is not above 0, or above 1000.
  case tolerance(Double)
  /// The size in pixels is out of range for patterns.
  case size(Size)
  /// The pattern does not support this kind of video.
  case kind(pattern: String, PatternSignal.Kind, allowed: [PatternSignal.Kind])
  /// The expected rendition is for a different kind of video.
  case renditionIsFor(OutputKind, PatternSignal.Kind)
}

/// About scopes.
public enum ScopesDiagnostic: Sendable, Hashable, Codable {
  /// A plane was requested, but no vectorscope.
  case planeWithoutVectorscope
  /// The picture of scopes would be this large.
  case isTooLarge(Size)
  /// Scopes are drawn in eight bits, which the format does not support.
  case needsEightBits(ImageFormat, allowed: [ImageFormat])
  /// Scopes cannot be written in the format of the output name.
  case cannotBeWritten(output: String)
  /// The output holds one picture, so only one frame is taken.
  case isOnePicture
}

/// About look-up tables.
public enum TableDiagnostic: Sendable, Hashable, Codable {
  /// The size is out of range for a table of these dimensions.
  case size(Int, allowed: ClosedRange<Int>, dimensions: LUTRequest.Dimensions)
  /// A shaper was requested before a 1D LUT.
  case shaperOfCurve
  /// A table with a shaper needs at least 3 nodes on each axis.
  case tooSmallForShaper(Int)
  /// The curve of HDR10+ changes from shot to shot.
  case changesWithScenes
  /// A shaper needs PQ content that does not reach 10,000 cd/m².
  case shaperNeedsPeak
  /// A content peak was stated for a signal without absolute luminance.
  case contentPeakIsForPQ
}
