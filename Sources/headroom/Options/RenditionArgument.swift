internal import Displays
internal import Sessions

extension RenditionRequest {
  /// The options of a mapping, by their names in transcode.
  private static let options = Dictionary(
    uniqueKeysWithValues: MappingOptions.options.filter { $0.effects.contains(.isExpected) }.map {
      ($0.parameter.key, $0)
    })
  /// The key of the headroom, peak over SDR white.
  private static let headroom = Parameter.headroom.key
  /// The keys; the curve precedes them.
  private static let keys = [headroom] + MappingOptions.options.map(\.parameter.key).filter { options[$0] != nil }

  /// Parses `--expect`: "tone-mapped:system:headroom=1", or "reference".
  /// - Throws: `CommandFailure` that names valid values.
  init(argument: String) throws {
    if argument == "reference" {
      var mapping = MappingRequest()
      mapping.display = DisplayStatus(.reference)
      self.init(argument, mapping: mapping)
      return
    }
    var parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, parts.removeFirst() == "tone-mapped" else {
      throw Self.failure(argument, "it must begin with tone-mapped:CURVE, as in tone-mapped:system:headroom=1")
    }
    var (mapping, headroom, seen) = (MappingRequest(), Double?.none, Set<String>())
    for part in ["tone-map=" + parts.removeFirst()] + parts {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, Self.options[pair[0]] != nil || pair[0] == Self.headroom, seen.insert(pair[0]).inserted
      else {
        throw Self.failure(argument, "'\(part)' is not one of \(Self.keys.map { $0 + "=" }.joined(separator: ", "))")
      }
      if pair[0] == Self.headroom {
        headroom = Double(pair[1])
        guard let headroom, (1...100).contains(headroom) else {
          throw Self.failure(argument, "headroom= takes 1 to 100")
        }
        continue
      }
      do { try Self.options[pair[0]]?.change(pair[1])(&mapping) } catch {
        throw Self.failure(argument, "'\(pair[1])' is not a value of \(pair[0])=: \(error)")
      }
    }
    self.init(argument, mapping: mapping, headroom: headroom)
    do { try validate() } catch { throw Self.failure(argument, error.message.words) }
  }

  private static func failure(_ text: String, _ reason: String) -> CommandFailure {
    let end = reason.hasSuffix(".") ? "" : "."
    return CommandFailure("'\(text)' is not a valid rendition: \(reason)\(end)", .usage)
  }
}

extension Parameter {
  /// The option without dashes.
  fileprivate var key: String { String(flag.drop { $0 == "-" }) }
}
