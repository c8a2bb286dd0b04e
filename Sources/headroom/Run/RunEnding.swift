/// What both kinds of writers can be told.
struct RunEnding {
  var size: @Sendable () -> Int
  var finish: () throws -> Void
  var cancel: () -> Void
  var discard: @Sendable () -> Void
}
