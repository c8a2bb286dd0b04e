internal import ColorScience
internal import FFmpegIO
package import Frames

/// Messages about outputs that several checks share.
extension Message {
  /// The output is a folder instead of a file.
  package static func outputIsFolder(_ name: String) -> Message {
    Message("output-is-folder", "'\(name)' is a folder: name a file in it.")
  }

  /// The file exists and must not be replaced.
  package static func outputExists(_ name: String) -> Message {
    Message("output-exists", "'\(name)' already exists: give another name, or add \(.overwrite) to replace it.")
  }

  /// Two outputs have the same name.
  package static func sameFile(_ one: Parameter, _ other: Parameter) -> Message {
    Message("same-file", "\(one) and \(other) name the same file: give one of them another name.")
  }

  /// No output is named, nor is output discarded.
  static let noOutput = Message(
    "no-output", "Name the output with \(.destination, "FILE") (- is standard output; \(.format, "null") discards it).")

  /// The file name is empty.
  static func noFileName(_ parameter: Parameter) -> Message {
    Message("no-file-name", "\(parameter) takes a file name, or -.")
  }

  /// No encoder supports frames of this layout.
  static func noPixelFormat(_ layout: PixelLayout) -> Message {
    Message(
      "no-pixel-format",
      "\(layout.bitDepth)-bit \(layout.components.rawValue) samples cannot be written in this form: choose another "
        + "\(.pixelFormat).")
  }

  /// HDR with 8 bits.
  package static let eightBitHDR = Message(
    "eight-bit-hdr", "Eight bits are too few for HDR and will show bands: choose \(.pixelFormat, "yuv420p10le").")

  /// Y4M does not signal colour: the options that the program at the other end of the pipe needs.
  package static func untaggedY4M(_ color: ColorDescription, _ metadata: HDRMetadata, _ layout: PixelLayout) -> Message
  {
    let transfer = color.transfer == .pq ? "smpte2084" : "arib-std-b67"
    var x265 = "--colorprim bt2020 --transfer \(transfer) --colormatrix bt2020nc --range limited"
    var av1 =
      "--color-primaries 9 --transfer-characteristics \(color.transfer.rawValue) --matrix-coefficients 9 "
      + "--color-range 0"
    if layout.components == .ycbcr420 {
      x265 += " --chromaloc \(color.chromaLocation.rawValue)"
      av1 += " --chroma-sample-position \(color.chromaLocation.av1Text)"
    }
    if let display = metadata.masteringDisplay {
      x265 += " --master-display \"\(display.integerText)\""
      av1 += " --mastering-display \"\(display.decimalText)\""
    }
    if let light = metadata.contentLight {
      x265 += " --max-cll \"\(light.text)\""
      av1 += " --content-light \"\(light.text)\""
    }
    return Message("y4m-untagged", "Y4M has no colour tags; tell the reader: x265 \(x265); SvtAv1EncApp \(av1)")
  }
}
