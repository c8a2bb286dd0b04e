public import ColorScience
public import Frames

/// About an input and how it is read.
public enum InputDiagnostic: Sendable, Hashable, Codable {
  /// A sentence of the reader's own.
  case reader(String)
  /// It has no frame at or after a time in seconds.
  case hasNoFrameAfter(name: String, start: Double)
  /// No frame lies in the selected part.
  case nothingSelected(name: String)
  /// A number of the first file is given, and the input is no sequence of files.
  case isNoSequence(name: String)
  /// A frame rate is given, and the input has times of its own.
  case hasTimes(name: String)
  /// It would have to be read twice, and is a pipe or device.
  case cannotBeReadTwice(name: String, for: Parameter)
  /// What is asked for needs it opened again, and it is a pipe or device.
  case cannotBeReopened
  /// An ICC profile that is not known; "" where it has no name.
  case unknownProfile(name: String, profile: String)
  /// The file breaks off before its end; what could be read was kept.
  case breaksOff(name: String)
  /// Packets that could not be decoded, and frames that are damaged.
  case isDamaged(name: String, packets: Int, frames: Int)
  /// Messages of ST 2094-50 that were malformed, and what was wrong with the first.
  case ignoredToneMaps(Int, reason: String?)
  /// The tags of the video have changed in the middle.
  case changes(ColorDescription)
  /// The same, where what is drawn cannot follow.
  case changesTooMuch(ColorDescription, Size)
  /// It is to be shown turned by an angle that is no quarter turn.
  case cannotBeTurned(name: String, degrees: Double)
  /// Frames cannot be spread over it, as its length is not known.
  case hasUnknownLength(name: String)
  /// It is not the input that the plan was made for.
  case differsFromPlan(name: String)
}

/// About what the input's samples stand for.
public enum SourceDiagnostic: Sendable, Hashable, Codable {
  /// Tags are missing, and this is assumed with those that there are.
  case isNotFullyTagged(name: String, taken: ColorDescription)
  /// Metadata that is not believed, and why.
  case ignoredMetadata(String)
  /// Linear light does not say what luminance its 1.0 is.
  case hasUnknownUnit(name: String)
  /// The input is interlaced; `byField`: each field is processed by itself.
  case isInterlaced(FieldOrder, byField: Bool)
  /// The input's light in cd/m², as it was measured.
  case measured(maxCLL: Double, maxFALL: Double)
  /// Dynamic metadata of the input is neither followed nor copied.
  case dynamicMetadataIsUnused([DynamicMetadata])
  /// The first frame has no HDR10+ curve that can be used.
  case hasNoHDR10PlusCurve
  /// HDR10+ states curves, made for a peak in cd/m².
  case followsHDR10PlusCurves(peak: Double)
  /// HDR10+ states no curves, but each shot's peak, which the mapping starts from.
  case followsHDR10PlusPeaks
  /// ST 2094-50 states renditions: the headroom of the content in stops, and its reference white in cd/m².
  case followsRenditions(stops: Double, referenceWhite: Double)
  /// ST 2094-50 states a reference white in cd/m², and perhaps a peak.
  case followsReferenceWhite(Double, peak: Double?)
  /// The base layer of Dolby Vision is neither HDR10, HLG nor SDR.
  case isUnsupportedDolbyVision(name: String, profile: Int)
  /// An RPU of Dolby Vision, no configuration and no tags: as profile 5.
  case isUnmarkedDolbyVision(name: String)
  /// The stream has RPUs but no configuration record: the base layer is rendered by its own tags.
  case hasRPUWithoutConfiguration
  /// Dolby Vision with a base layer that can be rendered; `lacksRPU`: the configuration announces an RPU that is
  /// missing.
  case isDolbyVision(profile: Int, compatibility: Int, lacksRPU: Bool)
  /// The transfer function is not one that Headroom reads.
  case hasUnsupportedTransfer(name: String, TransferCharacteristics)
  /// The primaries have no chromaticities that Headroom knows.
  case hasUnsupportedPrimaries(name: String, ColorPrimaries)
}

/// Metadata that changes from frame to frame.
public enum DynamicMetadata: String, Sendable, Hashable, Codable {
  /// SMPTE ST 2094-40.
  case hdr10Plus = "HDR10+"
  /// SMPTE ST 2094-50.
  case adaptiveToneMap = "ST 2094-50"
}
