internal import ArgumentParser
internal import ColorScience

/// Matrix coefficients by ffmpeg's names.
enum InputMatrix: String, ExpressibleByArgument, CaseIterable {
  case gbr, bt709, fcc, bt470bg, smpte170m, smpte240m, ycgco, bt2020nc, bt2020c, smpte2085
  case chromaDerivedNC = "chroma-derived-nc"
  case chromaDerivedC = "chroma-derived-c"
  case ictcp

  var code: MatrixCoefficients {
    switch self {
    case .gbr: .rgb
    case .bt709: .bt709
    case .fcc: .fcc
    case .bt470bg: .bt470BG
    case .smpte170m: .smpte170M
    case .smpte240m: .smpte240M
    case .ycgco: .ycgco
    case .bt2020nc: .bt2020NCL
    case .bt2020c: .bt2020CL
    case .smpte2085: .smpteST2085
    case .chromaDerivedNC: .chromaticityDerivedNCL
    case .chromaDerivedC: .chromaticityDerivedCL
    case .ictcp: .ictcp
    }
  }
}
