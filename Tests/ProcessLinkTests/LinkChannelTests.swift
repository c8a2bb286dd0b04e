import Foundation
import ProcessLink
import Testing

/// Messages between two ends of a socket, and what is no message.
@Suite struct LinkChannelTests {
  /// A message of numbers and bytes.
  private struct Parcel: LinkMessage, Hashable {
    var numbers: [Int]
    var bytes: [UInt8]

    static let kind: UInt8 = 9
    static let largest = 8 << 20

    var kindAndValues: (kind: UInt8, json: [UInt8], bytes: [UInt8]) {
      get throws(LinkError) { (Self.kind, try LinkValues.encode(numbers), bytes) }
    }

    init(_ numbers: [Int], _ bytes: [UInt8] = []) { (self.numbers, self.bytes) = (numbers, bytes) }

    init(kind: UInt8, json: [UInt8], bytes: [UInt8]) throws(LinkError) {
      guard kind == Self.kind else { throw .hasUnknownKind(kind) }
      (numbers, self.bytes) = (try LinkValues.decode([Int].self, json), bytes)
    }
  }

  private typealias Link = LinkChannel<Parcel, Parcel>

  private func pair() throws -> (parent: Link, child: Link) {
    let ends = try LinkSockets.pair()
    return (Link(descriptor: ends.parent, patience: 0.1), Link(descriptor: ends.child))
  }

  /// A channel, and the descriptor at its other end, which the test closes.
  private func raw() throws -> (descriptor: Int32, child: Link) {
    let ends = try LinkSockets.pair()
    return (ends.parent, Link(descriptor: ends.child))
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    #expect(unsafe Foundation.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  @Test func messagesArriveInOrder() throws {
    let (parent, child) = try pair()
    let messages = [Parcel([1]), Parcel([]), Parcel([-1, .max], [0, 255]), Parcel([1], [7])]
    for message in messages {
      try parent.send(message)
      #expect(try child.receive() == message)
    }
    for message in messages { try child.send(message) }
    for message in messages { #expect(try parent.receive() == message) }
    parent.close()
    #expect(try child.receive() == nil)
    #expect(throws: LinkError.isClosed) { try child.send(Parcel([1])) }
  }

  /// Larger than the socket holds, from two threads at once.
  @Test func messagesOfThreadsAreNotMixed() async throws {
    let ends = try LinkSockets.pair()
    let parent = Link(descriptor: ends.parent)
    let child = Link(descriptor: ends.child)
    for thread in [1, 2] {
      Thread.detachNewThread {
        for sequence in 1...20 {
          try? parent.send(Parcel([thread, sequence], [UInt8](repeating: UInt8(thread), count: 100_000)))
        }
      }
    }
    var last = [1: 0, 2: 0]
    for _ in 1...40 {
      let message = try #require(try child.receive())
      let (thread, sequence) = (message.numbers[0], message.numbers[1])
      #expect(message.bytes == [UInt8](repeating: UInt8(thread), count: 100_000))
      #expect(sequence == last[thread, default: 0] + 1)
      last[thread] = sequence
    }
  }

  @Test func aProcessThatDoesNotReadIsGivenUp() throws {
    let (parent, child) = try pair()
    let message = Parcel([1], [UInt8](repeating: 0, count: 4 << 20))
    #expect(throws: LinkError.timedOut) { try parent.send(message) }
    #expect(throws: LinkError.isClosed) { try parent.send(Parcel([2])) }
    withExtendedLifetime(child) {}
  }

  @Test func closingWakesTheReader() async throws {
    let (parent, child) = try pair()
    Thread.detachNewThread { child.close() }
    #expect(try child.receive() == nil)
    #expect(try parent.receive() == nil)
  }

  @Test(arguments: [
    ([0, 0, 0, 4, 9, 0, 0, 0, 0], LinkError.isMalformed),
    ([0, 0, 0, 6, 9, 0, 0, 0, 2], .isMalformed),
    ([0, 0, 0, 5, 9, 255, 255, 255, 255], .isMalformed),
    ([255, 255, 255, 255, 9, 0, 0, 0, 0], .isTooLong(bytes: 0xFFFF_FFFF)),
    ([0, 0, 0, 5, 77, 0, 0, 0, 0], .hasUnknownKind(77)),
    ([0, 0, 0, 5, 9, 0, 0, 0, 0], .isMalformed),
    ([0, 0, 0], .isTruncated), ([0, 0, 0, 9, 9, 0, 0, 0, 2, 0x5B], .isTruncated),
  ]) func whatIsNoMessageIsAnError(bytes: [UInt8], error: LinkError) throws {
    let (descriptor, child) = try raw()
    write(bytes, to: descriptor)
    close(descriptor)
    #expect(throws: error) { try child.receive() }
  }

  /// A stated length takes no memory before its bytes come.
  @Test func aMessageIsBounded() throws {
    let (descriptor, child) = try raw()
    write([0, 128, 0, 1, 9, 0, 0, 0, 0], to: descriptor)
    close(descriptor)
    #expect(throws: LinkError.isTooLong(bytes: 8 << 20 | 1)) { try child.receive() }
    let (parent, reader) = try pair()
    let bytes = [UInt8](repeating: 0, count: 8 << 20)
    #expect(throws: LinkError.isTooLong(bytes: 8 << 20 | 8)) { try parent.send(Parcel([1], bytes)) }
    // Nothing of it was sent.
    try parent.send(Parcel([2]))
    #expect(try reader.receive() == Parcel([2]))
  }
}
