internal import Files
internal import Foundation

/// Where a container says that its file ends.
///
/// A cut between two packets damages neither, and a duration need not be that of the pictures.
struct StatedEnd {
  private let file: FileHandle
  /// Size of the file in bytes.
  private let byteCount: Int

  /// Boxes and chunks that are examined.
  private static let limit = 100_000
  /// Boxes of a file. What follows another is a trailer of some camera.
  private static let boxes: Set = [
    "ftyp", "styp", "moov", "moof", "mdat", "mfra", "free", "skip", "wide", "sidx", "uuid", "meta", "emsg", "prft",
  ]
  private static let ebml: UInt64 = 0x1A45_DFA3
  private static let segment: UInt64 = 0x1853_8067
  /// Bytes of packets of a transport stream: with an arrival time before it, as on Blu-ray discs, or Reed-Solomon bytes
  /// after it. Sources: Rec. ITU-T H.222.0, 2.4.3.2; ETSI EN 300 429, 4.
  private static let packets: [(byteCount: Int, last: Int)] = [(188, 188), (192, 188), (204, 204)]
  private static let syncByte: UInt8 = 0x47
  /// Packets whose bytes of synchronization show where packets begin.
  private static let shownPackets = 8

  /// The file at a location ends before its container does.
  /// - Parameter isTransportStream: It is one, which only a demuxer can know.
  static func isMissing(at location: Location, isTransportStream: Bool) -> Bool {
    guard !location.isPart, let count = location.byteCount, let path = location.path,
      let file = FileHandle(systemName: path)
    else { return false }
    let end = StatedEnd(file: file, byteCount: count)
    return isTransportStream ? end.cutsPacket : end.isBeyondFile
  }

  private init(file: FileHandle, byteCount: Int) { (self.file, self.byteCount) = (file, byteCount) }

  private var isBeyondFile: Bool {
    let head = bytes(at: 0, ISOBoxHeader.maxByteCount)
    if head.starts(with: "RIFF".utf8) { return exceedsFile { riff($0) } }
    if let element = EBMLElement(head, at: 0), element.id == Self.ebml { return endsInSegment(after: element) }
    return exceedsFile { box($0) }
  }

  /// Follows parts of a file one after the other.
  /// - Parameter size: Of the part at a place; nil if that is not known.
  private func exceedsFile(_ size: (Int) -> Int?) -> Bool {
    var place = 0
    for _ in 0..<Self.limit {
      guard place < byteCount, let size = size(place), size > 0 else { return false }
      let (end, overflow) = place.addingReportingOverflow(size)
      if overflow || end > byteCount { return true }
      place = end
    }
    return false
  }

  private func box(_ place: Int) -> Int? {
    ISOBoxHeader(bytes(at: place, ISOBoxHeader.maxByteCount)).flatMap { Self.boxes.contains($0.type) ? $0.size : nil }
  }

  /// A file of more than a gigabyte is several such chunks. Source: OpenDML AVI File Format Extensions 1.02, 2.0.
  private func riff(_ place: Int) -> Int? {
    let head = bytes(at: place, 8)
    guard head.count == 8, head.starts(with: "RIFF".utf8) else { return nil }
    // The size is stated when the file is finished; some count the header as well.
    let size = Int(head[4..<8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    return size == 0 ? nil : size == byteCount - place ? size : 8 + size
  }

  private func endsInSegment(after head: EBMLElement) -> Bool {
    let start = head.content.upperBound
    guard start < byteCount,
      let segment = EBMLElement(bytes(at: start, EBMLElement.maxHeaderByteCount), at: 0), segment.id == Self.segment,
      let size = segment.size
    else { return false }
    let (end, overflow) = (start + segment.content.lowerBound).addingReportingOverflow(size)
    return overflow || end > byteCount
  }

  /// The last packet of a transport stream is not all there.
  private var cutsPacket: Bool {
    for packet in Self.packets {
      let reach = (Self.shownPackets + 1) * packet.byteCount
      let tail = bytes(at: max(0, byteCount - reach), reach)
      guard tail.count == reach else { continue }
      let lengths = (1...packet.byteCount).filter { length in
        (0..<Self.shownPackets).allSatisfy { tail[tail.count - length - $0 * packet.byteCount] == Self.syncByte }
      }
      if !lengths.isEmpty { return !lengths.contains(packet.last) }
    }
    return false
  }

  /// As many as there are.
  private func bytes(at place: Int, _ count: Int) -> [UInt8] {
    guard (try? file.seek(toOffset: UInt64(place))) != nil, let data = try? file.read(upToCount: count) else {
      return []
    }
    return [UInt8](data)
  }
}
