/// The names of files that frames go to: one name, or a pattern with a number, as `frame-%06d.exr`.
public struct FileNames: Sendable, Hashable {
  /// Why a pattern is none.
  public enum Failure: Error, Sendable, Hashable {
    case manyNumbers
    /// Something other than `%d`, `%06d` or `%%`.
    case unknownField(String)
    /// A number of more digits than any file name takes.
    case tooManyDigits(Int)
  }

  /// Text before and behind the number.
  private var before: String
  private let behind: String
  /// Least digits of the number; nil where there is none.
  private let digits: Int?

  /// - Parameter pattern: As `printf` would take it, with one integer at most; `%%` stands for `%`.
  public init(_ pattern: String) throws(Failure) {
    var (parts, number): ([String], Int?) = ([""], nil)
    var rest = pattern[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        parts[parts.count - 1].append(character)
        continue
      }
      let field = rest.prefix { $0.isASCII && $0.isNumber }
      let kind = rest.dropFirst(field.count).first
      if field.isEmpty, kind == "%" {
        parts[parts.count - 1].append("%")
      } else if kind == "d" {
        guard number == nil else { throw .manyNumbers }
        let digits = field.isEmpty ? 1 : Int(field) ?? .max
        guard digits <= 32 else { throw .tooManyDigits(digits) }
        number = digits
        parts.append("")
      } else {
        throw .unknownField("%" + field + (kind.map(String.init) ?? ""))
      }
      rest = rest.dropFirst(field.count + 1)
    }
    before = parts[0]
    behind = parts.count > 1 ? parts[1] : ""
    digits = number
  }

  /// What the name of the text beside a file ends with.
  public static let sidecarSuffix = ".json"

  /// The number is in the name of a folder.
  public var numbersFolders: Bool { behind.contains("/") }

  /// The same without the folder.
  public var lastComponent: FileNames {
    var result = self
    result.before = before.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    return result
  }

  /// There is a name for every frame.
  public var hasNumber: Bool { digits != nil }

  /// The number of the file with this name; nil where it is none of these.
  public func number(of name: String) -> Int? {
    guard let digits, name.hasPrefix(before), name.hasSuffix(behind), name.count > before.count + behind.count else {
      return nil
    }
    let text = name.dropFirst(before.count).dropLast(behind.count)
    guard text.count >= digits, text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text) else {
      return nil
    }
    return self.name(number) == name ? number : nil
  }

  /// The name of the file with this number.
  public func name(_ number: Int) -> String {
    guard let digits else { return before }
    let text = String(number)
    return before + String(repeating: "0", count: max(digits - text.count, 0)) + text + behind
  }
}
