import Platform
import SyncCore
import TestSupport
import Testing

@testable import SyncTransport

/// A store that runs each job only when the test releases it, so that the test knows what happened before the job
/// ended.
final class HeldDisk: Sendable {
    /// The jobs in the order in which they reached the store.
    let jobs = Recorder<String>()
    private let mayGoOn = Semaphore()
    private let failure = Lock<String?>(nil)
    private let letGoCount = Lock(0)

    /// The number of jobs that the test has released.
    var doneCount: Int { letGoCount.withLock(\.self) }

    /// Waits for the test; called on the store's thread.
    ///
    /// A job without a name is not recorded and does not wait.
    func pass(_ job: String?) throws {
        guard let job else { return }
        jobs.record(job)
        mayGoOn.wait()
        if let failure = failure.withLock({ $0.take() }) { throw Failed(description: failure) }
    }

    /// Releases the waiting job, or lets it fail.
    func letGo(failing: String? = nil) {
        failure.withLock { $0 = failing }
        letGoCount.withLock { $0 += 1 }
        mayGoOn.signal()
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }
}

/// Small files whose operations each wait for the test.
final class HeldFiles: FileStorage {
    let disk = HeldDisk()
    private let contents: [UInt8]
    private let writtenCount = Lock<UInt64>(0)

    init(contents: [UInt8]) {
        self.contents = contents
    }

    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        try? disk.pass(output.words)
        switch output {
        case .read(let id, _, let offset, let byteCount):
            return .read(id, offset: offset, Array(contents.dropFirst(Int(offset)).prefix(byteCount)))
        case .begin(let offer, let durable): return .began(offer.id, at: durable)
        case .write(let id, let offset, let bytes):
            let end = offset + UInt64(bytes.count)
            writtenCount.withLock { $0 = end }
            return .written(id, upTo: end)
        case .sync(let id): return .synced(id, upTo: writtenCount.withLock(\.self))
        case .finish(let offer): return .finished(offer.id)
        case .discard(let id): return .discarded(id)
        case .release, .remove, .send, .persist, .answer, .event: return nil
        }
    }
}

/// The events at the ends of a loop: its socket, its stores and its application.
///
/// The lines are in the order of the events, with one exception: between two jobs of a store, the application's lines
/// are before the frames.
/// application's lines stand before the frames.
final class Course: Sendable {
    /// The number of jobs, and of those whose result was passed to the engine.
    struct Jobs {
        var wantedCount = 0
        var toldCount = 0
    }

    /// The inputs and outputs of the engine, so that a test knows what to wait for.
    struct Passed {
        var records = Jobs()
        var files = Jobs()
        var requestCount = 0
        var answerCount = 0
        var hasFarewell = false
    }

    let passed = Awaited(Passed())
    let disk = HeldDisk()
    let files: HeldFiles
    /// The calls to the application on the loop's thread, and the results of its waiting tasks.
    private let told = Recorder<String>()
    private let answered = Recorder<String>()
    private let shownCounts = Lock((told: 0, answered: 0))
    private let lines = Lock<[String]>([])

    init(file contents: [UInt8] = []) {
        files = HeldFiles(contents: contents)
    }

    /// The events so far, one per line.
    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// The calls to the application so far.
    var toldSoFar: [String] { told.items }
    /// The number of completed requests so far.
    var answeredCount: Int { answered.items.count }

    func write(_ line: String) { lines.withLock { $0.append(line) } }

    /// Records a call to the application, on the loop's thread.
    func tell(_ words: String) {
        // A file is asked for again if this was slow.
        guard words != "file receiving" || words != told.items.last else { return }
        told.record(words)
    }

    func waitUntilTold(_ words: String) async { await told.wait { $0.contains(words) } }

    /// Starts a task of the application that makes a request.
    ///
    /// Returns when the engine has received the request.
    func ask(_ name: String, _ body: @escaping @Sendable () async throws -> String) async -> Task<Void, Never> {
        let count = passed.value.requestCount
        let task = Task { [answered] in
            do {
                answered.record("\(name): \(try await body())")
            } catch {
                answered.record("\(name): \(error)")
            }
        }
        await passed.wait { $0.requestCount > count }
        return task
    }

    /// Waits until the tasks have received their results, and writes the application's lines.
    func writeHeard() async {
        let count = passed.value.answerCount
        await answered.wait { $0.count >= count }
        let (told, answered) = (told.items, answered.items)
        let new = shownCounts.withLock { counts in
            defer { counts = (told.count, answered.count) }
            return (told.dropFirst(counts.told), answered.dropFirst(counts.answered))
        }
        for line in new.0 { write("  told \(line)") }
        for line in new.1 { write("  answer \(line)") }
    }

