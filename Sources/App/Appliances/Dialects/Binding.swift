/// What is published for an action, without what is the same for all dialects.
package struct Order: Hashable, Codable, Sendable {
    /// The topic.
    package var topic: String
    /// The payload.
    package var payload: String
}

/// How an appliance is reached by MQTT in its dialect: its topics and words, which the phone alone knows.
package protocol Binding: Codable, Hashable, Sendable {
    /// The topics that say something of it.
    var topics: [String] { get }
    /// What is published for an action; nil if the dialect cannot say it. A toggle that was resolved comes as on or off.
    func order(for action: Action, id: Command.ID, until: Timestamp) -> Order?
    /// What is published right after it; nil for nothing.
    func orderAfter(_ action: Action) -> Order?
    /// What a message says; nothing for a message of others.
    func reports(topic: String, payload: Payload) -> [Report]
    /// Whether an answer or a state shows that an action was carried out.
    func confirms(_ action: Action) -> Bool
    /// The action as the device can carry it out: a fan of three speeds has no 40 %.
    func attained(_ action: Action) -> Action
    /// Whether somebody is there, by what each topic said last and in which order.
    func presence(_ said: [(topic: String, presence: Surroundings.Presence)]) -> Surroundings.Presence
}

extension Binding {
    /// Nothing.
    package func orderAfter(_ action: Action) -> Order? { nil }

    /// The action itself.
    package func attained(_ action: Action) -> Action { action }

    /// The word of the last topic.
    package func presence(_ said: [(topic: String, presence: Surroundings.Presence)]) -> Surroundings.Presence {
        said.last?.presence ?? .unknown
    }
}

/// Names a person gives for topics.
package enum GivenTopic {
    /// Checks one.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - kind: Whose topic it is, such as `Tasmota`.
    /// - Throws: ``ModelProblem``, such as `"kitchen/#" is no Tasmota topic: leave out + and #`.
    package static func check(_ text: String, kind: String) throws(ModelProblem) {
        if let problem = problem(of: text) { throw ModelProblem("\(Excerpt(text)) is no \(kind) topic: \(problem)") }
    }

    /// What to do about a text that is no topic; nil if it is one.
    static func problem(of text: String) -> String? {
        if text.isEmpty || text.utf8.count > 256 { return "give 1 to 256 bytes" }
        if text.unicodeScalars.contains(where: { $0 == "+" || $0 == "#" }) { return "leave out + and #" }
        if HiddenCharacter.find(in: text) != nil { return "leave out what cannot be seen" }
        return text.hasPrefix("/") || text.hasSuffix("/") ? "leave out the / at its end" : nil
    }
}
