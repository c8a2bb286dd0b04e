extension RequestOption {
  private init<Value: Sendable>(
    _ parameter: Parameter, _ value: OptionValue<Value>, syntax: OptionSyntax, _ help: MessageText,
    default text: String?,
    _ effects: OptionEffects, excludes: [Parameter], needs: [Parameter], alternatives: [Parameter],
    values: @escaping @Sendable (Request) -> [Value], set: @escaping @Sendable (inout Request, Value) -> Void
  ) {
    (self.parameter, self.syntax, self.help, self.effects) = (parameter, syntax, help, effects)
    (self.excludes, self.needs, self.alternatives) = (excludes, needs, alternatives)
    (choices, defaultText) = (syntax.takesValue ? value.choices : [], text)
    canBeginWithDash = value.canBeginWithDash
    change = { text throws(InvalidValue) in
      let value = try value.parse(text)
      return { set(&$0, value) }
    }
    texts = { values($0).map(value.text) }
    check = { request throws(Refusal) in
      for one in values(request) { try value.check(parameter, one) }
    }
  }

  /// An option with an optional value.
  init<Value: Sendable>(
    _ parameter: Parameter, _ path: any WritableKeyPath<Request, Value?> & Sendable, _ value: OptionValue<Value>,
    _ help: MessageText, default text: String? = nil, _ effects: OptionEffects = [], excludes: [Parameter] = [],
    needs: [Parameter] = [], alternatives: [Parameter] = []
  ) {
    self.init(
      parameter, value, syntax: .value(placeholder: value.placeholder), help, default: text, effects,
      excludes: excludes, needs: needs, alternatives: alternatives, values: { $0[keyPath: path].map { [$0] } ?? [] },
      set: { $0[keyPath: path] = $1 })
  }

  /// An option whose value has a default.
  init<Value: Sendable & Equatable>(
    _ parameter: Parameter, _ path: any WritableKeyPath<Request, Value> & Sendable, _ value: OptionValue<Value>,
    _ help: MessageText, default text: String? = nil, _ effects: OptionEffects = [], excludes: [Parameter] = [],
    needs: [Parameter] = [], alternatives: [Parameter] = []
  ) where Request: DefaultedRequest {
    let usual = Request.defaults[keyPath: path]
    self.init(
      parameter, value, syntax: .value(placeholder: value.placeholder), help, default: text ?? value.text(usual),
      effects, excludes: excludes, needs: needs, alternatives: alternatives,
      values: { $0[keyPath: path] == usual ? [] : [$0[keyPath: path]] }, set: { $0[keyPath: path] = $1 })
  }

  /// An option that may be repeated.
  init<Value: Sendable>(
    list parameter: Parameter, _ path: any WritableKeyPath<Request, [Value]> & Sendable, _ value: OptionValue<Value>,
    _ help: MessageText, default text: String? = nil, _ effects: OptionEffects = []
  ) {
    self.init(
      parameter, value, syntax: .list(placeholder: value.placeholder), help, default: text, effects, excludes: [],
      needs: [], alternatives: [], values: { $0[keyPath: path] }, set: { $0[keyPath: path].append($1) })
  }

  /// An option without a value that sets a flag.
  /// - Parameter isToggle: It can be switched on and off; otherwise only on.
  init(
    flag parameter: Parameter, _ path: any WritableKeyPath<Request, Bool> & Sendable, isToggle: Bool = false,
    _ help: MessageText, _ effects: OptionEffects = [], excludes: [Parameter] = [], needs: [Parameter] = [],
    alternatives: [Parameter] = []
  ) where Request: DefaultedRequest {
    let usual = Request.defaults[keyPath: path]
    self.init(
      parameter, .yesOrNo, syntax: isToggle ? .toggle : .flag, help, default: nil, effects, excludes: excludes,
      needs: needs, alternatives: alternatives, values: { $0[keyPath: path] == usual ? [] : [$0[keyPath: path]] },
      set: { $0[keyPath: path] = $1 })
  }

  /// The same option for a request that contains this one.
  init<Part>(_ option: RequestOption<Part>, of path: any WritableKeyPath<Request, Part> & Sendable) {
    (parameter, syntax, help, effects) = (option.parameter, option.syntax, option.help, option.effects)
    (excludes, needs, alternatives) = (option.excludes, option.needs, option.alternatives)
    (choices, defaultText) = (option.choices, option.defaultText)
    canBeginWithDash = option.canBeginWithDash
    change = { text throws(InvalidValue) in
      let change = try option.change(text)
      return { change(&$0[keyPath: path]) }
    }
    texts = { option.texts($0[keyPath: path]) }
    check = { request throws(Refusal) in try option.check(request[keyPath: path]) }
  }
}

extension OptionTable {
  /// Returns these options for a request that contains theirs.
  static func options<Whole: Sendable>(of path: any WritableKeyPath<Whole, Request> & Sendable) -> [RequestOption<
    Whole
  >] {
    options.map { RequestOption($0, of: path) }
  }
}
