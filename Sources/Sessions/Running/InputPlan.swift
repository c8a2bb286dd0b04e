internal import ColorScience
package import Frames
package import Media

/// A request that reads an input.
package protocol InputReading: Sendable, Hashable, Codable {
  var input: InputRequest { get }
  var selection: FrameSelection { get }
  var filesRead: [String] { get }

  /// Rejects values out of range.
  func validate() throws(Refusal)

  /// Rejects outputs that cannot be written, before the work begins.
  func checkFiles() throws
}

extension InputReading {
  /// Input files, which must not be overwritten.
  package var filesRead: [String] { [input.name] }
}

/// A request whose pictures may be deinterlaced, cropped, scaled and rotated.
package protocol PictureReading: InputReading {
  var metadata: MetadataRequest { get }
  var processing: ProcessingRequest { get }
  var geometry: GeometryRequest { get }
  /// Default headroom at which gain maps are applied; nil: their maximum.
  var outputHeadroom: Double? { get }

  /// Returns the geometry of the output.
  /// - Parameters:
  ///   - video: The video stream.
  ///   - crop: The requested crop, or the detected one.
  func geometry(of video: VideoStreamInfo, crop: CropRequest?) throws(Refusal) -> GeometryPlan
}

extension PictureReading {
  /// Opens the input.
  /// - Parameters:
  ///   - videoIndex: Index of the stream to decode; nil: the best one.
  ///   - leavesDevice: As for `InputRequest.open`.
  func open(videoIndex: Int? = nil, leavesDevice: Bool = false) throws -> any MediaInput {
    var input = input
    input.gainMapHeadroom = input.gainMapHeadroom ?? outputHeadroom
    return try input.open(videoIndex: videoIndex, threads: processing.threadCount, leavesDevice: leavesDevice)
  }
}

extension TranscodeRequest: PictureReading {
  package var outputHeadroom: Double? { mapping.kind == .sdr ? 1 : nil }

  package func geometry(of video: VideoStreamInfo, crop: CropRequest?) throws(Refusal) -> GeometryPlan {
    var request = geometry
    request.crop = crop
    return try GeometryPlan(video, name: input.name, request)
  }

  package var filesRead: [String] {
    [input.name] + metadata.filesRead + mapping.filesRead + (burnedSubtitles.map { [$0] } ?? [])
  }
}

extension PictureRequest: PictureReading {
  /// Headroom for a picture with a gain map, which becomes linear light.
  package var outputHeadroom: Double? {
    let color = ColorDescription(primaries: .bt709, transfer: .linear, matrix: .rgb, range: .full)
    return (try? PictureForm(self, color: color))?.isSDR == true ? 1 : nil
  }

  package func geometry(of video: VideoStreamInfo, crop: CropRequest?) throws(Refusal) -> GeometryPlan {
    var request = geometry
    (request.crop, request.bakesRotation) = (crop, geometry.bakesRotation && !keepsCodes)
    let plan = try GeometryPlan(video, name: input.name, request)
    guard geometry.scale == nil, let thumbnail = PictureScaling.thumbnail(of: video, cropped: plan.crop, for: self)
    else { return plan }
    request.scale = thumbnail
    return try GeometryPlan(video, name: input.name, request)
  }

  package var filesRead: [String] { [input.name] + metadata.filesRead + mapping.filesRead }
}

extension MetadataRequest {
  fileprivate var filesRead: [String] { if case .file(let name) = inputLight { [name] } else { [] } }
}

extension MappingRequest {
  /// Input files, which must not be overwritten.
  package var filesRead: [String] { displayFile.map { [$0] } ?? [] }
}

extension ScopesRequest: InputReading {}

/// A plan for an input.
package protocol InputPlan: RunnablePlan {
  associatedtype Request: InputReading

  var request: Request { get }
  /// Format of the decoded frames.
  var decoded: PixelFormat { get }
  /// Checksum of the input (`Checksum`).
  var inputChecksum: String { get }

  /// Opens the input with the streams and scaling that the plan needs.
  func openReader() throws -> any MediaInput
}
