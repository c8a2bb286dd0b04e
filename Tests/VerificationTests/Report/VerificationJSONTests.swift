import Foundation
import TestSupport
import Testing
import Verification

@Suite struct VerificationJSONTests {
  /// What Python reads of the JSON that a script prints parts of.
  private func python(_ verification: Verification, _ expression: String) throws -> String {
    let scratch = try Scratch()
    let path = scratch.path("report.json")
    try Data(VerificationJSON(verification).text().utf8).write(to: URL(fileURLWithPath: path))
    let script = """
      import json, sys
      def refuse(word): raise ValueError(word)
      j = json.load(open(sys.argv[1], encoding='utf-8'), parse_constant=refuse)
      print((\(expression)))
      """
    return try Python.run(script, [path]).trimmingCharacters(in: .newlines)
  }

  @Test func everythingIsThere() throws {
    let said = try python(
      ReportSample.verification(failing: ["red"]),
      """
      j['format'], j['passed'], j['found'], [f['name'] for f in j['faults']], j['placement']['words'],
        j['input']['tags']['transfer'], j['input']['metadata']['content_light']['max_content'],
        len(j['patches']), len(j['ramps'][0]['points']), j['gamut_coverage'][1]['gamut'], j['clip_point']
      """)
    #expect(
      said
        == "('headroom-verification', False, True, ['patch.difference'], 'fills the picture', 'pq', 4000, 14, 201, "
        + "'bt2020', None)")
  }

  @Test func patchesAreRoundedAndWhole() throws {
    let said = try python(
      ReportSample.verification(gain: 1.1),
      """
      sorted(j['patches'][5]), j['patches'][5]['rectangle'], j['patches'][5]['expected']['nits'],
        j['patches'][5]['measured']['luminance'], j['patches'][5]['measured']['xy'], j['patches'][5]['code_error'],
        j['patches'][0]['expected']['xy']
      """)
    #expect(
      said == """
        (['code_error', 'delta_e_itp', 'expected', 'group', 'measured', 'name', 'noise_codes', 'passed', 'reason', \
        'rectangle', 'rejected', 'worst_delta_e_itp'], {'height': 240, 'width': 190, 'x': 1190, 'y': 60}, \
        [203.70296, 203.70296, 203.70296], 224.07325, \
        [0.3127, 0.329], [8.747, 8.747, 8.747], None)
        """)
  }

  @Test func hostileAndMissingOnesAreJSON() throws {
    #expect(
      try python(ReportSample.hostile, "j['input']['filename'][:8], j['patches'][3]['delta_e_itp']")
        == "('<script>', None)")
    #expect(
      try python(ReportSample.missing, "j['placement'], j['patches'], j['passed'], j['found']")
        == "(None, [], False, False)")
  }

  @Test func longRampsAreThinned() throws {
    var verification = ReportSample.verification()
    verification.ramps[0].points = (0..<5000).map { .init(position: Double($0) / 4999, expected: 0.5, measured: 0.5) }
    let said = try python(
      verification, "(lambda p: (len(p), p[0]['position'], p[-1]['position']))(j['ramps'][0]['points'])")
    #expect(said == "(256, 0, 1)")
  }
}
