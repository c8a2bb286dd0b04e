internal import NIOCore

extension TimeAmount {
  var seconds: Double { Double(nanoseconds) / 1e9 }

  static func seconds(_ seconds: Double) -> TimeAmount { .nanoseconds(Int64(seconds * 1e9)) }
}
