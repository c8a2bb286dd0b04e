import Foundation
import Media
import Synchronization
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Outputs of runs that are stopped, or whose input changes.
@Suite struct PartialOutputTests {
  /// What was finished until then has a name that says so, unless the request wants its own.
  @Test func outputsThatAreStopped() throws {
    let scratch = try Scratch()
    let input = try scratch.clip("a.mkv", frames: 300, ["-c:v", "ffv1"])
    for keeps in [false, true] {
      var request = TranscodeRequest(input: input, output: scratch.path("b.mkv"))
      (request.coding.encoder, request.keepsPartialName) = ("ffv1", keeps)
      let heard = Heard()
      let link = Mutex<Session?>(nil)
      let session = Session { event in
        heard.add(event)
        if case .progress(let progress) = event, progress.frames > 0 { link.withLock { $0 }?.cancel() }
      }
      link.withLock { $0 = session }
      defer { link.withLock { $0 = nil } }
      session.pause()
      Thread { while !session.isCancelled { session.step(); usleep(10_000) } }.start()
      #expect(try session.run(request) == .cancelled)
      let partial = scratch.path("b.partial.mkv")
      let isTold = heard.warnings.contains { $0.code == "partial-output" && $0.words.contains("'\(partial)'") }
      #expect(isTold != keeps)
      #expect(Set(scratch.contents) == Set(["a.mkv", "b.partial.mkv"] + (keeps ? ["b.mkv"] : [])))
      // A name alone does not make it whole.
      #expect(!request.isDone)
    }
  }

  /// An input that is written to while it is read: the output is not whole, unless that is accepted.
  @Test func inputsThatChange() throws {
    let scratch = try Scratch()
    let input = try scratch.clip("a.mkv", frames: 10, ["-c:v", "ffv1"])
    for accepts in [false, true] {
      var request = TranscodeRequest(input: input, output: scratch.path("b.mkv"))
      (request.coding.encoder, request.input.acceptsTruncation) = ("ffv1", accepts)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: input)).count
      let session = Session()
      let folder = scratch.folder.path
      session.pause()
      Thread {
        _ = comesTrue { Scratch.names(in: folder).contains { $0.hasSuffix(".part") } }
        if let file = FileHandle(forWritingAtPath: input) {
          _ = try? file.seekToEnd()
          try? file.write(contentsOf: Data([0]))
        }
        session.resume()
      }.start()
      if accepts {
        #expect(try session.run(request) == .finished)
        #expect(Set(scratch.contents) == ["a.mkv", "b.mkv"])
      } else {
        let change = "from \(bytes) to \(bytes + 1) bytes"
        expectRefusal("input-changed-while-read", "'\(input)'", change, kind: .failed) { _ in
          try session.run(request)
        }
        #expect(Set(scratch.contents) == ["a.mkv", "b.partial.mkv"])
      }
    }
  }
}
