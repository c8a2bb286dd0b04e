public import Displays
public import Frames
public import Media
public import Rendering
public import ToneMapping

/// About how light is mapped, and what the output states about its light.
public enum MappingDiagnostic: Sendable, Hashable, Codable {
  /// The display's peak is below its SDR white, both in cd/m².
  case peakBelowSDRWhite(peak: Double, sdrWhite: Double)
  /// A peak in cd/m² below 80, which HDR10 players ignore.
  case peakTooLowForHDR10(Double)
  /// The HDR10+ curve was requested, but dynamic metadata is to be ignored.
  case hdr10PlusIsIgnored
  /// Highlights are desaturated by the perceptual gamut map only, and another one was requested.
  case desaturationNeedsPerceptualGamut(GamutMapping.Method)
  /// An expansion was requested for content that is HDR.
  case expandsSDROnly
  /// An expansion was requested for an output that is SDR.
  case expandsToHDROnly
  /// BT.2446 A cannot be fitted to a display's black.
  case viewingNeedsGain
  /// HLG is fitted to black and surround by the display that shows it.
  case viewingIsOfHLGsDisplay
  /// The display's potential headroom is below the threshold, so the output is SDR.
  case choosesSDR(display: String, headroom: Double, threshold: Double)
  /// Reference mode shows the content as it is: its format, or linear light.
  case isReferenceFormat(ReferenceFormat?)
  /// Reference mode has no such format: it is mapped as in the default mode.
  case isNoReferenceFormat(ColorDescription)
  /// What is shown has less than the headroom of reference mode.
  case referenceModeIsLimited(headroom: Double)
  /// The display has no reference mode: its potential headroom.
  case hasNoReferenceMode(display: String, headroom: Double)
  /// Pixels of a display were requested, but no display was chosen.
  case displayIsMissing
  /// Pixels of a display are not video.
  case displayIsNoVideo
  /// What is made is for this display alone.
  case isForDisplay(String)
  /// The display states no peak: that of displays of its kind is assumed.
  case assumesPeak(display: String, nits: Double)
  /// Some of what the display states about itself is lost.
  case displayIsDamaged(display: String, [EDID.Problem])
  /// SDR was requested with a headroom.
  case headroomNeedsHDR
  /// A display that changes was to be followed, and there is none.
  case nothingToFollow
  /// A display was to be followed by HLG.
  case hlgIsNotFollowed
  /// Reference mode locks these.
  case lockedByReferenceMode([Parameter])
  /// HDR10 metadata was requested for an output that is not HDR10.
  case metadataNeedsHDR10
  /// The input has nothing to copy.
  case nothingToCopy(Parameter)
  /// The metadata is copied from the source, but the light has changed.
  case copiedMetadataIsTheSources
  /// The output may exceed the stated MaxCLL in cd/m².
  case statedBelowLimit(maxCLL: Int, limit: Double)
  /// The measured light exceeds the peak of the mastering display, in cd/m², which is raised.
  case raisesMasteringDisplay(from: Double, to: Double)
  /// MaxCLL (nil: unknown), and the mastering display if there is one, are what the input states.
  case statedByInput(ContentLight?, hasDisplay: Bool)
  /// HLG for a display with a peak other than 1000 cd/m², and its system gamma.
  case hlgPeak(Double, gamma: Double)
  /// The peak of linear light is not stated.
  case unknownBrightness(keepsLight: Bool)
  /// HDR10+ was to be copied, but would not describe the output.
  case hdr10PlusWouldBeWrong([LightChange])
  /// HDR10+ was to be copied, but a frame at a time in seconds has none in its coded data.
  case hasNoHDR10PlusMessage(seconds: Double)
  /// HDR10+ is not copied, and could be.
  case canCopyHDR10Plus
  /// HDR10+ is copied; the first frame need not have any.
  case copiesHDR10Plus(startsWithFirst: Bool)
}

