public import Foundation

extension Data {
  /// 16-bit words in the machine's order.
  public var words: [UInt16] { unsafe withUnsafeBytes { unsafe Array($0.bindMemory(to: UInt16.self)) } }

  public init(words: [UInt16]) {
    self = unsafe words.withUnsafeBytes { unsafe Data($0) }
  }
}
