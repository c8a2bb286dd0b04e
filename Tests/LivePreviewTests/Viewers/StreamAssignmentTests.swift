import Frames
import LivePreview
import Testing

import Sessions

/// Which viewers share a stream.
@Suite struct StreamAssignmentTests {
  private static func device(_ width: Int, _ height: Int, _ more: [String: String] = [:]) -> ViewerDevice? {
    try? ViewerDevice(["width": "\(width)", "height": "\(height)"].merging(more) { $1 }, isReference: false)
  }

  private static let hdr = ["range": "pq", "codecs": "av1-10,h264"]

  /// A picture of 16:9.
  private static func fit(_ area: Size?) -> Size {
    guard let area else { return Size(width: 1920, height: 1080) }
    let width = min(area.width, area.height * 16 / 9)
    return Size(width: width, height: width * 9 / 16)
  }

  private static func choice(_ forms: [StreamForm?], _ device: ViewerDevice?) throws -> StreamAssignment.Choice {
    StreamAssignment(forms, fit: fit).choice(for: try #require(device))
  }

  @Test func theFirstGetsItsOwn() throws {
    #expect(try Self.choice([nil, nil, nil], Self.device(1280, 720)) == .opens(0))
    let first = Self.device(1280, 720)?.form
    #expect(try Self.choice([first, nil, nil], Self.device(640, 360)) == .opens(1))
  }

  /// The same picture in areas of another shape is the same stream.
  @Test func whoWantsTheSameSharesIt() throws {
    let first = Self.device(1280, 720)?.form
    #expect(try Self.choice([nil, first, nil], Self.device(1280, 900)) == .shares(1))
    #expect(try Self.choice([first, nil, nil], Self.device(1280, 720, Self.hdr)) == .opens(1))
  }

  /// With all slots taken, the nearest size that the device can show.
  @Test func theFourthGetsTheNearest() throws {
    let forms = [Self.device(320, 180)?.form, Self.device(1280, 720)?.form, Self.device(1920, 1080, Self.hdr)?.form]
    #expect(try Self.choice(forms, Self.device(640, 360)) == .shares(0))
    #expect(try Self.choice(forms, Self.device(1900, 1060)) == .shares(1))
    #expect(try Self.choice(forms, Self.device(1900, 1060, Self.hdr)) == .shares(2))
    #expect(try Self.choice(forms, Self.device(640, 360, ["codecs": "hevc"])) == .nothing)
  }

  /// A device without HDR always finds a stream that it can show.
  @Test func theLastSlotIsKeptForSDR() throws {
    let hdr = [1280, 1920].map { Self.device($0, $0 * 9 / 16, Self.hdr)?.form }
    #expect(try Self.choice([hdr[0], nil, nil], Self.device(1920, 1080, Self.hdr)) == .opens(1))
    #expect(try Self.choice(hdr + [nil], Self.device(640, 360, Self.hdr)) == .shares(0))
    #expect(try Self.choice(hdr + [nil], Self.device(640, 360)) == .opens(2))
    let sdr = Self.device(640, 360)?.form
    #expect(try Self.choice([sdr, hdr[0], nil], Self.device(1920, 1080, Self.hdr)) == .opens(2))
  }
}
