@_exported import SessionsTestSupport

enum EventTests {
  typealias Log = EventLog
}
