internal import Scopes

/// A kind of filter, with its options.
public struct FilterKind: Sendable {
  /// A key of a filter.
  public struct Option: Sendable, Hashable {
    /// The text before the equals sign.
    public let key: String
    /// Its values, effect and default.
    public let help: String
  }

  /// The name at the start of the text: "highlight".
  public let name: String
  /// Description in one sentence.
  public let abstract: String
  /// The supported keys, in help order.
  public let options: [Option]
  let make: @Sendable (FilterArguments) throws(FilterFailure) -> Filter

  /// Every kind, in help order.
  public static let all = [highlight, falseColor, clipWarning, scopes]

  static let highlight = FilterKind(
    name: "highlight",
    abstract: "Colours that an sRGB display cannot show stay, all others turn grey.",
    options: [
      Option(key: "gamut", help: "srgb or p3: the gamut that colours are compared with (srgb)"),
      Option(
        key: "by",
        help:
          "chromaticity: hue and saturation outside the gamut, however bright; range: a component below 0 or above "
          + "SDR white, which in HDR includes bright greys; luminance: above SDR white, or nits (chromaticity for HDR, "
          + "range for SDR)"),
      Option(key: "nits", help: "the limit of by=luminance in cd/m² (SDR white)"),
      Option(key: "weights", help: "luminance, or classic: 0.30, 0.59, 0.11 (luminance)"),
      Option(
        key: "tolerance",
        help:
          "share of R+G+B by which a component may leave the gamut (0.01: ten-bit coding moves colours on its edge by "
          + "no more)"),
      Option(key: "tint", help: "colour of what is inside but near the edge: RRGGBB, or orange, yellow, ... (none)"),
      Option(key: "edge", help: "how near, as a share of R+G+B (0.03)"),
    ]
  ) { arguments throws(FilterFailure) in
    var result = Highlight()
    result.gamut = try arguments.choice("gamut") ?? result.gamut
    result.criterion = try arguments.choice("by")
    result.weights = try arguments.choice("weights") ?? result.weights
    result.tolerance = try arguments.number("tolerance", in: Highlight.tolerances) ?? result.tolerance
    result.nits = try arguments.number("nits", in: 0.001...10_000)
    result.tint = try arguments.color("tint")
    result.edge = try arguments.number("edge", in: Highlight.edges) ?? result.edge
    if result.nits != nil, result.criterion != .luminance {
      throw FilterFailure("nits= of highlight is the limit of by=luminance: add that, or omit nits.")
    }
    if arguments.has("edge"), result.tint == nil {
      throw FilterFailure("edge= of highlight is where its tint begins: add tint=orange, or omit edge.")
    }
    if result.criterion == .luminance, ["gamut", "tolerance", "weights"].contains(where: arguments.has) {
      throw FilterFailure("by=luminance of highlight compares with no gamut: omit gamut, tolerance and weights.")
    }
    return .highlight(result)
  }

  static let falseColor = FilterKind(
    name: "false-color",
    abstract: "Luminance in zones: SDR stays a grey picture, darker and brighter light is coloured.",
    options: [Option(key: "legend", help: "on or off: the zones with their names, on the picture (on)")]
  ) { arguments throws(FilterFailure) in
    var result = FalseColor()
    result.hasLegend = try arguments.flag("legend") ?? result.hasLegend
    return .falseColor(result)
  }

  static let clipWarning = FilterKind(
    name: "clip-warning",
    abstract: "What the tone map or gamut map has to clip or compress, coloured on a grey picture.",
    options: [Option(key: "legend", help: "on or off: what the colours mean, on the picture (on)")]
  ) { arguments throws(FilterFailure) in
    var result = ClipWarning()
    result.hasLegend = try arguments.flag("legend") ?? result.hasLegend
    return .clipWarning(result)
  }

  static let scopes = FilterKind(
    name: "scopes",
    abstract:
      "Waveform, vectorscope and other scopes of the light at this point among the filters, on or beside the picture.",
    options: [
      Option(
        key: "show",
        help: "\(ScopeKind.allCases.map(\.rawValue).joined(separator: ", ")): one, or several separated by commas "
          + "(waveform,vectorscope)"),
      Option(key: "plane", help: "what the vectorscope plots: ictcp or ycbcr (ictcp)"),
      Option(
        key: "place", help: "over: at the bottom right; right or below: beside the picture, and frames grow (over)"),
      Option(key: "rows", help: "count every nth row (default leaves about 135 rows: 8 at 1080)"),
      Option(key: "share", help: "share of the picture's width and height that they take (0.4, or what they need)"),
    ]
  ) { arguments throws(FilterFailure) in
    var result = ScopePanel()
    result.kinds = try arguments.choices("show") ?? result.kinds
    result.plane = try arguments.choice("plane") ?? result.plane
    result.place = try arguments.choice("place") ?? result.place
    result.rowStep = try arguments.wholeNumber("rows", in: 1...64)
    result.share = try arguments.number("share", in: ScopePanel.shares) ?? result.share
    if arguments.has("plane"), !result.kinds.contains(.vectorscope) {
      throw FilterFailure("plane= of scopes is for a vectorscope: show one, or omit plane.")
    }
    return .scopes(result)
  }
}
