import Testing

@testable import SyncCore

/// An application's report about a file is kept even if the store fails, and so is a file to send that cannot be read
/// now.
///
/// Both are tried again.
@Suite
struct FileRetryTests {
    private static let full = "the disk is full"

    /// A received file or a result whose removal must be recorded by the store.
    enum Step: CaseIterable {
        case consumed
        case resultTaken
    }

    private let file = SampleFile(byteCount: 10).offer(RandomID(high: 5, low: 1))

    private func script(_ step: Step) -> (FileScript, FileExchange.Input, FileExchange.Record) {
        var state = FileExchange.State()
        switch step {
        case .consumed: state.received = [file]
        case .resultTaken: state.results = [FileResult(id: file.id, failure: nil)]
        }
        var script = FileScript(state: state)
        script.outputs = []
        return step == .consumed
            ? (script, .consumed(file.id), .consumed(file.id)) : (script, .resultTaken(file.id), .resultTaken(file.id))
    }

    @Test(arguments: Step.allCases)
    func `a step that the store could not record is tried again, ever more slowly, while the process runs`(
        step: Step
    ) throws {
        var (script, said, record) = script(step)
        script.feed(said)
        #expect(script.claim() == [.persist(record)])
        script.feed(.persistFailed(record, reason: Self.full))
        #expect(script.claim() == [.event(.notStored(Self.full))])

        var pauses: [Int64] = []
        var now: Int64 = 0
        for _ in 0..<6 {
            let due = try #require(script.exchange.nextDeadline).nanoseconds / 1_000_000
            pauses.append(due - now)
            now = due
            script.feed(.timeReached, at: now - 1)
            #expect(script.claim().isEmpty)
            script.feed(.timeReached, at: now)
            #expect(script.claim() == [.persist(record)])
            #expect(script.exchange.nextDeadline == nil)
            script.feed(.persistFailed(record, reason: Self.full), at: now)
            script.outputs = []
        }

        #expect(pauses == [2000, 4000, 8000, 16_000, 32_000, 32_000])
    }

    @Test(arguments: Step.allCases)
    func `once it is recorded nothing is tried any more`(step: Step) throws {
        var (script, said, record) = script(step)
        script.feed(said)
        for _ in 0..<3 {
            script.feed(.persistFailed(record, reason: Self.full))
            script.feed(.timeReached, at: 100_000)
        }
        script.outputs = []

        script.feed(.persisted(record), at: 100_000)

        #expect(script.claim() == (step == .consumed ? [.remove(file)] : []))
        #expect(script.exchange.nextDeadline == nil)
        #expect(script.exchange.state.received.isEmpty && script.exchange.state.results.isEmpty)
    }

    @Test(arguments: Step.allCases)
    func `an application that says it again is heard at once`(step: Step) {
        var (script, said, record) = script(step)
        script.feed(said)
        script.feed(.persistFailed(record, reason: Self.full))
        script.outputs = []

        script.feed(said, at: 10)

        #expect(script.claim() == [.persist(record)])
        #expect(script.exchange.nextDeadline == nil)
    }

    @Test
    func `files that wait for the store are tried together, in the order of their failures`() throws {
        let files = (0..<3).map { SampleFile(byteCount: 10).offer(RandomID(high: 5, low: $0)) }
        var state = FileExchange.State()
        state.received = files
        var script = FileScript(state: state)
        for file in files { script.feed(.consumed(file.id)) }
        for (index, file) in files.enumerated() {
            script.feed(.persistFailed(.consumed(file.id), reason: Self.full), at: Int64(index))
        }
        script.outputs = []
        #expect(script.exchange.nextDeadline == Instant(nanoseconds: 2_000_000_000))

        script.feed(.timeReached, at: 2000)

        #expect(script.claim() == files.map { .persist(.consumed($0.id)) })
    }

