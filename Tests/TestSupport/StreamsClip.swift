internal import Foundation

extension Scratch {
  /// Four seconds of bars tagged as PQ, two languages of sound (AAC, PCM), subtitles, chapters, tags and a font, as
  /// Matroska, made by ffmpeg.
  public func clipOfManyStreams(_ name: String) throws -> String {
    func write(_ text: String, _ name: String) throws -> String {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
      return path(name)
    }
    let subtitles = try write(
      "1\n00:00:00,500 --> 00:00:01,500\nFirst line\n\n2\n00:00:01,800 --> 00:00:04,000\nSecond <i>line</i>\n", "s.srt")
    let tags = try write(
      """
      ;FFMETADATA1
      title=A film
      artist=Someone
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=2000
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=2000
      END=4000
      title=Two

      """, "tags.txt")
    let font = try write(String(repeating: "font", count: 1000), "font.ttf")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=4", "-f", "lavfi", "-i", "sine=440:duration=4", "-f",
      "lavfi", "-i", "sine=880:duration=4", "-i", subtitles, "-i", tags, "-map", "0", "-map", "1", "-map", "2", "-map",
      "3", "-map_metadata", "4", "-map_chapters", "4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
      "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range",
      "tv", "-c:a:0", "aac", "-c:a:1", "pcm_s16le", "-c:s", "srt", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1",
      "language=ger", "-metadata:s:a:1", "title=Kommentar", "-metadata:s:s:0", "language=fra", "-disposition:v:0",
      "default", "-disposition:a:0", "default", "-disposition:a:1", "comment", "-disposition:s:0", "forced", "-attach",
      font, "-metadata:s:t", "mimetype=font/ttf", "-y", path(name),
    ])
    return path(name)
  }
}
