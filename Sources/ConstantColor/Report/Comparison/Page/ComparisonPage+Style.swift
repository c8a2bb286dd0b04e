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
