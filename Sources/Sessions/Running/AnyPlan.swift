public import Foundation

/// A plan that a session can run.
package protocol RunnablePlan: Sendable, Hashable, Codable {
  /// One-line summary of the plan.
  var summary: String { get }

  /// Description of the plan, line by line.
  var lines: [String] { get }

  /// The plan in its serialized form.
  var any: AnyPlan { get }
}

extension TranscodePlan: RunnablePlan { package var any: AnyPlan { .transcode(self) } }
extension PicturePlan: RunnablePlan { package var any: AnyPlan { .pictures(self) } }
extension ScopesPlan: RunnablePlan { package var any: AnyPlan { .scopes(self) } }
extension PatternPlan: RunnablePlan { package var any: AnyPlan { .pattern(self) } }

/// A plan of any kind in its serialized form: JSON with one key, the kind.
public enum AnyPlan: Sendable, Hashable {
  /// A transcode.
  case transcode(TranscodePlan)
  /// Pictures.
  case pictures(PicturePlan)
  /// Scopes.
  case scopes(ScopesPlan)
  /// A test pattern.
  case pattern(PatternPlan)

  /// Decodes the output of `json()`.
  /// - Throws: `DecodingError` for anything but an unchanged plan of this version; parts of an edited plan might not
  ///   fit together.
  public init(json: Data) throws {
    self = try SealedPlan(json: json).plan
  }

  /// Returns the plan as JSON with sorted keys.
  /// - Throws: `EncodingError` for values that JSON cannot represent.
  public func json() throws -> Data { try SealedPlan(self).json() }

  private var plan: any RunnablePlan {
    switch self {
    case .transcode(let plan): plan
    case .pictures(let plan): plan
    case .scopes(let plan): plan
    case .pattern(let plan): plan
    }
  }

  /// One-line summary of the plan.
  public var summary: String { plan.summary }
  /// Description of the plan, line by line.
  public var lines: [String] { plan.lines }
}

extension AnyPlan: Codable {
  private enum CodingKeys: String, CodingKey { case transcode, pictures, scopes, pattern }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if let plan = try values.decodeIfPresent(TranscodePlan.self, forKey: .transcode) {
      self = .transcode(plan)
    } else if let plan = try values.decodeIfPresent(PicturePlan.self, forKey: .pictures) {
      self = .pictures(plan)
    } else if let plan = try values.decodeIfPresent(ScopesPlan.self, forKey: .scopes) {
      self = .scopes(plan)
    } else {
      self = .pattern(try values.decode(PatternPlan.self, forKey: .pattern))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .transcode(let plan): try values.encode(plan, forKey: .transcode)
    case .pictures(let plan): try values.encode(plan, forKey: .pictures)
    case .scopes(let plan): try values.encode(plan, forKey: .scopes)
    case .pattern(let plan): try values.encode(plan, forKey: .pattern)
    }
  }
}

extension Session {
  /// Runs a plan of any kind.
  /// - Throws: As `run(_:)` of that kind.
  @discardableResult
  public func run(_ plan: AnyPlan) throws -> Outcome {
    switch plan {
    case .transcode(let plan): try run(plan)
    case .pictures(let plan): try run(plan)
    case .scopes(let plan): try run(plan)
    case .pattern(let plan): try run(plan).outcome
    }
  }
}
