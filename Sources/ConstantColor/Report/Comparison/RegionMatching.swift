/// Matches regions of several reports: by name, else by position in their lists.
struct RegionMatching {
  /// A region across the reports.
  struct Match {
    var name: String?
    /// Index in each report; nil: not present.
    var indices: [Int?]
  }

  /// In order of first appearance.
  private(set) var regions: [Match] = []

  /// The nth region with a name.
  private struct Name: Hashable {
    var name: String
    var occurrence: Int
  }

  private let reports: Int
  private var named: [Name: Int] = [:]
  /// Regions by the index of their first appearance.
  private var placed: [Int: [Int]] = [:]

  /// - Parameter names: Region names of each report, in order.
  /// - Returns: nil if there are more regions than the maximum.
  init?(_ names: [[String?]], maximumRegions: Int) {
    reports = names.count
    for (report, names) in names.enumerated() {
      add(names, of: report)
      if regions.count > maximumRegions { return nil }
    }
  }

  private mutating func add(_ names: [String?], of report: Int) {
    let keys = Self.keys(names)
    // Names first: an index match must not claim a region that a name fits.
    for (index, key) in keys.enumerated() {
      if let key, let region = named[key] { regions[region].indices[report] = index }
    }
    for (index, key) in keys.enumerated() where key.flatMap({ named[$0] }) == nil {
      let region = placed[index]?.first { region in
        regions[region].indices[report] == nil && (key == nil || regions[region].name == nil)
      }
      let chosen = region ?? append(at: index)
      regions[chosen].indices[report] = index
      if let key {
        regions[chosen].name = key.name
        named[key] = chosen
      }
    }
  }

  private mutating func append(at index: Int) -> Int {
    regions.append(Match(name: nil, indices: Array(repeating: nil, count: reports)))
    placed[index, default: []].append(regions.count - 1)
    return regions.count - 1
  }

  private static func keys(_ names: [String?]) -> [Name?] {
    var seen: [String: Int] = [:]
    return names.map { name in
      guard let name else { return nil }
      seen[name, default: 0] += 1
      return Name(name: name, occurrence: seen[name, default: 1])
    }
  }
}
