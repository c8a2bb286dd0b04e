/// Why a preset cannot be used.
public enum PresetError: Error, Sendable, Hashable {
  /// Its file cannot be read: what the system says.
  case isUnreadable(reason: String)
  /// It is not a JSON object: what the decoder says, if anything.
  case isNoJSON(reason: String?)
  /// Requests have no such key.
  case unknownKey(String)
  /// The value of a key is of another type, or none of those that it can have: what it has to be.
  case invalidValue(key: String, allowed: String)
  /// It is a plan, but not of a transcode: the kind of the plan.
  case isOtherPlan(String)
  /// The key belongs to a single run, such as the name of a file.
  case belongsToRun(key: String)
  /// The request is refused: the key that alone is the reason, if one is.
  case isRefused(key: String?, Message)
}
