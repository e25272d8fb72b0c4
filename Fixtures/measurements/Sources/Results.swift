public import Foundation

/// What one device saw: the file that comes back, as `results.schema.json` describes it.
public struct Results: Codable, Hashable, Sendable {
    /// Something that happened in the app.
    public struct Event: Codable, Hashable, Sendable {
        /// The kind of an event.
        public enum Kind: String, Codable, Hashable, Sendable {
            /// The app's process began.
            case launched
            /// The activation completed; the number is that of the context in the property.
            case activated
            /// The session became inactive.
            case inactive
            /// The session was deactivated.
            case deactivated
            /// A call of the session was made.
            case sent
            /// A reply came; the number after the point says which one of several.
            case replied
            /// An error handler was called, or a call threw.
            case failed
            /// Something arrived.
            case received
            /// A transfer finished; without a code it did so without an error.
            case finished
            /// A transfer was cancelled.
            case cancelled
            /// The transfers for the complication that are left.
            case budget
            /// The person has done what a step says.
            case done
        }

        /// The rule that is measured; nil if the event does not tell.
        public var rule: Int?
        /// The time, in seconds since 1970 by the clock of the device.
        public var time: Double
        /// What happened.
        public var event: Kind
        /// What it happened to: `message`, `context`, `userInfo`, `complication` or `file`.
        public var content: String?
        /// The number of that in its measurement.
        public var number: Int?
        /// The error's code.
        public var code: Int?
        /// More: the name of a file, the size of a message, whether user info is current, which reply it is.
        public var detail: String?
    }

    /// The version of the format.
    public var format = 1
    /// The device that the file is of.
    public var side: RuleMeasurement.Side
    /// The model of the device, and its system with the version.
    public var system: String
    /// The difference of its local time from UTC, in seconds.
    public var secondsFromUTC: Int
    /// All events, in their order.
    public var events: [Event] = []

    /// Creates results without events.
    public init(side: RuleMeasurement.Side, system: String, secondsFromUTC: Int) {
        self.side = side
        self.system = system
        self.secondsFromUTC = secondsFromUTC
    }

    /// Reads a file.
    public init(contentsOf url: URL) throws {
        self = try JSONDecoder().decode(Results.self, from: Data(contentsOf: url))
    }

    /// Writes the file.
    public func write(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: url, options: .atomic)
    }
}
