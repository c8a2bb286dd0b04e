import Foundation
import Frames
import TestSupport
import Testing

import Sessions

/// Pictures with a gain map: their base is their SDR rendition.
@Suite struct GainMapTests {
  private static let files = ["gainmap_iso.jpg", "gainmap_apple.jpg"].compactMap(Case.path)

  private func rgb(_ path: String) throws -> [UInt8] {
    [UInt8](try Tool.ffmpeg.run(["-i", path, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]))
  }

  @Test(arguments: files) func `SDR output is the base picture`(_ file: String) throws {
    let scratch = try Scratch()
    let request = TranscodeRequest(input: file, output: scratch.path("a.png"))
    let picture = try #require(try PictureRequest(request))
    try Session().run(picture)
    let (base, found) = (try rgb(file), try rgb(scratch.path("a.png")))
    try #require(base.count == 256 * 128 * 3 && found.count == base.count)
    let difference = zip(base, found).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(difference) / Double(base.count) < 0.6)
  }

  @Test(arguments: files) func `HDR output has the light of the gain map`(_ file: String) throws {
    var request = TranscodeRequest(input: file, output: nil)
    request.coding.format = "null"
    func maxCLL() throws -> UInt16 { try Session().plan(request).source.metadata.contentLight?.maxCLL ?? 0 }
    #expect(try maxCLL() <= 203)
    request.mapping.chosenKind = .hdr10
    #expect(try maxCLL() > 300)
    request.input.gainMapHeadroom = 1
    #expect(try maxCLL() <= 203)
  }
}
