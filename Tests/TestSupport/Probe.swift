internal import Foundation

/// The fields of ffprobe's output that tests use.
public struct Probe: Decodable {
  public struct SideData: Decodable {
    public let side_data_type: String?
    public let red_x: String?
    public let red_y: String?
    public let green_x: String?
    public let green_y: String?
    public let blue_x: String?
    public let blue_y: String?
    public let white_point_x: String?
    public let white_point_y: String?
    public let max_luminance: String?
    public let min_luminance: String?
    public let max_content: Int?
    public let max_average: Int?
    public let rotation: Int?
    public let average_maxrgb: String?
  }

  public struct Stream: Decodable {
    public let index: Int
    public let codec_type: String?
    public let codec_name: String?
    public let codec_tag_string: String?
    public let pix_fmt: String?
    public let profile: String?
    public let level: Int?
    public let color_range: String?
    public let color_space: String?
    public let color_transfer: String?
    public let color_primaries: String?
    public let chroma_location: String?
    public let width: Int?
    public let height: Int?
    public let field_order: String?
    public let sample_aspect_ratio: String?
    public let channels: Int?
    public let channel_layout: String?
    public let sample_rate: String?
    public let bit_rate: String?
    public let time_base: String?
    public let avg_frame_rate: String?
    public let duration_ts: Int64?
    public let side_data_list: [SideData]?
    public let disposition: [String: Int]?
    public let tags: [String: String]?

    /// Names of the dispositions that are set.
    public var dispositions: Set<String> { Set((disposition ?? [:]).filter { $0.value != 0 }.keys) }
  }

  public struct Frame: Decodable {
    public let best_effort_timestamp: Int64?
    public let pkt_duration: Int64?
    public let interlaced_frame: Int?
    public let top_field_first: Int?
    public let side_data_list: [SideData]?
  }

  public struct Packet: Decodable {
    public let stream_index: Int?
    public let pts: Int64?
    public let duration: Int64?
    public let pts_time: String?
  }

  public struct Chapter: Decodable {
    public let start_time: String
    public let end_time: String
    public let tags: [String: String]?
  }

  public struct Format: Decodable {
    public let start_time: String?
    public let tags: [String: String]?
  }

  public let streams: [Stream]?
  public let frames: [Frame]?
  public let packets: [Packet]?
  public let chapters: [Chapter]?
  public let format: Format?

  public init(_ path: String, _ arguments: [String]) throws {
    let data = try Tool.ffprobe.run(["-of", "json"] + arguments + [path])
    self = try JSONDecoder().decode(Probe.self, from: data)
  }
}

extension Array where Element == Probe.SideData {
  public func first(_ type: String) -> Probe.SideData? { first { $0.side_data_type == type } }
}
