internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Media

/// Statistics of frames: a line of JSON for each if a file is requested, and the totals.
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
  /// The headroom that the next frame was rendered for; nil unless a display is followed.
  package var headroom: Double?

  /// - Parameters:
  ///   - name: File of the lines; "-": standard output; nil: none.
  ///   - replaces: An existing file of this name is replaced; otherwise it is an error.
  init(_ name: String?, replaces: Bool) {
    self.name = name
    self.replaces = replaces
  }

  /// Opens the file, once nothing else can be refused.
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
    // Shares counted against several whites belong to none.
    let white = hasSeveralWhites ? nil : sdrWhite
    try file.write(line: JSON.line([("frames", frames), ("sdr_white_nits", white)] + Self.fields(sum)))
    try file.commit()
  }

  func discard() { file?.discard() }

  /// Fractions of pixels, 0...1.
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

  /// Rounded to a millionth.
  private static func share(_ count: Int, of pixels: Int) -> Double {
    (Double(count) / Double(max(pixels, 1)) * 1e6).rounded() / 1e6
  }
}
