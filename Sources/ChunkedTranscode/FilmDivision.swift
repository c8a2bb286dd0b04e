internal import FFmpegIO
internal import Frames
internal import Media
internal import Sessions

/// How the selected frames of an input are divided into chunks.
struct FilmDivision {
  private(set) var chunks: [FilmPlan.Chunk] = []
  private(set) var end: Int64?
  private(set) var precedingSeconds: Double?

  /// A selected time lies at least this share of a frame duration after the frame's start (`SelectedMedia`).
  private static let rounding = 1e-9

  /// - Parameters:
  ///   - index: The input's pictures from the first that can be decoded.
  ///   - first: The first frame read, from which the selection counts.
  init(
    _ index: PictureIndex, first: CodedFrame, _ selection: FrameSelection, _ division: FilmRequest.Division,
    timeBase: Rational
  ) {
    let pictures = index.pictures
    let begin = pictures.firstIndex { $0.presentation >= first.time.presentation } ?? pictures.count
    let (lower, upper) = Self.selected(pictures, from: begin, selection, timeBase: timeBase.value)
    guard lower < upper else { return }
    let starts = Self.starts(pictures, lower..<upper, every: selection.every, division, timeBase: timeBase.value)
    for (place, start) in starts.enumerated() {
      let next = place + 1 < starts.count ? starts[place + 1] : upper
      chunks.append(FilmPlan.Chunk(first: start, count: next - start, start: pictures[start].presentation))
    }
    end = upper < pictures.count ? pictures[upper].presentation : nil
    precedingSeconds = lower > 0 ? Double(pictures[lower - 1].presentation) * timeBase.value : nil
  }

  /// Returns the indices of the selected pictures.
  private static func selected(
    _ pictures: [PictureIndex.Picture], from begin: Int, _ selection: FrameSelection, timeBase: Double
  ) -> (Int, Int) {
    let lower = min(begin + (selection.range?.first ?? 0), pictures.count)
    if let last = selection.range?.last { return (lower, min(begin + last + 1, pictures.count)) }
    guard let duration = selection.duration, lower < pictures.count else { return (lower, pictures.count) }
    let start = pictures[lower].presentation
    let upper = pictures[lower...].firstIndex {
      Double($0.presentation - start) * timeBase >= duration * (1 - rounding)
    }
    return (lower, upper ?? pictures.count)
  }

  /// Returns the chunk starts: access points near the wanted positions, or these themselves where none is near.
  private static func starts(
    _ pictures: [PictureIndex.Picture], _ range: Range<Int>, every: Int, _ division: FilmRequest.Division,
    timeBase: Double
  ) -> [Int] {
    let wanted = wantedStarts(pictures, range, division, timeBase: timeBase)
    let points = range.filter { pictures[$0].access != nil && ($0 - range.lowerBound) % every == 0 }
    let cuts = Self.cuts(points)
    var starts = [range.lowerBound]
    for (place, target) in wanted.enumerated() {
      let previous = place > 0 ? wanted[place - 1] : range.lowerBound
      let next = place + 1 < wanted.count ? wanted[place + 1] : range.upperBound
      // At most half way to the neighbours, so that every chunk keeps at least about half its length.
      let near = (target - (target - previous) / 2)..<(target + max((next - target) / 2, 1))
      let point = nearest(cuts, to: target, in: near) ?? nearest(points, to: target, in: near)
      // Every nth frame counts from the first of the film.
      let exact = range.lowerBound + (target - range.lowerBound) / every * every
      let start = point ?? exact
      if start > starts[starts.count - 1], start < range.upperBound { starts.append(start) }
    }
    return starts
  }

  /// Returns access points that come early: encoders put them at scene changes, where a new encoder loses nothing.
  private static func cuts(_ points: [Int]) -> [Int] {
    let steps = zip(points.dropFirst(), points).map { $0 - $1 }
    guard !steps.isEmpty else { return [] }
    let typical = steps.sorted()[steps.count / 2]
    return zip(points.dropFirst(), steps).filter { $1 < typical * 9 / 10 }.map(\.0)
  }

  private static func nearest(_ points: [Int], to target: Int, in range: Range<Int>) -> Int? {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle] < target { low = middle + 1 } else { high = middle }
    }
    let candidates = [low - 1, low].filter(points.indices.contains).map { points[$0] }.filter(range.contains)
    return candidates.min { abs($0 - target) < abs($1 - target) }
  }

  /// Returns the starts of all chunks but the first, if a chunk could start at any picture.
  private static func wantedStarts(
    _ pictures: [PictureIndex.Picture], _ range: Range<Int>, _ division: FilmRequest.Division, timeBase: Double
  ) -> [Int] {
    switch division {
    case .count(let count):
      let count = min(count, range.count)
      return (1..<max(count, 1)).map { range.lowerBound + range.count * $0 / count }
    case .seconds(let seconds):
      let start = Double(pictures[range.lowerBound].presentation) * timeBase
      let length = Double(pictures[range.upperBound - 1].presentation) * timeBase - start
      let count = Int(min(max((length / seconds).rounded(), 1), Double(min(range.count, FilmRequest.maximumChunks))))
      var place = range.lowerBound
      return (1..<max(count, 1)).map { number in
        let time = start + length * Double(number) / Double(count)
        while place < range.upperBound - 1, Double(pictures[place].presentation) * timeBase < time { place += 1 }
        return place
      }
    }
  }
}
