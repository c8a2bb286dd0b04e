internal import Frames

/// The repeated pattern of the colour filters on a sensor's sites.
struct FilterPattern: Sendable {
  /// Rows and columns after which the pattern repeats.
  let size: Size
  /// By rows: 0 is red, 1 green, 2 blue, 3 the second green.
  private let sites: [Int]

  /// - Throws: `ImageFileError.unsupported` for sensors other than Bayer's, X-Trans and similar ones.
  init(_ file: LibRawFile) throws(ImageFileError) {
    guard file.isXTrans || file.isRegular else { throw file.unsupported("the pattern of its filters is not supported") }
    let size = file.isXTrans ? Size(width: 6, height: 6) : Size(width: 2, height: 8)
    self.size = size
    sites = (0..<size.width * size.height).map { file.color(x: $0 % size.width, y: $0 / size.width) }
    guard sites.allSatisfy({ 0...3 ~= $0 }), Set(sites).isSuperset(of: 0...2) else {
      throw file.unsupported("its filters are not red, green and blue")
    }
  }

  /// 0 is red, 1 green, 2 blue, 3 the second green; `x` and `y` are at least 0.
  func site(x: Int, y: Int) -> Int { sites[y % size.height * size.width + x % size.width] }

  /// 0 is red, 1 green, 2 blue.
  func color(x: Int, y: Int) -> Int {
    let site = site(x: x, y: y)
    return site == 3 ? 1 : site
  }

  /// The shares of the sites that are red, green and blue.
  var shares: SIMD3<Double> {
    var shares = SIMD3<Double>.zero
    for place in sites.indices { shares[color(x: place % size.width, y: place / size.width)] += 1 }
    return shares / Double(sites.count)
  }

  /// Whether both greens are on one diagonal of each 2 x 2 square, and red and blue on the other.
  var isBayer: Bool {
    guard size.width == 2 else { return false }
    let first = (0..<4).map { color(x: $0 % 2, y: $0 / 2) }
    guard [[0, 1, 1, 2], [2, 1, 1, 0], [1, 0, 2, 1], [1, 2, 0, 1]].contains(first) else { return false }
    return (0..<size.height).allSatisfy { y in (0..<2).allSatisfy { color(x: $0, y: y) == first[y % 2 * 2 + $0] } }
  }
}
