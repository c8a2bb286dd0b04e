public import Frames

/// About the encoder of a video output, and what it is asked to keep to.
public enum CodingDiagnostic: Sendable, Hashable, Codable {
  /// The encoder has no such constant quality: what it has.
  case crfIsOutOfRange(Double, encoder: String, least: Double, most: Double)
  /// The encoder has no CRF. `options`: those of its own for a constant quality.
  case hasNoCRF(encoder: String, isLossless: Bool, keepsBitRate: Bool, options: [String])
  /// The encoder cannot keep to a bit rate.
  case hasNoBitRate(Parameter, encoder: String, isLossless: Bool)
  /// The encoder cannot keep to a maximum, or only beside something else.
  case hasNoMaximum(encoder: String, beside: Parameter?)
  /// The maximum is below the average, both in bit/s.
  case maximumIsBelowBitRate(maximum: Int, bitRate: Int)
  /// A buffer was given without the maximum that fills it.
  case bufferNeedsMaximum
  /// Two passes are for a bit rate.
  case twoPassesNeedBitRate
  /// The encoder has one pass; `able`: those that have two.
  case hasOnePass(encoder: String, able: [String])
  /// Options of the encoder say otherwise what a parameter says already. `parameter`: where they are.
  case saidTwice(Parameter, option: String, parameter: Parameter)
  /// A name is empty.
  case isEmpty(Parameter)
  /// NVENC has no device of this name.
  case namesNoGraphicsProcessor(String)
  /// Video is copied by other programs.
  case videoIsNotCopied
  /// Without a rate or a quality, this is what FFmpeg gives the encoder, in bit/s.
  case assumesBitRate(Int, encoder: String)
  /// Frames that are not read from a file are not encoded twice.
  case twoPassesAreForFiles
  /// Options were given for another encoder than the one that is used.
  case optionsAreForAnother(Parameter, encoder: String)
  /// No buffer was given: its size in bits, one second of the maximum.
  case assumesBuffer(bits: Int)
  /// An encoder for distribution gets the layout of the input, which is not the one that players expect.
  case keepsLayout(PixelLayout, expected: PixelLayout)
  /// Everything is encoded once, to find out how many bits each frame needs.
  case encodesTwice
}
