internal import FFmpegIO
public import Frames
internal import ImageFiles
public import Media
internal import Rendering
internal import ToneMapping

/// The metadata of an input, and its interpretation.
public struct ProbeReport: Sendable {
  /// The metadata of the file.
  public let info: MediaInfo
  /// The stream that would be processed; nil if there is no video.
  public let video: VideoStreamInfo?
  /// The tags to use, and the metadata of the first frame; nil if the input cannot be processed.
  public let source: SourcePlan?
  /// Metadata of the first frame merged over the stream's.
  public let metadata: HDRMetadata
  /// Pictures have closed captions, CEA-608 or CEA-708.
  public let hasCaptions: Bool
  /// Notes on how it is read.
  public let notes: [Message]
  /// The fault of malformed ST 2094-50 metadata.
  public let malformedToneMap: String?
  /// Why the video cannot be processed.
  public let refusal: (any Error)?

  /// Opens an input and reads its first frame.
  /// - Throws: The error of opening it.
  public init(_ request: InputRequest) throws {
    let path = request.name
    let reader: any MediaInput
    var opened: MediaInfo?
    do {
      reader = try request.open { opened = $0 }
    } catch {
      // A file without video is still worth reporting; one that cannot be opened is not.
      info = try opened ?? Self.picture(path, error)
      (video, source, metadata, hasCaptions, notes, malformedToneMap) = (nil, nil, HDRMetadata(), false, [], nil)
      refusal = error
      return
    }
    info = reader.info
    video = reader.video
    var metadata = reader.video.metadata
    let survey = reader.survey(of: FrameSelection())
    var hasCaptions = survey.hasCaptions
    do {
      let frame = try reader.firstFrame(of: FrameSelection())
      metadata = frame.metadata
      hasCaptions = hasCaptions || !frame.captions.isEmpty
      source = try SourcePlan(
        frame: frame, survey: survey, name: path, overrides: request.overrides, isStrict: request.isStrict,
        use: .everything)
      refusal = nil
    } catch {
      source = nil
      refusal = error
    }
    (self.metadata, self.hasCaptions) = (metadata, hasCaptions)
    notes = reader.colorWarnings + reader.readerNotes
    malformedToneMap = reader.statistics.ignoredReason?.description
  }

  /// Returns FFmpeg's description of a picture that the dedicated reader rejected with `error`.
  private static func picture(_ path: String, _ error: any Error) throws -> MediaInfo {
    guard error is ImageFileError else { throw error }
    return try MediaReader.probe(url: path)
  }

  /// The descriptor, written as an initializer call.
  public var descriptor: String? {
    guard let source else { return nil }
    guard let metadata = source.interpretation.metadata else { return "none (SDR: not tone mapped)" }
    let scale = EDRMetadata.defaultOpticalOutputScale
    switch metadata.kind {
    case .hlg:
      return metadata.ambientViewing == nil ? "hlg" : "hlg(ambientViewingEnvironment:)"
    case .hdr10:
      if source.metadata.masteringDisplay.map(metadata.isPlausible) ?? false || metadata.maxContentLight != nil {
        return "hdr10(displayInfo:contentInfo:opticalOutputScale: \(scale.words))"
      }
      return "hdr10(minLuminance: \(metadata.minLuminance.words), maxLuminance: \(metadata.maxLuminance.words), "
        + "opticalOutputScale: \(scale.words))"
    }
  }
}
