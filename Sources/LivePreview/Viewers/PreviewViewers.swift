internal import Displays
internal import Filters
internal import Foundation
internal import Frames
internal import PreviewProtocol
internal import Sessions
internal import StreamPipeline
internal import Synchronization
internal import Threads

/// The other devices that show a preview: the stream that each one watches, and their pending requests.
///
/// The thread that reads the link reports viewers and their requests. Streams are rendered as outputs of the preview,
/// one per slot; stills by one more.
final class PreviewViewers: @unchecked Sendable {
  // @unchecked: `slots` is set in `init` only; `state` and `preview` are locked; everything else is immutable.

  /// Services that the preview offers its viewers.
  protocol Preview: AnyObject, Sendable {
    /// Renders the last frame again if no new frame arrives.
    func showAgain()
    /// Applies a patch.
    func answer(_ patch: String) -> ServerAnswer
    /// Warns the user.
    func warn(_ message: Message)
    /// Whether the display of the preview is in reference mode.
    var isReference: Bool { get }
    /// Returns the size of the picture in an area.
    func fit(_ area: Size?) -> Size
  }

  private struct Viewer {
    let device: ViewerDevice
    let slot: Int
    /// The offered stream; nil: waiting for one.
    var stream: Int?
  }

  private struct State {
    var viewers: [Int: Viewer] = [:]
    var streams = 0
    var seen = 0
    /// When the last viewer of each slot left; nil: it has viewers, or is free.
    var idle = [ContinuousClock.Instant?](repeating: nil, count: PreviewViewers.slotCount)
    /// Forms that no encoder accepts, and why.
    var failures: [StreamForm: String] = [:]
    /// The state last sent to the server.
    var told = ""
    var counts = RenderingCounts()
  }

  /// Maximum number of streams encoded in parallel.
  static let slotCount = 3
  /// Seconds that a stream without viewers continues: a page that requests another size reconnects at once.
  private static let patience = 3.0
  /// Memory limit in case the server miscounts; it admits fewer viewers.
  private static let maximumViewers = 1000
  /// Maximum number of impossible forms remembered.
  private static let maximumFailures = 100

  let server: ServerProcess
  let plan: PreviewPlan
  let isReadOnly: Bool
  /// Viewers may start and stop recordings.
  let allowsRecording: Bool
  let stills = StillQueue()
  /// Sends the state to the server five times a second.
  let thread = RepeatingThread(every: 0.2)
  private(set) var slots: [StreamSlot] = []
  private let state = Mutex(State())
  /// Held while a viewer gets a slot, and while a slot is released.
  private let assigning = NSLock()
  private let preview = Mutex(WeakPreview())
  private let wording: Wording

  private struct WeakPreview {
    weak var value: (any Preview)?
  }

  init(
    _ server: ServerProcess, _ plan: PreviewPlan, _ clock: StreamClock, isReadOnly: Bool, allowsRecording: Bool,
    wording: Wording
  ) {
    (self.server, self.plan, self.isReadOnly, self.wording) = (server, plan, isReadOnly, wording)
    self.allowsRecording = allowsRecording
    slots = (0..<Self.slotCount).map { index in
      StreamSlot(
        plan, clock, server,
        number: { [unowned self] in
          state.withLock { state in
            state.streams += 1
            return state.streams
          }
        },
        onEvent: { [unowned self] in note($0, in: index) })
    }
  }

  /// Starts reading messages from the server.
  /// - Throws: `ThreadError`.
  func begin(_ preview: any Preview, onEnd: @escaping @Sendable () -> Void) throws {
    self.preview.withLock { $0.value = preview }
    try server.listen(onReport: { [weak self] in self?.hear($0) }, onEnd: onEnd)
  }

  /// The preview.
  var owner: (any Preview)? { preview.withLock { $0.value } }

  /// Sends the state to the server if it has changed.
  func tell(_ state: ServeState, _ counts: RenderingCounts) {
    let json = state.json
    let isNew = self.state.withLock { state in
      defer { (state.told, state.counts) = (json, counts) }
      return state.told != json || state.counts != counts
    }
    if isNew { server.send(.state(json: json, counts: counts)) }
  }

  /// The watched streams, by viewer number.
  var watched: [(number: Int, stream: StreamDescription)] {
    let viewers = state.withLock { $0.viewers.filter { $0.value.stream != nil } }
    return viewers.sorted { $0.key < $1.key }.compactMap { number, viewer in
      slots[viewer.slot].description.map { (number, $0) }
    }
  }

  /// Number of viewers so far, including those who have left.
  var viewerCount: Int { state.withLock { $0.seen } }

  // MARK: The thread that reads the link

  private func hear(_ report: ServerReport) {
    switch report {
    case .joined(let viewer, let query): join(viewer, query)
    case .left(let viewer): leave(viewer)
    case .needsKeyFrame(let stream):
      guard let slot = slots.first(where: { $0.present?.number == stream }) else { return }
      slot.askForKey()
      owner?.showAgain()
    case .request(let id, let request): answer(id, request)
    case .listening, .failed: break
    }
  }

  private func join(_ viewer: Int, _ query: [String: String]) {
    guard let owner else { return }
    let device: ViewerDevice
    do {
      device = try ViewerDevice(query, isReference: owner.isReference)
    } catch {
      return server.send(.refused(viewer: viewer, status: 400, reason: error.description))
    }
    assigning.withLock { assign(device, to: viewer, owner) }
  }

