/// What is done to find out how one rule of WatchConnectivity works: the steps, in their order.
///
/// The rules are those that Apple's documentation leaves open; their numbers are those of Docs/CONFORMANCE.md.
public struct RuleMeasurement: Sendable {
    /// One of the two devices.
    public enum Side: String, Codable, Hashable, Sendable {
        /// The iPhone.
        case phone
        /// The watch that is worn.
        case watch
    }

    /// What one tap in the app of a device does.
    public enum Action: Hashable, Sendable {
        /// Activates the session once more.
        case activate
        /// Replies to each message as often from now on; 1 at the start.
        case reply(times: Int)
        /// Sends a message that asks for a reply.
        case ask(Int)
        /// Sets the application context.
        case context(Int)
        /// Queues user info.
        case userInfo(Int)
        /// Queues user info for the complication.
        case complication(Int)
        /// Queues a file of this name, whose source is removed right after the call, or not.
        case file(Int, name: String, removesSource: Bool)
        /// Cancels all outstanding user info and files.
        case cancel
        /// Records how many transfers for the complication are left today.
        case budget
        /// Sends messages around the limit of their size, with content that can be compressed and with other content.
        case sizes
        /// Records that the person has done what the step before says.
        case done
    }

    /// What the person does with the devices.
    public enum PersonAction: Hashable, Sendable {
        /// Ends an app: Xcode's stop button, not the list of recent apps.
        case end(Side)
        /// Opens an app, so that it is in front.
        case open(Side)
        /// Lets the watch sleep with the app in the background.
        case sleep
        /// Puts on the other watch.
        case switchWatch
        /// Brings phone and watch out of range of each other: both in flight mode.
        case separate
        /// Ends that, and waits until both are connected again.
        case join
        /// Removes the app's complication from the watch's face.
        case removeComplication
        /// Puts the app's complication on the watch's face.
        case addComplication
        /// Waits, with both apps as they are.
        case wait(seconds: Int)
    }

    /// One step.
    public enum Step: Hashable, Sendable {
        /// A tap on a device.
        case tap(Side, Action)
        /// Something that the person does.
        case person(PersonAction)
    }

    /// The number of the rule.
    public let rule: Int
    /// What is asked.
    public let question: String
    /// The steps. Before the first one both apps are open and reach each other.
    public let steps: [Step]

    /// The measurement of a rule; nil if there is none.
    public static func of(rule: Int) -> RuleMeasurement? { all.first { $0.rule == rule } }

