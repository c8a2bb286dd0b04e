public import Foundation

/// Clips that others made, beside the package; the tests over them do nothing where the folder is missing.
public struct Clip: Decodable, Sendable, CustomStringConvertible {
  public typealias SideData = [String: Value]

  /// What the index says of side data: its values, or its name alone.
  private struct Entry: Decodable, Sendable {
    let values: SideData?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      values = try? container.decode(SideData.self)
      if values == nil { _ = try container.decode(String.self) }
    }
  }

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
  private let stream_side_data: [Entry]?
  private let first_frame_side_data: [Entry]?

  public var description: String { file }
  public var path: String { Self.folder.appendingPathComponent(file).path }
  /// Size of the file.
  public var bytes: Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 }
  private var entries: [Entry] { (first_frame_side_data ?? []) + (stream_side_data ?? []) }
  public var sideData: [SideData] { entries.compactMap(\.values) }
  /// Whether the index gives the values of all side data.
  public var statesValues: Bool { entries.allSatisfy { $0.values != nil } }

  public func first(_ type: String) -> SideData? { sideData.first { $0["side_data_type"] == .text(type) } }

  public static let folder: URL = {
    if let named = ProcessInfo.processInfo.environment["HEADROOM_CLIPS"] { return URL(fileURLWithPath: named) }
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/clips")
  }()

  public static let all: [Clip] = {
    let index = folder.appendingPathComponent("index.json")
    guard let data = try? Data(contentsOf: index) else {
      noteSkip("real clips, as \(folder.path) has no index")
      return []
    }
    do {
      return try JSONDecoder().decode([Clip].self, from: data)
    } catch {
      // Tests that are skipped because their index changed would look like tests that pass.
      fatalError("Cannot read \(index.path): \(error)")
    }
  }()

  /// All but the one whose only packet holds no picture.
  public static let decodable = all.filter { !$0.file.hasPrefix("vp8_nonsense") }
  public static let described = decodable.filter(\.statesValues)

  /// Files that give an error or what survives.
  public static let damaged =
    all.isEmpty
    ? []
    : [
      "corrupt_bitflips-40_hdr10_cartoon.mp4", "corrupt_truncated-60pct_no-moov.mp4", "corrupt_zero-bytes.mp4",
      "vp8_nonsense-colour_mdcv_1frame.webm",
    ]
}
