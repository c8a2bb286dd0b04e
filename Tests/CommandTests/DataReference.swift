/// The box of a movie that states where its samples are.
enum DataReference {
  /// Boxes around it.
  private static let path = ["moov", "trak", "mdia", "minf", "dinf", "dref"]

  /// The movie with the first track's samples in a file: an alias with its absolute path. The movie has its samples before
  /// its description, as ffmpeg writes it.
  static func inserted(_ movie: [UInt8], naming file: String) -> [UInt8] {
    var movie = movie
    var (start, end, headers): (Int, Int, [Int]) = (0, movie.count, [])
    for name in path {
      guard let box = find(name, in: movie, start..<end) else { return movie }
      headers.append(box.lowerBound)
      (start, end) = (box.lowerBound + 8, box.upperBound)
    }
    // After version, flags and count: one entry.
    let entry = start + 8..<end
    let alias = alias(file)
    let growth = alias.count - entry.count
    movie.replaceSubrange(entry, with: alias)
    for header in headers {
      let size = number(movie, header) + growth
      movie.replaceSubrange(header..<header + 4, with: bytes(size, 4))
    }
    return movie
  }

  private static func find(_ name: String, in movie: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    var start = range.lowerBound
    while start + 8 <= range.upperBound {
      let size = max(number(movie, start), 8)
      if movie[start + 4..<start + 8].elementsEqual(name.utf8) { return start..<start + size }
      start += size
    }
    return nil
  }

  /// Source: as FFmpeg's mov.c reads it, after Apple's alias record.
  private static func alias(_ file: String) -> [UInt8] {
    var body = Array("alis".utf8) + bytes(0, 4) + bytes(0, 10)
    body += [4] + Array("Disk".utf8) + bytes(0, 23) + bytes(0, 12)
    body += [5] + Array("named".utf8) + bytes(0, 58) + bytes(0, 16) + bytes(1, 2) + bytes(1, 2) + bytes(0, 16)
    let path = Array(("Disk:" + file.dropFirst().replacing("/", with: ":")).utf8)
    body += bytes(2, 2) + bytes(path.count, 2) + path + (path.count.isMultiple(of: 2) ? [] : [0])
    body += bytes(0xFFFF, 2) + bytes(0, 2)
    return bytes(body.count + 4, 4) + body
  }

  private static func number(_ movie: [UInt8], _ offset: Int) -> Int {
    movie[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
  }
}