  private func assign(_ device: ViewerDevice, to viewer: Int, _ owner: any Preview) {
    guard state.withLock({ $0.viewers.count < Self.maximumViewers }) else {
      return server.send(.refused(viewer: viewer, status: 503, reason: "There are too many viewers."))
    }
    let choice = StreamAssignment(slots.map(\.form)) { owner.fit($0) }.choice(for: device)
    if case .opens = choice, let reason = state.withLock({ $0.failures[device.form] }) {
      return server.send(.refused(viewer: viewer, status: 500, reason: reason))
    }
    switch choice {
    case .nothing:
      server.send(
        .refused(
          viewer: viewer, status: 503,
          reason: "\(Self.slotCount) streams are encoded already, and this device decodes none of them."))
    case .shares(let slot):
      admit(viewer, device, slot)
      if let present = slots[slot].present { offer(present, of: slot) }
    case .opens(let slot):
      slots[slot].reserve(device.form)
      admit(viewer, device, slot)
      owner.showAgain()
    }
  }

  private func admit(_ viewer: Int, _ device: ViewerDevice, _ slot: Int) {
    state.withLock { state in
      state.viewers[viewer] = Viewer(device: device, slot: slot)
      state.idle[slot] = nil
      state.seen += 1
    }
  }

  private func leave(_ viewer: Int) {
    state.withLock { state in
      guard let gone = state.viewers.removeValue(forKey: viewer) else { return }
      if !state.viewers.values.contains(where: { $0.slot == gone.slot }) { state.idle[gone.slot] = .now }
    }
  }

  /// Ends streams that have had no viewers for a while, and redraws for viewers that wait for a key frame. Called
  /// several times a second.
  func lookAfterSlots() {
    assigning.withLock {
      for (index, slot) in slots.enumerated() where isOver(index) { slot.release() }
    }
    if slots.contains(where: \.lacksKey) || !stills.isEmpty { owner?.showAgain() }
  }

  /// Forgets all viewers after the server has ended.
  func forget() {
    state.withLock { state in
      state.viewers = [:]
      state.idle = Array(repeating: nil, count: Self.slotCount)
    }
    for slot in slots { slot.release() }
  }

  /// Returns true once when the stream of a slot has had no viewers for too long.
  private func isOver(_ slot: Int) -> Bool {
    state.withLock { state in
      guard let since = state.idle[slot], .now - since > .seconds(Self.patience) else { return false }
      state.idle[slot] = nil
      return true
    }
  }

  // MARK: A slot's thread

  private func note(_ event: StreamSlot.Event, in slot: Int) {
    switch event {
    case .began:
      guard let present = slots[slot].present else { return }
      // Viewers of the previous stream are notified of its end, and request again.
      state.withLock { state in
        for (number, viewer) in state.viewers where viewer.slot == slot && viewer.stream != nil {
          if viewer.stream != present.number { state.viewers[number] = nil }
        }
        if !state.viewers.values.contains(where: { $0.slot == slot }) { state.idle[slot] = .now }
      }
      offer(present, of: slot)
    case .failed(let form, let error, let isLasting): fail(form, error, isLasting: isLasting, in: slot)
    case .isSlow:
      guard let form = slots[slot].form else { return }
      owner?.warn(
        Message(
          "stream-encoder-slow",
          "Encoding \(form.coding.rawValue) takes too long beside the other streams: it gets fewer frames, so that "
            + "they do not."))
    }
  }

  /// Offers a stream to the viewers that wait for it.
  private func offer(_ present: (number: Int, contentType: String), of slot: Int) {
    guard let description = slots[slot].description else { return }
    let waiting = state.withLock { state in
      let waiting = state.viewers.filter { $0.value.slot == slot && $0.value.stream == nil }.keys.sorted()
      for number in waiting { state.viewers[number]?.stream = present.number }
      return waiting
    }
    for viewer in waiting {
      let fields = [("viewer", viewer as Any?)] + description.fields
      server.send(
        .accepted(
          viewer: viewer,
          StreamOffer(
            stream: present.number, contentType: present.contentType,
            description: (try? JSON.line(fields)) ?? "{}")))
    }
  }

  /// Gives up the form: trying again with every frame would not help.
  /// - Parameter isLasting: The encoder never accepts such frames, whatever the picture.
  func fail(_ form: StreamForm, _ error: any Error, isLasting: Bool, in slot: Int) {
    let reason = wording.error((error as? StreamSlot.OpeningFailure)?.reason ?? error)
    let gone = assigning.withLock { () -> [Int] in
      // The slot may have been reassigned.
      guard slots[slot].form == form else { return [] }
      slots[slot].release()
      return state.withLock { state in
        if isLasting, state.failures.count < Self.maximumFailures { state.failures[form] = reason }
        state.idle[slot] = nil
        let gone = state.viewers.filter { $0.value.slot == slot }
        for number in gone.keys { state.viewers[number] = nil }
        return gone.filter { $0.value.stream == nil }.keys.sorted()
      }
    }
    for viewer in gone { server.send(.refused(viewer: viewer, status: 500, reason: reason)) }
    owner?.warn(.streamNotEncoded(form.coding.rawValue, reason: reason))
  }
}
