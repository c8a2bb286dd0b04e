extension StatusPage {
  /// Supports light and dark mode.
  static let style = """

    body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: #1c1c1e; background: #f7f7f8; }
    main { max-width: 75rem; margin: 0 auto; padding: 1.5rem; }
    h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
    h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
    .facts { margin: 0 0 1rem; color: #6b6b70; overflow-wrap: anywhere; }
    .counts { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0; padding: 0; list-style: none; }
    .counts li { padding: .1rem .7rem; border-left: .35rem solid; background: #fff; }
    .map { display: flex; gap: 1px; height: 3rem; }
    .segment { flex-basis: 0; min-width: 1px; background: #d9d9de; }
    .segment i { display: block; height: 100%; background: #2f9e58; }
    .segment.running { background: #b8d4f5; }
    .segment.running i { background: #2a78d6; }
    .segment.lost { background: #e0a02c; }
    .segment.failed { background: #d33f38; }
    .counts .done { border-color: #2f9e58; }
    .counts .running { border-color: #2a78d6; }
    .counts .waiting { border-color: #b5b5bb; }
    .counts .lost { border-color: #e0a02c; }
    .counts .failed { border-color: #d33f38; }
    .thumbnails { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .5rem; margin: 1rem 0; }
    figure { margin: 0; }
    figure img { display: block; width: 100%; }
    figcaption { font-size: .8rem; color: #6b6b70; }
    section { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; background: #fff; font-variant-numeric: tabular-nums; }
    th, td { padding: .3rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid #e4e4e8; }
    th { font-weight: 600; color: #6b6b70; }
    td { overflow-wrap: anywhere; }
    @media (prefers-color-scheme: dark) {
      body { color: #ececf0; background: #161618; }
      .facts, figcaption, th { color: #a0a0a8; }
      .counts li, table { background: #222226; }
      .segment { background: #3a3a40; }
      .segment.running { background: #1d3f66; }
      th, td { border-color: #34343a; }
    }

    """
}
