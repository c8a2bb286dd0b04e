internal import Files
internal import Foundation
internal import HTMLReports

/// The status as an HTML page: a single file without scripts or external resources.
struct StatusPage {
  let status: FarmStatus

  /// Maximum number of segments in the map.
  private static let maximumSegments = 150
  /// Maximum number of table rows, and of events.
  private static let maximumRows = 200
  private static let maximumSlowest = 10
  /// Reload interval of the page of an unfinished film, in seconds.
  private static let refresh = 10

  var html: String {
    let state = status.isAssembled ? "complete" : "\(status.counts.done) of \(status.pieces.count)"
    return Page(
      title: "\(title): \(state)", rules: Self.style, refresh: status.isAssembled ? nil : Self.refresh, content: content
    ).html
  }

  private var title: String { StatusWords.plain(status.film.name) }

  private var content: [Markup] {
    let parts = [map, thumbnails, running, failed, slowest, events].compactMap { $0 }
    return [Markup("h1", [:], title), Markup("p", ["class": "facts"], facts), summary] + parts
  }

  private var facts: String {
    let film = status.film
    let length = StatusWords.position(film.seconds.reduce(0, +))
    let rate = film.framesPerSecond > 0 ? ", \(StatusWords.rate(film.framesPerSecond)) fps" : ""
    return "to \(StatusWords.plain(film.output)), \(film.width) × \(film.height)\(rate), \(length)"
  }

  private var summary: Markup {
    let counts = status.counts
    let numbers = [
      ("done", counts.done), ("running", counts.running), ("waiting", counts.waiting), ("lost", counts.lost),
      ("failed", counts.failed),
    ]
    let items = numbers.filter { $0.1 > 0 }.map { name, count in
      Markup("li", ["class": name], [Markup("b", [:], "\(count)"), Markup("span", [:], " \(name)")])
    }
    return Markup(
      "section", [:], [Markup("ul", ["class": "counts"], items), Markup("p", [:], status.framesLine + ".")])
  }

  private var groups: [PieceGroup] { status.groups(atMost: Self.maximumSegments) }

  /// The film as a bar from left to right.
  private var map: Markup {
    let segments = groups.map { group in
      let share =
        group.frames > 0 ? Double(group.framesDone) / Double(group.frames) : group.state?.name == "done" ? 1 : 0
      let fill = String(format: "width:%.1f%%", share * 100)
      let words = group.state?.name ?? "partly done"
      return Markup(
        "div",
        [
          "class": "segment \(group.state?.name ?? "waiting")", "style": "flex-grow:\(max(group.frames, 1))",
          "title": "\(group.pieces.count > 1 ? "Pieces" : "Piece") \(group.numbers): \(words)",
        ], [Markup("i", ["style": fill])])
    }
    return Markup("div", ["class": "map", "role": "img", "aria-label": status.countsLine], segments)
  }

  private var thumbnails: Markup? {
    var reader = ThumbnailReader(folder: status.folder)
    let figures = groups.compactMap { group -> Markup? in
      for piece in group.pieces {
        guard case .done(let record) = piece.state, let picture = reader.dataURI(of: record) else { continue }
        let caption = "\(piece.number) · \(StatusWords.position(piece.begin))"
        return Markup(
          "figure", [:],
          [Markup("img", ["src": picture, "alt": "Piece \(piece.number)"]), Markup("figcaption", [:], caption)])
      }
      return nil
    }
    return figures.isEmpty ? nil : Markup("section", ["class": "thumbnails"], figures)
  }

  private var running: Markup? {
    let rows = status.pieces.compactMap { piece -> [String]? in
      guard case .running(let claim) = piece.state else { return nil }
      return [
        "\(piece.number)", StatusWords.plain(claim.machine?.host ?? "?"),
        StatusWords.plain(claim.machine?.job ?? ""), "\(piece.framesDone) of \(piece.frames)",
        claim.framesPerSecond > 0 ? StatusWords.rate(claim.framesPerSecond) : "",
        claim.age.map(StatusWords.duration) ?? "?", "\(piece.tries)",
      ]
    }
    return section("Running", ["Piece", "Machine", "Job", "Frames", "fps", "Last sign of life", "Try"], rows)
  }

  private var failed: Markup? {
    let rows = status.pieces.compactMap { piece -> [String]? in
      guard case .failed(let tries) = piece.state else { return nil }
      return [
        "\(piece.number)", "\(tries.count)", StatusWords.plain(piece.words ?? ""),
        StatusWords.command(status.folder, piece.number),
      ]
    }
    return section("Failed", ["Piece", "Tries", "Last words", "To render it again"], rows)
  }

  private var slowest: Markup? {
    let done = status.pieces.compactMap { piece -> (number: Int, record: PieceRecord)? in
      guard case .done(let record) = piece.state, record.frames > 0, record.seconds > 0 else { return nil }
      return (piece.number, record)
    }
    func cost(_ record: PieceRecord) -> Double { record.seconds / Double(record.frames) }
    let rows = done.sorted { cost($0.record) > cost($1.record) }.prefix(Self.maximumSlowest).map { number, record in
      [
        "\(number)", StatusWords.plain(record.machine.host), "\(record.frames)",
        StatusWords.duration(record.seconds), StatusWords.rate(1 / cost(record)),
        StatusWords.size(record.peakMemory), StatusWords.size(record.bytes),
      ]
    }
    return section("Slowest pieces", ["Piece", "Machine", "Frames", "Time", "fps", "Peak memory", "Size"], rows)
  }

  private var events: Markup? {
    let rows = status.events.suffix(Self.maximumRows).map { event in
      [event.time.map(StatusWords.time) ?? "now", StatusWords.plain(event.text)]
    }
    return section("Events", ["Time (UTC)", "What happened"], rows)
  }

  private func section(_ title: String, _ heads: [String], _ rows: [[String]]) -> Markup? {
    if rows.isEmpty { return nil }
    let head = Markup("tr", [:], heads.map { Markup("th", [:], $0) })
    let body = rows.prefix(Self.maximumRows).map { row in Markup("tr", [:], row.map { Markup("td", [:], $0) }) }
    let left = rows.count - body.count
    let note = left > 0 ? [Markup("p", [:], "\(left) more are not shown.")] : []
    return Markup(
      "section", [:], [Markup("h2", [:], title), Markup("table", [:], [head] + body)] + note)
  }
}

extension FarmStatus {
  /// The status as an HTML page: a single file with all its pictures, without scripts. Until all pieces exist, a
  /// browser reloads it every ten seconds.
  public var html: String { StatusPage(status: self).html }
}

/// Reads thumbnails for embedding in a page, within size limits.
struct ThumbnailReader {
  let folder: WorkFolder
  /// Maximum bytes per picture.
  private static let largest = 256 << 10
  /// Remaining bytes for all pictures.
  private var left = 12 << 20
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init(folder: WorkFolder) { self.folder = folder }

  /// nil if there is no thumbnail, or it is not a PNG.
  mutating func dataURI(of record: PieceRecord) -> String? {
    guard let name = record.thumbnail,
      let (_, bytes) = FileFacts.read(folder.piecePath(name), upTo: min(Self.largest, left)),
      bytes.starts(with: Self.signature)
    else { return nil }
    left -= bytes.count
    return "data:image/png;base64," + Data(bytes).base64EncodedString()
  }
}
