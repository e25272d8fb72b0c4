import PoolModel
import SyncSimulation
import WatchConnectivity

/// The phone, or a watch by its number from 0.
enum ConnectivityDevice: Hashable, Sendable {
    case phone
    case watch(Int)

    /// The device of a name: `phone`, `watch`, `watch2` and so on up to `watch16`.
    init?(name: String) {
        if name == "phone" {
            self = .phone
        } else if let number = (0..<16).first(where: { Self.watch($0).name == name }) {
            self = .watch(number)
        } else {
            return nil
        }
    }

    var name: String {
        switch self {
        case .phone: "phone"
        case .watch(let number): number == 0 ? "watch" : "watch\(number + 1)"
        }
    }
}

/// What an app sends, and how the other one's delegate is called with it.
enum ConnectivityContent: String, CaseIterable, Sendable {
    case message = "message"
    case context = "context"
    case userInfo = "user info"

    /// How the line of a trace about such a call begins.
    var call: String {
        switch self {
        case .message: "didReceiveMessage"
        case .context: "didReceiveApplicationContext"
        case .userInfo: "didReceiveUserInfo"
        }
    }
}

/// A step of what happens to a phone and watches whose apps use WatchConnectivity.
enum ConnectivityStep: Hashable, Sendable {
    /// The app sends something with this text.
    case send(ConnectivityDevice, ConnectivityContent, String)
    /// The system changes the state of the app.
    case app(ConnectivityDevice, SessionDevice.AppState)
    /// The process ends at once, and starts again.
    case kill(ConnectivityDevice)
    case start(ConnectivityDevice)
    /// The link of a watch ends, and exists again.
    case cut(watch: Int)
    case heal(watch: Int)
    /// The phone turns to another watch.
    case switchTo(watch: Int)
    case wait(Duration)
    /// The delegate has been called exactly so often with something of this kind since the start.
    case got(ConnectivityDevice, count: Int, ConnectivityContent, within: Duration)

    /// Reads a line; nil if it holds no step.
    static func of(_ line: Substring, file: String, number: Int) throws(ScenarioError) -> ConnectivityStep? {
        var words = try ScenarioTokens(line, file: file, line: number)
        guard !words.isEmpty else { return nil }
        let step = try Self.step(&words)
        try words.end()
        return step
    }

    private static func step(_ words: inout ScenarioTokens) throws(ScenarioError) -> ConnectivityStep {
        if words.take("suspend") { return .app(try device(&words), .suspended) }
        if words.take("background") { return .app(try device(&words), .background) }
        if words.take("foreground") { return .app(try device(&words), .foreground) }
        if words.take("kill") { return .kill(try device(&words)) }
        if words.take("start") { return .start(try device(&words)) }
        if words.take("cut") { return .cut(watch: try watch(&words)) }
        if words.take("heal") { return .heal(watch: try watch(&words)) }
        if words.take("switch to") { return .switchTo(watch: try watch(&words)) }
        if words.take("wait") { return .wait(try duration(&words)) }
        if words.take("within") { return try got(within: try duration(&words), &words) }
        if words.take("expect") { return try got(within: .zero, &words) }
        guard let next = words.next, ConnectivityDevice(name: next) != nil else {
            throw words.unfit(
                "phone, watch, watch2 …, or one of suspend, background, foreground, kill, start, cut, heal, switch to, "
                    + "wait, within, expect")
        }
        let sender = try device(&words)
        try words.need("sends")
        return .send(sender, try content(&words), try words.quoted())
    }

    private static func got(
        within time: Duration, _ words: inout ScenarioTokens
    ) throws(ScenarioError) -> ConnectivityStep {
        let device = try device(&words)
        try words.need("got")
        let count = try words.read("a number") { Int($0).flatMap { $0 < 0 ? nil : $0 } }
        return .got(device, count: count, try content(&words), within: time)
    }

    private static func device(_ words: inout ScenarioTokens) throws(ScenarioError) -> ConnectivityDevice {
        try words.read("phone, watch, watch2 …") { ConnectivityDevice(name: $0) }
    }

    private static func watch(_ words: inout ScenarioTokens) throws(ScenarioError) -> Int {
        try words.read("watch, watch2 …") { name -> Int? in
            if case .watch(let number) = ConnectivityDevice(name: name) { number } else { nil }
        }
    }

    private static func content(_ words: inout ScenarioTokens) throws(ScenarioError) -> ConnectivityContent {
        for content in ConnectivityContent.allCases where words.take(content.rawValue) { return content }
        throw words.unfit("message, context or user info")
    }

    private static func duration(_ words: inout ScenarioTokens) throws(ScenarioError) -> Duration {
        try words.read(DurationText.expected) { DurationText.duration($0) }
    }

    /// The number of the watch of which it speaks, from 0; nil if it speaks of none.
    var watch: Int? {
        switch self {
        case .send(.watch(let number), _, _), .app(.watch(let number), _), .kill(.watch(let number)),
            .start(.watch(let number)), .cut(let number), .heal(let number), .switchTo(let number),
            .got(.watch(let number), _, _, _):
            number
        case .send(.phone, _, _), .app(.phone, _), .kill(.phone), .start(.phone), .got(.phone, _, _, _), .wait: nil
        }
    }
}

/// The steps of a file.
struct ConnectivityScenario: Sendable {
    /// A line with a step.
    struct Line: Sendable {
        var number: Int
        var text: String
        var step: ConnectivityStep
    }

    var lines: [Line] = []

    /// Reads the text of a file.
    init(_ text: String, file: String) throws(ScenarioError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let step = try ConnectivityStep.of(line, file: file, number: index + 1) else { continue }
            lines.append(Line(number: index + 1, text: String(line), step: step))
        }
        guard !lines.isEmpty else {
            throw ScenarioError(file: file, line: 1, word: nil, expected: "a step, such as: cut watch")
        }
    }

    var watchCount: Int { (lines.compactMap(\.step.watch).max() ?? 0) + 1 }
}