/// About the output's files and format.
public enum OutputDiagnostic: Sendable, Hashable, Codable {
  /// The output would be the input itself.
  case isInput(name: String)
  /// The output should be a file, but this is a folder.
  case isFolder(name: String)
  /// A file of this name exists and must not be replaced.
  case exists(name: String)
  /// The output was stopped before its end, and has this name instead of its own.
  case isPartial(name: String)
  /// The folder contains a file that the file name pattern would replace.
  case existsInFolder(file: String, folder: String)
  /// The input is one of the files of a file name pattern.
  case inputIsAmong(input: String, name: String)
  /// It would replace files of the sequence that is read.
  case replacesInput(name: String, input: String)
  /// Two outputs have the same name.
  case sameFile(Parameter, Parameter)
  /// A sidecar file would be one of the output's pictures.
  case isAmongPictures(Parameter)
  /// The file name is empty.
  case hasNoName(Parameter)
  /// The name is neither a file nor "-".
  case isNoFile(name: String)
  /// A report needs a folder, but this is a file.
  case isNoFolder(name: String)
  /// The parent folder of the report's folder does not exist.
  case parentIsMissing(folder: String)
  /// The report's folder is not writable.
  case folderIsNotWritable(name: String)
  /// A file name pattern is malformed, or numbers folders.
  case invalidPattern(name: String, PatternFault)
  /// No encoder accepts frames of this layout.
  case hasNoPixelFormat(PixelLayout)
  /// HDR is coded in eight bits, which shows banding.
  case eightBitsOfHDR
  /// The container has no chapters; those of the input are dropped.
  case hasNoChapters(format: String, count: Int)
  /// HDR10+ was to be copied, and the encoder has no place for it; nil: there is no encoder.
  case hasNoPlaceForHDR10Plus(encoder: String?)
  /// The input has closed captions, which the encoder has no place for.
  case hasNoPlaceForCaptions(encoder: String?)
  /// The input has closed captions, and only some of its frames are written.
  case breaksCaptions
  /// The container cannot hold tags of these names.
  case hasNoPlaceForTags(format: String, [String])
  /// The first picture is later than time zero of the output.
  case firstPictureIsLate(seconds: Double)
  /// The container needs a constant frame rate, which the input does not have.
  case losesTimes(format: String)
  /// The encoder counts frames, but the input has a variable rate.
  case countsFrames(rate: Double)
  /// Frames of this height do not divide into two fields, so chroma of both fields mixes.
  case fieldsMix(height: Int)
  /// The encoder cannot signal interlaced frames.
  case cannotSignalFields(FieldOrder, encoder: String)
  /// Players will rotate what filters have drawn.
  case rotatesPanels
  /// Y4M does not signal colour.
  case isUntagged(ColorDescription, HDRMetadata, PixelLayout)
  /// Frames become interlaced in an output that was begun as progressive.
  case becomesInterlaced
  /// The input states more light than the plan knew of, at the latest at this time in seconds.
  case metadataChanges(seconds: Double)
  /// Frames or packets whose timestamps did not increase, and were moved.
  case movedTimes(Int)
  /// A device is named, but the encoder, nil: the container's default, is not one of hardware.
  case hasNoHardware(encoder: String?)
  /// This encoder does not write mastering display and content light to the stream: only the container has them.
  case onlyContainerHasMetadata(encoder: String)
  /// Frame times moved by at most this many seconds, because the output has a constant frame rate.
  case shiftedFrames(seconds: Double, rate: Double?)
  /// A sentence from the writer.
  case writer(String)

  /// What is wrong with a file name pattern.
  public enum PatternFault: Sendable, Hashable, Codable {
    /// It has more than one number.
    case manyNumbers
    /// It has a field other than `%d`, `%06d` or `%%`.
    case unknownField(String)
    /// Its number has more digits than a file name can have.
    case tooManyDigits(Int)
    /// The number is in the name of a folder.
    case numberedFolder
  }
}

/// About streams other than the picture.
public enum StreamDiagnostic: Sendable, Hashable, Codable {
  /// A stream, for messages.
  public struct Label: Sendable, Hashable, Codable {
    /// "#1 audio aac (eng)"
    public var text: String
    /// The stream is audio.
    public var isAudio: Bool
    /// The stream is data: neither picture, audio nor subtitles.
    public var isData: Bool

