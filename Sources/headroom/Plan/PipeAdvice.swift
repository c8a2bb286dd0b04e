internal import ColorScience
internal import FFmpegIO
internal import Frames

/// Y4M says nothing about colour: what the program at the other end of the pipe has to be told.
enum PipeAdvice {
  /// One sentence for HDR frames; nil where the reader's defaults are right.
  static func words(_ color: ColorDescription, _ metadata: HDRMetadata) -> String? {
    guard color.transfer == .pq || color.transfer == .hlg else { return nil }
    let transfer = color.transfer == .pq ? "smpte2084" : "arib-std-b67"
    var x265 = "--colorprim bt2020 --transfer \(transfer) --colormatrix bt2020nc --range limited"
    var av1 =
      "--color-primaries 9 --transfer-characteristics \(color.transfer.rawValue) --matrix-coefficients 9 --color-range 0"
    if let display = metadata.masteringDisplay {
      x265 += " --master-display \"\(display.integerText)\""
      av1 += " --mastering-display \"\(display.decimalText)\""
    }
    if let light = metadata.contentLight {
      x265 += " --max-cll \"\(light.text)\""
      av1 += " --content-light \"\(light.text)\""
    }
    return "Y4M has no colour tags; tell the reader: x265 \(x265); SvtAv1EncApp \(av1)"
  }
}
