package import TarsModel

/// One component of a Shelly device from the second generation on, by RPC over MQTT.
///
/// Source: Shelly, "Gen2+ Device API", sections "MQTT" and "RPC protocol". The device must have "RPC over MQTT" and "status
/// notifications" on.
package struct ShellyBinding: Binding {
    /// What it is.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case `switch`, light, cover
    }

    /// The device's prefix, such as `shellyplus1-a8032abe54dc`.
    package var prefix: String
    /// What it is.
    package var kind: Kind
    /// Which of its kind it is in the device, from 0.
    package var index: Int
    /// Where answers go: `<hub>/rpc`.
    package var hub: String

    /// Names a component.
    ///
    /// - Throws: ``ModelProblem`` for a prefix that cannot be.
    package init(prefix: String, kind: Kind = .switch, index: Int = 0, hub: String) throws(ModelProblem) {
        try TopicName.check(prefix, kind: "Shelly")
        self.prefix = prefix
        self.kind = kind
        self.index = index
        self.hub = "tars-\(hub)"
    }

    private var statusTopic: String { "\(prefix)/status/\(kind.rawValue):\(index)" }
    private var onlineTopic: String { "\(prefix)/online" }
    private var answerTopic: String { "\(hub)/rpc" }

    package var topics: [String] { [answerTopic, statusTopic, onlineTopic] }

    package func order(for action: Action, id: Command.ID, until: Timestamp) -> Order? {
        let call: (method: String, more: String)? =
            switch (kind, action) {
            case (.switch, .on): ("Switch.Set", #","on":true"#)
            case (.switch, .off): ("Switch.Set", #","on":false"#)
            case (.switch, .toggle): ("Switch.Toggle", "")
            case (.light, .on): ("Light.Set", #","on":true"#)
            case (.light, .off): ("Light.Set", #","on":false"#)
            case (.light, .toggle): ("Light.Toggle", "")
            case (.light, .level(let percent)): ("Light.Set", #","on":\#(percent > 0),"brightness":\#(percent)"#)
            case (.cover, .on): ("Cover.Open", "")
            case (.cover, .off): ("Cover.Close", "")
            case (.cover, .stop): ("Cover.Stop", "")
            case (.cover, .position(let percent)): ("Cover.GoToPosition", #","pos":\#(percent)"#)
            case (.switch, _), (.light, _), (.cover, _): nil
            }
        return call.map {
            request(CommandReference.number(of: id), $0.method, parameters: #"{"id":\#(index)\#($0.more)}"#)
        }
    }

    package func confirms(_ action: Action) -> Bool { true }

    package func reports(topic: String, payload: Payload) -> [Report] {
        switch topic {
        case onlineTopic: return [.presence(payload.text == "true" ? .online : .offline, topic: topic)]
        case statusTopic:
            var state = ApplianceState()
            if case .bool(let isOn) = payload.json?.member(named: "output") { state.isOn = isOn }
            if kind == .light { state.level = payload.percent(at: ValuePath([.key("brightness")])) }
            if kind == .cover {
                state.position = payload.percent(at: ValuePath([.key("current_pos")]))
                state.isOn = state.position.map { $0 > 0 }
            }
            return [.state(state)]
        case answerTopic:
            guard let json = payload.json, let number = json.member(named: "id")?.wholeNumber,
                json.member(named: "src")?.scalarText == sourceID
            else { return [] }
            if let error = json.member(named: "error") {
                return [.answer(.number(number), .refused(Self.reason(error.member(named: "code")?.wholeNumber)))]
            }
            return json.member(named: "result") == nil ? [] : [.answer(.number(number), .done)]
        default: return []
        }
    }

    /// Devices sign with their own id, which is their prefix unless a person chose another.
    private var sourceID: String { deviceID ?? prefix }
    /// The device's id, if its prefix is another one.
    package var deviceID: String?

    /// The codes that every method has; others are faults of the request.
    private static func reason(_ code: Int?) -> Reason {
        switch code {
        case -108, -114: .busy
        case -104: .timeout
        default: .unsupported
        }
    }

    private func request(_ number: Int, _ method: String, parameters: String = "{}") -> Order {
        Order(
            topic: "\(prefix)/rpc",
            payload: #"{"id":\#(number),"src":"\#(hub)","method":"\#(method)","params":\#(parameters)}"#)
    }
}

extension ShellyBinding {
    /// The questions that tell what a device at a prefix is; the answers come to ``Binding/topics``.
    package var questions: [Order] { [request(1, "Shelly.GetDeviceInfo"), request(2, "Shelly.GetStatus")] }

    /// The components of a device, from the answers to ``questions``; none if they are not.
    package func discover(info: [UInt8], status: [UInt8]) -> [Discovery<ShellyBinding>] {
        guard let info = Payload(info)?.json?.member(named: "result"), let id = info.member(named: "id")?.scalarText,
            (info.member(named: "gen")?.wholeNumber ?? 0) >= 2,
            case .object(let members) = Payload(status)?.json?.member(named: "result")
        else { return [] }
        let name = info.member(named: "name")?.scalarText ?? id
        return members.compactMap { member in
            let parts = member.key.split(separator: ":")
            guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let index = Int(parts[1]) else {
                return nil
            }
            var binding = self
            (binding.kind, binding.index, binding.deviceID) = (kind, index, id)
            let abilities: [Ability] =
                switch kind {
                case .switch: [.onOff, .toggle]
                case .light: [.onOff, .toggle, .level]
                case .cover: [.onOff, .position, .stop]
                }
            let applianceKind: Appliance.Kind = [.switch: .switch, .light: .light, .cover: .cover][kind] ?? .switch
            return Discovery(
                key: "\(id) \(member.key)", name: index == 0 ? name : "\(name) \(index + 1)", kind: applianceKind,
                abilities: abilities, binding: binding)
        }
    }
}
