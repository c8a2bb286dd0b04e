internal import CFFmpeg

/// The palettes of Blu-ray subtitles (PGS) in coded form: FFmpeg converts them to BT.709 R'G'B', with clipping.
///
/// Source: US patent application 2009/0185789 A1, segments of graphics streams.
struct PGSPalettes {
  private enum Segment {
    static let palette: UInt8 = 0x14
    static let presentation: UInt8 = 0x16
  }

  /// Number of colours in a palette.
  private static let count = 256

  private var palettes: [UInt8: [SIMD4<UInt8>]] = [:]
  /// Number of the presented palette.
  private var number: UInt8 = 0

  /// Luma, Cb, Cr and alpha of the presented palette; missing colours are transparent.
  var presented: [SIMD4<UInt8>] { palettes[number] ?? [] }

  /// Reads the definitions in a packet's segments.
  mutating func read(_ packet: AVPacket) {
    guard let base = unsafe packet.data, unsafe packet.size > 0 else { return }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size))
    var place = 0
    // A segment begins with its type and its length.
    while place + 3 <= bytes.count {
      let end = place + 3 + Int(bytes[place + 1]) << 8 + Int(bytes[place + 2])
      guard end <= bytes.count else { return }
      let content = place + 3..<end
      switch bytes[place] {
      case Segment.palette: define(bytes, content)
      case Segment.presentation: present(bytes, content)
      default: break
      }
      place = end
    }
  }

  /// Reads the number and version of the palette, then an index, Y', Cr, Cb and alpha for each colour.
  private mutating func define(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    guard content.count >= 2 else { return }
    var colors = palettes[bytes[content.lowerBound]] ?? [SIMD4<UInt8>](repeating: .zero, count: Self.count)
    for place in stride(from: content.lowerBound + 2, to: content.upperBound - 4, by: 5) {
      colors[Int(bytes[place])] = SIMD4(bytes[place + 1], bytes[place + 3], bytes[place + 2], bytes[place + 4])
    }
    palettes[bytes[content.lowerBound]] = colors
  }

  /// A nonzero state, in byte 7, discards all definitions; byte 9 is the number of the palette.
  private mutating func present(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    guard content.count >= 10 else { return }
    if bytes[content.lowerBound + 7] >> 6 != 0 { palettes = [:] }
    number = bytes[content.lowerBound + 9]
  }
}
