/// Prints what is not tested here and why. `tools/test` repeats the line at its end.
public func noteSkip(_ reason: String) { print("skipped: \(reason)") }
