import Foundation
import Frames
import Patterns
import TestSupport
import Testing
import Verification

/// The page as a browser shows it, where one is installed.
@Suite(.serialized) struct VerificationPageBrowserTests {
  /// Of the picture; nothing else of the page has it.
  private static let color = "0x5a7d6b"

  @Test func aBrowserShowsTheFailingPatchAndAsksForNothing() throws {
    guard let browser = Browser.installed else {
      noteSkip("the page of a verification in a browser, as no Chromium is installed")
      return
    }
    let scratch = try Scratch()
    let picture = try Data(contentsOf: URL(fileURLWithPath: flatPicture(in: scratch)))
    let input = ReportSample.input("<script>console.error('run')</script>\"'.mov")
    let verification = ReportSample.verification(input: input, failing: ["red"])
    let page = scratch.path("index.html")
    try Data(VerificationPage(verification, picture: picture).html.utf8).write(to: URL(fileURLWithPath: page))
    let visit = { browser.visit(page, width: 1280, height: 3200, in: scratch) }
    guard let visit = visit() ?? visit() else {
      noteSkip("the page of a verification in a browser, as Chromium does not answer")
      return
    }
    #expect(visit.console == [])
    #expect(visit.requests == [])
    let area = try #require(verification.patches.first { $0.patch.name == "red" }?.area)
    #expect(try outline(of: area, in: verification.input.size, visit.screenshot) == "outlined, plotted")

    // The same eyes see what a page does that is not harmless.
    try Data("<img src='http://127.0.0.1:9/a.png'><script>console.error('seen')</script>".utf8)
      .write(to: URL(fileURLWithPath: page))
    guard let other = browser.visit(page, width: 300, height: 200, in: scratch) else { return }
    #expect(other.requests.contains("http://127.0.0.1:9/a.png"))
    #expect(other.console.count { $0.contains("seen") } == 1)
  }

  private func flatPicture(in scratch: Scratch) throws -> String {
    let path = scratch.path("flat.png")
    let source = "color=\(Self.color):size=480x270,format=rgb24"
    try Tool.ffmpeg.run(["-f", "lavfi", "-i", source, "-frames:v", "1", "-y", path])
    return path
  }

  /// Finds the picture in the screenshot by its colour, and in it the outline, each side within three pixels of its
  /// place; and the colours of plots above it.
  private func outline(of area: PictureArea, in size: Size, _ screenshot: String) throws -> String {
    let raw = screenshot + ".rgb"
    try Tool.ffmpeg.run(["-i", screenshot, "-pix_fmt", "rgb24", "-f", "rawvideo", "-y", raw])
    let script = """
      import sys, numpy as np
      x, y, w, h, width, height = map(int, sys.argv[2:8])
      shot = np.fromfile(sys.argv[1], np.uint8).reshape(-1, 1280, 3).astype(int)
      def near(color, most): return np.abs(shot - np.array(color)).max(axis=2) <= most
      rows, columns = np.nonzero(near((0x5a, 0x7d, 0x6b), 3))
      top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
      assert abs((right - left) / (bottom - top) - width / height) < 0.01, (left, right, top, bottom)
      scale = (right - left) / width
      line = near((0xd5, 0x5e, 0x00), 24)
      inside = line[top:bottom, left:right]
      # Rows and columns that are outline over most of a side.
      across = np.nonzero(inside.sum(axis=1) > 0.8 * w * scale)[0]
      down = np.nonzero(inside.sum(axis=0) > 0.8 * h * scale)[0]
      found = [across.min(), across.max(), down.min(), down.max()]
      places = [y * scale, (y + h) * scale, x * scale, (x + w) * scale]
      assert all(abs(a - b) <= 3 for a, b in zip(found, places)), (found, places)
      plotted = near((0x00, 0x72, 0xb2), 8)[:top].sum() > 500 and line[:top].sum() > 2000
      print('outlined, plotted' if plotted else 'outlined')
      """
    let numbers = [area.x, area.y, area.width, area.height, size.width, size.height].map(String.init)
    return try Python.run(script, [raw] + numbers).trimmingCharacters(in: .newlines)
  }
}
