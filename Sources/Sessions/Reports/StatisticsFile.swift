internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Media

/// Statistics of frames: one line of JSON per frame if a file is requested, and the totals.
package final class StatisticsFile {
  private let name: String?
  private let replaces: Bool
  private var file: OpenOutputFile?
  private var frames = 0
  private var hasSeveralWhites = false
  private(set) var sum = ColorStatistics()
  /// Luminance of SDR white in cd/m², once known.
  package var sdrWhite: Double? {
    didSet { if let oldValue, oldValue != sdrWhite { hasSeveralWhites = true } }
  }
  /// Headroom for which the next frame was rendered; nil unless a display is followed.
  package var headroom: Double?

  /// - Parameters:
  ///   - name: File of the lines; "-": standard output; nil: none.
  ///   - replaces: Replaces an existing file; otherwise that is an error.
  init(_ name: String?, replaces: Bool) {
    self.name = name
    self.replaces = replaces
  }

  /// Opens the file, after all other checks have passed.
  /// - Parameter session: Removes the file if the process exits.
  func begin(_ session: Session) throws {
    guard let name else { return }
    let opened = try OpenOutputFile(name, replaces: replaces)
    session.removing { [file = opened.file] in file.discard() }
    file = opened
  }

  func add(_ statistics: ColorStatistics, at time: FrameTime) throws {
    sum.add(statistics)
    try file?.write(
      line: JSON.line(
        [
          ("frame", frames), ("time", (time.seconds * 1e6).rounded() / 1e6), ("sdr_white_nits", sdrWhite),
          ("headroom", headroom),
        ]
          + Self.fields(statistics)))
    frames += 1
  }

  /// Writes the line of totals, and commits the file.
  func finish() throws {
    guard let file else { return }
    // Shares relative to different whites cannot be combined.
    let white = hasSeveralWhites ? nil : sdrWhite
    try file.write(line: JSON.line([("frames", frames), ("sdr_white_nits", white)] + Self.fields(sum)))
    try file.commit()
  }

  func discard() { file?.discard() }

  /// Returns the shares of pixels, 0...1.
  static func fields(_ statistics: ColorStatistics) -> [(String, Any?)] {
    let all = statistics.all
    let hues = HueSector.allCases.map { ($0.rawValue, statistics[$0]) } + [("neutral", statistics.neutral)]
    return [("pixels", all.pixels)] + shares(all, of: all.pixels)
      + [
        (
          "hues",
          hues.reduce(into: [String: Any]()) { result, hue in
            result[hue.0] = JSON.fields(
              [("share", share(hue.1.pixels, of: all.pixels))] + shares(hue.1, of: all.pixels))
          }
        )
      ]
  }

  private static func shares(_ counts: ColorStatistics.Counts, of pixels: Int) -> [(String, Any?)] {
    [
      ("outside_bt709", counts.outsideBT709), ("outside_p3", counts.outsideP3),
      ("above_sdr_white", counts.aboveSDRWhite), ("above_203", counts.above203), ("above_1000", counts.above1000),
      ("above_4000", counts.above4000),
    ].map { ($0.0, share($0.1, of: pixels)) }
  }

  /// Returns the share, rounded to a millionth.
  private static func share(_ count: Int, of pixels: Int) -> Double {
    (Double(count) / Double(max(pixels, 1)) * 1e6).rounded() / 1e6
  }
}
