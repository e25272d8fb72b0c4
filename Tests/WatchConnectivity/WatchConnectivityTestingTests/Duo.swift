import Foundation
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// A pair whose apps remember all that they are called with, and whose sessions are activated.
struct Duo {
    let pair: TestPair
    let phone = RecordingDelegate()
    let watch = RecordingDelegate()

    init(
        seed: UInt64 = 1, behaviour: SessionBehaviour = SessionBehaviour(), isActivated: Bool = true
    ) throws {
        pair = try TestPair(seed: seed, phone: behaviour, watch: behaviour)
        pair.phone.delegate = phone
        pair.watch.delegate = watch
        guard isActivated else { return }
        pair.phone.activate()
        pair.watch.activate()
        pair.settle()
        phone.clear()
        watch.clear()
    }

    /// Lets each new process of an app be as the first one was.
    func relaunchAlike() {
        let (phone, watch) = (phone, watch)
        pair.phoneDevice.onLaunch = { session, _ in
            session.delegate = phone
            session.activate()
        }
        pair.watchDevice.onLaunch = { session, _ in
            session.delegate = watch
            session.activate()
        }
    }

    /// A file of the test's own.
    func file(_ name: String, _ text: String) throws -> URL {
        let url = pair.folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url
    }
}

/// What became of a message.
// Unchecked: what changes is behind the lock.
final class Outcome: @unchecked Sendable {
    private let lock = NSLock()
    private var lastReplies: [[String: Any]] = []
    private var lastCodes: [WCError.Code] = []

    var replies: [[String: Any]] { lock.withLock { lastReplies } }
    var codes: [WCError.Code] { lock.withLock { lastCodes } }
    var count: Int { lock.withLock { lastReplies.count + lastCodes.count } }

    func replied(_ reply: [String: Any]) { lock.withLock { lastReplies.append(reply) } }

    func failed(_ error: any Error) {
        lock.withLock { lastCodes.append((error as? WCError)?.code ?? .genericError) }
    }
}

extension WCSession {
    /// Sends a message that wants a reply.
    func ask(_ message: [String: Any]) -> Outcome {
        let outcome = Outcome()
        sendMessage(message, replyHandler: outcome.replied, errorHandler: outcome.failed)
        return outcome
    }

    /// Sends a message that wants none.
    func tell(_ message: [String: Any]) -> Outcome {
        let outcome = Outcome()
        sendMessage(message, replyHandler: nil, errorHandler: outcome.failed)
        return outcome
    }
}

/// The numbers under a key.
func numbers(_ dictionaries: [[String: Any]], _ key: String = "n") -> [Int] {
    dictionaries.compactMap { $0[key] as? Int }
}

/// The codes of errors, or nil.
func codes(_ errors: [(any Error)?]) -> [WCError.Code?] {
    errors.map { ($0 as? WCError)?.code }
}

/// A dictionary with values of all types that takes exactly this many bytes as a binary property list of Foundation.
///
/// No two values are equal: Foundation on Linux does not write such values once, as Apple's does.
func dictionary(ofByteCount byteCount: Int) throws -> [String: Any] {
    var dictionary: [String: Any] = [
        "numbers": (0..<1000).map { $0 * 700 - 90_000 }, "texts": (0..<100).map { "Länge \($0)" },
        "values": [1.5, -0.25, true, Date(timeIntervalSinceReferenceDate: 1), Data([1, 2])] as [Any],
        "nested": ["a": ["b": ["c": 1]]],
    ]
    var (padding, size) = (0, 0)
    // The size of the padding's own length can change once.
    for _ in 0..<4 where size != byteCount {
        padding += byteCount - size
        dictionary["pad"] = Data(count: max(0, padding))
        size = try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0).count
    }
    try #require(size == byteCount)
    return dictionary
}
