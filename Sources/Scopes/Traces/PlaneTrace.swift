internal import Frames

/// Draws the bins of a plane, each in the colour it represents.
struct PlaneTrace {
  /// The count of a bin at full brightness, as a fraction of the picture's pixels.
  private static let concentration = 0.001

  private let box: PictureArea
  private let columns: PixelBins
  private let rows: PixelBins
  /// Radius of the glow around bright pixels.
  private let glow: Int
  /// Planes of green, blue and red of the box.
  private let hues: [[UInt8]]

  /// - Parameters:
  ///   - box: A square.
  ///   - horizontal: Fractional range of bins from left to right.
  ///   - vertical: Fractional range of bins from bottom to top.
  ///   - hue: Colour of a position in the square, in bins.
  init(
    box: PictureArea, horizontal: Range<Double>, vertical: Range<Double>, glow: Int,
    hue: (SIMD2<Double>) -> ScopeColor
  ) {
    (self.box, self.glow) = (box, glow)
    columns = PixelBins(pixels: box.width, range: horizontal, bins: ScopeCounts.side)
    rows = PixelBins(pixels: box.height, range: vertical, bins: ScopeCounts.side)
    var hues: [[UInt8]] = Array(repeating: [], count: 3)
    for plane in hues.indices { hues[plane].reserveCapacity(box.width * box.height) }
    let origin = SIMD2(horizontal.lowerBound, vertical.upperBound)
    let end = SIMD2(horizontal.upperBound, vertical.lowerBound)
    for y in 0..<box.height {
      for x in 0..<box.width {
        let part = SIMD2(Double(x) + 0.5, Double(y) + 0.5) / SIMD2(Double(box.width), Double(box.height))
        let codes = hue(origin + (end - origin) * part).codes
        hues[0].append(codes.y)
        hues[1].append(codes.z)
        hues[2].append(codes.x)
      }
    }
    self.hues = hues
  }

  /// - Parameter bins: As in `ScopeCounts`.
  func paint(_ bins: [UInt32], of size: Size, on target: TraceTarget) {
    let pixels = Double(size.width) * Double(size.height)
    let tone = TraceTone(full: Self.concentration * pixels * columns.density * rows.density)
    let stride = box.width + 2 * glow
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stride * (box.height + 2 * glow)) { light in
      unsafe light.initialize(repeating: 0)
      guard let first = light.baseAddress else { return }
      let origin = unsafe first + glow * stride + glow
      var isLit = Array(repeating: false, count: box.height)
      unsafe shade(bins, tone: tone, light: origin, stride: stride, isLit: &isLit)
      unsafe draw(origin, stride: stride, isLit: isLit, on: target)
    }
  }

  /// Converts bins to brightness, row by row from the top; empty rows are left unchanged.
  private func shade(
    _ bins: [UInt32], tone: TraceTone, light: UnsafeMutablePointer<UInt8>, stride: Int, isLit: inout [Bool]
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: ScopeCounts.side) { sums in
      unsafe bins.withUnsafeBufferPointer { bins in
        unsafe columns.offsets.withUnsafeBufferPointer { offsets in
          guard let sums = sums.baseAddress, let bins = bins.baseAddress, let offsets = offsets.baseAddress
          else { return }
          for row in 0..<box.height {
            let first = unsafe bins + rows.first[row] * ScopeCounts.side
            guard unsafe Self.add(first, rows: rows.count[row], to: sums) else { continue }
            let y = box.height - 1 - row
            isLit[y] = true
            let codes = unsafe light + y * stride
            unsafe fold(sums, to: codes)
            unsafe tone.apply(to: codes, count: box.width, offsets: offsets, rowOffset: rows.offsets[row])
          }
        }
      }
    }
  }

  /// Sums rows of bins; returns false if all are empty.
  private static func add(
    _ bins: UnsafePointer<UInt32>, rows: Int, to sums: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    guard rows > 0 else { return false }
    var any: UInt32 = 0
    for x in 0..<ScopeCounts.side {
      unsafe sums[x] = unsafe bins[x]
      any |= unsafe bins[x]
    }
    for row in 1..<max(rows, 1) {
      let more = unsafe bins + row * ScopeCounts.side
      for x in 0..<ScopeCounts.side {
        unsafe sums[x] &+= unsafe more[x]
        any |= unsafe more[x]
      }
    }
    return any != 0
  }

  /// Computes the codes of a row of pixels.
  private func fold(_ sums: UnsafePointer<UInt32>, to codes: UnsafeMutablePointer<UInt8>) {
    unsafe CountCode.table.withUnsafeBufferPointer { table in
      unsafe columns.first.withUnsafeBufferPointer { first in
        unsafe columns.count.withUnsafeBufferPointer { count in
          for x in 0..<box.width {
            var sum = 0
            for bin in unsafe first[x]..<(first[x] &+ count[x]) { sum &+= unsafe Int(sums[bin]) }
            unsafe codes[x] = unsafe table[min(sum, CountCode.maximum)]
          }
        }
      }
    }
  }

  /// Draws the brightness and its glow.
  private func draw(
    _ light: UnsafePointer<UInt8>, stride: Int, isLit: [Bool], on target: TraceTarget
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: box.width) { row in
      unsafe hues[0].withUnsafeBufferPointer { green in
        unsafe hues[1].withUnsafeBufferPointer { blue in
          unsafe hues[2].withUnsafeBufferPointer { red in
            guard let row = row.baseAddress, let green = green.baseAddress, let blue = blue.baseAddress,
              let red = red.baseAddress
            else { return }
            for y in 0..<box.height {
              guard isLit[max(y - glow, 0)...min(y + glow, box.height - 1)].contains(true) else { continue }
              unsafe spread(light + y * stride, stride: stride, to: row)
              let hues = unsafe (green + y * box.width, blue + y * box.width, red + y * box.width)
              unsafe target.add(row, count: box.width, hues: hues, x: box.x, y: box.y + y)
            }
          }
        }
      }
    }
  }

  /// Takes the maximum of each pixel's brightness and the glow of its brightest neighbour, 0.6 of the squared
  /// brightness. Many pixels of one colour become a visible dot, few remain unchanged.
  private func spread(_ light: UnsafePointer<UInt8>, stride: Int, to row: UnsafeMutablePointer<UInt8>) {
    let (down, across) = (glow * stride, glow)
    let part = BytePairs(repeating: 153)
    var x = 0
    while x &+ BytePairs.count <= box.width {
      let own = unsafe light + x
      let rows = unsafe BytePairs.larger(BytePairs(own - down), BytePairs(own + down))
      let columns = unsafe BytePairs.larger(BytePairs(own - across), BytePairs(own + across))
      let maximum = BytePairs.larger(rows, columns)
      unsafe BytePairs.larger(BytePairs(own), maximum * maximum * part).store(to: row + x)
      x &+= BytePairs.count
    }
    while x < box.width {
      let own = unsafe light + x
      let maximum = unsafe UInt16(max(own[-down], own[down], own[-across], own[across]))
      let shed = (((maximum &* maximum &+ 255) &>> 8) &* 153 &+ 255) &>> 8
      unsafe row[x] = max(own[0], UInt8(truncatingIfNeeded: shed))
      x &+= 1
    }
  }
}
