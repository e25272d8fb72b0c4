/// The part of a child process in a measurement of ingest.
struct IngestTask: Codable, Sendable {
    /// The program that receives the messages.
    enum Side: String, Codable, Sendable, CaseIterable {
        /// A hub.
        case hub
        /// The bare subscriber.
        case bare
        /// A subscriber that stores nothing, to measure how fast the broker delivers.
        case idle
    }

    var side: Side
    var port: Int
    /// A separate folder.
    var folder: String
    /// The number of messages to receive.
    var count: Int
    var messages: IngestMessages
    /// The topics of further devices of a hub, on which nothing comes.
    var silentTopics: [String] = []
}

/// The report of a part that is ready to receive.
struct IngestStart: Codable, Sendable {
    var isListening = true
}

/// The measurements of a side.
struct IngestFindings: Codable, Sendable {
    /// The messages that were stored after the first ones.
    var count: Int
    /// The time from the first stored messages to the last, in seconds.
    var seconds: Double
    /// The processor time spent in it, in seconds.
    var processorSeconds: Double
    /// Its private memory at the end, in bytes.
    var byteCount: Int
}
