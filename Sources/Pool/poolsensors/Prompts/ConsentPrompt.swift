import PoolControl

/// Decides whether an irreversible action may be done.
enum ConsentPrompt {
    /// What to do before the action.
    enum Step: Equatable {
        /// Do it.
        case proceed
        /// Ask the person first.
        case ask
        /// Do not do it: there is no person to ask.
        case refuse
    }

    /// Decides: `--yes` is consent in advance, and without a terminal no person can be asked.
    static func step(isAnswered: Bool, isTerminal: Bool) -> Step {
        if isAnswered { return .proceed }
        return isTerminal ? .ask : .refuse
    }

    /// Whether an answer means yes; any other answer is a no.
    static func isYes(_ answer: String?) -> Bool {
        guard let answer else { return false }
        return ["y", "yes"].contains(answer.filter { !$0.isWhitespace }.lowercased())
    }
}

/// What removing a server needs.
enum ServerRemoval: Equatable {
    /// The question for the person, before the server alone is removed.
    case server(question: String)
    /// The question for the person, before the server and its devices are removed.
    case cascade(question: String)
    /// It has devices, and their removal was not requested; the sentence says so.
    case blocked(String)

    /// Plans the removal of a server with these devices.
    init(server: String, devices: [String], withDevices: Bool) {
        let names = devices.map { "\"\($0)\"" }.joined(separator: ", ")
        let noun = devices.count == 1 ? "device" : "devices"
        if devices.isEmpty {
            self = .server(question: "Remove the server \"\(server)\"?")
        } else if withDevices {
            self = .cascade(question: "Remove the server \"\(server)\" and its \(noun) \(names)?")
        } else {
            self = .blocked("\(HubRequestError.serverHasDevices(server: server, devices: devices))")
        }
    }
}
