extension ConstantColorPage {
  /// CSS rules in addition to the common report style; lines over pictures are neutral, so as not to bias colour
  /// perception.
  static let style =
    SwatchStyle.rules + """
      .pair { align-items: end; }
      svg .edge, svg .region { fill: none; vector-effect: non-scaling-stroke; }
      svg .edge { stroke: #000; stroke-opacity: 0.7; stroke-width: 4px; }
      svg .region { stroke: #fff; stroke-width: 1.75px; }
      svg .region.doubted { stroke-dasharray: 5 4; }
      svg .number { fill: #fff; font-weight: 600; stroke: #000; stroke-opacity: 0.7; stroke-width: 0.22em; paint-order: stroke; stroke-linejoin: round; }

      """
}

/// The style of a colour swatch.
enum SwatchStyle {
  static let rules = """
    .swatch { display: inline-block; width: 2.6em; height: 1.25em; margin: 0 0.7em 0 0; vertical-align: -0.22em; border: 1px solid var(--rule); }
    td.sample { padding-right: 0; }
    td code { font: 0.95em "SF Mono", "Cascadia Mono", "Liberation Mono", Menlo, monospace; }
    @media print {
      .swatch { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }

    """
}
