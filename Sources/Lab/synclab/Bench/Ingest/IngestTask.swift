/// The part of a child process in a measurement of ingest.
struct IngestTask: Codable, Sendable {
    /// Who takes the messages.
    enum Side: String, Codable, Sendable, CaseIterable {
        /// A hub.
        case hub
        /// The bare subscriber.
        case bare
        /// A subscriber that stores nothing: as fast as the broker delivers.
        case idle
    }

    var side: Side
    var port: Int
    /// A folder of its own.
    var folder: String
    /// How many messages come.
    var count: Int
    var messages: IngestMessages
}

/// It listens.
struct IngestStart: Codable, Sendable {
    var isListening = true
}

/// What a side found out.
struct IngestFindings: Codable, Sendable {
    /// The messages that were stored after the first ones.
    var count: Int
    /// The time from the first stored messages to the last, in seconds.
    var seconds: Double
    /// The processor time in it, in seconds.
    var processorSeconds: Double
    /// The memory that it holds for itself at the end, in bytes.
    var byteCount: Int
}
