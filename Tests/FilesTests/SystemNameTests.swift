import Files
import TestSupport
import Testing

@Suite struct SystemNameTests {
  /// Any name survives the round trip to text.
  @Test(arguments: 0..<500)
  func anyBytesComeBack(_ seed: UInt64) {
    var generator = Xorshift(seed: seed)
    // Bytes of all kinds, then such as UTF-8 is made of, the private scalars among it.
    let pieces: [[UInt8]] = [
      Array("ä".utf8), Array("日本".utf8), Array("e\u{301}".utf8), Array("\u{10FEE9}".utf8), Array("\u{10FFFD}".utf8),
      [0xF4, 0x8F], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xE9], [0xFF], Array("name%03d.mkv".utf8),
    ]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      if seed.isMultiple(of: 2) {
        bytes += pieces.randomElement(using: &generator) ?? []
      } else {
        bytes.append(UInt8.random(in: 1...255, using: &generator))
      }
    }
    let text = String(systemBytes: bytes)
    #expect(text.systemBytes == bytes)
    #expect(text.systemName.dropLast().map { UInt8(bitPattern: $0) } == bytes && text.systemName.last == 0)
    #expect(("a/" + text + ".png").systemBytes == Array("a/".utf8) + bytes + Array(".png".utf8))
    // What is Unicode stays as it is.
    if !bytes.contains(0xF4), let plain = String(validating: bytes, as: UTF8.self) {
      #expect(text.isSameName(as: plain) && text.printable == plain)
    }
  }

  @Test func twoNamesAreTwoTexts() {
    let names: [[UInt8]] = [
      [0xE9], Array("\u{10FEE9}".utf8), Array("é".utf8), Array("e\u{301}".utf8), [0xEF, 0xBF, 0xBD], [0xC3], [0xA9],
    ]
    for (index, one) in names.enumerated() {
      for other in names[(index + 1)...] {
        #expect(!String(systemBytes: one).isSameName(as: String(systemBytes: other)))
      }
    }
  }

  @Test func messagesForPrograms() {
    #expect(String(systemBytes: [0x63, 0xE9, 0x2E]).printable == "c\u{FFFD}.")
    #expect("日本.mkv".printable == "日本.mkv")
  }
}
