import ColorScience
import Foundation
import Frames
import ImageFiles
import Synchronization
import TestSupport
import Testing

/// Order, bounds and ends of writing, with an encoder that only says which frame it was given.
@Suite struct ImageFileWriterTests {
  /// Writes the presentation time; later frames are done first, and one of them cannot be.
  private final class Encoder: ImageEncoder {
    let failing: Int64?
    private let alive = Atomic(0)
    let maximumAlive = Atomic(0)

    init(failing: Int64? = nil) { self.failing = failing }

    func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
      let count = alive.add(1, ordering: .relaxed).newValue
      maximumAlive.max(count, ordering: .relaxed)
      defer { alive.subtract(1, ordering: .relaxed) }
      Thread.sleep(forTimeInterval: frame.time.presentation % 3 == 0 ? 0.006 : 0.001)
      if frame.time.presentation == failing { throw .notEncoded(format: "test", reason: "no") }
      return Array("frame \(frame.time.presentation)\n".utf8)
    }
  }

  private static func frame(_ number: Int) -> CodedFrame {
    CodedFrame(
      size: Size(width: 2, height: 2), layout: PixelLayout(.rgb, bitDepth: 8), color: .bt709,
      time: FrameTime(presentation: Int64(number), duration: 1, timeBase: Rational(1, 25)))
  }

  private func settings(_ pattern: String, _ encoder: Encoder, _ scratch: Scratch) throws -> ImageFileWriter.Settings {
    var settings = ImageFileWriter.Settings(names: try FileNames(scratch.path(pattern)), encoder: encoder)
    settings.threads = 3
    return settings
  }

  private func text(_ name: String, _ scratch: Scratch) throws -> String {
    try String(contentsOfFile: scratch.path(name), encoding: .utf8)
  }

  @Test func aFileEach() throws {
    let (scratch, encoder) = (try Scratch(), Encoder())
    var settings = try settings("%03d.txt", encoder, scratch)
    settings.firstNumber = 5
    settings.header = Array("head ".utf8)
    settings.sidecar = { "times \($0)" }
    let writer = try ImageFileWriter(settings)
    for number in 0..<20 { try writer.write(Self.frame(number)) }
    try writer.finish()
    #expect(scratch.contents.count == 40)
    for number in 0..<20 {
      let name = String(format: "%03d.txt", number + 5)
      #expect(try text(name, scratch) == "head frame \(number)\n")
      #expect(try text(name + ".json", scratch) == "times [\(Double(number) / 25)]")
    }
    #expect(encoder.maximumAlive.load(ordering: .relaxed) <= 3)
  }

  @Test func oneFileOfAll() throws {
    let scratch = try Scratch()
    var settings = try settings("all.txt", Encoder(), scratch)
    settings.header = Array("head\n".utf8)
    settings.sidecar = { "\($0.count)" }
    let writer = try ImageFileWriter(settings)
    for number in 0..<20 { try writer.write(Self.frame(number)) }
    #expect(!scratch.contents.contains("all.txt"))
    try writer.finish()
    #expect(try text("all.txt", scratch) == "head\n" + (0..<20).map { "frame \($0)\n" }.joined())
    #expect(try text("all.txt.json", scratch) == "20")
    #expect(writer.bytesWritten == (0..<20).reduce(0) { $0 + "frame \($1)\n".utf8.count })
    #expect(scratch.contents.count == 2)
  }

  /// What is there after an error is everything before it, and nothing after.
  @Test(arguments: [0, 7, 19])
  func anErrorLeavesABeginning(_ failing: Int) throws {
    let scratch = try Scratch()
    let writer = try ImageFileWriter(try settings("%d.txt", Encoder(failing: Int64(failing)), scratch))
    #expect(throws: ImageFileError.notEncoded(format: "test", reason: "no")) {
      for number in 0..<20 { try writer.write(Self.frame(number)) }
      try writer.finish()
    }
    writer.cancel()
    #expect(Set(scratch.contents) == Set((0..<failing).map { "\($0).txt" }))
  }

  @Test func anErrorLeavesNothingOfOneFile() throws {
    let scratch = try Scratch()
    let writer = try ImageFileWriter(try settings("all.txt", Encoder(failing: 4), scratch))
    #expect(throws: ImageFileError.self) {
      for number in 0..<20 { try writer.write(Self.frame(number)) }
      try writer.finish()
    }
    writer.cancel()
    #expect(scratch.contents.isEmpty)
  }

  @Test func cancellingLeavesWholeFiles() throws {
    let scratch = try Scratch()
    let writer = try ImageFileWriter(try settings("%d.txt", Encoder(), scratch))
    for number in 0..<9 { try writer.write(Self.frame(number)) }
    writer.cancel()
    #expect(scratch.contents.allSatisfy { $0.hasSuffix(".txt") && !$0.hasPrefix(".") })
    #expect(scratch.contents.count >= 5)
  }

  @Test func aMissingFolderIsSaidAtOnce() throws {
    let scratch = try Scratch()
    #expect(throws: (any Error).self) { try ImageFileWriter(settings("no/%d.txt", Encoder(), scratch)) }
  }
}
