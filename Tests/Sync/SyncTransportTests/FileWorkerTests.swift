import Platform
import SyncCore
import TestSupport
import Testing

@testable import SyncTransport

/// The thread for files: it keeps the order, reports short results together, and no result waits for a long job.
@Suite
struct FileWorkerTests {
    private static let peer = PeerKey(bytes: [UInt8](repeating: 1, count: 32))
    private static let file = RandomID(high: 0, low: 1)

    /// A disk on which each long job waits until the test releases it.
    private struct SlowDisk: FileStorage {
        let begun: AsyncStream<Void>.Continuation
        let mayGoOn: Semaphore

        func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
            switch output {
            case .write(let id, let offset, let bytes): return .written(id, upTo: offset + UInt64(bytes.count))
            case .sync(let id):
                begun.yield()
                mayGoOn.wait()
                return .synced(id, upTo: 0)
            default: return nil
            }
        }
    }

    private static func write(_ offset: UInt64) -> FileExchange.Output { .write(file, offset: offset, [0]) }

    @Test(.timeLimit(.minutes(20)))
    func `what was done before something long is told before that, and together`() async throws {
        let peer = try #require(Self.peer)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (reports, report) = AsyncStream<[FileExchange.Input]>.makeStream()
        let mayGoOn = Semaphore()
        let disk = SlowDisk(begun: begin, mayGoOn: mayGoOn)
        let thread = FileWorker(storage: { _ in disk }) { report.yield($0.map(\.input)) }
        var starts = begun.makeAsyncIterator()
        var told = reports.makeAsyncIterator()

        thread.submit([.init(peer: peer, output: .sync(Self.file))])
        await starts.next()
        // These jobs wait for the thread together.
        for output in [Self.write(0), Self.write(1), .sync(Self.file), Self.write(2)] {
            thread.submit([.init(peer: peer, output: output)])
        }
        mayGoOn.signal()
        #expect(await told.next() == [.synced(Self.file, upTo: 0)])
        #expect(await told.next() == [.written(Self.file, upTo: 1), .written(Self.file, upTo: 2)])
        await starts.next()
        mayGoOn.signal()
        #expect(await told.next() == [.synced(Self.file, upTo: 0), .written(Self.file, upTo: 3)])
        thread.end()
    }

    @Test(.timeLimit(.minutes(20)))
    func `what is submitted to a thread that rests, and before it is closed, is done`() async {
        let (numbers, done) = AsyncStream<Int>.makeStream()
        let thread = StorageThread<Int>(work: { _ in }, report: { job, _ in done.yield(job) })
        var told = numbers.makeAsyncIterator()
        for number in 0..<100 {
            thread.submit(number)
            #expect(await told.next() == number)
        }
        for number in 0..<100 { thread.submit(number) }
        thread.close()
        for number in 0..<100 { #expect(await told.next() == number) }
    }

    @Test
    func `who waits for a thread finds all done and told, while it runs and at its end`() {
        let told = Recorder<Int>()
        let thread = StorageThread<Int>(work: { _ in }, report: { job, _ in told.record(job) })
        thread.drain()
        for round in 1...100 {
            thread.submit(Array(0..<50))
            thread.drain()
            #expect(told.items.count == round * 50)
        }
        thread.submit(Array(0..<1000))
        thread.end()
        #expect(told.items.count == 6000)
        // No result is expected any more.
        thread.drain()
    }
}
