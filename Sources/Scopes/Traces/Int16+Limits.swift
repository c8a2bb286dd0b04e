extension Int16 {
  /// The larger of two whose difference is an Int16, without a comparison: the compiler would make branches of
  /// `max` beside a store, and rows could not be vectors.
  @inline(__always)
  static func larger(_ first: Int16, _ second: Int16) -> Int16 {
    let difference = first &- second
    return first &- (difference & (difference &>> 15))
  }

  /// The smaller of two whose difference is an Int16.
  @inline(__always)
  static func smaller(_ first: Int16, _ second: Int16) -> Int16 {
    let difference = first &- second
    return second &+ (difference & (difference &>> 15))
  }
}
