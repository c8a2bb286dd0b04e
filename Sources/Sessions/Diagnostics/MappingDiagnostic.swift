public import Frames
public import Rendering

/// Of how light is mapped, and what the output says of its light.
public enum MappingDiagnostic: Sendable, Hashable, Codable {
  case peakBelowSDRWhite(peak: Double, sdrWhite: Double)
  case peakTooLowForHDR10(Double)
  /// The curve of HDR10+ is asked for, and dynamic metadata is to be ignored.
  case hdr10PlusIsIgnored
  /// HDR10 metadata is asked for, of an output that is not HDR10.
  case metadataNeedsHDR10
  /// The input has nothing to copy.
  case nothingToCopy(Parameter)
  /// Copied metadata is the source's, and the light has changed.
  case copiedMetadataIsTheSources
  /// MaxCLL in cd/m² is stated that the output may exceed.
  case statedBelowLimit(maxCLL: Int, limit: Double)
  /// MaxCLL is what the input says of itself.
  case statedByInput(ContentLight)
  /// HLG for another display than its own, with its system gamma.
  case hlgPeak(Double, gamma: Double)
  /// Linear light does not say how bright it gets.
  case unknownBrightness(keepsLight: Bool)
}

/// Of the files and the form of an output.
public enum OutputDiagnostic: Sendable, Hashable, Codable {
  case isInput(name: String)
  case isFolder(name: String)
  case exists(name: String)
  case existsInFolder(file: String, folder: String)
  /// The input is one of the files of a pattern.
  case inputIsAmong(input: String, name: String)
  /// It would replace files of a sequence that is read.
  case replacesInput(name: String, input: String)
  case samePlace(Parameter, Parameter)
  /// A file beside the output is one of its pictures.
  case isAmongPictures(Parameter)
  case hasNoName(Parameter)
  case isNoFile(name: String)
  /// A report goes into a folder, and this is a file.
  case isNoFolder(name: String)
  case parentIsMissing(folder: String)
  case folderIsNotWritable(name: String)
  /// A pattern of names is none, or numbers folders.
  case invalidPattern(name: String, PatternFault)
  /// No encoder takes frames of this layout.
  case hasNoPixelFormat(PixelLayout)
  case eightBitsOfHDR
  case hasNoChapters(format: String, count: Int)
  case hasNoPlaceForTags(format: String, [String])
  case firstPictureIsLate(seconds: Double)
  /// The container has one frame rate, and the input has not.
  case losesTimes(format: String)
  /// The encoder counts frames, and the input has a variable rate.
  case countsFrames(rate: Double)
  case fieldsMix(height: Int)
  case fieldsAreUnsaid(FieldOrder, encoder: String)
  /// Players will turn what filters have drawn.
  case turnsPanels
  /// Y4M says nothing about colour.
  case isUntagged(ColorDescription, HDRMetadata)
  case becomesInterlaced
  /// The input's static metadata changes, by a time in seconds at the latest.
  case metadataChanges(seconds: Double)
  case movedTimes(Int)
  /// Frame times moved by at most this many seconds, because the output has a constant frame rate.
  case shiftedFrames(seconds: Double, rate: Double?)
  /// A sentence of the writer's own.
  case writer(String)

  /// What is wrong with a pattern of names.
  public enum PatternFault: Sendable, Hashable, Codable {
    case manyNumbers
    case unknownField(String)
    case tooManyDigits(Int)
    case numberedFolder
  }
}

/// Of the streams beside the picture.
public enum StreamDiagnostic: Sendable, Hashable, Codable {
  /// A stream, for messages.
  public struct Label: Sendable, Hashable, Codable {
    /// "#1 audio aac (eng)"
    public var text: String
    public var isAudio: Bool
    public var isData: Bool

    public init(text: String, isAudio: Bool = false, isData: Bool = false) {
      (self.text, self.isAudio, self.isData) = (text, isAudio, isData)
    }
  }

  case isMissing(name: String, specifier: String)
  case hasNoVideo
  case isEncoded(Label, codec: String, encoder: String, format: String)
  case otherVideoIsLeftOut([String])
  /// The output is nothing but pictures.
  case leftOutOfPictures(format: String, [Label])
  case notHeld(format: String, [Label])
}

/// Of a run, while it lasts.
public enum RunDiagnostic: Sendable, Hashable, Codable {
  case measuresInput(name: String)
  case measuresOutput
  case measuredOutput(ContentLight)
  /// A measurement was stopped after some frames, and is not written.
  case stoppedMeasuring(frames: Int)
  case sheetIsDone(frames: Int, Size)
  /// This processor does not run the kernels that are asked for.
  case kernelsDoNotRun(KernelTier, best: KernelTier)
}
