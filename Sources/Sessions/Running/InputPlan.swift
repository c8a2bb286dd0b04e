internal import Frames
internal import Media

/// A request that reads an input.
protocol InputReading: Sendable, Hashable, Codable {
  var input: InputRequest { get }
  var selection: FrameSelection { get }
  var filesRead: [String] { get }

  /// Refuses values out of range.
  func validate() throws(Refusal)

  /// Refuses outputs that cannot be written, before the work and not after it.
  func checkFiles() throws
}

extension InputReading {
  /// The files that are read, which no output may replace.
  var filesRead: [String] { [input.name] }
}

/// A request whose pictures may be deinterlaced, cropped, scaled and rotated.
protocol PictureReading: InputReading {
  var metadata: MetadataRequest { get }
  var processing: ProcessingRequest { get }
  var crop: CropRequest? { get }

  /// The geometry of the output.
  /// - Parameters:
  ///   - video: The stream that is read.
  ///   - crop: The crop that was requested, or what was found of it.
  func geometry(of video: VideoStreamInfo, crop: CropRequest?) throws(Refusal) -> GeometryPlan
}

extension TranscodeRequest: PictureReading {
  func geometry(of video: VideoStreamInfo, crop: CropRequest?) throws(Refusal) -> GeometryPlan {
    try GeometryPlan(
      video, name: input.name, deinterlacing: deinterlacing, crop: crop, bakesRotation: bakesRotation, scale: scale)
  }

  var filesRead: [String] {
    [input.name] + metadata.filesRead + mapping.filesRead + (burnedSubtitles.map { [$0] } ?? [])
  }
}

extension PictureRequest: PictureReading {
  func geometry(of video: VideoStreamInfo, crop: CropRequest?) throws(Refusal) -> GeometryPlan {
    func plan(_ scale: PictureScaling?) throws(Refusal) -> GeometryPlan {
      try GeometryPlan(
        video, name: input.name, deinterlacing: deinterlacing, crop: crop,
        bakesRotation: bakesRotation && !keepsCodes, scale: scale)
    }
    let geometry = try plan(scale)
    guard scale == nil else { return geometry }
    return try PictureScaling.thumbnail(of: video, cropped: geometry.crop, for: self).map(plan) ?? geometry
  }

  var filesRead: [String] { [input.name] + metadata.filesRead + mapping.filesRead }
}

extension MetadataRequest {
  fileprivate var filesRead: [String] { if case .file(let name) = inputLight { [name] } else { [] } }
}

extension MappingRequest {
  /// The files that are read, which no output may replace.
  package var filesRead: [String] { displayFile.map { [$0] } ?? [] }
}

extension ScopesRequest: InputReading {}

/// A plan that was made for an input.
protocol InputPlan: RunnablePlan {
  associatedtype Request: InputReading

  var request: Request { get }
  /// What frames were decoded to.
  var decoded: PixelFormat { get }
  /// Of the input (`Checksum`).
  var inputChecksum: String { get }

  /// Opens the input with the streams and scaling that the plan needs.
  func openReader() throws -> any MediaInput
}
