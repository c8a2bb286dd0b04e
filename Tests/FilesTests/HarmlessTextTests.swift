import Foundation
import Testing

import Files

@Suite struct HarmlessTextTests {
  /// Every control function of ECMA-48, and every control of bidirectional text.
  @Test func nothingIsObeyed() {
    let controls: [ClosedRange<UInt32>] = [
      0...8, 0xB...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    ]
    for value in controls.joined() {
      let scalar = Unicode.Scalar(value)!
      #expect("a\(scalar)b".harmless == "a\\u" + String(format: "%04x", value) + "b")
    }
    // A byte that is no UTF-8.
    #expect(String(systemBytes: [0x61, 0x9B, 0x32, 0x4A, 0xE9]).harmless == "a\\u009b2J" + String(systemBytes: [0xE9]))
  }

  @Test func textStays() {
    let text = "Zoë\t日本 👩\u{200D}👩 \u{200C}\n"
    #expect(text.harmless == text)
    #expect(text.harmlessLine == "Zoë\\t日本 👩\u{200D}👩 \u{200C}\\n")
  }

  @Test func jsonIsTheSame() throws {
    let name = "a\u{1B}[2J\u{9B}1m\u{202E}\u{7F}b"
    let json = String(decoding: try JSONEncoder().encode([name]), as: UTF8.self)
    #expect(json.harmlessJSON.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
    #expect(try JSONDecoder().decode([String].self, from: Data(json.harmlessJSON.utf8)) == [name])
  }
}
