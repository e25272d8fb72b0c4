import Companion
import Foundation
import Platform
import WatchConnectivity

/// The least app: a counter on a phone, and watches that add to it.
enum ToyApp: CompanionApp {
    struct View: Codable, Hashable, Sendable {
        /// The number of the changes so far: a view with a smaller one is older.
        var changes: Int
        var sum: Int
        /// The name of the watch that it is for.
        var watch: String
        var isGuest: Bool
    }

    enum Command: Codable, Hashable, Sendable {
        case add(Int)
        case reset
        case say(String)
    }

    struct Reply: Codable, Hashable, Sendable {
        var sum: Int
        var text = ""
    }

    struct Event: Codable, Hashable, Sendable {
        var number: Int
        var isSecret = false
    }

    struct FileInfo: Codable, Hashable, Sendable {
        var sum: Int
    }

    static let name = "toy"
    static let version = 2
    static let firstGrants = Grants(["toy.add"])

    static func grant(toPerform command: Command) -> String? {
        switch command {
        case .add: "toy.add"
        case .reset: "toy.reset"
        case .say: nil
        }
    }

    static func grant(toSee event: Event) -> String? { event.isSecret ? "toy.secrets" : nil }
}

/// The same app in another version, which has another view.
enum OtherToyApp: CompanionApp {
    struct View: Codable, Hashable, Sendable {
        var total: Int
    }
    typealias Command = ToyApp.Command
    typealias Reply = ToyApp.Reply
    typealias Event = ToyApp.Event
    typealias FileInfo = ToyApp.FileInfo
    static let name = "toy"
    static let version = 3
    static let firstGrants = Grants(["toy.add", "toy.reset"])
}

/// What is on the disk of a simulated device, and which process may write to it: what a killed one does has no effect.
final class ToyDisk: Sendable {
    struct Contents: Sendable {
        var life = 0
        var map: [String: [UInt8]] = [:]
        var isFull = false
        // What the app itself keeps.
        var sum = 0
        var changes = 0
        var performed: [CommandID] = []
        var events: [String: [Int]] = [:]
        var files: [String: [[UInt8]]] = [:]
    }

    struct Killed: Error {}
    struct Full: Error {}

    let contents = Lock(Contents())

    /// Another process starts; returns its storage.
    func start() -> ToyStorage {
        contents.withLock { contents in
            contents.life += 1
            return ToyStorage(disk: self, life: contents.life)
        }
    }

    /// The running process ends at once.
    func kill() { contents.withLock { $0.life += 1 } }
}

/// The disk as one process has it.
struct ToyStorage: CompanionStorage {
    let disk: ToyDisk
    let life: Int

    func change<Result: Sendable>(_ body: (inout ToyDisk.Contents) throws -> Result) throws -> Result {
        try disk.contents.withLock { contents in
            guard contents.life == life else { throw ToyDisk.Killed() }
            return try body(&contents)
        }
    }

    func read() throws -> [String: [UInt8]] { try change(\.map) }

    func write(_ changes: [(key: String, value: [UInt8]?)]) throws {
        try change { contents in
            if contents.isFull { throw ToyDisk.Full() }
            for (key, value) in changes { contents.map[key] = value }
        }
    }
}

/// The phone's part.
actor ToyPhone: CompanionPhone {
    typealias App = ToyApp

    private let storage: ToyStorage
    /// Waits within a command, for tests of what happens meanwhile.
    private let pause: @Sendable (ToyApp.Command) async -> Void
    private(set) var mostAtWork = 0
    private var atWork = 0
    private var refusesEvents = false
    private var viewCount = 0

    init(_ storage: ToyStorage, pause: @escaping @Sendable (ToyApp.Command) async -> Void = { _ in }) {
        self.storage = storage
        self.pause = pause
    }

    func view(for caller: Caller) async -> ToyApp.View {
        let contents = storage.disk.contents.withLock(\.self)
        // The answer takes its time, now more and now less, so that a later one might overtake it.
        viewCount += 1
        for _ in 0..<(viewCount * 7 % 31) { await Task.yield() }
        return ToyApp.View(
            changes: contents.changes, sum: contents.sum, watch: caller.watch.name,
            isGuest: !caller.grants.allow("toy.reset"))
    }

    func perform(_ command: ToyApp.Command, _ id: CommandID, by caller: Caller) async -> ToyApp.Reply {
        atWork += 1
        mostAtWork = max(mostAtWork, atWork)
        defer { atWork -= 1 }
        await pause(command)
        let sum = try? storage.change { contents in
            contents.performed.append(id)
            contents.changes += 1
            switch command {
            case .add(let number): contents.sum += number
            case .reset: contents.sum = 0
            case .say: break
            }
            return contents.sum
        }
        if case .say(let text) = command { return ToyApp.Reply(sum: sum ?? -1, text: text) }
        return ToyApp.Reply(sum: sum ?? -1)
    }

    func refuseEvents(_ refusesEvents: Bool) { self.refusesEvents = refusesEvents }

    func received(_ event: ToyApp.Event, from caller: Caller) throws {
        if refusesEvents { throw ToyDisk.Full() }
        try storage.change { $0.events[caller.watch.name, default: []].append(event.number) }
    }

    func received(_ file: IncomingFile<ToyApp.FileInfo>, from caller: Caller) throws {
        let bytes = [UInt8](try Data(contentsOf: file.file))
        try storage.change { $0.files[caller.watch.name, default: []].append(bytes) }
        try FileManager.default.removeItem(at: file.file)
    }
}
