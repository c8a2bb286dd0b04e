import ColorScience
import FFmpegIO
import Foundation
import Frames
import TestSupport
import Testing

@Suite struct FilePartTests {
  @Test func fileInsideAnotherIsReadByItself() throws {
    let scratch = try Scratch()
    // Names with what separates options and protocols from each other.
    let path = scratch.path("a, b:c.bin")
    let first = try Data(contentsOf: URL(fileURLWithPath: try scratch.clip("a.mkv", frames: 3)))
    let second = try Data(contentsOf: URL(fileURLWithPath: try scratch.clip("b.mkv", size: "64x48", frames: 2)))
    try (first + second).write(to: URL(fileURLWithPath: path))
    for (bytes, size, frames) in [
      (0..<first.count, Size(width: 128, height: 96), 3),
      (first.count..<first.count + second.count, Size(width: 64, height: 48), 2),
    ] {
      let reader = try MediaReader(url: path, bytes: bytes)
      var count = 0
      while let frame = try reader.readFrame() {
        #expect(frame.size == size)
        count += 1
      }
      #expect(count == frames)
    }
    let error = #expect(throws: FFmpegError.self) { try MediaReader(url: path, bytes: 5..<50) }
    #expect("\(try #require(error))".contains("a, b:c.bin"))
  }

  @Test func greyJPEGIsFullRange() throws {
    let scratch = try Scratch()
    let path = scratch.path("grey.jpg")
    // 8x8 pixels of 200, one component, by libjpeg.
    let jpeg = Data(
      base64Encoded: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKB\
        ggLDAsKDAkKCgr/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8ASB\
        //2Q==
        """)
    try #require(jpeg).write(to: URL(fileURLWithPath: path))
    let frame = try #require(try MediaReader(url: path).readFrame())
    #expect(frame.color.range == .full)
    #expect(frame.sample(plane: 0, x: 3, y: 3) == 200)
    #expect(frame.layout.components == .gray)
  }
}
