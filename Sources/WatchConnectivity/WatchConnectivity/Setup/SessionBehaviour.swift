import Foundation

/// The behaviour of a session where Apple's limits are undocumented or its behaviour is disputed.
///
/// The defaults are what most sources agree on; the alternatives reproduce what shipped apps have observed.
public struct SessionBehaviour: Hashable, Sendable {
    /// The most bytes of a live message or a reply, 0…262,144; 65,536 by default.
    public var messageByteCountMax = 65_536
    /// The most bytes of user info, including complication user info, 0…262,144; 65,536 by default.
    public var userInfoByteCountMax = 65_536
    /// The most bytes of an application context, 0…524,224; 262,144 by default.
    public var contextByteCountMax = 262_144
    /// The most bytes of a file; 1 GiB by default.
    public var fileByteCountMax: UInt64 = 1_073_741_824
    /// The time that a message waits for its reply, 1 ms…1 h; 10 s by default, since Apple documents none.
    public var replyTimeout = Duration.seconds(10)
    /// The time within which the app must complete a background task, at least 1 ms.
    ///
    /// After that its `expirationHandler` is called. If the task is open even then, a test pair ends the app's
    /// process; a real device only writes a warning to the trace.
    ///
    /// By default nil, since Apple documents no limit: tasks may stay open.
    public var backgroundTaskTime: Duration?
    /// The number of complication transfers per day that go with priority; 50 by default.
    public var complicationTransfersPerDay = 50
    /// The seconds by which local time is ahead of UTC, −50,400…50,400; a day of the complication budget begins at
    /// local midnight.
    public var secondsFromUTC = 0

    /// Whether the error handler of a message is called twice, as was observed on an unstable link.
    public var callsErrorHandlerTwice = false
    /// Whether a message without a timely answer fails with code 23 of `com.apple.identityservices.error`, "Timed
    /// out", as was observed, instead of 7012 or 7017 of WatchConnectivity's own domain.
    public var failsWithForeignErrors = false
    /// Whether a context that was already delivered is delivered again when the app wakes.
    public var replaysContexts = false
    /// Whether the context that waited for the app's launch is delivered twice.
    public var deliversLaunchContextTwice = false
    /// The seed for a random order in which the kinds of waiting content are delivered after activation; nil for the
    /// fixed order context, user info, files, results.
    public var drainOrderSeed: UInt64?
    /// Whether the session reports that it is reachable while its device is linked, whatever the state of the
    /// counterpart's app.
    public var claimsReachability = false
    /// The delay of each live message before it is delivered; zero by default.
    public var messageDelay = Duration.zero
    /// Whether a complication transfer fails at once while the complication is not enabled, instead of going as
    /// ordinary user info.
    public var refusesComplicationWithoutFace = false
    /// Whether `didFinish` is called after a cancellation as well.
    public var reportsCancelledTransfers = false
    /// Whether an app that is installed again gets the context that its counterpart had set before; by default it is
    /// forgotten with the earlier installation, as what was queued for it.
    public var resendsContextAfterReinstall = false
    /// Whether a watch counts as reachable from its side while the phone uses another watch.
    public var inactiveWatchIsReachable = false

    /// Creates the default behaviour.
    public init() {}
}

extension SessionBehaviour {
    /// Checks whether the limits are within their ranges.
    func check() throws(SessionSetupError) {
        func require(_ isFit: Bool, _ name: String, _ value: Any, _ range: String) throws(SessionSetupError) {
            try SessionSetup.require(isFit, .behaviour, "\(name)=\(value)", "choose \(range)")
        }
        try require(messageByteCountMax > 0, "messageByteCountMax", messageByteCountMax, "at least 1 byte")
        try require(userInfoByteCountMax > 0, "userInfoByteCountMax", userInfoByteCountMax, "at least 1 byte")
        try require(contextByteCountMax > 0, "contextByteCountMax", contextByteCountMax, "at least 1 byte")
        try require(
            (.milliseconds(1)...(.seconds(3_600))).contains(replyTimeout), "replyTimeout", replyTimeout, "1 ms to 1 h")
        try require(
            complicationTransfersPerDay >= 0, "complicationTransfersPerDay", complicationTransfersPerDay, "0 or more")
        try require((-50_400...50_400).contains(secondsFromUTC), "secondsFromUTC", secondsFromUTC, "-50400 to 50400")
        try require(messageDelay >= .zero, "messageDelay", messageDelay, "zero or more")
    }
}

