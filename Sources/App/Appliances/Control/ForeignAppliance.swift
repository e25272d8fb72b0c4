/// An appliance that other makers' programs speak for.
package struct ForeignAppliance: Hashable, Codable, Sendable {
    /// What it is at home.
    package var appliance: Appliance
    /// How it is reached.
    package var binding: ForeignBinding
    /// The key under which it announced itself; nil for one that was named by its topic, and for those of before.
    package var key: String?

    /// Notes an appliance.
    package init(appliance: Appliance, binding: ForeignBinding, key: String? = nil) {
        self.appliance = appliance
        self.binding = binding
        self.key = key
    }
}

/// How a foreign appliance is reached, in one of the dialects.
package enum ForeignBinding: Hashable, Codable, Sendable {
    case homeAssistant(HomeAssistantBinding)
    case tasmota(TasmotaBinding)
    case shelly(ShellyBinding)

    private var bound: any Binding {
        switch self {
        case .homeAssistant(let binding): binding
        case .tasmota(let binding): binding
        case .shelly(let binding): binding
        }
    }
}

extension ForeignBinding: Binding {
    package var topics: [String] { bound.topics }

    package func order(for action: Action, id: Command.ID, until: Timestamp) -> Order? {
        bound.order(for: action, id: id, until: until)
    }

    package func orderAfter(_ action: Action) -> Order? { bound.orderAfter(action) }

    package func reports(topic: String, payload: Payload) -> [Report] { bound.reports(topic: topic, payload: payload) }

    package func confirms(_ action: Action) -> Bool { bound.confirms(action) }

    package func attained(_ action: Action) -> Action { bound.attained(action) }

    package func presence(_ said: [(topic: String, presence: Surroundings.Presence)]) -> Surroundings.Presence {
        bound.presence(said)
    }
}
