extension VerificationPage {
  /// CSS rules in addition to the common report style.
  static let style = """
    .faults { margin: 0; padding: 0; list-style: none; }
    .faults li { border-left: 3px solid var(--fail); padding: 0.1rem 0 0.1rem 1rem; margin: 0 0 1.1rem; }
    .faults code { font: 600 0.9rem "SF Mono", "Cascadia Mono", "Liberation Mono", Menlo, monospace; color: var(--fail-ink); }
    .faults p { margin: 0.15rem 0 0; max-width: 46rem; }
    .group th { font-weight: 600; padding-top: 1rem; border-bottom-color: var(--rule); }
    svg .nanometres { fill: var(--quiet); font-size: 10.5px; }
    svg .ideal { fill: none; stroke: var(--quiet); }
    svg .band { fill: var(--band); }
    svg .ramp { fill: none; stroke: var(--pass); stroke-opacity: 0.55; stroke-width: 1.5; }
    svg .locus { fill: none; stroke: var(--quiet); }
    svg .gamut { fill: none; stroke: var(--ink); stroke-width: 1.1; stroke-opacity: 0.75; }
    svg .gamut.p3 { stroke-dasharray: 7 4; }
    svg .gamut.bt709 { stroke-dasharray: 2 3; }
    svg .white { fill: none; stroke: var(--quiet); }
    svg .off:not(.trace) { fill: var(--fail-ink); font-size: 11px; font-weight: 600; stroke: var(--paper); stroke-width: 4px; paint-order: stroke; }
    svg .tolerance { stroke: var(--ink); stroke-dasharray: 6 4; }
    @media screen and (max-width: 60rem) {
      .xy { display: none; }
    }

    """
}
