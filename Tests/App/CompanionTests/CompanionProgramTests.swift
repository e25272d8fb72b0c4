import Companion
import Foundation
import Platform
import Primitives
import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Random programs of the toy app: what the layer promises holds whatever happens to links, processes and devices.
@Suite(.longWork) struct CompanionProgramTests {
    /// The seeds of the programs; others are given as `COMPANION_PROGRAMS=first+count`.
    static var seeds: ClosedRange<UInt64> {
        let words = ProcessInfo.processInfo.environment["COMPANION_PROGRAMS"]?.split(separator: "+") ?? []
        let numbers = words.compactMap { UInt64($0) }
        guard numbers.count == 2, numbers[1] > 0 else { return 1...60 }
        return numbers[0]...(numbers[0] + numbers[1] - 1)
    }

    @Test(arguments: 0..<4)
    func `no random program sees a promise of the layer broken`(part: UInt64) async throws {
        for seed in Self.seeds where seed % 4 == part { try await CompanionProgram(seed: seed).run() }
    }
}

/// One random program.
private final class CompanionProgram: Sendable {
    private struct Sent: Sendable {
        var outcome: Awaited<CommandOutcome<ToyApp.Reply>?>
        var number: Int
        var id: CommandID
    }

    /// What was sent, which is to arrive.
    private struct Expected: Sendable {
        var commands: [Sent] = []
        var toPhone: [Int: [Int]] = [:]
        var toWatch: [Int: [Int]] = [:]
        var filesToPhone: [Int: [[UInt8]]] = [:]
        var filesToWatch: [Int: [[UInt8]]] = [:]
        var next = 0
    }

    private let seed: UInt64
    private let count: Int
    private let world: ToyWorld
    private let draws: Shared<SplitMix64>
    private let expected = Shared(Expected())

    init(seed: UInt64) throws {
        self.seed = seed
        var draws = SplitMix64(seed: seed)
        count = Int.random(in: 1...3, using: &draws)
        world = try ToyWorld(watches: count, seed: seed)
        self.draws = Shared(draws)
    }

    private func draw(_ range: Range<Int>) -> Int { draws.withLock { Int.random(in: range, using: &$0) } }

    func run() async throws {
        await world.ready()
        for _ in 0..<draw(15..<40) { try await step() }
        await calm()
        check()
    }

    private func step() async throws {
        let watch = draw(0..<count)
        switch draw(0..<20) {
        case 0..<7: sendCommand(from: watch)
        case 7..<9: await sendEvent(fromWatch: watch)
        case 9..<11: await sendEvent(toWatch: watch)
        case 11: try await sendFile(fromWatch: watch)
        case 12: try await sendFile(toWatch: watch)
        case 13: disturb(watch)
        case 14: world.pair.links[watch].cut()
        case 15: world.pair.links[watch].heal()
        case 16: world.pair.links[watch].reset()
        case 17: world.pair.switchWatch(to: watch)
        case 18: try draw(0..<2) == 0 ? world.cutPhone() : world.cutWatch(watch)
        default: await world.advance(by: .milliseconds(draw(1..<1_500)))
        }
        if draw(0..<3) > 0 { await world.advance(by: .milliseconds(draw(0..<300))) }
        // The hosts' tasks go on, sometimes before the next step.
        if draw(0..<2) == 0 { await ToyWorld.letOthersRun(draw(1..<200)) }
    }

    private func disturb(_ watch: Int) {
        var faults = TestLink.Faults()
        faults.dropChance = 0.25
        faults.duplicateChance = 0.2
        faults.reorderChance = 0.2
        faults.delays = .zero ... .milliseconds(800)
        world.pair.links[watch].faults = faults
    }

    private func sendCommand(from watch: Int) {
        // Every third one is sent again, at once or later.
        let old = expected.withLock(\.commands).filter { $0.number == watch }
        let id = draw(0..<3) == 0 ? old.last?.id ?? CommandID() : CommandID()
        let within = Duration.milliseconds(draw(200..<9_000))
        for _ in 0..<(draw(0..<4) == 0 ? 2 : 1) {
            let outcome = world.begin(.add(1), id, from: watch, within: within)
            expected.withLock { $0.commands.append(Sent(outcome: outcome, number: watch, id: id)) }
        }
    }

    private func nextNumber() -> Int {
        expected.withLock { expected in
            expected.next += 1
            return expected.next
        }
    }

    private func sendEvent(fromWatch watch: Int) async {
        let number = nextNumber()
        // A host that is just starting refuses, and queues nothing.
        guard (try? await world.watchHost(watch).send(ToyApp.Event(number: number))) != nil else { return }
        expected.withLock { $0.toPhone[watch, default: []].append(number) }
    }

