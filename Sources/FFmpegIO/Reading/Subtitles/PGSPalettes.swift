internal import CFFmpeg

/// The palettes of Blu-ray subtitles (PGS) as they are coded: FFmpeg converts them to R'G'B' of BT.709, and clips that.
///
/// Source: US patent application 2009/0185789 A1, segments of graphics streams.
struct PGSPalettes {
  private enum Segment {
    static let palette: UInt8 = 0x14
    static let presentation: UInt8 = 0x16
  }

  /// Colours of a palette.
  private static let count = 256

  private var palettes: [UInt8: [SIMD4<UInt8>]] = [:]
  /// Number of the palette that is presented.
  private var number: UInt8 = 0

  /// Luma, Cb, Cr and alpha of the palette that is presented; colours that it lacks are transparent.
  var presented: [SIMD4<UInt8>] { palettes[number] ?? [] }

  /// Takes what the segments of a packet define.
  mutating func read(_ packet: AVPacket) {
    guard let base = unsafe packet.data, unsafe packet.size > 0 else { return }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size))
    var place = 0
    // A segment begins with its type and the number of its bytes.
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

  /// Number and version of the palette, then an index, Y', Cr, Cb and alpha for each colour.
  private mutating func define(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    guard content.count >= 2 else { return }
    var colors = palettes[bytes[content.lowerBound]] ?? [SIMD4<UInt8>](repeating: .zero, count: Self.count)
    for place in stride(from: content.lowerBound + 2, to: content.upperBound - 4, by: 5) {
      colors[Int(bytes[place])] = SIMD4(bytes[place + 1], bytes[place + 3], bytes[place + 2], bytes[place + 4])
    }
    palettes[bytes[content.lowerBound]] = colors
  }

  /// A state other than zero, in byte 7, begins with nothing defined; byte 9 is the number of the palette.
  private mutating func present(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    guard content.count >= 10 else { return }
    if bytes[content.lowerBound + 7] >> 6 != 0 { palettes = [:] }
    number = bytes[content.lowerBound + 9]
  }
}