extension SessionBehaviour {
    /// Reads members from a list such as `replyTimeout=2s,replaysContexts,drainOrderSeed=7`.
    mutating func read(_ list: String) throws(SessionSetupError) {
        for entry in list.split(separator: ",") {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            try set(parts[0], to: parts.count > 1 ? parts[1] : nil)
        }
    }

    private mutating func set(_ name: String, to text: String?) throws(SessionSetupError) {
        let entry = text.map { "\(name)=\($0)" } ?? name
        if let path = Self.switches[name] {
            self[keyPath: path] = try Self.parsed(entry, "on or off", Self.truth(text))
        } else if let path = Self.counts[name] {
            self[keyPath: path] = try Self.parsed(entry, "a whole number", text.flatMap { Int($0) })
        } else if let path = Self.durations[name] {
            self[keyPath: path] = try Self.parsed(
                entry, "a time such as 250ms or 2s", text.flatMap { Duration(watchConnectivity: $0) })
        } else if name == "backgroundTaskTime" {
            backgroundTaskTime = try Self.parsed(
                entry, "a time such as 250ms or 2s", text.flatMap { Duration(watchConnectivity: $0) })
        } else if name == "fileByteCountMax" {
            fileByteCountMax = try Self.parsed(entry, "a count of bytes", text.flatMap { UInt64($0) })
        } else if name == "drainOrderSeed" {
            drainOrderSeed = try Self.parsed(entry, "a whole number", text.flatMap { UInt64($0) })
        } else {
            throw .unusable(
                .behaviour, value: entry, wayOut: "name a member of SessionBehaviour, such as replyTimeout=2s")
        }
    }

    private static var switches: [String: WritableKeyPath<Self, Bool>] {
        [
            "callsErrorHandlerTwice": \.callsErrorHandlerTwice,
            "failsWithForeignErrors": \.failsWithForeignErrors, "replaysContexts": \.replaysContexts,
            "deliversLaunchContextTwice": \.deliversLaunchContextTwice, "claimsReachability": \.claimsReachability,
            "refusesComplicationWithoutFace": \.refusesComplicationWithoutFace,
            "reportsCancelledTransfers": \.reportsCancelledTransfers,
            "resendsContextAfterReinstall": \.resendsContextAfterReinstall,
            "inactiveWatchIsReachable": \.inactiveWatchIsReachable,
        ]
    }

    private static var counts: [String: WritableKeyPath<Self, Int>] {
        [
            "messageByteCountMax": \.messageByteCountMax, "userInfoByteCountMax": \.userInfoByteCountMax,
            "contextByteCountMax": \.contextByteCountMax, "complicationTransfersPerDay": \.complicationTransfersPerDay,
            "secondsFromUTC": \.secondsFromUTC,
        ]
    }

    private static var durations: [String: WritableKeyPath<Self, Duration>] {
        ["replyTimeout": \.replyTimeout, "messageDelay": \.messageDelay]
    }

    private static func truth(_ text: String?) -> Bool? {
        switch text {
        case nil, "on": true
        case "off": false
        default: nil
        }
    }

    private static func parsed<Value>(_ entry: String, _ form: String, _ value: Value?) throws(SessionSetupError)
        -> Value
    {
        guard let value else { throw .unusable(.behaviour, value: entry, wayOut: "write \(form)") }
        return value
    }
}
