import Foundation

/// A program run to its end.
struct Tool {
  let name: String

  static let ffmpeg = Tool(name: "ffmpeg")
  static let ffprobe = Tool(name: "ffprobe")

  struct Failure: Error {
    let command: String
    let status: Int32
  }

  /// Standard output of the program.
  @discardableResult
  func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name, "-hide_banner", "-v", "quiet"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(command: ([name] + arguments).joined(separator: " "), status: process.terminationStatus)
    }
    return data
  }
}

/// A folder that is removed when the test is over.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("headroom-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

  /// A clip of moving bars made by ffmpeg's own source.
  func clip(
    _ name: String, size: String = "128x96", rate: Int = 25, frames: Int = 10, _ arguments: [String] = []
  ) throws -> String {
    let source = "testsrc2=size=\(size):rate=\(rate)"
    try Tool.ffmpeg.run(
      ["-f", "lavfi", "-i", source, "-frames:v", "\(frames)"] + arguments + ["-y", path(name)])
    return path(name)
  }
}

/// What ffprobe says, as far as the tests ask.
struct Probe: Decodable {
  struct SideData: Decodable {
    let side_data_type: String?
    let red_x: String?
    let green_y: String?
    let max_luminance: String?
    let min_luminance: String?
    let max_content: Int?
    let max_average: Int?
    let rotation: Int?
  }

  struct Stream: Decodable {
    let codec_name: String?
    let codec_tag_string: String?
    let pix_fmt: String?
    let color_range: String?
    let color_space: String?
    let color_transfer: String?
    let color_primaries: String?
    let chroma_location: String?
    let sample_aspect_ratio: String?
    let time_base: String?
    let duration_ts: Int64?
    let side_data_list: [SideData]?
  }

  struct Frame: Decodable {
    let best_effort_timestamp: Int64?
    let pkt_duration: Int64?
    let side_data_list: [SideData]?
  }

  struct Packet: Decodable {
    let pts: Int64?
    let duration: Int64?
  }

  let streams: [Stream]?
  let frames: [Frame]?
  let packets: [Packet]?

  init(_ path: String, _ arguments: [String]) throws {
    let data = try Tool.ffprobe.run(["-of", "json"] + arguments + [path])
    self = try JSONDecoder().decode(Probe.self, from: data)
  }
}

extension Array where Element == Probe.SideData {
  func first(_ type: String) -> Probe.SideData? { first { $0.side_data_type == type } }
}