    /// All measurements, in the order of the rules.
    public static let all: [RuleMeasurement] = [
        RuleMeasurement(
            rule: 15, question: "Is the delegate called again when an activated session is activated?",
            steps: [.tap(.phone, .activate)]),
        RuleMeasurement(
            rule: 24, question: "With which code does a message fail that waits for its reply when the watch is switched?",
            steps: [.tap(.watch, .reply(times: 0)), .tap(.phone, .ask(1)), .person(.switchWatch)]),
        RuleMeasurement(
            rule: 54, question: "How often is the error handler of a message called while the link comes and goes?",
            steps: [.tap(.watch, .reply(times: 0)), .tap(.phone, .ask(1)), .tap(.phone, .ask(2))]
                + Array(repeating: [.person(.separate), .person(.join)], count: 3).flatMap(\.self)
                + [.person(.wait(seconds: 600)), .tap(.watch, .reply(times: 1))]),
        RuleMeasurement(
            rule: 62, question: "After how many seconds does a message fail whose reply never comes?",
            steps: [
                .tap(.watch, .reply(times: 0)), .tap(.phone, .ask(1)), .person(.wait(seconds: 600)),
                .tap(.watch, .reply(times: 1)),
            ]),
        RuleMeasurement(
            rule: 65, question: "Which replies reach the sender if the receiver replies twice?",
            steps: [.tap(.watch, .reply(times: 2)), .tap(.phone, .ask(1)), .tap(.watch, .reply(times: 1))]),
        RuleMeasurement(
            rule: 79, question: "Is a context that came before the launch in the property, in a call, or in both?",
            steps: [.person(.end(.watch)), .tap(.phone, .context(1)), .person(.open(.watch))]),
        RuleMeasurement(
            rule: 81, question: "Is a context delivered again that is equal to the last one?",
            steps: [.tap(.phone, .context(1)), .person(.wait(seconds: 10)), .tap(.phone, .context(1))]),
        RuleMeasurement(
            rule: 86, question: "Which of the contexts that came during a long sleep are delivered after it?",
            steps: [
                .tap(.phone, .context(1)), .person(.sleep), .person(.wait(seconds: 3600)), .tap(.phone, .context(2)),
                .person(.wait(seconds: 600)), .tap(.phone, .context(3)), .person(.wait(seconds: 600)),
                .tap(.phone, .context(4)), .person(.wait(seconds: 3600)), .person(.open(.watch)),
            ]),
        RuleMeasurement(
            rule: 98, question: "Is the delegate notified of user info that was cancelled?",
            steps: [.person(.separate), .tap(.phone, .userInfo(1)), .tap(.phone, .cancel), .person(.join)]),
        RuleMeasurement(
            rule: 106, question: "Does user info from the watch start the app of the phone?",
            steps: [
                .person(.end(.phone)), .tap(.watch, .userInfo(1)), .person(.wait(seconds: 300)), .tap(.watch, .done),
                .person(.open(.phone)),
            ]),
        RuleMeasurement(
            rule: 113, question: "What becomes of user info for a complication that is not on the face?",
            steps: [
                .person(.removeComplication), .tap(.phone, .budget), .tap(.phone, .complication(1)),
                .person(.wait(seconds: 60)), .person(.addComplication),
            ]),
        RuleMeasurement(
            rule: 115, question: "At which time of the day does the budget of complication transfers begin again?",
            steps: [
                .person(.addComplication), .tap(.phone, .complication(1)), .tap(.phone, .complication(2)),
                .tap(.phone, .budget),
            ] + Array(repeating: [.person(.wait(seconds: 3600)), .tap(.phone, .budget)], count: 24).flatMap(\.self)),
        RuleMeasurement(
            rule: 124, question: "Does a file arrive whose source is removed right after the call?",
            steps: [.person(.separate), .tap(.phone, .file(1, name: "source.bin", removesSource: true)), .person(.join)]),
        RuleMeasurement(
            rule: 128, question: "Which name does a received file have?",
            steps: [.tap(.phone, .file(1, name: "two words.bin", removesSource: false))]),
        RuleMeasurement(
            rule: 131, question: "Is the delegate notified of a file that was cancelled?",
            steps: [
                .person(.separate), .tap(.phone, .file(1, name: "cancelled.bin", removesSource: false)),
                .tap(.phone, .cancel), .person(.join),
            ]),
        RuleMeasurement(
            rule: 140, question: "In which order is delivered what waits for a launch?",
            steps: [
                .person(.end(.watch)), .person(.separate),
                .tap(.phone, .file(1, name: "first.bin", removesSource: false)), .tap(.phone, .userInfo(2)),
                .tap(.phone, .context(3)), .tap(.phone, .userInfo(4)), .person(.join), .person(.wait(seconds: 60)),
                .person(.open(.watch)),
            ]),
        RuleMeasurement(
            rule: 148, question: "How many bytes of a binary property list does a message hold?",
            steps: [.tap(.phone, .sizes), .person(.wait(seconds: 60))]),
    ]
}

extension RuleMeasurement.Step: CustomStringConvertible {
    /// What the step says to the person.
    public var description: String {
        switch self {
        case .tap(let side, let action): "\(side.rawValue): tap \"\(action)\""
        case .person(let action): "\(action)"
        }
    }
}

extension RuleMeasurement.Action: CustomStringConvertible {
    /// The words on the button.
    public var description: String {
        switch self {
        case .activate: "activate"
        case .reply(let times): "reply \(times) times"
        case .ask(let number): "ask \(number)"
        case .context(let number): "context \(number)"
        case .userInfo(let number): "user info \(number)"
        case .complication(let number): "complication \(number)"
        case .file(let number, let name, let removesSource):
            "file \(number), \(name)\(removesSource ? ", and remove it" : "")"
        case .cancel: "cancel"
        case .budget: "budget"
        case .sizes: "sizes"
        case .done: "done"
        }
    }
}

extension RuleMeasurement.PersonAction: CustomStringConvertible {
    /// What the person does.
    public var description: String {
        switch self {
        case .end(let side): "end the app on the \(side.rawValue) with Xcode's stop button"
        case .open(let side): "open the app on the \(side.rawValue)"
        case .sleep: "press the crown of the watch, and leave the watch alone"
        case .switchWatch: "put on the other watch"
        case .separate: "turn on flight mode on both devices"
        case .join: "turn off flight mode on both devices, and wait until they are connected"
        case .removeComplication: "remove the app's complication from the face"
        case .addComplication: "put the app's complication on the face"
        case .wait(let seconds): "wait \(seconds) seconds"
        }
    }
}
