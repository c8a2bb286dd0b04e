public import Foundation

/// Clips that others made, beside the package; the tests over them do nothing where the folder is missing.
public struct Clip: Decodable, Sendable, CustomStringConvertible {
  public typealias SideData = [String: Value]

  /// A number or text of the index.
  public enum Value: Decodable, Sendable, Hashable {
    case number(Int)
    case text(String)
    case other

    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .other
      }
    }

    /// "34000/50000" in units of `1 / scale`.
    public func units(_ scale: Double) -> Int? {
      guard case .text(let text) = self else { return nil }
      let parts = text.split(separator: "/").compactMap { Double($0) }
      guard parts.count == 2, parts[1] != 0 else { return nil }
      return Int((parts[0] / parts[1] * scale).rounded())
    }

    public var number: Int? { if case .number(let value) = self { value } else { nil } }
  }

  public let file: String
  public let stream: [String: Value]?
  public let stream_side_data: [SideData]?
  public let first_frame_side_data: [SideData]?

  public var description: String { file }
  public var path: String { Self.folder.appendingPathComponent(file).path }
  public var sideData: [SideData] { (first_frame_side_data ?? []) + (stream_side_data ?? []) }

  public func first(_ type: String) -> SideData? { sideData.first { $0["side_data_type"] == .text(type) } }

  public static let folder: URL = {
    if let named = ProcessInfo.processInfo.environment["HEADROOM_CLIPS"] { return URL(fileURLWithPath: named) }
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/clips")
  }()

  public static let all: [Clip] = {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("index.json")),
      let clips = try? JSONDecoder().decode([Clip].self, from: data)
    else {
      print("No clips at \(folder.path): tests over them are skipped.")
      return []
    }
    return clips
  }()

  /// All but the one whose only packet holds no picture.
  public static let decodable = all.filter { !$0.file.hasPrefix("vp8_nonsense") }

  /// Files that give an error or what survives.
  public static let damaged =
    all.isEmpty
    ? []
    : [
      "corrupt_bitflips-40_hdr10_cartoon.mp4", "corrupt_truncated-60pct_no-moov.mp4", "corrupt_zero-bytes.mp4",
      "vp8_nonsense-colour_mdcv_1frame.webm",
    ]
}
