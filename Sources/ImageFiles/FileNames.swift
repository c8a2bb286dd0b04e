/// The output file names of frames: one name, or a pattern with a number such as `frame-%06d.exr`.
public struct FileNames: Sendable, Hashable, Codable {
  /// Why a pattern is invalid.
  public enum Failure: Error, Sendable, Hashable, Codable {
    /// The pattern has more than one number.
    case manyNumbers
    /// The pattern contains something other than `%d`, `%06d` or `%%`.
    case unknownField(String)
    /// The number has more digits than a file name can have.
    case tooManyDigits(Int)
  }

  /// Text before the number.
  private var prefix: String
  private let suffix: String
  /// Minimum number of digits; nil if the name has no number.
  private let digits: Int?

  /// A name, or a pattern of names.
  /// - Parameter pattern: A `printf` format with at most one integer; `%%` stands for `%`.
  /// - Throws: `Failure` if the pattern is invalid.
  public init(_ pattern: String) throws(Failure) {
    var (parts, number): ([String], Int?) = ([""], nil)
    // A combining accent after the percent sign belongs to the name.
    var rest = pattern.unicodeScalars[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        parts[parts.count - 1].unicodeScalars.append(character)
        continue
      }
      let field = String(rest.prefix { ("0"..."9").contains($0) })
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
        throw .unknownField("%" + field + (kind.map { String($0) } ?? ""))
      }
      rest = rest.dropFirst(field.count + 1)
    }
    prefix = parts[0]
    suffix = parts.count > 1 ? parts[1] : ""
    digits = number
  }

  /// The literal name of a file.
  public init(file name: String) { (prefix, suffix, digits) = (name, "", nil) }

  /// The suffix of sidecar files.
  public static let sidecarSuffix = ".json"

  /// Whether the number is in the name of a folder.
  public var numbersFolders: Bool { suffix.contains("/") }

  /// The same without the folder.
  public var lastComponent: FileNames {
    var result = self
    result.prefix = prefix.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    return result
  }

  /// Whether each frame has a separate name.
  public var hasNumber: Bool { digits != nil }

  /// Maximum file number.
  public static let largestNumber = 1_000_000_000_000

  /// The number of the file with this name; nil if it does not match.
  public func number(of name: String) -> Int? {
    let (bytes, prefix, suffix) = (Array(name.utf8), Array(prefix.utf8), Array(suffix.utf8))
    guard let digits, bytes.count > prefix.count + suffix.count, bytes.starts(with: prefix),
      bytes.suffix(suffix.count).elementsEqual(suffix)
    else { return nil }
    let text = bytes.dropFirst(prefix.count).dropLast(suffix.count)
    guard text.count >= digits, text.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: text, as: UTF8.self)), number <= Self.largestNumber
    else { return nil }
    return self.name(number).utf8.elementsEqual(bytes) ? number : nil
  }

  /// Whether a name matches the pattern, or is its sidecar file.
  public func holds(_ name: String) -> Bool {
    let suffix = Self.sidecarSuffix
    return number(of: name) != nil || name.hasSuffix(suffix) && number(of: String(name.dropLast(suffix.count))) != nil
  }

  /// The form that `init(_:)` accepts.
  var pattern: String {
    func escaped(_ text: String) -> String {
      text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
    }
    guard let digits else { return escaped(prefix) }
    return escaped(prefix) + (digits > 1 ? "%0\(digits)d" : "%d") + escaped(suffix)
  }

  /// The name of the file with this number.
  public func name(_ number: Int) -> String {
    guard let digits else { return prefix }
    let text = String(number)
    return prefix + String(repeating: "0", count: max(digits - text.count, 0)) + text + suffix
  }
}