    /// A stream that is neither audio nor data, unless specified.
    public init(text: String, isAudio: Bool = false, isData: Bool = false) {
      (self.text, self.isAudio, self.isData) = (text, isAudio, isData)
    }
  }

  /// The input has no stream that matches this specifier.
  case isMissing(name: String, specifier: String)
  /// The map selects no video stream.
  case hasNoVideo
  /// The container does not support the codec, so the stream is encoded.
  case isEncoded(Label, codec: String, encoder: String, format: String)
  /// Audio is encoded as the request says.
  case audioIsEncoded(Label, encoder: String, EncodedAudio)
  /// The container does not support the codec of audio, so it is encoded.
  case audioIsReplaced(Label, encoder: String, EncodedAudio, format: String)
  /// Streams are dropped that would be encoded, but that FFmpeg cannot decode.
  case cannotBeDecoded([Label])
  /// Audio that a request wants mixed down has no more channels, so it is copied.
  case needsNoMix([Label], ChannelMix)
  /// A setting of audio that is encoded, but none is.
  case encodesNoAudio(Parameter)
  /// The encoder of a container without a usual one is not named.
  case hasNoAudioEncoder(format: String)
  /// The encoder is lossless, so it has no bit rate.
  case isLossless(encoder: String)
  /// The container has no place for what the encoder makes, but for what its usual encoder does.
  case cannotHoldEncoded(Label, encoder: String, usual: String, format: String)
  /// Other video streams; only one is processed.
  case otherVideoIsLeftOut([String])
  /// The output holds only pictures.
  case leftOutOfPictures(format: String, [Label])
  /// The container does not support these streams; they are dropped. `encoder`: one for their audio, if it is not to be encoded.
  case notHeld(format: String, [Label], encoder: String?)
  /// The encoder cannot make audio of this rate, in bit/s, with these channels and sample rate: what it can make.
  case audioRateIsOutOfRange(Int, encoder: String, least: Int, most: Int)
  /// A name is neither a file nor that of subtitles of the input; those that there are.
  case hasNoSubtitles(name: String, specifier: String, available: [String])
  /// Subtitles are drawn into the picture; luminance of their white in cd/m², where the output has absolute light.
  case burnsIn(String, nits: Double?)
  /// The input is read once for its subtitles alone, and has this many bytes.
  case readsSubtitles(name: String, bytes: Int)
  /// A player rotates the picture so that subtitles would not be upright.
  case subtitlesCannotBeTurned(name: String, degrees: Double)
  /// Subtitles that could not be decoded.
  case subtitlesAreDamaged(String, count: Int)
  /// What the palettes of a stream are taken for, by what they hold.
  case takesPalettesFor(String, SubtitlePalette)
  /// The stream has no subtitle at all.
  case burnsNothing(String)
  /// No font has some letters of the subtitles at a time in seconds.
  case lackGlyphs(seconds: Double)
}

/// About a run in progress.
public enum RunDiagnostic: Sendable, Hashable, Codable {
  /// The input is measured in a first pass.
  case measuresInput(name: String)
  /// What will be coded is measured in a first pass.
  case measuresOutput
  /// MaxCLL and MaxFALL of what will be coded.
  case measuredOutput(ContentLight)
  /// A measurement was stopped after this many frames, and is not written.
  case stoppedMeasuring(frames: Int)
  /// A contact sheet is being written: its frames and its size in pixels.
  case sheetIsDone(frames: Int, Size)
  /// This processor does not support the requested kernels.
  case kernelsDoNotRun(KernelTier, best: KernelTier)
  /// A change in the middle of a run needs frames of another kind or size.
  case changesFormat
  /// A change in the middle of a run has a peak in cd/m² above the MaxCLL that the output's file states.
  case exceedsStatedLight(peak: Double, maxCLL: Int)
  /// The display that is followed cannot be read any more.
  case displayIsLost(DisplayError)
  /// Two outputs of a run have one name.
  case outputNameIsTaken(String)
  /// The buffer of an output has no room for a frame.
  case bufferIsEmpty(output: String)
}
