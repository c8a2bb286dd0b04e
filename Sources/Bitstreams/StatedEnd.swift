internal import Files
internal import Foundation

/// The end of a file as stated by its container.
///
/// A cut between two packets damages neither, and a stated duration need not match the pictures.
package struct StatedEnd {
  private let file: FileHandle
  /// Size of the file in bytes.
  private let byteCount: Int

  /// Maximum number of boxes and chunks that are examined.
  private static let limit = 100_000
  /// Known top-level boxes. Anything after an unknown one is a camera's trailer.
  private static let boxes: Set = [
    "ftyp", "styp", "moov", "moof", "mdat", "mfra", "free", "skip", "wide", "sidx", "uuid", "meta", "emsg", "prft",
  ]
  /// Bytes of packets of a transport stream: plain, with an arrival time before them as on Blu-ray discs, or with
  /// Reed-Solomon bytes after them. Sources: Rec. ITU-T H.222.0, 2.4.3.2; ETSI EN 300 429, 4.
  private static let packets: [(byteCount: Int, last: Int)] = [(188, 188), (192, 188), (204, 204)]
  private static let syncByte: UInt8 = 0x47
  /// Number of packets whose sync bytes reveal the packet size.
  private static let shownPackets = 8

  /// - Returns: nil if it cannot be opened.
  package init?(path: String, byteCount: Int) {
    guard let file = FileHandle(systemName: path) else { return nil }
    (self.file, self.byteCount) = (file, byteCount)
  }

  /// Whether the file ends before its container does.
  /// - Parameter isTransportStream: Whether it is one, which only a demuxer can determine.
  package func isMissing(isTransportStream: Bool) -> Bool { isTransportStream ? cutsPacket : isBeyondFile }

  /// Whether another Matroska or MP4 file follows in the same file.
  package var isFollowed: Bool { isFollowedByMatroska || isFollowedByISO }

  private var isFollowedByMatroska: Bool {
    guard let end = segmentEnd, end < byteCount else { return false }
    return EBMLElement(in: file, at: end, end: byteCount)?.isHeader ?? false
  }

  /// Segments of a fragmented film may each begin like a file.
  private var isFollowedByISO: Bool {
    let end = follow { place in
      box(place).flatMap { $0.type == "moof" || place > 0 && $0.type == "ftyp" ? nil : $0.size }
    }
    return end > 0 && box(end)?.type == "ftyp"
  }

  private var isBeyondFile: Bool {
    let head = file.bytes(at: 0, ISOBoxHeader.maxByteCount)
    if head.starts(with: "RIFF".utf8) { return follow { riff($0) } > byteCount }
    if head.starts(with: "nut/multimedia".utf8) { return lacksIndex }
    if head.starts(with: Self.headerPartition) { return lacksFooter }
    if let segmentEnd { return segmentEnd > byteCount }
    return follow { box($0)?.size } > byteCount
  }

  /// Follows consecutive parts of a file.
  /// - Parameter size: Returns the size of the part at an offset; nil: unknown, or no further part.
  /// - Returns: The end of the last part, which may be beyond the file.
  private func follow(_ size: (Int) -> Int?) -> Int {
    var place = 0
    for _ in 0..<Self.limit {
      guard place < byteCount, let size = size(place), size > 0 else { return place }
      let (end, overflow) = place.addingReportingOverflow(size)
      place = overflow ? .max : end
    }
    return place
  }

  private func box(_ place: Int) -> ISOBoxHeader? {
    ISOBoxHeader(file.bytes(at: place, ISOBoxHeader.maxByteCount)).flatMap { Self.boxes.contains($0.type) ? $0 : nil }
  }

  /// A file above a gigabyte consists of several such chunks. Source: OpenDML AVI File Format Extensions 1.02, 2.0.
  private func riff(_ place: Int) -> Int? {
    let head = file.bytes(at: place, 8)
    guard head.count == 8, head.starts(with: "RIFF".utf8) else { return nil }
    let size = Int(head[4..<8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    // The size is stated when the file is finished, never in a pipe.
    if size == 0 || size == UInt32.max { return nil }
    // Some writers include the header.
    return size == byteCount - place ? size : 8 + size
  }

  /// nil for another kind of file, or one whose size was not known when it was written.
  private var segmentEnd: Int? {
    guard let segment = EBMLElement.segment(of: file, byteCount: byteCount), let size = segment.size else { return nil }
    let (end, overflow) = segment.content.lowerBound.addingReportingOverflow(size)
    return overflow ? .max : end
  }

  /// The header of a finished MXF file states where its footer begins. Source: SMPTE ST 377-1, 7.1 (partition packs).
  private var lacksFooter: Bool {
    let head = file.bytes(at: 16, 9 + 32)
    // The length is in one byte, or in as many as the first byte states.
    let start = head.first.map { $0 & 0x80 == 0 ? 1 : 1 + Int($0 & 0x7F) } ?? 0
    guard start <= 9, head.count >= start + 32 else { return true }
    let footer = head[start + 24..<start + 32].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return footer >= byteCount && footer != 0
  }
  private static let headerPartition: [UInt8] = [6, 0x0E, 0x2B, 0x34, 2, 5, 1, 1, 0x0D, 1, 2, 1, 1, 2]

  /// A NUT file ends with its index, which ends with its size. Source: NUT Open Container Format, "index".
  private var lacksIndex: Bool {
    let size = file.bytes(at: byteCount - 12, 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard 12..<UInt64(byteCount) ~= size else { return true }
    return file.bytes(at: byteCount - Int(size), 8) != [0x4E, 0x58, 0xDD, 0x67, 0x2F, 0x23, 0xE6, 0x4E]
  }

  /// Whether the last packet of a transport stream is incomplete.
  private var cutsPacket: Bool {
    for packet in Self.packets {
      let reach = (Self.shownPackets + 1) * packet.byteCount
      let tail = file.bytes(at: max(0, byteCount - reach), reach)
      guard tail.count == reach else { continue }
      let lengths = (1...packet.byteCount).filter { length in
        (0..<Self.shownPackets).allSatisfy { tail[tail.count - length - $0 * packet.byteCount] == Self.syncByte }
      }
      if !lengths.isEmpty { return !lengths.contains(packet.last) }
    }
    return false
  }
}
