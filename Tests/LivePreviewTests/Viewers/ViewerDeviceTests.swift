import ColorScience
import Displays
import Frames
import LivePreview
import Testing

import Sessions

/// What other devices say of themselves, and what they get for it.
@Suite struct ViewerDeviceTests {
  private static func device(_ query: [String: String], isReference: Bool = false) throws -> ViewerDevice {
    try ViewerDevice(query, isReference: isReference)
  }

  @Test func nothingSaidIsSDRInH264() throws {
    let form = try Self.device([:]).form
    #expect(form.coding == .h264 && form.transfer == .sdr && form.area == nil)
    #expect(form.display.referenceMode == .notSupported && form.display.currentHeadroom == 1)
  }

  @Test func tenBitsAreForHDR() throws {
    let form = try Self.device(["range": "pq", "codecs": "h264,av1-10,hevc-10", "gamut": "p3"]).form
    #expect(form.coding == .av1TenBit && form.transfer == .pq && form.display.model.primaries == .displayP3)
    // A screen of HDR that decodes no ten bits gets what an SDR screen gets.
    let without = try Self.device(["range": "pq", "codecs": "h264,av1"]).form
    #expect(try without == Self.device(["codecs": "h264"]).form)
    // The same is true of its stills, unless nothing was said of streams.
    #expect(try Self.device(["range": "pq", "codecs": "h264"]).stillForm.transfer == .sdr)
    #expect(try Self.device(["range": "pq"]).stillForm.transfer == .pq)
  }

  @Test func displaysAreChosenOrMeasured() throws {
    let preset = try Self.device(["range": "pq", "codecs": "av1-10", "display": "reference"])
    #expect(preset.form.display.referenceMode == .enabled)
    let measured = try Self.device([
      "display": "measured", "peak": "600", "white": "120", "black": "0.05", "range": "hlg", "codecs": "hevc-10",
    ])
    #expect(measured.form.display.currentHeadroom == 5 && measured.form.display.model.black == 0.05)
    #expect(measured.form.transfer == .hlg)
  }

  /// A device that says nothing of its display follows the one that the preview is made for.
  @Test func referenceModeIsFollowed() throws {
    func mode(_ query: [String: String]) throws -> ReferenceMode.Status {
      try Self.device(query, isReference: true).form.display.referenceMode
    }
    let hdr = ["range": "pq", "codecs": "av1-10"]
    #expect(try mode([:]) == .notSupported)
    #expect(try mode(hdr) == .enabled)
    #expect(try mode(hdr.merging(["display": "measured", "peak": "400"]) { $1 }) == .limited)
    #expect(try mode(hdr.merging(["display": "edr-5"]) { $1 }) == .notEnabled)
  }

  @Test func streamsThatItShows() throws {
    let device = try Self.device(["range": "pq", "codecs": "h264,av1-10"])
    let display = device.form.display
    #expect(device.shows(StreamForm(.h264, .sdr, area: nil, on: display)))
    #expect(device.shows(StreamForm(.av1TenBit, .pq, area: nil, on: display)))
    #expect(!device.shows(StreamForm(.av1TenBit, .hlg, area: nil, on: display)))
    #expect(!device.shows(StreamForm(.hevcTenBit, .pq, area: nil, on: display)))
    #expect(try !Self.device(["codecs": "av1-10"]).shows(StreamForm(.av1TenBit, .pq, area: nil, on: display)))
  }

  @Test(arguments: [
    (["width": "100"], "belong together"), (["width": "15", "height": "100"], "16 to 8192"),
    (["width": "nan", "height": "100"], "16 to 8192"), (["codecs": "vp9"], "h264, hevc, av1"),
    (["codecs": ""], "codecs"), (["range": "dolby"], "sdr, pq, hlg"), (["gamut": "709"], "srgb, p3, rec2020"),
    (["display": "mine"], "auto, measured"), (["peak": "1000"], "display=measured"),
    (["display": "measured", "peak": "100", "white": "200"], "below white"),
    (["display": "measured", "peak": "10", "white": "10", "black": "9"], "0 to 5"),
    (["depth": "4"], "8 to 16"), (["url": "http://x"], "'url'"),
  ])
  func whatIsNoDeviceIsRefusedInASentence(_ query: [String: String], _ words: String) {
    let failure = #expect(throws: ClientError.self) { try Self.device(query) }
    #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    #expect(failure?.description.hasSuffix(".") == true)
  }
}
