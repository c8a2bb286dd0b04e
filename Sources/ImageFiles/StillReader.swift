internal import Bitstreams
internal import ColorScience
public import Compositing
public import FFmpegIO
internal import Files
internal import Foundation
public import Frames
public import Media
internal import Synchronization

/// A picture file as an input of one frame.
public final class StillReader: PictureInput {
  /// Description of the file.
  public let info: MediaInfo
  public let video: VideoStreamInfo
  public let notes: [String]
  public let isStill = true
  private let state: Mutex<State>

  private struct State {
    var frame: CodedFrame
    var isRead = false
  }

  /// Reads the picture.
  /// - Parameters:
  ///   - path: Path of the file.
  ///   - settings: Settings for reading.
  /// - Returns: nil if it is not a file of a supported format; FFmpeg may support it.
  /// - Throws: `ImageFileError` if the format is supported but the file cannot be read.
  public init?(path: String, settings: StillSettings = StillSettings()) throws(ImageFileError) {
    guard let format = StillFormat(path: path),
      let image = try Self.read(format, path, gainMapHeadroom: settings.gainMapHeadroom)?
        .composited(settings.compositing)
    else { return nil }
    let frame = image.frame.at(FrameTime(presentation: 0, duration: 1, timeBase: Rational(1, 25)))
    info = MediaInfo(
      still: frame, orientation: image.orientation, formatName: image.formatName, codecName: image.codecName,
      longName: format.longName,
      url: path)
    guard let video = info.streams.first?.video else { return nil }
    self.video = video
    notes = image.notes
    state = Mutex(State(frame: frame))
  }

  private static func read(
    _ format: StillFormat, _ path: String, gainMapHeadroom: Double?
  ) throws(ImageFileError) -> StillImage? {
    switch format {
    case .exr: return try EXRReader.read(path)
    case .tiff: return try tagged(TIFFReader.read(path))
    case .heif: return try HEIFReader.read(path)
    case .jxl: return try JXLReader.read(path)
    case .jpeg: return try UltraHDRReader.read(path, headroom: gainMapHeadroom)
    }
  }

  /// Adds missing tags from the picture's profile; floats are always linear.
  private static func tagged(_ image: StillImage) -> StillImage {
    guard let bytes = image.iccProfile, let profile = ICCProfile(bytes) else { return image }
    var image = image
    image.iccProfile = nil
    guard let tags = profile.tags else {
      image.notes.append(StillImage.note(unrecognized: profile))
      return image
    }
    let color = image.frame.color
    var transfer = tags.transfer ?? color.transfer
    if image.frame.layout == .linearRGB, transfer != .linear {
      if let curve = SignalCurve(transfer) {
        // A curve applies to unpremultiplied colours.
        if let alpha = image.alpha, alpha.isPremultiplied {
          image.frame.divide(by: alpha.plane)
          image.alpha = StillAlpha(plane: alpha.plane, isPremultiplied: false)
        }
        image.frame.linearize(by: curve)
      } else {
        image.notes.append("The curve of its ICC profile is not applied: its samples are assumed to be linear light.")
      }
      transfer = .linear
    }
    image.frame = image.frame.described(
      as: ColorDescription(
        primaries: tags.primaries ?? color.primaries, transfer: transfer, matrix: color.matrix, range: color.range,
        chromaLocation: color.chromaLocation))
    return image
  }

  /// At most one frame, and whether it is damaged.
  public var statistics: ReadStatistics {
    var result = ReadStatistics()
    result.frames = state.withLock { $0.isRead ? 1 : 0 }
    return result
  }

  /// Crops and scales the picture, which is progressive; call this before reading it.
  /// - Throws: `FFmpegError` for an invalid size.
  public func prepare(_ preparation: PicturePreparation) throws {
    try state.withLock { $0.frame = try preparation.prepared($0.frame, path: info.url) }
  }

  public func readFrame() throws(FFmpegError) -> CodedFrame? {
    state.withLock { state in
      defer { state.isRead = true }
      return state.isRead ? nil : state.frame
    }
  }

  public func peekFrame() throws(FFmpegError) -> CodedFrame? {
    state.withLock { $0.isRead ? nil : $0.frame }
  }

  /// Restarts: the only frame is at time 0.
  public func seek(toSeconds seconds: Double) throws(FFmpegError) { state.withLock { $0.isRead = seconds > 0 } }

  public func stopDecoding(limit: Double) { state.withLock { $0.isRead = true } }

  public func interrupt() {}
}

extension StillFormat {
  fileprivate var longName: String {
    switch self {
    case .exr: "OpenEXR"
    case .tiff: "TIFF"
    case .heif: "HEIF"
    case .jxl: "JPEG XL"
    case .jpeg: "JPEG with a gain map (Ultra HDR)"
    }
  }
}

/// An input of pictures, with a single stream.
public protocol PictureInput: MediaInput {}

extension PictureInput {
  /// Does nothing: there are no other streams.
  public func pass(_ indices: [Int]) {}

  public func streams(matching specifier: String) -> [Int] {
    ["", "v", "v:0", "V", "V:0", "0"].contains(specifier) ? [0] : []
  }

  public func read() throws -> StreamItem? { try readFrame().map { StreamItem(frame: $0) } }
}

/// The alpha of a picture, and how its colours are stored.
struct StillAlpha: Sendable {
  let plane: AlphaPlane
  /// Whether colours are premultiplied by alpha: signals as signals, light as light.
  let isPremultiplied: Bool
}

extension StillImage {
  /// The picture composited over its background, in place; only before its frame is handed on.
  ///
  /// Readers return the colours as stored; `StillReader` composites them.
  public func composited(_ compositing: Compositing = Compositing()) -> StillImage {
    guard let alpha, !alpha.plane.isOpaque else { return self }
    let compositor = AlphaCompositor(
      frame.format, unit: frame.metadata.linearUnit, isPremultiplied: alpha.isPremultiplied, compositing)
    compositor?.composite(alpha.plane, frame)
    var result = self
    result.alpha = nil
    result.notes.append(compositing.note(isPremultiplied: alpha.isPremultiplied, isPossible: compositor != nil))
    return result
  }
}

/// Reads files to be parsed in memory.
enum WholeFile {
  /// The first bytes; nil for anything but a regular file. Links are followed; reading from a pipe would consume its
  /// contents.
  static func prefix(of path: String, _ count: Int) -> [UInt8]? {
    guard FileStatus(path)?.kind == .regular, let file = FileHandle(systemName: path) else { return nil }
    return (try? file.read(upToCount: count)).flatMap(\.self).map { [UInt8]($0) }
  }

  /// Maximum file size in bytes.
  private static let maxByteCount = 1 << 30

  /// Reads without memory-mapping: truncating a mapped file meanwhile would crash the program.
  /// - Throws: `ImageFileError.unreadable` if it cannot be read, `.unsupported` above 1 GiB.
  static func bytes(of path: String) throws(ImageFileError) -> [UInt8] {
    let data: Data?
    guard let file = FileHandle(systemName: path)
    else { throw .unreadable(path: path, reason: unsafe String(cString: strerror(errno))) }
    do { data = try file.read(upToCount: maxByteCount + 1) } catch {
      throw .unreadable(path: path, reason: (error as NSError).localizedDescription)
    }
    let bytes = [UInt8](data ?? Data())
    guard bytes.count <= maxByteCount
    else { throw .unsupported(path: path, reason: "it is larger than 1 GiB, which no picture should be") }
    return bytes
  }
}
