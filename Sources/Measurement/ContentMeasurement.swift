internal import Files
internal import Foundation
public import Frames

/// The light of a file or part of it. Light is max(R, G, B) of a pixel in cd/m² on the reference display.
///
/// Source: CTA-861.3-A (2016), annex A, for MaxCLL and MaxFALL.
public struct ContentMeasurement: Sendable, Hashable {
  /// One frame.
  public struct Frame: Sendable, Hashable, Codable {
    /// Presentation time in seconds.
    public var time: Double
    /// Light of the brightest pixel.
    public var peak: Double
    /// Mean light of the picture.
    public var average: Double

    /// Creates a frame; light in cd/m², time in seconds.
    public init(time: Double, peak: Double, average: Double) {
      (self.time, self.peak, self.average) = (time, peak, average)
    }
  }

  /// The minimum light that a percentage of all pixels of all frames do not exceed.
  public struct Percentile: Sendable, Hashable, Codable {
    /// Percentage of the pixels, 0...100.
    public var percent: Double
    /// The light in cd/m².
    public var nits: Double

    static let reported = [50, 90, 99, 99.9, 99.99]

    /// Creates a percentile from a percentage and cd/m².
    public init(percent: Double, nits: Double) { (self.percent, self.nits) = (percent, nits) }
  }

  /// Frame size in pixels, including bars.
  public let size: Size
  /// The picture without bars, if they were excluded from averages and percentiles.
  public let activePicture: PictureArea?
  /// Whether every frame of the file was measured, not a selection.
  public let coversFile: Bool
  /// In ascending order: 50, 90, 99, 99.9 and 99.99 percent if measured by Headroom.
  public let percentiles: [Percentile]
  /// The measured frames, at least one.
  public let frames: [Frame]
  /// Index of the first frame with the brightest pixel.
  public let brightestFrame: Int
  /// Index of the first frame with the highest average.
  public let brightestAverageFrame: Int

  /// Creates the results of a measurement.
  /// - Parameters:
  ///   - size: Frame size in pixels, including bars.
  ///   - activePicture: The picture without bars; nil: not detected.
  ///   - coversFile: Whether every frame of the file was measured.
  ///   - percentiles: In ascending order.
  ///   - frames: The measured frames, at least one.
  public init(
    size: Size, activePicture: PictureArea?, coversFile: Bool, percentiles: [Percentile], frames: [Frame]
  ) {
    precondition(!frames.isEmpty)
    (self.size, self.activePicture, self.coversFile, self.percentiles) = (size, activePicture, coversFile, percentiles)
    self.frames = frames
    func first(_ light: KeyPath<Frame, Double>) -> Int {
      frames.indices.reduce(0) { frames[$1][keyPath: light] > frames[$0][keyPath: light] ? $1 : $0 }
    }
    brightestFrame = first(\.peak)
    brightestAverageFrame = first(\.average)
  }

  /// Maximum content light level: the brightest pixel of any frame, in cd/m².
  public var maxCLL: Double { frames[brightestFrame].peak }
  /// Maximum frame-average light level: the highest mean of any frame, in cd/m².
  public var maxFALL: Double { frames[brightestAverageFrame].average }

  /// Both, as coded in a stream.
  public var contentLight: ContentLight { ContentLight(roundingUp: maxCLL, maxFALL: maxFALL) }
}

extension ContentMeasurement: Codable {
  /// Identifier of the JSON format, and its version.
  private static let format = "headroom-measurement"
  private static let version = 1
  /// Maximum file size in bytes: some weeks of frames.
  private static let maxFileSize = 1 << 30

  /// In cd/m²: the range of PQ, with a margin for rounding.
  private static let possibleLight = 0.0...10_010

  private static let possibleSides = 1...1 << 20

  private enum Key: String, CodingKey {
    case format, version, width, height, percentiles, frames
    case activePicture = "active_picture"
    case coversFile = "whole_file"
    case frameCount = "nb_frames"
    case maxCLL = "max_cll"
    case maxCLLFrame = "max_cll_frame"
    case maxCLLTime = "max_cll_time"
    case maxFALL = "max_fall"
    case maxFALLFrame = "max_fall_frame"
    case maxFALLTime = "max_fall_time"
    case contentLight = "content_light"
  }

