internal import ConstantColor

extension ConstantColorError: AdvisedError {
  var advice: String? {
    switch self {
    case .swapped:
      "Swap --without-flash and --flash, or the numbers of --flash-frames; if they were exposed differently, give "
        + "--exposure-ratio."
    case .sameLight: "If the flash did fire, give --exposure-ratio."
    case .exposureRatio: "--exposure-ratio sets it."
    case .region: "--roi sets it."
    case .unknownColor: "Give a --calibration, or R,G,B of a grey card with --neutral."
    case .sizes, .components, .calibration: nil
    }
  }

  /// The exit status, by the kind of error.
  var status: ExitStatus {
    switch self {
    case .exposureRatio, .region, .unknownColor: .usage
    default: .failed
    }
  }
}

extension CalibrationError: AdvisedError {
  var advice: String? {
    switch self {
    case .notJSON: "Create one with --calibrate, and give it to --calibration."
    case .chartNotFound: "Or give its corners with --chart."
    case .corners, .patchOutside: "--chart sets the corners."
    case .evenPictureClipped, .evenPictureRange, .evenPictureTextured: "It is the picture of --even."
    default: nil
    }
  }
}

extension ComparisonError: AdvisedError {
  var advice: String? {
    switch self {
    case .noReports: "Name them after --compare."
    case .unknownReference: "List it after --compare, or choose another with --reference."
    case .unreadable(_, .notJSON): "--report writes one."
    default: nil
    }
  }
}
