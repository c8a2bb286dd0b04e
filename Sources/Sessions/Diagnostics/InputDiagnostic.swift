public import ColorScience
public import Frames

/// About an input and how it is read.
public enum InputDiagnostic: Sendable, Hashable, Codable {
  /// A sentence from the reader.
  case reader(String)
  /// It has no frame at or after a time in seconds.
  case hasNoFrameAfter(name: String, start: Double)
  /// The selection contains no frame.
  case nothingSelected(name: String)
  /// The number of the first file was given, but the input is not a sequence of files.
  case isNoSequence(name: String)
  /// A frame rate was given, but the input has timestamps.
  case hasTimes(name: String)
  /// It would have to be read twice, but is a pipe or device.
  case cannotBeReadTwice(name: String, for: Parameter)
  /// The request needs it reopened, but it is a pipe or device.
  case cannotBeReopened
  /// An unknown ICC profile; "" if it has no name.
  case unknownProfile(name: String, profile: String)
  /// The file is truncated; what could be read was kept.
  case isTruncated(name: String)
  /// Packets that are damaged or missing, and damaged frames.
  case isDamaged(name: String, packets: Int, frames: Int)
  /// The clock of the file jumps, as in joined recordings, and how often.
  case clockJumps(name: String, count: Int)
  /// Malformed ST 2094-50 messages, and what was wrong with the first.
  case ignoredToneMaps(Int, reason: String?)
  /// The tags of the video change mid-stream.
  case changes(ColorDescription, Size)
  /// The same, where the drawing cannot follow.
  case changesTooMuch(ColorDescription, Size)
  /// The display rotation is not a multiple of 90°.
  case cannotBeTurned(name: String, degrees: Double)
  /// Frames cannot be spread over it, because its duration is unknown.
  case hasUnknownLength(name: String)
  /// A file that changed while it was read: its length in bytes before and after; nil: it is no longer there.
  case changedWhileRead(name: String, bytes: Int, now: Int?)
  /// It is not the input that the plan was made for.
  case differsFromPlan(name: String)
  /// A capture format, size or rate was asked for, but the input is no capture device.
  case isNoDevice(name: String)
  /// A device has no time to start at.
  case hasNoStart(name: String)
  /// The pictures of a device cannot be deinterlaced, cropped or scaled while they are read.
  case isNotPrepared(name: String)
  /// A device that has sent no frame for some seconds, and why if it knows.
  case deliversNothing(name: String, reason: String?)
  /// Frames of a device that never arrived, or came faster than they were taken.
  case hasLostFrames(name: String, Int)
}

/// About the meaning of the input's samples.
public enum SourceDiagnostic: Sendable, Hashable, Codable {
  /// Tags are missing; this description is assumed for them.
  case isNotFullyTagged(name: String, assumed: ColorDescription)
  /// Implausible metadata that is ignored, and why.
  case ignoredMetadata(String)
  /// Parts of the input state different light: the brightest mastering display and the most light, which hold for all.
  case lightRises(to: MasteringDisplay?, ContentLight?)
  /// The luminance of 1.0 in linear light is not stated.
  case hasUnknownUnit(name: String)
  /// The input is interlaced; `byField`: each field is processed separately.
  case isInterlaced(FieldOrder, byField: Bool)
  /// The measured light of the input in cd/m², and the peak that it is mapped for.
  case measured(maxCLL: Double, maxFALL: Double, peak: Double)
  /// Dynamic metadata of the input is neither used nor copied.
  case dynamicMetadataIsUnused([DynamicMetadata])
  /// The first frame has no usable HDR10+ curve.
  case hasNoHDR10PlusCurve
  /// HDR10+ provides curves, made for a peak in cd/m².
  case followsHDR10PlusCurves(peak: Double)
  /// HDR10+ provides no curves, but a peak for each shot, which the mapping starts from.
  case followsHDR10PlusPeaks
  /// ST 2094-50 provides renditions: the headroom of the content in stops, and its reference white in cd/m².
  case followsRenditions(stops: Double, referenceWhite: Double)
  /// ST 2094-50 states a reference white in cd/m², and possibly a peak.
  case followsReferenceWhite(Double, peak: Double?)
  /// The base layer of Dolby Vision is neither HDR10, HLG nor SDR.
  case isUnsupportedDolbyVision(name: String, profile: Int)
  /// A Dolby Vision RPU without configuration record or tags: treated as profile 5.
  case isUnmarkedDolbyVision(name: String)
  /// The stream has RPUs but no configuration record: the base layer is rendered by its tags.
  case hasRPUWithoutConfiguration
  /// Dolby Vision with a base layer that can be rendered; `lacksRPU`: the RPU that the configuration record announces
  /// is missing.
  case isDolbyVision(profile: Int, compatibility: Int, lacksRPU: Bool)
  /// Headroom does not support the transfer function.
  case hasUnsupportedTransfer(name: String, TransferCharacteristics)
  /// The chromaticities of the primaries are unknown.
  case hasUnsupportedPrimaries(name: String, ColorPrimaries)
  /// The stated descriptor cannot belong to this transfer function.
  case contradictsDescriptor(name: String, TransferCharacteristics)
}

/// Metadata that changes from frame to frame.
public enum DynamicMetadata: String, Sendable, Hashable, Codable {
  /// SMPTE ST 2094-40.
  case hdr10Plus = "HDR10+"
  /// SMPTE ST 2094-50.
  case adaptiveToneMap = "ST 2094-50"
}
