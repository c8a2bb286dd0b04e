import Glibc
import Testing

/// Widths that kernels are tested at: all up to four vectors and a bit, and some odd ones.
let widths = Array(1...67) + [79, 97, 127, 129, 255, 333, 1021]

/// The same awkward numbers in every run: a multiplicative hash of the index.
func scrambled(_ index: Int, _ salt: Int = 0) -> UInt32 {
  var h = UInt32(truncatingIfNeeded: index &* 7919 &+ salt &* 104_729 &+ 1) &* 0x9E37_79B1
  h ^= h >> 15
  return (h &* 0x85EB_CA77) ^ (h >> 13)
}

/// A scrambled value in 0...1.
func scrambledUnit(_ index: Int, _ salt: Int = 0) -> Float { Float(scrambled(index, salt) >> 8) / 0xFF_FFFF }

/// A coded input row: its last element is the last one before a page that must not be touched.
@safe
final class InputRow<Element: BitwiseCopyable> {
  // @safe: the mapping is unmapped with this object, which callers keep until the kernel returned.
  private let mapping: UnsafeMutableRawPointer
  private let length: Int
  private let start: UnsafeMutablePointer<Element>

  init(_ elements: [Element]) {
    let page = Int(getpagesize())
    let bytes = elements.count * MemoryLayout<Element>.stride
    let data = (bytes + page - 1) / page * page
    length = data + page
    unsafe mapping = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    precondition(unsafe mapping != MAP_FAILED && mprotect(mapping + data, page, PROT_NONE) == 0)
    unsafe start = (mapping + data - bytes).bindMemory(to: Element.self, capacity: elements.count)
    for (index, element) in elements.enumerated() { unsafe start[index] = element }
  }

  deinit { unsafe munmap(mapping, length) }

  @unsafe var base: UnsafePointer<Element> { unsafe UnsafePointer(start) }
}

/// A row that a kernel writes, between guard bytes.
@safe
final class OutputRow<Element: BitwiseCopyable> {
  // @safe: the memory is freed with this object; elements are read within the count.
  private static var guardByte: UInt8 { 0xA5 }
  private static var margin: Int { 256 }

  private let memory: UnsafeMutableRawPointer
  private let bytes: Int
  private let offset: Int
  /// Elements before the row and after its `count` that the kernel may write.
  private let before: Int
  private let after: Int
  let count: Int

  /// - Parameters:
  ///   - count: Elements of the row.
  ///   - misalignment: Elements from a cache line to the row.
  ///   - before: Elements before it that belong to the row's margin.
  ///   - after: Elements after it that do.
  init(count: Int, misalignment: Int = 0, before: Int = 0, after: Int = 0) {
    self.count = count
    self.before = before
    self.after = after
    let stride = MemoryLayout<Element>.stride
    offset = Self.margin + misalignment * stride
    bytes = offset + (count + after) * stride + Self.margin
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: Self.guardByte, count: bytes)
  }

  /// A scratch row: room for 16 elements before the first and up to the end of the last whole vector.
  static func scratch(_ count: Int, vector: Int = 16) -> OutputRow {
    OutputRow(count: count, before: 16, after: (count + vector - 1) / vector * vector - count + 1)
  }

  deinit { unsafe memory.deallocate() }

  @unsafe var base: UnsafeMutablePointer<Element> {
    unsafe (memory + offset).assumingMemoryBound(to: Element.self)
  }

  subscript(index: Int) -> Element {
    get {
      precondition(index >= -before && index < count + after)
      return unsafe base[index]
    }
    set {
      precondition(index >= -before && index < count + after)
      unsafe base[index] = newValue
    }
  }

  var elements: [Element] { (0..<count).map { self[$0] } }

  /// No byte outside of the row and its margins has changed.
  var isIntact: Bool {
    let stride = MemoryLayout<Element>.stride
    let end = offset + (count + after) * stride
    let guards = [0..<(offset - before * stride), end..<bytes]
    return guards.joined().allSatisfy { unsafe memory.load(fromByteOffset: $0, as: UInt8.self) == Self.guardByte }
  }
}
