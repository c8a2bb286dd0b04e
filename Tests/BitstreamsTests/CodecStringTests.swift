import Bitstreams
import Testing

@Suite struct CodecStringTests {
  /// Records of streams of x264, x265 and libaom, as FFmpeg's muxer stores them.
  @Test func records() {
    #expect(CodecString(h264: [1, 0x42, 0xE0, 0x1E, 0xFF])?.text == "avc1.42E01E")
    let main: [UInt8] = [1, 0x01, 0x60, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 93]
    #expect(CodecString(hevc: main)?.text == "hvc1.1.6.L93.B0")
    let high: [UInt8] = [1, 0xA2, 0x20, 0, 0, 0, 0x90, 0, 8, 0, 0, 0, 153]
    #expect(CodecString(hevc: high)?.text == "hvc1.B2.4.H153.90.0.8")
    // The example of the AV1 binding, section 5.
    let color = Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0]
    #expect(CodecString(av1: [0x81, 0x04, 0x4E, 0], color: color)?.text == "av01.0.04M.10.0.112.09.16.09.0")
    #expect(CodecString(av1: [0x81, 0x04, 0x4E, 0], color: [])?.text == "av01.0.04M.10")
    #expect(
      CodecString(av1: [0x81, 0x4D, 0xF0, 0], color: color.dropLast() + [0x80])?.text
        == "av01.2.13H.12.1.000.09.16.09.1")
  }

  @Test func truncatedRecordsHaveNone() {
    #expect(
      CodecString(h264: [1, 2, 3]) == nil && CodecString(hevc: []) == nil && CodecString(av1: [1], color: []) == nil)
  }
}
