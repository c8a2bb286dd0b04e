internal import Frames

/// The planes of the frame that traces are drawn on.
@unsafe
struct TraceTarget {
  // Green, blue, red: the order of frames.
  private let planes: (CodedFrame.Plane, CodedFrame.Plane, CodedFrame.Plane)

  /// Calls `body` with the planes of a frame.
  static func with(_ frame: CodedFrame, _ body: (TraceTarget) -> Void) {
    unsafe frame.withPlane(0) { green in
      unsafe frame.withPlane(1) { blue in
        unsafe frame.withPlane(2) { red in unsafe body(TraceTarget(planes: (green, blue, red))) }
      }
    }
  }

  private init(planes: (CodedFrame.Plane, CodedFrame.Plane, CodedFrame.Plane)) { unsafe self.planes = unsafe planes }

  /// Draws a row of light in one colour; each component becomes the maximum of the light and the background.
  /// - Parameter brightness: Brightness of `count` pixels from column `x` of row `y`, 0...255.
  @inline(__always)
  func add(_ brightness: UnsafePointer<UInt8>, count: Int, _ color: ScopeColor, x: Int, y: Int) {
    unsafe Self.add(brightness, count, color.codes.y, planes.0, x, y)
    unsafe Self.add(brightness, count, color.codes.z, planes.1, x, y)
    unsafe Self.add(brightness, count, color.codes.x, planes.2, x, y)
  }

  @inline(__always)
  private static func add(
    _ brightness: UnsafePointer<UInt8>, _ count: Int, _ code: UInt8, _ plane: CodedFrame.Plane, _ x: Int, _ y: Int
  ) {
    let row = unsafe plane.row(y).assumingMemoryBound(to: UInt8.self) + x
    let codes = BytePairs(repeating: code)
    var column = 0
    while column &+ BytePairs.count <= count {
      let light = unsafe BytePairs(brightness + column) * codes
      unsafe BytePairs.larger(BytePairs(row + column), light).store(to: row + column)
      column &+= BytePairs.count
    }
    while column < count {
      let light = UInt8(truncatingIfNeeded: (unsafe UInt16(brightness[column]) &* UInt16(code) &+ 255) &>> 8)
      unsafe row[column] = max(row[column], light)
      column &+= 1
    }
  }

  /// Draws a row of light in position-dependent colours.
  /// - Parameter hues: `count` code values for each plane.
  @inline(__always)
  func add(
    _ brightness: UnsafePointer<UInt8>, count: Int,
    hues: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>), x: Int, y: Int
  ) {
    unsafe Self.add(brightness, count, hues.0, planes.0, x, y)
    unsafe Self.add(brightness, count, hues.1, planes.1, x, y)
    unsafe Self.add(brightness, count, hues.2, planes.2, x, y)
  }

  @inline(__always)
  private static func add(
    _ brightness: UnsafePointer<UInt8>, _ count: Int, _ hues: UnsafePointer<UInt8>, _ plane: CodedFrame.Plane,
    _ x: Int, _ y: Int
  ) {
    let row = unsafe plane.row(y).assumingMemoryBound(to: UInt8.self) + x
    var column = 0
    while column &+ BytePairs.count <= count {
      let light = unsafe BytePairs(brightness + column) * BytePairs(hues + column)
      unsafe BytePairs.larger(BytePairs(row + column), light).store(to: row + column)
      column &+= BytePairs.count
    }
    while column < count {
      let product = unsafe UInt16(brightness[column]) &* UInt16(hues[column]) &+ 255
      unsafe row[column] = max(row[column], UInt8(truncatingIfNeeded: product &>> 8))
      column &+= 1
    }
  }
}

extension Int16 {
  /// Returns the larger of two values whose difference fits in an Int16, without a comparison: the compiler would turn
  /// `max` beside a store into branches, and could not vectorize the rows.
  @inline(__always)
  static func larger(_ first: Int16, _ second: Int16) -> Int16 {
    let difference = first &- second
    return first &- (difference & (difference &>> 15))
  }

  /// Returns the smaller of two values whose difference fits in an Int16.
  @inline(__always)
  static func smaller(_ first: Int16, _ second: Int16) -> Int16 {
    let difference = first &- second
    return second &+ (difference & (difference &>> 15))
  }
}