    @Test(arguments: [FileFailure.Cause.failed, .full, .other("busy")])
    func `a file that cannot be read now stays in the queue, and is offered again`(cause: FileFailure.Cause) throws {
        var script = FileScript()
        let file = SampleFile(byteCount: 100)
        let id = try script.send(file)
        func pull(_ number: UInt64) -> FileExchange.Input {
            .received(FilePull(id: id, number: number, offset: 0, byteCount: 100, arrived: 0).frame(session: 7))
        }
        script.feed(.sessionOpened(7))
        script.feed(pull(1))
        script.outputs = []

        script.feed(.readFailed(id, FileFailure(cause, "too many open files")), at: 10)
        #expect(script.claim() == [])
        #expect(script.exchange.state.queue.map(\.offer.id) == [id])
        #expect(script.exchange.nextDeadline == moment(2010).monotonic)
        // An answer to an earlier request arrives too late.
        script.feed(.read(id, offset: 0, file.bytes), at: 20)
        #expect(script.claim() == [])

        script.feed(.timeReached, at: 2010)
        #expect(script.claim() == [.send(file.offer(id).frame(session: 7, number: 1))])
        script.feed(pull(2), at: 2020)
        script.outputs = []
        script.feed(.read(id, offset: 0, file.bytes), at: 2030)
        #expect(script.claim() == [.send(FileChunk(id: id, offset: 0, bytes: file.bytes).frame(session: 7))])
    }

    /// Found by the simulation's seed 6646.
    @Test func `a receiver is told that a file was given up when that is recorded, and not before`() throws {
        var script = FileScript(state: FileExchange.State())
        script.outputs = []
        let id = try script.send(SampleFile(byteCount: 100))
        script.feed(.sessionOpened(7))
        script.outputs = []
        script.feed(.received(FilePull(id: id, number: 1, offset: 0, byteCount: 100, arrived: 0).frame(session: 7)))
        let gone = FileFailure(.gone, "no file")
        let ended = FileExchange.Record.ended(id, FileResult(id: id, failure: gone))

        script.outputs = []
        script.feed(.readFailed(id, gone))
        #expect(script.claim() == [.persist(ended)])
        script.feed(.persistFailed(ended, reason: Self.full))
        // A receiver that had been told would not take the offer a second time.
        #expect(script.claim() == [.event(.notStored(Self.full))])
        script.feed(.timeReached, at: 2000)
        #expect(script.claim().contains { if case .send(let frame) = $0 { frame.kind == .offer } else { false } })

        script.feed(.received(FilePull(id: id, number: 2, offset: 0, byteCount: 100, arrived: 0).frame(session: 7)))
        script.outputs = []
        script.feed(.readFailed(id, gone))
        #expect(script.claim() == [.persist(ended)])
        script.feed(.persisted(ended))
        #expect(script.claim().contains(.send(FileAbort(id: id, failure: gone).frame(session: 7))))
    }

    @Test(arguments: Step.allCases)
    func `after a success the next failure waits as short as the first one`(step: Step) throws {
        let other = SampleFile(byteCount: 10).offer(RandomID(high: 5, low: 2))
        var state = FileExchange.State()
        state.received = [file, other]
        state.results = [FileResult(id: file.id, failure: nil), FileResult(id: other.id, failure: nil)]
        var script = FileScript(state: state)
        func said(_ id: RandomID) -> (FileExchange.Input, FileExchange.Record) {
            step == .consumed ? (.consumed(id), .consumed(id)) : (.resultTaken(id), .resultTaken(id))
        }
        let (first, firstRecord) = said(file.id)
        script.feed(first)
        script.feed(.persistFailed(firstRecord, reason: Self.full))
        script.feed(.timeReached, at: 2000)
        script.feed(.persistFailed(firstRecord, reason: Self.full), at: 2000)
        script.feed(.timeReached, at: 6000)
        script.feed(.persisted(firstRecord), at: 6000)

        let (second, secondRecord) = said(other.id)
        script.feed(second, at: 6000)
        script.feed(.persistFailed(secondRecord, reason: Self.full), at: 6000)

        #expect(try #require(script.exchange.nextDeadline) == moment(8000).monotonic)
    }
}