    private func sendEvent(toWatch watch: Int) async {
        let number = nextNumber()
        guard (try? await world.phoneHost.send(ToyApp.Event(number: number), to: "watch-\(watch + 1)")) != nil
        else { return }
        expected.withLock { $0.toWatch[watch, default: []].append(number) }
    }

    private func newFile() throws -> (URL, [UInt8]) {
        let (length, first) = (draw(0..<20_000), draw(0..<256))
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ first) }
        let file = world.pair.folder.appending(path: "file-\(nextNumber())")
        try Data(bytes).write(to: file)
        return (file, bytes)
    }

    private func sendFile(fromWatch watch: Int) async throws {
        let (file, bytes) = try newFile()
        guard (try? await world.watchHost(watch).send(file, ToyApp.FileInfo(sum: 0))) != nil else { return }
        expected.withLock { $0.filesToPhone[watch, default: []].append(bytes) }
    }

    private func sendFile(toWatch watch: Int) async throws {
        let (file, bytes) = try newFile()
        let watchID = "watch-\(watch + 1)"
        guard (try? await world.phoneHost.send(file, ToyApp.FileInfo(sum: 0), to: watchID)) != nil else { return }
        expected.withLock { $0.filesToWatch[watch, default: []].append(bytes) }
    }

    // MARK: - The end

    /// Lets everything arrive.
    private func calm() async {
        for link in world.pair.links { link.heal() }
        let wanted = expected.withLock(\.self)
        let world = world
        await world.go("seed \(seed): every command has an outcome") {
            wanted.commands.allSatisfy { $0.outcome.value != nil }
        }
        await world.go("seed \(seed): everything arrives") {
            let disk = world.phoneDisk.contents.withLock(\.self)
            return (0..<self.count).allSatisfy { watch in
                let seen = world.seen[watch].withLock(\.self)
                return Self.collapsed(seen.events).count >= wanted.toWatch[watch]?.count ?? 0
                    && seen.files.count >= wanted.filesToWatch[watch]?.count ?? 0
                    && Self.collapsed(disk.events["watch \(watch + 1)"] ?? []).count >= wanted.toPhone[watch]?.count
                        ?? 0
                    && disk.files["watch \(watch + 1)"]?.count ?? 0 >= wanted.filesToPhone[watch]?.count ?? 0
                    && seen.views.last?.changes == disk.changes
            }
        }
    }

    private func check() {
        let wanted = expected.withLock(\.self)
        let disk = world.phoneDisk.contents.withLock(\.self)
        #expect(Set(disk.performed).count == disk.performed.count, "seed \(seed): performed twice")
        let sent = Dictionary(grouping: wanted.commands, by: \.id)
        for (id, attempts) in sent {
            let isDone = attempts.contains { if case .done? = $0.outcome.value { true } else { false } }
            #expect(!isDone || disk.performed.contains(id), "seed \(seed): done, and not performed")
            let isNever = attempts.allSatisfy { [.unreachable, .expired].contains($0.outcome.value) }
            #expect(!isNever || !disk.performed.contains(id), "seed \(seed): performed, and told that it was not")
        }
        for watch in 0..<count {
            let (seen, name) = (world.seen[watch].withLock(\.self), "watch \(watch + 1)")
            #expect(
                Self.collapsed(seen.events) == wanted.toWatch[watch] ?? [], "seed \(seed): events at \(name)")
            #expect(
                Self.collapsed(disk.events[name] ?? []) == wanted.toPhone[watch] ?? [],
                "seed \(seed): events of \(name)")
            // Files go several at a time, so they may overtake each other.
            #expect(
                Set(seen.files) == Set(wanted.filesToWatch[watch] ?? []), "seed \(seed): files at \(name)")
            #expect(Set(disk.files[name] ?? []) == Set(wanted.filesToPhone[watch] ?? []), "seed \(seed): of \(name)")
            #expect(seen.views.allSatisfy { $0.watch == name }, "seed \(seed): a view of another watch")
            let changes = seen.views.map(\.changes)
            #expect(changes == changes.sorted(), "seed \(seed): a view went back at \(name): \(changes)")
        }
    }

    /// Without the repetitions that a killed process has of what it was just handling.
    private static func collapsed(_ numbers: [Int]) -> [Int] {
        numbers.enumerated().filter { $0.offset == 0 || numbers[$0.offset - 1] != $0.element }.map(\.element)
    }
}
