/// The style of all reports. Blue and vermilion can be distinguished with any colour vision; shapes differ, too.
///
/// Source of both colours: Okabe and Ito, "Color Universal Design" (2008).
package enum PageStyle {
  /// Rules for light mode, dark mode and print.
  package static let rules = text + plots + media

  private static let text = """

    :root {
      color-scheme: light dark;
      --paper: #fdfdfc; --ink: #1b1d20; --quiet: #62676e; --rule: #dcdee0; --fine: #ecedee;
      --pass: #0072b2; --fail: #d55e00; --fail-ink: #a94400; --band: #0072b21f; --wash: #d55e0012;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #141618; --ink: #e6e6e3; --quiet: #9ba1a8; --rule: #363b40; --fine: #24282c;
        --pass: #56b4e9; --fail: #f0803c; --fail-ink: #ff9a5c; --band: #56b4e92b; --wash: #f0803c1c;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0; background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%;
      font: 15px/1.5 "Inter", "Helvetica Neue", "Segoe UI", "Liberation Sans", Arial, sans-serif;
    }
    main { max-width: 75rem; margin: 0 auto; padding: 3rem 2rem 4rem; overflow-wrap: anywhere; }
    h1, h2, .verdict strong, .key strong {
      font-family: "Iowan Old Style", "Palatino Linotype", Palatino, "Source Serif 4", Georgia, "Liberation Serif", serif;
      font-weight: 400;
    }
    h1 { font-size: 2.5rem; line-height: 1.15; margin: 0 0 1.25rem; letter-spacing: -0.01em; }
    h2 { font-size: 1.45rem; line-height: 1.2; margin: 0 0 1rem; padding-top: 0.75rem; border-top: 1px solid var(--ink); }
    section { margin-top: 3rem; }
    .overline {
      margin: 0 0 0.5rem; color: var(--quiet); font-size: 0.75rem; letter-spacing: 0.09em; text-transform: uppercase;
    }
    .verdict { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1rem; margin: 0; }
    .verdict strong { font-size: 1.5rem; letter-spacing: 0.02em; }
    .verdict.passed strong { color: var(--pass); }
    .verdict.failed strong { color: var(--fail-ink); }
    .verdict span { color: var(--quiet); }
    dl { margin: 0; }
    dd { margin: 0; }
    .key { display: flex; flex-wrap: wrap; gap: 1rem 2.75rem; margin: 2rem 0 0; }
    .key dt { color: var(--quiet); font-size: 0.8rem; }
    .key strong { font-size: 1.75rem; line-height: 1.2; font-variant-numeric: lining-nums; }
    .key span { color: var(--quiet); font-size: 0.85rem; margin-left: 0.4rem; }
    .facts {
      display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 1.5rem; margin-top: 2rem;
      border-top: 1px solid var(--rule);
    }
    .facts dt, .facts dd { padding: 0.3rem 0; border-bottom: 1px solid var(--rule); }
    .facts dt { color: var(--quiet); margin-right: -1.5rem; padding-right: 1.5rem; }
    section .facts { margin-top: 0; border-top: 0; }
    .notes { margin: 0; padding-left: 1.1rem; max-width: 46rem; }
    .pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 2.25rem 2.5rem; margin-bottom: 2.25rem; }
    figure { margin: 0; break-inside: avoid; }
    figcaption { margin-bottom: 0.6rem; font-size: 0.85rem; color: var(--quiet); }
    figcaption strong { display: block; color: var(--ink); font-size: 0.95rem; font-weight: 600; }
    .wide { margin-bottom: 2.25rem; }
    svg { display: block; width: 100%; height: auto; overflow: visible; }
    .picture svg { border: 1px solid var(--rule); overflow: hidden; max-height: 90vh; }
    footer { margin-top: 3.5rem; padding-top: 0.75rem; border-top: 1px solid var(--rule); color: var(--quiet); font-size: 0.8rem; }

    .scrolling { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-size: 0.83rem; font-variant-numeric: tabular-nums lining-nums; overflow-wrap: normal; }
    th, td { padding: 0.28rem 0.55rem; text-align: right; white-space: nowrap; font-weight: 400; vertical-align: baseline; }
    tr > :first-child { padding-left: 0; }
    thead th { color: var(--quiet); font-size: 0.75rem; }
    thead th[scope=colgroup] {
      text-align: center; color: var(--ink);
      background: linear-gradient(var(--rule), var(--rule)) no-repeat center bottom / calc(100% - 1rem) 1px;
    }
    thead tr:last-child > * { border-bottom: 1px solid var(--ink); }
    tbody th { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 8rem; }
    th.text { text-align: left; }
    tbody td, tbody th { border-bottom: 1px solid var(--fine); }
    td:first-child { color: var(--quiet); }
    .mark { text-align: left; color: var(--pass); }
    .mark.failed { color: var(--fail-ink); font-weight: 600; }
    tr.off > * { background: var(--wash); }

    """

  private static let plots = """
    svg text { font-size: 13px; fill: var(--ink); font-variant-numeric: tabular-nums; }
    svg .number { fill: var(--quiet); font-size: 12.5px; }
    svg .axis { fill: var(--quiet); }
    svg .grid { stroke: var(--fine); }
    svg .frame { fill: none; stroke: var(--rule); }
    svg .base { stroke: var(--quiet); }
    svg .trace { fill: none; stroke: var(--pass); stroke-width: 1.5; stroke-linejoin: round; }
    svg .trace.off { stroke: var(--fail); }
    svg .pass { fill: var(--pass); }
    svg .fail { fill: var(--fail); stroke: var(--paper); }
    svg .intended { fill: none; stroke: var(--ink); stroke-width: 1.2; }
    svg .joint { stroke: var(--ink); stroke-width: 1.2; }
    svg .paper { fill: var(--fine); }
    svg .halo, svg .outline { fill: none; vector-effect: non-scaling-stroke; }
    svg .halo { stroke: #fff; stroke-width: 5px; }
    svg .outline { stroke: #d55e00; stroke-width: 2.5px; }
    svg .tag { fill: #a94400; font-weight: 600; stroke: #fff; stroke-width: 0.25em; paint-order: stroke; stroke-linejoin: round; }

    """

  private static let media = """

    @media screen and (max-width: 60rem) {
        th, td { padding: 0.28rem 0.4rem; }
    }
    @media screen and (max-width: 50rem) {
      main { padding: 1.5rem 1rem 3rem; }
      .pair { grid-template-columns: minmax(0, 1fr); }
      h1 { font-size: 1.9rem; }
      .wide { overflow-x: auto; }
      .wide svg { min-width: 42rem; }
    }
    @media print {
      :root {
        --paper: #fff; --ink: #000; --quiet: #444; --rule: #bbb; --fine: #ddd;
        --pass: #0072b2; --fail: #d55e00; --fail-ink: #a94400; --band: #0072b21f; --wash: #d55e0012;
      }
      body { font-size: 9.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      main { max-width: none; padding: 0; }
      section { margin-top: 1.5rem; }
      h2 { break-after: avoid; }
      table { font-size: 7.5pt; }
      th, td { padding: 0.15rem 0.3rem; }
      tr { break-inside: avoid; }
      .scrolling, .wide { overflow: visible; }
      .wide svg { min-width: 0; }
    }
    @page { margin: 14mm; }

    """
}