  /// Rounded values under ffprobe's names.
  private enum LightKey: String, CodingKey {
    case maxCLL = "max_content"
    case maxFALL = "max_average"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Self.format, forKey: .format)
    try container.encode(Self.version, forKey: .version)
    try container.encode(size.width, forKey: .width)
    try container.encode(size.height, forKey: .height)
    try container.encodeIfPresent(activePicture, forKey: .activePicture)
    try container.encode(coversFile, forKey: .coversFile)
    try container.encode(frames.count, forKey: .frameCount)
    try container.encode(maxCLL, forKey: .maxCLL)
    try container.encode(brightestFrame, forKey: .maxCLLFrame)
    try container.encode(frames[brightestFrame].time, forKey: .maxCLLTime)
    try container.encode(maxFALL, forKey: .maxFALL)
    try container.encode(brightestAverageFrame, forKey: .maxFALLFrame)
    try container.encode(frames[brightestAverageFrame].time, forKey: .maxFALLTime)
    var light = container.nestedContainer(keyedBy: LightKey.self, forKey: .contentLight)
    try light.encode(contentLight.maxCLL, forKey: .maxCLL)
    try light.encode(contentLight.maxFALL, forKey: .maxFALL)
    try container.encode(percentiles, forKey: .percentiles)
    try container.encode(frames, forKey: .frames)
  }

  /// Decodes the output of `json()`.
  /// - Throws: `DecodingError` if fields are missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func require(_ condition: Bool, _ key: Key, _ words: String) throws {
      if !condition { throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: words) }
    }
    try require(try container.decode(String.self, forKey: .format) == Self.format, .format, "not \(Self.format)")
    try require(try container.decode(Int.self, forKey: .version) == Self.version, .version, "not \(Self.version)")
    let frames = try container.decode([Frame].self, forKey: .frames)
    try require(!frames.isEmpty, .frames, "there is none")
    try require(try container.decode(Int.self, forKey: .frameCount) == frames.count, .frameCount, "not that of frames")
    let percentiles = try container.decode([Percentile].self, forKey: .percentiles)
    let words = "light outside \(Self.possibleLight) cd/m²"
    let isPossible = frames.allSatisfy { Self.possibleLight ~= $0.peak && Self.possibleLight ~= $0.average }
    try require(isPossible, .frames, words)
    try require(percentiles.allSatisfy { Self.possibleLight ~= $0.nits }, .percentiles, words)
    let size = Size(
      width: try container.decode(Int.self, forKey: .width), height: try container.decode(Int.self, forKey: .height))
    try require(Self.possibleSides ~= size.width, .width, "no width of a picture")
    try require(Self.possibleSides ~= size.height, .height, "no height of a picture")
    let active = try container.decodeIfPresent(PictureArea.self, forKey: .activePicture)
    try require(active?.isInside(size) ?? true, .activePicture, "outside the picture")
    try require(percentiles.allSatisfy { 0...100 ~= $0.percent }, .percentiles, "not a percentage")
    self.init(
      size: size, activePicture: active,
      coversFile: try container.decode(Bool.self, forKey: .coversFile),
      percentiles: percentiles, frames: frames)
    let (cll, fall) = (
      try container.decode(Double.self, forKey: .maxCLL), try container.decode(Double.self, forKey: .maxFALL)
    )
    try require((cll - maxCLL).magnitude < 0.001, .maxCLL, "not that of the frames")
    try require((fall - maxFALL).magnitude < 0.001, .maxFALL, "not that of the frames")
  }

  /// Returns the measurement as JSON, one key per line.
  /// - Throws: `EncodingError` for light that is not a finite number.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// One line per frame: number from 0, time in seconds, peak and average in cd/m².
  public var csv: String {
    frames.enumerated().reduce(into: "frame,time,peak,average") { text, entry in
      let (number, frame) = entry
      text += "\n\(number)," + String(format: "%.6f,%.4f,%.4f", frame.time, frame.peak, frame.average)
    }
  }

  /// Reads the output of `json()` from a file.
  /// - Throws: `MeasurementError` that describes the fault in the file.
  public init(jsonFile path: String) throws(MeasurementError) {
    let data: Data
    do {
      guard let file = FileHandle(systemName: path), let status = FileStatus(descriptor: file.fileDescriptor)
      else { throw MeasurementError.unreadable(path: path, reason: unsafe String(cString: strerror(errno))) }
      guard status.kind == .regular, status.byteCount <= Self.maxFileSize
      else { throw MeasurementError.notAMeasurement(path: path, reason: "it is not a file, or too large for one") }
      data = try file.read(upToCount: Self.maxFileSize) ?? Data()
    } catch let error as MeasurementError {
      throw error
    } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
    }
    do {
      self = try JSONDecoder().decode(ContentMeasurement.self, from: data)
    } catch let error as DecodingError {
      throw .notAMeasurement(path: path, reason: Self.words(error))
    } catch {
      throw .notAMeasurement(path: path, reason: error.localizedDescription)
    }
  }

  private static func words(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, _): "'\(key.stringValue)' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "it is not a JSON object"
        : "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' is wrong: \(context.debugDescription)"
    @unknown default: "\(error)"
    }
  }
}

/// Why a measurement cannot be read back.
public enum MeasurementError: Error, Sendable, Hashable {
  /// The file cannot be read.
  case unreadable(path: String, reason: String)
  /// The file is not a measurement.
  case notAMeasurement(path: String, reason: String)
}

extension MeasurementError: CustomStringConvertible {
  /// A message that describes the fault in the file.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "Cannot read '\(path)': \(reason)" + (reason.hasSuffix(".") ? "" : ".")
    case .notAMeasurement(let path, let reason): "'\(path)' is not a measurement (\(reason))."
    }
  }
}
