internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Media
internal import Rendering
internal import ToneMapping

extension ProbeReport {
  /// Returns JSON for programs: "format" and "streams" as in ffprobe, and the interpretation under "headroom".
  package func json(_ wording: Wording = .plain) throws -> String {
    let object: [String: Any] = [
      "format": format, "streams": info.streams.map(describe), "headroom": decision(wording),
    ]
    return try JSON.text(object)
  }

  private var format: [String: Any] {
    JSON.fields([
      ("filename", info.url), ("format_name", info.formatName), ("format_long_name", info.formatLongName),
      ("nb_streams", info.streams.count), ("duration", info.duration.map(seconds)),
      ("start_time", info.startTime.map(seconds)), ("size", info.byteCount.map(String.init)),
      ("bit_rate", info.bitRate.map(String.init)), ("tags", info.tags),
    ])
  }

  private func describe(_ stream: StreamInfo) -> [String: Any] {
    var result = JSON.fields([
      ("index", stream.index), ("codec_type", stream.kind.rawValue), ("codec_name", stream.codecName),
      ("codec_long_name", stream.codecLongName), ("profile", stream.profile), ("level", stream.level),
      ("codec_tag_string", stream.codecTag), ("time_base", stream.timeBase.description),
      ("start_pts", stream.startTime), ("duration_ts", stream.duration), ("duration", stream.seconds.map(seconds)),
      ("nb_frames", stream.frameCount.map(String.init)), ("bit_rate", stream.bitRate.map(String.init)),
      ("disposition", Dictionary(stream.dispositions.map { ($0, 1) }, uniquingKeysWith: { a, _ in a })),
      ("tags", JSON.fields([("language", stream.language), ("title", stream.title)])),
    ])
    if let video = stream.video {
      result.merge(describe(video)) { a, _ in a }
      let isSelected = stream.index == self.video?.index
      var list = sideData(isSelected ? metadata : video.metadata, video)
      if isSelected, hasCaptions { list.append(["side_data_type": "ATSC A53 Part 4 Closed Captions"]) }
      if !list.isEmpty { result["side_data_list"] = list }
    }
    if let audio = stream.audio {
      result.merge(
        JSON.fields([
          ("sample_rate", String(audio.sampleRate)), ("channels", audio.channels), ("channel_layout", audio.layout),
          ("sample_fmt", audio.sampleFormat),
        ])
      ) { a, _ in a }
    }
    return result
  }

  private func describe(_ video: VideoStreamInfo) -> [String: Any] {
    JSON.fields([
      ("width", video.size.width), ("height", video.size.height), ("pix_fmt", video.pixelFormatName),
      ("bits_per_raw_sample", video.bitDepth.map(String.init)), ("color_range", video.rangeName),
      ("color_space", video.matrixName), ("color_transfer", video.transferName),
      ("color_primaries", video.primariesName), ("chroma_location", video.chromaLocationName),
      ("field_order", video.fieldOrder),
      ("sample_aspect_ratio", video.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" }),
      ("avg_frame_rate", video.averageFrameRate?.description), ("r_frame_rate", video.realFrameRate?.description),
    ])
  }

  private func sideData(_ metadata: HDRMetadata, _ video: VideoStreamInfo) -> [[String: Any]] {
    var list: [[String: Any]] = []
    if let display = metadata.masteringDisplay { list.append(describe(display)) }
    if let light = metadata.contentLight {
      list.append([
        "side_data_type": "Content light level metadata", "max_content": Int(light.maxCLL),
        "max_average": Int(light.maxFALL),
      ])
    }
    if let dolby = metadata.dolbyVision {
      list.append([
        "side_data_type": "DOVI configuration record", "dv_profile": dolby.profile, "dv_level": dolby.level,
        "rpu_present_flag": dolby.hasRPU ? 1 : 0, "el_present_flag": dolby.hasEnhancementLayer ? 1 : 0,
        "bl_present_flag": dolby.hasBaseLayer ? 1 : 0,
        "dv_bl_signal_compatibility_id": dolby.baseLayerCompatibility,
      ])
    }
    if metadata.hasDolbyVisionRPU { list.append(["side_data_type": "Dolby Vision RPU Data"]) }
    if let plus = metadata.hdr10Plus { list.append(describe(plus)) }
    if let map = metadata.adaptiveToneMap { list.append(describe(map)) }
    if let crop = video.aperture {
      list.append([
        "side_data_type": "Frame Cropping", "crop_top": crop.area.y, "crop_left": crop.area.x,
        "crop_bottom": crop.size.height - crop.area.maxY, "crop_right": crop.size.width - crop.area.maxX,
      ])
    }
    if video.displayMatrix != nil {
      list.append(["side_data_type": "Display Matrix", "rotation": Int(video.rotation.rounded())])
    }
    return list
  }

  private func describe(_ display: MasteringDisplay) -> [String: Any] {
    func position(_ value: UInt16) -> String { "\(value)/50000" }
    return [
      "side_data_type": "Mastering display metadata", "red_x": position(display.red.x),
      "red_y": position(display.red.y), "green_x": position(display.green.x), "green_y": position(display.green.y),
      "blue_x": position(display.blue.x), "blue_y": position(display.blue.y),
      "white_point_x": position(display.white.x), "white_point_y": position(display.white.y),
      "min_luminance": "\(display.minLuminance)/10000", "max_luminance": "\(display.maxLuminance)/10000",
    ]
  }

  /// Returns Headroom's interpretation.
  private func decision(_ wording: Wording) -> [String: Any] {
    let edr = source?.interpretation.metadata
    return JSON.fields([
      ("video_stream", video?.index), ("descriptor", descriptor), ("content_peak_nits", edr?.contentPeak),
      ("content_black_nits", edr?.contentBlack), ("transfer", source.map { "\($0.color.transfer)" }),
      ("primaries", source.map { "\($0.color.primaries)" }), ("matrix", source.map { "\($0.color.matrix)" }),
      ("range", source.map { "\($0.color.range)" }), ("chroma_location", source.map { "\($0.color.chromaLocation)" }),
      ("warnings", source?.warnings.map(wording.text)),
      ("notes", source.map { (notes + $0.notes).map(wording.text) }), ("refusal", refusal.map(wording.error)),
    ])
  }

  private func seconds(_ value: Double) -> String { String(format: "%.6f", value) }
}
