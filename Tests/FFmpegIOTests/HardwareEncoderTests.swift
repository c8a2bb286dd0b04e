import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Hardware encoders, as far as a machine without one goes.
@Suite struct HardwareEncoderTests {
  private static let ten = PixelLayout(.ycbcr420, bitDepth: 10)

  private func settings(_ url: String, _ encoder: String, _ layout: PixelLayout = ten) -> MediaWriter.Settings {
    MediaWriter.Settings(
      url: url, encoder: encoder, size: Size(width: 128, height: 96), layout: layout, timeBase: Rational(1, 25),
      color: .bt2100PQ)
  }

  /// The reference is swscale, which only moves samples here.
  @Test(arguments: [(8, "yuv420p", "nv12"), (10, "yuv420p10le", "p010le")])
  func semiplanarSamples(_ bits: Int, _ planar: String, _ semiplanar: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("a.nut")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=s=98x66:r=25,noise=alls=60:all_seed=7,format=\(planar)", "-frames:v", "1", "-c:v",
      "ffv1", path,
    ])
    let expected = try Tool.ffmpeg.run(["-i", path, "-pix_fmt", semiplanar, "-f", "rawvideo", "-"])
    let frame = try #require(try MediaReader(url: path).readFrame())
    let layout = PixelLayout(.ycbcr420, bitDepth: bits, packing: .semiplanar)
    let made = CodedFrame(size: frame.size, layout: layout, color: frame.color)
    frame.copySamples(toSemiplanar: made)
    var bytes = Data()
    for plane in 0..<2 {
      let extent = layout.planeSize(plane, of: frame.size)
      unsafe made.withPlane(plane) { view in
        for y in 0..<extent.height {
          unsafe bytes.append(Data(bytes: view.row(y), count: extent.width * layout.bytesPerSample))
        }
      }
    }
    #expect(bytes == expected && bytes.count == 98 * 66 * 3 / 2 * layout.bytesPerSample)
    // Ten bits are at the top.
    if bits == 10 { #expect(bytes.enumerated().allSatisfy { $0.offset % 2 == 1 || $0.element & 0x3F == 0 }) }
  }

  @Test func encodersOfThisFFmpeg() throws {
    let names = HardwareEncoder.all.map(\.name)
    for name in ["h264_nvenc", "h264_qsv", "h264_vaapi", "hevc_nvenc", "hevc_qsv", "hevc_vaapi"] {
      #expect(names.contains(name))
    }
    #expect(HardwareEncoder("libx265") == nil && HardwareEncoder("hevc_v4l2m2m") == nil)
    #expect(Encoders.layout(near: Self.ten, for: "hevc_vaapi") == Self.ten)
    #expect(Encoders.layout(near: Self.ten, for: "h264_vaapi") == PixelLayout(.ycbcr420, bitDepth: 8))
  }

  /// A machine is looked at by names alone, which folders can have.
  @Test func whatIsMissing() throws {
    let scratch = try Scratch()
    let system = HardwareEncoder.System(devices: scratch.path("dev"), libraries: [scratch.path("lib")])
    let (vaapi, nvenc, qsv) = (
      try #require(HardwareEncoder("hevc_vaapi")), try #require(HardwareEncoder("hevc_nvenc")),
      try #require(HardwareEncoder("hevc_qsv"))
    )
    #expect(vaapi.missing(on: system).first == .device(scratch.path("dev") + "/dri/renderD*"))
    #expect(vaapi.missing(on: system).count == 2 && qsv.missing(on: system).count == 2)
    #expect(
      nvenc.missing(on: system)
        == [.device(scratch.path("dev/nvidiactl")), .library(["libcuda.so.1"]), .library(["libnvidia-encode.so.1"])])
    for folder in ["dev/dri", "lib"] {
      try FileManager.default.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
    }
    for file in [
      "dev/dri/renderD128", "dev/nvidiactl", "lib/iHD_drv_video.so", "lib/libcuda.so.1", "lib/libnvidia-encode.so.1",
      "lib/libmfx-gen.so.1.2",
    ] {
      try Data().write(to: URL(fileURLWithPath: scratch.path(file)))
    }
    for encoder in [vaapi, nvenc, qsv] { #expect(encoder.missing(on: system).isEmpty, "\(encoder.name)") }
    let other = scratch.path("dev/dri/renderD200")
    #expect(vaapi.missing(device: other, on: system) == [.device(other)])
  }

  @Test(arguments: ["hevc_vaapi", "hevc_qsv", "hevc_nvenc"])
  func noDevice(_ name: String) throws {
    let encoder = try #require(HardwareEncoder(name))
    // On a machine that has everything, this is not for it.
    guard !encoder.missing().isEmpty else { return }
    let scratch = try Scratch()
    let error = #expect(throws: FFmpegError.self) { try MediaWriter(settings(scratch.path("a.mp4"), name)) }
    guard case .hardwareIsMissing(name, encoder.missing(), let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!message.isEmpty && error?.kind == .failed)
    #expect(scratch.contents.isEmpty)
  }

  @Test func layoutsThatHardwareDoesNotTake() throws {
    let scratch = try Scratch()
    let wanted = PixelLayout(.ycbcr444, bitDepth: 10)
    let error = #expect(throws: FFmpegError.self) {
      try MediaWriter(settings(scratch.path("a.mp4"), "hevc_vaapi", wanted))
    }
    let supported = [8, 10].map { PixelLayout(.ycbcr420, bitDepth: $0) }
    #expect(error == .unsupportedLayout(encoder: "hevc_vaapi", wanted: wanted, supported: supported))
  }
}
