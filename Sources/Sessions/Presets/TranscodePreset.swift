public import Foundation

/// A partial transcode request: what is stated is set, everything else is as by default.
///
/// The JSON is that of a request in a plan, from which anything may be left out, and a `description`. Of a whole plan it is the request,
/// without the files of its run.
public struct TranscodePreset: Sendable, Hashable {
  /// What users call it.
  public let name: String
  /// What it is for; nil: it does not say.
  public let description: String?
  /// What is stated, as JSON.
  public let json: String
  /// The default request with what is stated. It has no input and no output.
  public let request: TranscodeRequest

  /// What is not part of a request.
  private static let descriptionKey = "description"
  /// Names of the files of a run.
  private static let keysOfRun = ["input.name", "output", "report", "statistics", "metadata.inputLight.file"]

  /// What else a plan states of its own run only.
  private static let keysOfPlan = ["overwrites", "burnedSubtitles", "subtitlePalette"]

  /// Reads a preset.
  /// - Throws: `PresetError` for what is no request, and for one that would be refused whatever its input.
  public init(name: String, json: Data) throws(PresetError) {
    self.name = name
    var stated = try PresetJSON(data: json)
    if let request = try stated.requestOfPlan(without: Self.keysOfRun + Self.keysOfPlan) { stated = request }
    description = try stated.takeText(Self.descriptionKey)
    if let key = Self.keysOfRun.first(where: { stated.has($0) }) { throw .belongsToRun(key: key) }
    self.json = stated.text(beside: description.map { (Self.descriptionKey, $0) })
    request = try Self.request(stated)
    try Self.check(request, stated)
  }

  /// A request without an input and an output.
  public static let defaultRequest = TranscodeRequest(input: "", output: nil)

  /// The path of the first value that another request has otherwise; nil if both are the same.
  public func firstKey(differingIn other: TranscodeRequest) -> String? {
    guard request != other else { return nil }
    guard let (one, two) = try? (PresetJSON(request), PresetJSON(other)) else { return "" }
    return one.firstKey(differingIn: two) ?? two.firstKey(differingIn: one)
  }

  private static func request(_ stated: PresetJSON) throws(PresetError) -> TranscodeRequest {
    let whole = try PresetJSON(defaultRequest).merged(with: stated)
    let request = try whole.decoded(as: TranscodeRequest.self)
    // A decoder ignores what it does not know, so it is missing afterwards.
    if let key = try stated.firstKey(missingIn: PresetJSON(request)) { throw .unknownKey(key) }
    return request
  }

  /// Refuses what no input could make right.
  private static func check(_ request: TranscodeRequest, _ stated: PresetJSON) throws(PresetError) {
    guard let refusal = refusal(of: request) else { return }
    let culprit = stated.leaves.first { leaf in
      guard let request = try? Self.request(leaf.json) else { return false }
      return Self.refusal(of: request) == refusal
    }
    throw .isRefused(key: culprit?.key, refusal.message)
  }

  private static func refusal(of request: TranscodeRequest) -> Refusal? {
    var request = request
    // Every run names one.
    request.output = "-"
    do {
      try request.validate()
      return nil
    } catch {
      return error
    }
  }
}
