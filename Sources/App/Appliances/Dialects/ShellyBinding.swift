/// One component of a Shelly device from the second generation on, by RPC over MQTT.
///
/// Source: Shelly, "Gen2+ Device API", sections "MQTT" and "RPC protocol". The device must have "RPC over MQTT" and "status
/// notifications" on.
package struct ShellyBinding: Binding {
    /// What it is.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case `switch`, light, rgb, rgbw, cct, cover

        /// What its methods begin with.
        fileprivate var methods: String {
            switch self {
            case .switch: "Switch"
            case .light: "Light"
            case .rgb, .rgbw, .cct: rawValue.uppercased()
            case .cover: "Cover"
            }
        }

        fileprivate var appliance: Appliance.Kind {
            switch self {
            case .switch: .switch
            case .light, .rgb, .rgbw, .cct: .light
            case .cover: .cover
            }
        }
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
        try GivenTopic.check(prefix, kind: "Shelly")
        self.prefix = prefix
        self.kind = kind
        self.index = index
        self.hub = "tars-\(hub)"
    }

    /// Where devices send their answers to a phone.
    package static func answerTopic(hub: String) -> String { "tars-\(hub)/rpc" }

    private var component: String { "\(kind.rawValue):\(index)" }
    private var statusTopic: String { "\(prefix)/status/\(component)" }
    private var onlineTopic: String { "\(prefix)/online" }
    /// Where a device tells what changed, for every subscriber; this is on when status notifications are off.
    private var eventTopic: String { "\(prefix)/events/rpc" }
    /// Where the answers come.
    package var answerTopic: String { "\(hub)/rpc" }

    package var topics: [String] { [answerTopic, statusTopic, eventTopic, onlineTopic] }

    package func order(for action: Action, id: Command.ID, until: Timestamp) -> Order? {
        let call: (method: String, more: String)? =
            switch (kind.appliance, action) {
            case (.cover, .on): ("Open", "")
            case (.cover, .off): ("Close", "")
            case (.cover, .stop): ("Stop", "")
            case (.cover, .position(let percent)): ("GoToPosition", #","pos":\#(percent)"#)
            case (.cover, _): nil
            case (_, .on): ("Set", #","on":true"#)
            case (_, .off): ("Set", #","on":false"#)
            case (_, .toggle): ("Toggle", "")
            case (.light, .level(0)): ("Set", #","on":false"#)
            case (.light, .level(let percent)): ("Set", #","on":true,"brightness":\#(percent)"#)
            case (_, _): nil
            }
        return call.map {
            request(
                CommandReference.number(of: id), "\(kind.methods).\($0.method)",
                parameters: #"{"id":\#(index)\#($0.more)}"#)
        }
    }

    package func confirms(_ action: Action) -> Bool { true }

    package func reports(topic: String, payload: Payload) -> [Report] {
        switch topic {
        case onlineTopic: return [.presence(payload.text == "true" ? .online : .offline, topic: topic)]
        case statusTopic: return state(payload.json)
        case eventTopic:
            let method = payload.json?.member(named: "method")?.scalarText
            guard method == "NotifyStatus" || method == "NotifyFullStatus" else { return [] }
            return state(payload.json?.member(named: "params")?.member(named: component))
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

    /// What a component's status says, all of it or what changed.
    private func state(_ json: JSONValue?) -> [Report] {
        guard let json else { return [] }
        var state = ApplianceState()
        func percent(_ key: String) -> Int? {
            json.member(named: key)?.scalarText.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
                .flatMap { (0...100).contains($0) ? $0 : nil }
        }
        if case .bool(let isOn) = json.member(named: "output") { state.isOn = isOn }
        switch kind.appliance {
        case .cover:
            state.position = percent("current_pos")
            let word = json.member(named: "state")?.scalarText ?? ""
            state.isOn = ["open": true, "closed": false][word] ?? state.position.map { $0 > 0 }
            state.heading = ["opening": 100, "closing": 0][word].map { percent("target_pos") ?? $0 }
        case .light: state.level = percent("brightness")
        default: break
        }
        return state == ApplianceState() ? [] : [.state(state)]
    }

    /// Devices sign with their own id, which is their prefix unless a person chose another.
    private var sourceID: String { deviceID ?? prefix }
    /// The device's id, if its prefix is another one.
    package var deviceID: String?

    /// The codes that every method has: what the device does not know is a fault of the request.
    private static func reason(_ code: Int?) -> Reason {
        switch code {
        case -108, -114: .busy
        case -104: .timeout
        case -103, -105, 404: .unsupported
        default: .denied
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
            let abilities: [Ability]
            switch kind.appliance {
            case .cover:
                // Before its calibration a cover knows no positions.
                let knowsPosition = member.value.member(named: "pos_control") != .bool(false)
                abilities = knowsPosition ? [.onOff, .position, .stop] : [.onOff, .stop]
            case .light: abilities = [.onOff, .toggle, .level]
            default: abilities = [.onOff, .toggle]
            }
            return Discovery(
                key: "\(id) \(member.key)", name: index == 0 ? name : "\(name) \(index + 1)", kind: kind.appliance,
                abilities: abilities, binding: binding)
        }
    }
}
