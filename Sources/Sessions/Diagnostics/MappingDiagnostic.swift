public import Frames
public import Rendering

/// About how light is mapped, and what the output states about its light.
public enum MappingDiagnostic: Sendable, Hashable, Codable {
  /// The display's peak is below its SDR white, both in cd/m².
  case peakBelowSDRWhite(peak: Double, sdrWhite: Double)
  /// A peak in cd/m² that players of HDR10 do not believe, below 80.
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

/// About the files and the form of an output.
public enum OutputDiagnostic: Sendable, Hashable, Codable {
  /// The output would be the input itself.
  case isInput(name: String)
  /// The output is to be a file, and this is a folder.
  case isFolder(name: String)
  /// A file of this name exists, and is not to be replaced.
  case exists(name: String)
  /// There is a file in the folder that the pattern of names would replace.
  case existsInFolder(file: String, folder: String)
  /// The input is one of the files of a pattern.
  case inputIsAmong(input: String, name: String)
  /// It would replace files of a sequence that is read.
  case replacesInput(name: String, input: String)
  /// Two outputs have the same name.
  case samePlace(Parameter, Parameter)
  /// A file beside the output is one of its pictures.
  case isAmongPictures(Parameter)
  /// The name of a file is empty.
  case hasNoName(Parameter)
  /// The name is neither that of a file nor "-".
  case isNoFile(name: String)
  /// A report goes into a folder, and this is a file.
  case isNoFolder(name: String)
  /// The folder that a report's folder would be in does not exist.
  case parentIsMissing(folder: String)
  /// The folder of a report cannot be written to.
  case folderIsNotWritable(name: String)
  /// A pattern of names is none, or numbers folders.
  case invalidPattern(name: String, PatternFault)
  /// No encoder takes frames of this layout.
  case hasNoPixelFormat(PixelLayout)
  /// HDR is coded in eight bits, which shows banding.
  case eightBitsOfHDR
  /// The container has no chapters; those of the input are left out.
  case hasNoChapters(format: String, count: Int)
  /// The container has no place for tags of these names.
  case hasNoPlaceForTags(format: String, [String])
  /// The first picture is later than time zero of the output.
  case firstPictureIsLate(seconds: Double)
  /// The container has one frame rate, and the input has not.
  case losesTimes(format: String)
  /// The encoder counts frames, and the input has a variable rate.
  case countsFrames(rate: Double)
  /// Frames of this height do not divide into two fields, so chroma of both mixes.
  case fieldsMix(height: Int)
  /// The encoder cannot signal interlaced frames.
  case fieldsAreUnsaid(FieldOrder, encoder: String)
  /// Players will turn what filters have drawn.
  case turnsPanels
  /// Y4M says nothing about colour.
  case isUntagged(ColorDescription, HDRMetadata)
  /// Frames become interlaced in an output that was begun as progressive.
  case becomesInterlaced
  /// The input's static metadata changes, by a time in seconds at the latest.
  case metadataChanges(seconds: Double)
  /// Frames or packets whose time was not after the one before; they were moved.
  case movedTimes(Int)
  /// Frame times moved by at most this many seconds, because the output has a constant frame rate.
  case shiftedFrames(seconds: Double, rate: Double?)
  /// A sentence of the writer's own.
  case writer(String)

  /// What is wrong with a pattern of names.
  public enum PatternFault: Sendable, Hashable, Codable {
    /// It has more than one number.
    case manyNumbers
    /// It has something other than `%d`, `%06d` or `%%`.
    case unknownField(String)
    /// Its number has more digits than any file name takes.
    case tooManyDigits(Int)
    /// The number is in the name of a folder.
    case numberedFolder
  }
}

/// About the streams beside the picture.
public enum StreamDiagnostic: Sendable, Hashable, Codable {
  /// A stream, for messages.
  public struct Label: Sendable, Hashable, Codable {
    /// "#1 audio aac (eng)"
    public var text: String
    /// The stream is audio.
    public var isAudio: Bool
    /// The stream is data: neither picture, audio nor subtitles.
    public var isData: Bool

    /// A stream that is neither audio nor data, unless stated.
    public init(text: String, isAudio: Bool = false, isData: Bool = false) {
      (self.text, self.isAudio, self.isData) = (text, isAudio, isData)
    }
  }

  /// The input has no stream of this specifier.
  case isMissing(name: String, specifier: String)
  /// The map takes no video stream.
  case hasNoVideo
  /// The container does not hold the codec, so the stream is encoded.
  case isEncoded(Label, codec: String, encoder: String, format: String)
  /// Other video streams, for messages; only one is processed.
  case otherVideoIsLeftOut([String])
  /// The output is nothing but pictures.
  case leftOutOfPictures(format: String, [Label])
  /// The container does not hold these streams, and they are left out.
  case notHeld(format: String, [Label])
}

/// About a run, while it lasts.
public enum RunDiagnostic: Sendable, Hashable, Codable {
  /// The input is measured in a pass before the run.
  case measuresInput(name: String)
  /// What will be coded is measured in a pass before the run.
  case measuresOutput
  /// MaxCLL and MaxFALL of what will be coded.
  case measuredOutput(ContentLight)
  /// A measurement was stopped after some frames, and is not written.
  case stoppedMeasuring(frames: Int)
  /// A contact sheet is written: its frames and its size in pixels.
  case sheetIsDone(frames: Int, Size)
  /// This processor does not run the kernels that are asked for.
  case kernelsDoNotRun(KernelTier, best: KernelTier)
}