    /// The next job of a store; nil if there is none.
    private var nextJob: (disk: HeldDisk, name: String, told: any KeyPath<Passed, Int> & Sendable)? {
        let passed = passed.value
        if passed.records.wantedCount > disk.doneCount { return (disk, "disk", \.records.toldCount) }
        if passed.files.wantedCount > files.disk.doneCount { return (files.disk, "file", \.files.toldCount) }
        return nil
    }

    /// Releases one job after the other until there is none left; before each, and at the end, it waits for quiescence.
    func run(failing failure: String? = nil, settle: () async throws -> Void) async throws {
        var failure = failure
        while true {
            try await settle()
            guard let (disk, name, told) = nextJob else { return }
            let count = disk.doneCount
            await disk.jobs.wait { $0.count > count }
            // The job is certainly in progress now, so anything that did not wait for it appears before it.
            try await settle()
            write("\(name) \(failure == nil ? "did" : "failed") \(disk.jobs.items[count])")
            disk.letGo(failing: failure)
            failure = nil
            await passed.wait { $0[keyPath: told] > count }
        }
    }

    /// Releases the jobs of a loop that is stopping, until it has ended.
    func finish(_ isEnded: Awaited<Bool>) async throws {
        try await poll("the loop ends") {
            for (disk, name) in [(disk, "disk"), (files.disk, "file")] where disk.jobs.items.count > disk.doneCount {
                write("\(name) did \(disk.jobs.items[disk.doneCount])")
                disk.letGo()
            }
            return isEnded.value
        }
        write("the loop has ended")
        await writeHeard()
    }
}

// MARK: - Inputs and outputs of the engines

extension Course: HubRecording {
    func began(
        _ ledger: LedgerState, transfers: [PeerKey: TransferState], seed: UInt64, at moment: Moment,
        outputs: [HubEngine.Output]
    ) {
        passed.change { $0.take(outputs) }
    }

    func stepped(_ input: HubEngine.Input, at moment: Moment, outputs: [HubEngine.Output]) {
        passed.change { passed in
            passed.take(outputs)
            switch input {
            case .persisted, .persistFailed: passed.records.toldCount += 1
            case .recorded(_, let record), .recordFailed(_, let record, _):
                passed.records.toldCount += record.words == nil ? 0 : 1
            case .transfer(_, let input): passed.files.toldCount += input.isOutcome ? 1 : 0
            case .transact, .settle, .beginEpoch, .invite, .unpair, .authored: passed.requestCount += 1
            case .farewell: passed.hasFarewell = true
            case .received, .unroutable, .publish, .timeReached: break
            }
        }
    }
}

extension Course: WatchRecording {
    func began(
        _ configuration: WatchEngine.Configuration, _ loaded: WatchEngine.State, seed: UInt64, at moment: Moment,
        outputs: [WatchEngine.Output]
    ) {
        passed.change { $0.take(outputs) }
    }

    func stepped(_ input: WatchEngine.Input, at moment: Moment, outputs: [WatchEngine.Output]) {
        passed.change { passed in
            passed.take(outputs)
            switch input {
            case .persisted(let record), .persistFailed(let record, _):
                passed.records.toldCount += record.words == nil ? 0 : 1
            case .transfer(let input): passed.files.toldCount += input.isOutcome ? 1 : 0
            case .edit, .settle: passed.requestCount += 1
            case .farewell: passed.hasFarewell = true
            case .connected, .disconnected, .received, .retry, .timeReached: break
            }
        }
    }
}

extension Course.Passed {
    fileprivate mutating func take(_ outputs: [HubEngine.Output]) {
        for output in outputs {
            switch output {
            case .persist: records.wantedCount += 1
            case .record(_, let record): records.wantedCount += record.words == nil ? 0 : 1
            case .transfer(_, let output): take(output)
            case .answer: answerCount += 1
            case .send, .close, .admit, .event: break
            }
        }
    }

    fileprivate mutating func take(_ outputs: [WatchEngine.Output]) {
        for output in outputs {
            switch output {
            case .persist(let record): records.wantedCount += record.words == nil ? 0 : 1
            case .transfer(let output): take(output)
            case .answer: answerCount += 1
            case .send, .reconnect, .event: break
            }
        }
    }

    private mutating func take(_ output: TransferOutput) {
        guard case .files(let output) = output else { return }
        switch output {
        case .read, .begin, .write, .sync, .finish, .discard: files.wantedCount += 1
        // These have no result.
        case .release, .remove:
            files.wantedCount += 1
            files.toldCount += 1
        case .send, .persist, .answer, .event: break
        }
    }
}

extension TransferInput {
    /// Whether it is the result of a file job.
    fileprivate var isOutcome: Bool {
        guard case .files(let input) = self else { return false }
        switch input {
        case .read, .readFailed, .began, .written, .synced, .finished, .storeFailed, .discarded: return true
        case .sessionOpened, .sessionClosed, .received, .send, .cancel, .resultTaken, .consumed, .persisted,
            .persistFailed, .timeReached:
            return false
        }
    }
}
