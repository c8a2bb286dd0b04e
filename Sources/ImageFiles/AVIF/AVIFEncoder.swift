internal import ColorScience
internal import FFmpegIO
public import Frames

/// Encodes Y'CbCr frames, 4:2:0 or 4:4:4, of 8, 10 or 12 bits as AVIF, with code points, mastering display and content
/// light.
///
/// The picture is coded by libaom through FFmpeg; the container is written here, because libheif 1.15 cannot code 10
/// bits, and FFmpeg 5.1 writes no metadata.
/// Source: AV1 Image File Format 1.1; ISO/IEC 23008-12 (HEIF).
public struct AVIFEncoder: ImageEncoder {
  /// 0...100.
  public let quality: Int
  /// Lossless, regardless of the quality.
  public let isLossless: Bool

  /// An encoder with a quality.
  /// - Parameters:
  ///   - quality: 0...100; 90 is hard to tell from the source.
  ///   - isLossless: Lossless, regardless of the quality.
  public init(quality: Int = 90, isLossless: Bool = false) {
    self.quality = min(max(quality, 0), 100)
    self.isLossless = isLossless
  }

  /// Supported layouts.
  public static let layouts = [PixelLayout.Components.ycbcr420, .ycbcr444].flatMap { components in
    [8, 10, 12].map { PixelLayout(components, bitDepth: $0) }
  }

  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    guard Self.layouts.contains(frame.layout) else {
      throw .notEncoded(format: "AVIF", reason: "it supports planar Y'CbCr 4:2:0 and 4:4:4 of 8, 10 and 12 bits")
    }
    let unit: [UInt8]
    do { unit = try PictureEncoder.av1(quality: quality, isLossless: isLossless).encode(frame) } catch {
      throw .notEncoded("AVIF", error)
    }
    guard let file = AVIFFile(frame, unit)
    else { throw .notEncoded(format: "AVIF", reason: "libaom returned no still picture") }
    return file.bytes
  }
}

/// The boxes of an AVIF file with one picture. Source: ISO/IEC 14496-12 (ISO base media file format), ISO/IEC 23008-12
/// (HEIF), AV1 Image File Format 1.1, AV1 Codec ISO Media File Format Binding 1.2.
struct AVIFFile {
  private let frame: CodedFrame
  /// OBUs from the sequence header on.
  private let content: [UInt8]
  /// `seq_profile` and `seq_level_idx_0`.
  private let profileAndLevel: UInt8

  /// - Parameter unit: A temporal unit with a reduced still picture header.
  /// - Returns: nil if the unit is malformed.
  init?(_ frame: CodedFrame, _ unit: [UInt8]) {
    self.frame = frame
    // A temporal delimiter must not be in an item. Source: AVIF 1.1, 2.1; AV1, 5.3.2 (OBU types) and 5.6.
    content = unit.starts(with: [0x12, 0]) ? Array(unit.dropFirst(2)) : unit
    // A sequence header with a size of one byte, then 3 bits of profile, two flags, 5 bits of level. Source: AV1,
    // 5.5.1.
    guard content.count > 4, content[0] == 0x0A, content[1] < 0x80, content[2] & 0b1_1000 == 0b1_1000
    else { return nil }
    let level = (content[2] & 0b111) << 2 | content[3] >> 6
    profileAndLevel = content[2] & 0b1110_0000 | level
  }

  var bytes: [UInt8] {
    let type = box("ftyp", fourCC("avif") + u32(0) + brands.flatMap(fourCC))
    // Its length does not depend on the value of the offset.
    let offset = type.count + meta(offset: 0).count + 8
    return type + meta(offset: offset) + box("mdat", content)
  }

  /// Source: AVIF 1.1, 7 and 8: the profiles are of 8 and 10 bit.
  private var brands: [String] {
    let profile = frame.layout.components == .ycbcr444 ? "MA1A" : "MA1B"
    return ["avif", "mif1", "miaf"] + (frame.layout.bitDepth <= 10 ? [profile] : [])
  }

  private func meta(offset: Int) -> [UInt8] {
    let handler = fullBox("hdlr", u32(0) + fourCC("pict") + [UInt8](repeating: 0, count: 13))
    let primary = fullBox("pitm", u16(1))
    // Sizes of 4 bytes for offset and length, none for a base; one item of one extent in this file.
    let location = fullBox(
      "iloc", [0x44, 0x00] + u16(1) + u16(1) + u16(0) + u16(1) + u32(offset) + u32(content.count))
    let entry = fullBox("infe", version: 2, u16(1) + u16(0) + fourCC("av01") + [0])
    let items = fullBox("iinf", u16(1) + entry)
    let properties = self.properties
    // One-based indices; the highest bit marks essential properties.
    let numbers = properties.indices.map { UInt8($0 + 1) | (properties[$0].isEssential ? 0x80 : 0) }
    let association = fullBox("ipma", u32(1) + u16(1) + [UInt8(numbers.count)] + numbers)
    let all = box("iprp", box("ipco", properties.flatMap(\.bytes)) + association)
    return fullBox("meta", handler + primary + location + items + all)
  }

  private var properties: [(bytes: [UInt8], isEssential: Bool)] {
    let depth = UInt8(frame.layout.bitDepth)
    let color = frame.color
    var result: [(bytes: [UInt8], isEssential: Bool)] = [
      (fullBox("ispe", u32(frame.size.width) + u32(frame.size.height)), false),
      (fullBox("pixi", [3, depth, depth, depth]), false),
      (box("av1C", configuration), true),
      (
        box(
          "colr",
          fourCC("nclx") + u16(Int(color.primaries.rawValue)) + u16(Int(color.transfer.rawValue))
            + u16(Int(color.matrix.rawValue)) + [color.range == .full ? 0x80 : 0]), false
      ),
    ]
    // Source: ISO/IEC 14496-12 (2022), 12.1.6 and 12.1.7.
    if let light = frame.metadata.contentLight {
      result.append((box("clli", u16(Int(light.maxCLL)) + u16(Int(light.maxFALL))), false))
    }
    if let display = frame.metadata.masteringDisplay {
      let colors = [display.green, display.blue, display.red, display.white].flatMap { u16(Int($0.x)) + u16(Int($0.y)) }
      result.append((box("mdcv", colors + u32(Int(display.maxLuminance)) + u32(Int(display.minLuminance))), false))
    }
    return result
  }

  /// Source: AV1 Codec ISO Media File Format Binding 1.2, 2.3.3: marker and version, profile and level, a byte of tier,
  /// depth and subsampling, no delay.
  private var configuration: [UInt8] {
    let layout = frame.layout
    let depth: UInt8 = (layout.bitDepth > 8 ? 0x40 : 0) | (layout.bitDepth == 12 ? 0x20 : 0)
    let subsampling: UInt8 = layout.components == .ycbcr420 ? 0b1100 : 0
    return [0x81, profileAndLevel, depth | subsampling, 0]
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    u32(content.count + 8) + fourCC(type) + content
  }

  private func fullBox(_ type: String, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
    box(type, [version, 0, 0, 0] + content)
  }

  private func fourCC(_ text: String) -> [UInt8] { Array(text.utf8) }
  private func u16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
  private func u32(_ value: Int) -> [UInt8] { u16(value >> 16) + u16(value) }
}
