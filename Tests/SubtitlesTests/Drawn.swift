import Frames
import Media
import Rendering

import Subtitles

/// What a renderer draws, pixel by pixel.
struct Drawn {
  private let overlay: LightOverlay?

  init(_ overlay: LightOverlay?) { self.overlay = overlay }

  /// Light and coverage; zero beside what is drawn.
  func at(_ x: Int, _ y: Int) -> SIMD4<Float> {
    guard let overlay, overlay.rows.contains(y) else { return .zero }
    let span = overlay.spans[y - overlay.firstRow]
    return span.first..<span.first + span.count ~= x ? overlay.samples[span.offset + x - span.first] : .zero
  }

  /// The smallest area of pixels that are covered; nil: none is.
  var area: PictureArea? {
    guard let overlay else { return nil }
    var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
    for y in overlay.rows {
      let span = overlay.spans[y - overlay.firstRow]
      for x in span.first..<span.first + span.count where at(x, y).w > 0 {
        (left, right, top, bottom) = (min(left, x), max(right, x + 1), min(top, y), max(bottom, y + 1))
      }
    }
    return right > 0 ? PictureArea(x: left, y: top, width: right - left, height: bottom - top) : nil
  }
}

extension SubtitleScript {
  /// A script of ASS for a picture of 640 by 360, with a style of white letters without outline.
  static func ass(_ lines: [(start: Int64, duration: Int64, text: String)]) -> SubtitleScript {
    let header = """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: 640
      PlayResY: 360

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
      Style: Default,DejaVu Sans,40,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,2,10,10,10,1

      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

      """
    return SubtitleScript(
      header: [UInt8](header.utf8), isNative: true,
      lines: lines.enumerated().map { number, line in
        Line(
          start: line.start, duration: line.duration,
          text: [UInt8]("\(number),0,Default,,0,0,0,,\(line.text)".utf8))
      })
  }

  /// A filled box, by ASS's drawing commands.
  static func box(_ area: PictureArea, color: String = "&HFFFFFF&") -> String {
    "{\\an7\\pos(0,0)\\bord0\\shad0\\1c\(color)\\p1}m \(area.x) \(area.y) l \(area.maxX) \(area.y) "
      + "\(area.maxX) \(area.maxY) \(area.x) \(area.maxY)"
  }
}

extension FrameTime {
  /// In milliseconds.
  static func at(_ milliseconds: Int64) -> FrameTime {
    FrameTime(presentation: milliseconds, duration: 0, timeBase: Rational(1, 1000))
  }
}
