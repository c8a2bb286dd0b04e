internal import Foundation
package import Frames
internal import Sessions

/// Assigns a stream to a viewer: a new one while slots are free, otherwise the most similar one.
package struct StreamAssignment {
  /// The assigned stream.
  package enum Choice: Sendable, Hashable {
    /// The stream in slot `index`.
    case shares(Int)
    /// A new stream in slot `index`.
    case opens(Int)
    /// None: the device can show none of the streams.
    case nothing
  }

  /// The forms of the slots; nil: free.
  private let forms: [StreamForm?]
  /// Returns the size of the picture in an area.
  private let fit: (Size?) -> Size

  /// - Parameters:
  ///   - forms: The forms of the slots; nil: free.
  ///   - fit: Returns the size of the picture in an area; nil: the source's.
  package init(_ forms: [StreamForm?], fit: @escaping (Size?) -> Size) { (self.forms, self.fit) = (forms, fit) }

  package func choice(for device: ViewerDevice) -> Choice {
    let wanted = device.form
    if let index = forms.firstIndex(where: { $0.map { isSame($0, wanted) } ?? false }) { return .shares(index) }
    if let index = free(for: wanted) { return .opens(index) }
    let size = fit(wanted.area)
    let shown = forms.indices.filter { index in forms[index].map(device.shows) ?? false }
    func difference(_ index: Int) -> Double { forms[index].map { distance(fit($0.area), size) } ?? .infinity }
    return shown.min { difference($0) < difference($1) }.map { .shares($0) } ?? .nothing
  }

  private func isSame(_ form: StreamForm, _ other: StreamForm) -> Bool {
    (form.coding, form.transfer, form.display) == (other.coding, other.transfer, other.display)
      && fit(form.area) == fit(other.area)
  }

  /// Returns a free slot. The last one is kept for SDR, which every device can show, unless there is an SDR stream.
  private func free(for form: StreamForm) -> Int? {
    let free = forms.indices.filter { forms[$0] == nil }
    let hasSDR = forms.contains { $0?.transfer == .sdr }
    return form.transfer == .sdr || hasSDR || free.count > 1 ? free.first : nil
  }

  /// Returns the ratio of two areas as an absolute logarithm.
  private func distance(_ size: Size, _ other: Size) -> Double {
    abs(log(Double(size.width * size.height)) - log(Double(other.width * other.height)))
  }
}
