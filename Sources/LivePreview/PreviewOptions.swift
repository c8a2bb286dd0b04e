public import Sessions

/// Filters of a preview.
public enum PreviewFilterOptions: OptionTable {
  public static let options: [RequestOption<PreviewRequest>] = [FilterOptions.option(\.filters)]
}

/// How a preview follows a display.
public enum PreviewFollowingOptions: OptionTable {
  public static let options: [RequestOption<PreviewRequest>] = FollowingOptions.options(
    \.followsDisplay, ramp: \.headroomRamp)
}
