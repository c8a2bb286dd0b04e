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

extension ComparisonPage {
  /// CSS rules in addition to the common report style.
  static let style =
    SwatchStyle.rules + """
      svg .error { stroke: var(--pass); stroke-width: 1.2; }
      svg .error.doubted { stroke: var(--fail); }
      svg .order { fill: none; stroke: var(--quiet); stroke-opacity: 0.6; }
      svg .crowd .pass { r: 2.4px; }
      svg .crowd .fail { stroke-width: 3px; }
      svg .mean { stroke: var(--ink); stroke-dasharray: 6 4; }
      svg .capture { font-size: 12px; stroke: var(--paper); stroke-width: 3px; paint-order: stroke; }
      .pair { margin-bottom: 1.25rem; }
      tr.mean > * { border-bottom: 0; }
      tbody tr.mean:first-child > * { border-top: 1px solid var(--ink); }

      """
}
