import Foundation

/// How a session behaves where Apple's limits are undocumented or its behaviour is disputed.
///
/// The defaults are what most sources agree on; the alternatives let a test meet what shipped apps have met.
public struct SessionBehaviour: Hashable, Sendable {
    /// The bytes of a live message or a reply at most, 0…262,144; 65,536 (rule R147).
    public var messageByteCountMax = 65_536
    /// The bytes of user info at most, complication user info too, 0…262,144; 65,536 (rules R147, R150).
    public var userInfoByteCountMax = 65_536
    /// The bytes of an application context at most, 0…524,224; 262,144 (rule R147).
    public var contextByteCountMax = 262_144
    /// The bytes of a file at most; 1 GiB (rule R127).
    public var fileByteCountMax: UInt64 = 1_073_741_824
    /// The time that a message waits for its reply, 1 ms…1 h; 10 s, as Apple documents none (rule R62).
    public var replyTimeout = Duration.seconds(10)
    /// The time in which the app must complete a background task, 1 ms or more: after that its `expirationHandler` is
    /// called, and a task that is open then ends the app's process in a test pair (rule R135); elsewhere there is a
    /// warning in the trace.
    ///
    /// Nil, as Apple documents none: tasks may stay open.
    public var backgroundTaskTime: Duration?
    /// The complication transfers a day that go with priority; 50 (rule R112).
    public var complicationTransfersPerDay = 50
    /// The seconds that local time is ahead of UTC, −50,400…50,400: a day of the budget begins at local midnight
    /// (rule R115).
    public var secondsFromUTC = 0

    /// Whether the error handler of a message is called twice, as a flapping link was seen to do (rule R54).
    public var callsErrorHandlerTwice = false
    /// Whether a message that got no answer in time fails with code 23 of `com.apple.identityservices.error`, "Timed
    /// out", as was seen, instead of 7012 or 7017 of WatchConnectivity's own domain (rule R153).
    public var failsWithForeignErrors = false
    /// Whether a context that was delivered already is delivered again when the app wakes (rule R86).
    public var replaysContexts = false
    /// Whether the context that waited for the app's launch is delivered twice (rule R79).
    public var deliversLaunchContextTwice = false
    /// Whether what waited for the activation is delivered in a random order of its kinds, drawn from this seed; nil for
    /// context, user info, files, results (rule R140).
    public var drainOrderSeed: UInt64?
    /// Whether the session says that it is reachable while its device is linked, whatever the counterpart's app does
    /// (rule R45).
    public var claimsReachability = false
    /// How long each live message is held back before it is delivered; zero (rule R64).
    public var messageDelay = Duration.zero
    /// Whether a complication transfer fails at once while the complication is not enabled, instead of going as
    /// ordinary user info (rule R113).
    public var refusesComplicationWithoutFace = false
    /// Whether `didFinish` is called after a cancel, too (rules R98 and R131).
    public var reportsCancelledTransfers = false

    /// Creates the default behaviour.
    public init() {}
}

extension SessionBehaviour {
    /// Finds out whether the limits are within their ranges.
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
