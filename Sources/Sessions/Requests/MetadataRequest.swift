public import Frames

/// What is known about the input's light, and what an HDR10 output states about its own.
public struct MetadataRequest: Sendable, Hashable, Codable {
  /// A mastering display to state.
  public enum MasteringDisplayChoice: Sendable, Hashable, Codable {
    /// The input's.
    case copied
    /// One that the user states.
    case value(MasteringDisplay)
  }

  /// MaxCLL and MaxFALL to state.
  public enum ContentLightChoice: Sendable, Hashable, Codable {
    /// The input's.
    case copied
    /// Those of what is coded, measured in a pass of its own.
    case measured
    /// Values that the user states.
    case value(ContentLight)
  }

  /// Which light of the input takes precedence over its metadata.
  public enum InputLight: Sendable, Hashable, Codable {
    /// A measurement in a file.
    case file(String)
    /// What a pass over the input measures.
    case measured
  }

  /// What is known about the input's light; nil: what it says itself.
  public var inputLight: InputLight?
  /// nil: what is true of the output.
  public var masteringDisplay: MasteringDisplayChoice?
  /// nil: the input's where nothing is asked of its light, else light that nothing exceeds.
  public var contentLight: ContentLightChoice?

  /// What is true of the output is stated, and nothing is measured.
  public init() {}

  /// The input is to be measured first.
  var measuresInput: Bool { inputLight == .measured }

  /// What will be coded is to be measured first.
  var measuresOutput: Bool { contentLight == .measured }
}
