public import ColorScience
public import Frames
public import ImageFiles
public import Patterns

/// Of pictures.
public enum PictureDiagnostic: Sendable, Hashable, Codable {
  /// One picture is held, and more are asked for.
  case holdsOne(output: String, ImageFormat)
  case isForVideo(Parameter, output: String)
  case cannotCarry(ImageFormat, ImageSpace)
  case bitDepth(Int, ImageFormat, isLinear: Bool)
  case compressionIsForEXR(ImageFormat)
  case isLosslessAnyway(ImageFormat)
  case decodedIsNotMapped
  case isForSDR(ImageSpace, OutputKind)
  case metadataNeedsPQ
  case statisticsOfContactSheet
  case stageNeedsFilter
  case stageIsBeforeFilters(PictureRequest.Stage)
  case clipWarningNeedsMapping
  case hasNonSquareSamples(Rational, ImageFormat)
  case isNotTurned(degrees: Double)
  case isSceneLight
  /// Light above 1000 cd/m² of HLG, or above SDR white, is clipped.
  case clips(ImageSpace)
  case contactSheetNeedsCodes
  case contactSheetIsTooLarge(Size)
  case contactSheetIsNotMeasured
  case contactSheetHasGaps(name: String, Int)
}

/// Of test patterns that are made.
public enum PatternDiagnostic: Sendable, Hashable, Codable {
  case cannotCarry(PatternSignal.Kind, ImageFormat, ImageSpace, allowed: [ImageSpace])
  case bitDepth(Int, ImageFormat, isLinear: Bool)
  /// The pattern needs more bits than a picture has.
  case needsBits(pattern: String, Int)
  /// The pattern needs more bits than video has.
  case needsBitsOfVideo(pattern: String, Int, layout: PixelLayout, encoder: String?)
  case clipsLevels(pattern: String)
  case size(Size)
  case kind(pattern: String, PatternSignal.Kind, allowed: [PatternSignal.Kind])
  case isTooLong(seconds: Double, frames: Int)
  case holdsOne(output: String, ImageFormat)
  case isForVideo(Parameter, output: String)
  case isForPictures(Parameter)
  case range(pattern: String, VideoRange)
  case hasNoSiting(PixelLayout)
  /// Labels are left out, and why.
  case hasNoLabels(String)
}

/// Of verification.
public enum VerificationDiagnostic: Sendable, Hashable, Codable {
  case tolerance(Double)
  case size(Size)
  case kind(pattern: String, PatternSignal.Kind, allowed: [PatternSignal.Kind])
  /// What is expected is for another kind of video than the input is.
  case renditionIsFor(OutputKind, PatternSignal.Kind)
}

/// Of scopes.
public enum ScopesDiagnostic: Sendable, Hashable, Codable {
  case planeWithoutVectorscope
  case isTooLarge(Size)
  case needsEightBits(ImageFormat, allowed: [ImageFormat])
  case cannotBeWritten(output: String)
  case isOnePicture
}

/// Of look-up tables.
public enum TableDiagnostic: Sendable, Hashable, Codable {
  case size(Int, allowed: ClosedRange<Int>, dimensions: LUTRequest.Dimensions)
  case shaperOfCurve
  case tooSmallForShaper(Int)
  /// The curve of HDR10+ changes from shot to shot.
  case changesWithScenes
  case shaperNeedsPeak
  case contentPeakIsForPQ
}
