internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import ToneMapping

/// What `probe` has found out.
struct ProbeReport {
  let info: MediaInfo
  /// The stream that would be processed; nil where there is none.
  let video: VideoStreamInfo?
  /// The tags that would be gone by, and the metadata of the first frame; nil where that cannot be processed.
  let source: SourcePlan?
  /// Metadata of the first frame merged over that of its stream.
  let metadata: HDRMetadata
  /// What is to be known of how it is read.
  let notes: [String]
  /// What is wrong with ST 2094-50 metadata that was not used.
  let malformedToneMap: String?
  /// Why the video cannot be processed.
  let refusal: String?

  init(_ path: String, options: InputOptions) throws {
    let reader: any MediaInput
    var opened: MediaInfo?
    do {
      reader = try options.open(path, threads: 0) { opened = $0 }
    } catch {
      // A file without video is still worth a look, what cannot be opened at all is not.
      info = try opened ?? Self.picture(path, error)
      (video, source, metadata, notes, malformedToneMap) = (nil, nil, HDRMetadata(), [], nil)
      refusal = CommandFailure(error).message
      return
    }
    info = reader.info
    video = reader.video
    var metadata = reader.video.metadata
    do {
      guard let frame = try reader.peekFrame() else { throw CommandFailure("'\(path)' has no frame.") }
      metadata = frame.metadata
      source = try SourcePlan(frame: frame, path: path, overrides: options.overrides, use: .everything)
      refusal = nil
    } catch {
      source = nil
      refusal = CommandFailure(error).message
    }
    self.metadata = metadata
    notes = reader.warnings + reader.notes
    malformedToneMap = reader.statistics.ignoredReason?.description
  }

  /// What FFmpeg knows of a picture that its own reader refused with `error`.
  private static func picture(_ path: String, _ error: any Error) throws -> MediaInfo {
    guard error is ImageFileError else { throw error }
    return try MediaReader.probe(url: path)
  }

  /// The descriptor as a call of its constructor.
  var descriptor: String? {
    guard let source else { return nil }
    guard let metadata = source.interpretation.metadata else { return "none (SDR: not tone mapped)" }
    let scale = EDRMetadata.defaultOpticalOutputScale
    switch metadata.kind {
    case .hlg:
      return metadata.ambientViewing == nil ? "hlg" : "hlg(ambientViewingEnvironment:)"
    case .hdr10:
      if source.metadata.masteringDisplay.map(metadata.believes) ?? false || metadata.maxContentLight != nil {
        return "hdr10(displayInfo:contentInfo:opticalOutputScale: \(scale.words))"
      }
      return "hdr10(minLuminance: \(metadata.minLuminance.words), maxLuminance: \(metadata.maxLuminance.words), "
        + "opticalOutputScale: \(scale.words))"
    }
  }
}

extension Double {
  /// Without a fraction where there is none.
  var words: String { self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self) }
}
