internal import FFmpegIO
internal import Files
internal import Foundation
internal import Frames
internal import Media
internal import Rendering
internal import ToneMapping

extension ProbeReport {
  /// Returns text for users.
  package func text(_ wording: Wording = .plain) -> String {
    var lines = ["\(info.url)", line("container", container)]
    lines += info.streams.map { line("stream #\($0.index)", describe($0)) }
    if let video {
      lines.append(line("colour", color(video)))
      lines += hdrLines
      if hasCaptions { lines.append(line("closed captions", "CEA-608/708, in the pictures")) }
    }
    lines += notes.map { line("note", wording.text($0)) }
    if let source {
      lines.append(line("interpreted as", source.color.words))
      lines += (source.warnings + source.notes).map { line("note", wording.text($0)) }
    }
    if let descriptor { lines.append(line("descriptor", descriptor)) }
    if let peak = source?.interpretation.metadata?.contentPeak {
      lines.append(line("content peak", "\(peak.words) cd/m²"))
    }
    if let refusal { lines.append(line("not processable", wording.error(refusal))) }
    return lines.map(\.harmlessLine).joined(separator: "\n")
  }

  private func line(_ name: String, _ value: String) -> String {
    "  " + name.padding(toLength: 19, withPad: " ", startingAt: 0) + value
  }

  private var container: String {
    var parts = [info.formatName]
    if let duration = info.duration { parts.append(String(format: "%.3f s", duration)) }
    if let rate = info.bitRate { parts.append("\(rate / 1000) kbit/s") }
    return parts.joined(separator: ", ")
  }

  private func describe(_ stream: StreamInfo) -> String {
    var parts = ["\(stream.kind.rawValue) \(stream.codecName)"]
    if let profile = stream.profile { parts[0] += " (\(profile))" }
    if let video = stream.video {
      parts += ["\(video.size)", video.pixelFormatName ?? "unknown pixel format"]
      if let rate = video.averageFrameRate { parts.append(String(format: "%.3f fps", rate.value)) }
      if let aspect = video.sampleAspectRatio, aspect.numerator != aspect.denominator {
        parts.append("SAR \(aspect.numerator):\(aspect.denominator)")
      }
      if video.rotation != 0 { parts.append("rotation \(video.rotation.words)°") }
      if video.isInterlaced { parts.append("interlaced") }
    }
    if let audio = stream.audio {
      parts += ["\(audio.sampleRate) Hz", audio.layout ?? audio.channels.counting("channel")]
    }
    if let frames = stream.frameCount { parts.append(frames.counting("frame")) }
    if let language = stream.language { parts.append("[\(language)]") }
    return parts.joined(separator: ", ")
  }

  private func color(_ video: VideoStreamInfo) -> String {
    func name(_ value: String?) -> String { value ?? "unknown" }
    return "\(name(video.primariesName)) / \(name(video.transferName)) / \(name(video.matrixName)), range "
      + "\(name(video.rangeName)), chroma \(name(video.chromaLocationName))"
  }

  private var hdrLines: [String] {
    var lines: [String] = []
    if let display = metadata.masteringDisplay {
      func xy(_ c: MasteringDisplay.Chromaticity) -> String {
        String(
          format: "(%.4f, %.4f)", Double(c.x) / MasteringDisplay.chromaticityUnits,
          Double(c.y) / MasteringDisplay.chromaticityUnits)
      }
      lines.append(
        line(
          "mastering display",
          "R\(xy(display.red)) G\(xy(display.green)) B\(xy(display.blue)) W\(xy(display.white)), "
            + "\(display.minNits.words) to \(display.maxNits.words) cd/m²"))
    }
    if let light = metadata.contentLight {
      lines.append(line("content light", "MaxCLL \(light.maxCLL), MaxFALL \(light.maxFALL) cd/m²"))
    }
    if let ambient = metadata.ambientViewing { lines.append(line("ambient", "\(ambient.lux.words) lux")) }
    if let dolby = metadata.dolbyVision {
      lines.append(
        line("Dolby Vision", "profile \(dolby.profile).\(dolby.baseLayerCompatibility), level \(dolby.level)"))
    } else if metadata.hasDolbyVisionRPU {
      lines.append(line("Dolby Vision", "RPU without a configuration"))
    }
    if let plus = metadata.hdr10Plus { lines.append(line("HDR10+", plus.words)) }
    if let map = metadata.adaptiveToneMap { lines.append(line("ST 2094-50", map.words)) }
    if let reason = malformedToneMap { lines.append(line("note", "Ignored: ST 2094-50 metadata: \(reason).")) }
    return lines
  }
}
