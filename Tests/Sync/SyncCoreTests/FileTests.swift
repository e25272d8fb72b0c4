import Testing

@testable import SyncCore

/// File transfers: a script for each promise.
@Suite struct FileTests {
    @Test func `a file goes from offer to done`() throws {
        var sender = FileScript()
        var receiver = FileScript()
        let file = SampleFile(byteCount: 40_000)
        let id = try sender.send(file)

        sender.feed(.sessionOpened(7))
        receiver.feed(.sessionOpened(7))
        let offer = file.offer(id)
        #expect(sender.claim() == [.send(offer.frame(session: 7, number: 1))])
        receiver.feed(.received(offer.frame(session: 7, number: 1)))
        #expect(receiver.claim() == [.begin(offer, durable: 0)])
        receiver.feed(.began(id, at: 0))
        let pull = FilePull(id: id, number: 1, offset: 0, byteCount: 40_000, arrived: 0)
        #expect(receiver.claimDeeds() == [.send(pull.frame(session: 7))])
        sender.feed(.received(pull.frame(session: 7)))
        #expect(
            sender.claimDeeds() == [
                .read(id, file: file.file, offset: 0, byteCount: 32_768),
                .read(id, file: file.file, offset: 32_768, byteCount: 7232),
            ])
        let chunks = [0..<32_768, 32_768..<40_000].map { part in
            FileChunk(id: id, offset: UInt64(part.lowerBound), bytes: Array(file.bytes[part]))
        }
        for chunk in chunks {
            #expect(receiver.claim().isEmpty)
            sender.feed(.read(id, offset: chunk.offset, chunk.bytes))
            #expect(sender.claim() == [.send(chunk.frame(session: 7))])
            receiver.feed(.received(chunk.frame(session: 7)))
        }
        #expect(receiver.claim() == chunks.map { .write(id, offset: $0.offset, $0.bytes) })
        receiver.feed(.written(id, upTo: 40_000))
        #expect(receiver.claim() == [.finish(offer)])
        receiver.feed(.finished(id))
        #expect(receiver.claim() == [.persist(.received(offer))])
        receiver.feed(.persisted(.received(offer)))
        #expect(receiver.claim() == [.send(FileDone(id: id).frame(session: 7)), .event(.received(offer))])

        // The sender removes the file only after it has durably recorded that the file arrived (R93).
        sender.feed(.received(FileDone(id: id).frame(session: 7)))
        let result = FileResult(id: id, failure: nil)
        #expect(sender.claim() == [.persist(.ended(id, result))])
        sender.feed(.persisted(.ended(id, result)))
        #expect(sender.claim() == [.release(file: file.file), .event(.ended(result))])
        #expect(sender.exchange.state.queue.isEmpty)
    }

    @Test func `a file without bytes is finished at once`() throws {
        var pair = FilePair()
        let file = SampleFile(byteCount: 0)
        let id = try pair.left.send(file)
        pair.connect()
        #expect(pair.right.exchange.state.received == [file.offer(id)])
        #expect(pair.left.exchange.state.results == [FileResult(id: id, failure: nil)])
    }

    @Test func `files go one after the other in the order of their requests`() throws {
        // R126: first in, first out; R121: empty metadata stay empty.
        var pair = FilePair()
        let files = (1...5).map { SampleFile(byteCount: $0 * 70_000, metadata: $0 == 1 ? [] : [UInt8($0)]) }
        let ids = try files.map { try pair.left.send($0) }
        pair.connect()
        #expect(pair.right.exchange.state.received == zip(ids, files).map { $1.offer($0) })
        #expect(pair.left.exchange.state.results.map(\.id) == ids)
    }

    @Test func `both directions work at the same time`() throws {
        var pair = FilePair()
        let one = try pair.left.send(SampleFile(byteCount: 500_000))
        let two = try pair.right.send(SampleFile(byteCount: 300_000))
        pair.connect()
        #expect(pair.right.exchange.state.received.map(\.id) == [one])
        #expect(pair.left.exchange.state.received.map(\.id) == [two])
    }

    @Test func `never more than eight chunks are on their way`() throws {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 1_000_000)
        let asked = receiver.claimPulls()
        #expect(asked.map(\.byteCount) == [262_144])
        for position in 0..<3 { receiver.take(file.chunk(offer.id, position), session: 7) }
        #expect(receiver.claimPulls().isEmpty)
        receiver.take(file.chunk(offer.id, 3), session: 7)
        #expect(receiver.claimPulls().map { [$0.offset, $0.byteCount] } == [[262_144, 131_072]])
    }

    @Test func `never more than sixteen chunks wait for a slow disk or are on their way`() throws {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 1_000_000)
        for position in 0..<16 { receiver.take(file.chunk(offer.id, position), session: 7) }
        #expect(receiver.claimPulls().last.map { $0.offset + $0.byteCount } == 524_288)
        receiver.feed(.written(offer.id, upTo: 3 * 32_768))
        #expect(receiver.claimPulls().isEmpty)
        receiver.feed(.written(offer.id, upTo: 4 * 32_768))
        #expect(receiver.claimPulls().map { [$0.offset, $0.byteCount] } == [[524_288, 131_072]])
    }

    @Test func `chunks are written four at a time, and what is left when no more is on its way`() throws {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 5 * 32_768)
        receiver.outputs = []
        let chunks = (0..<5).map { file.chunk(offer.id, $0) }
        for chunk in chunks[..<3] { receiver.take(chunk, session: 7) }
        #expect(receiver.claimDeeds().isEmpty)
        receiver.take(chunks[3], session: 7)
        #expect(receiver.claimDeeds() == chunks[..<4].map { .write(offer.id, offset: $0.offset, $0.bytes) })
        receiver.take(chunks[4], session: 7)
        #expect(receiver.claimDeeds() == [.write(offer.id, offset: chunks[4].offset, chunks[4].bytes)])
    }

    @Test func `what is lost is asked for again after two seconds`() {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 1_000_000)
        _ = receiver.claimPulls()
        receiver.take(file.chunk(offer.id, 0), session: 7)
        receiver.feed(.timeReached, at: 1999)
        #expect(receiver.claimPulls().isEmpty)
        #expect(receiver.exchange.nextDeadline == instant(2000))
        receiver.feed(.timeReached, at: 2000)
        let again = receiver.claimPulls()
        #expect(again.map(\.offset) == [32_768])
        #expect(again.map(\.number) == [2])
    }

    @Test func `a hole is asked for at once when nothing else is on its way`() {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 100_000)
        _ = receiver.claimPulls()
        receiver.take(file.chunk(offer.id, 0), session: 7)
        receiver.take(file.chunk(offer.id, 2), session: 7)
        #expect(receiver.claimPulls().isEmpty)
        receiver.take(file.chunk(offer.id, 3), session: 7)
        #expect(receiver.claimPulls().map(\.offset) == [32_768])
    }

    @Test func `a slow link is not asked twice as often as it answers`() {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 1_000_000)
        receiver.take(file.chunk(offer.id, 0), session: 7)
        receiver.take(file.chunk(offer.id, 0), session: 7)
        receiver.take(file.chunk(offer.id, 1), session: 7)
        #expect(receiver.exchange.nextDeadline == instant(4000))
    }

    @Test func `a transfer goes on where it was after a break of the link`() {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 1_000_000)
        for position in 0..<5 { receiver.take(file.chunk(offer.id, position), session: 7) }
        receiver.feed(.written(offer.id, upTo: 4 * 32_768))
        receiver.outputs = []
        // The interruption may be long, so the received bytes are made durable.
        receiver.feed(.sessionClosed)
        let last = file.chunk(offer.id, 4)
        #expect(receiver.claim() == [.write(offer.id, offset: last.offset, last.bytes), .sync(offer.id)])
        receiver.feed(.written(offer.id, upTo: 5 * 32_768))
        receiver.feed(.synced(offer.id, upTo: 5 * 32_768))
        #expect(receiver.claim() == [.persist(.receiving(IncomingFile(offer: offer, durable: 163_840)))])
        receiver.feed(.sessionOpened(8))
        #expect(receiver.claimPulls().map(\.offset) == [163_840])
    }

    @Test func `what was not yet written when the link broke is made durable, too`() {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 1_000_000)
        let chunk = file.chunk(offer.id, 0)
        receiver.take(chunk, session: 7)
        receiver.outputs = []
        receiver.feed(.sessionClosed)
        #expect(receiver.claim() == [.write(offer.id, offset: 0, chunk.bytes)])
        receiver.feed(.written(offer.id, upTo: 32_768))
        #expect(receiver.claim() == [.sync(offer.id)])
    }

    @Test func `a transfer goes on where the disk was after a restart, at 63 percent as anywhere`() throws {
        var pair = FilePair()
        let file = SampleFile(byteCount: 7_000_000)
        let id = try pair.left.send(file)
        pair.connect(until: { pair in
            pair.right.outputs.contains {
                if case .event(.receiving(_, let byteCount)) = $0 { byteCount >= 4_410_000 } else { false }
            }
        })
        // One sync was done, at 4 MiB; the bytes after it are lost with the machine.
        let durable = try #require(pair.right.exchange.state.incoming?.durable)
        #expect(durable >= 4_194_304 && durable < 4_410_000)
        pair.right.crash()
        pair.left.crash()
        pair.connect()
        #expect(pair.right.exchange.state.received == [file.offer(id)])
        #expect(pair.right.disk.received[id] == file.bytes)
        #expect(pair.right.disk.beganAt == [0, durable])
    }

    @Test func `progress is recorded only when the disk has it`() {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 6_000_000)
        for position in 0..<128 {
            receiver.take(file.chunk(offer.id, position), session: 7)
            receiver.feed(.written(offer.id, upTo: UInt64(position + 1) * 32_768))
        }
        #expect(receiver.claim().filter { $0 == .sync(offer.id) }.count == 1)
        receiver.feed(.written(offer.id, upTo: 129 * 32_768))
        receiver.outputs = []
        receiver.feed(.synced(offer.id, upTo: 4_194_304))
        #expect(receiver.claim() == [.persist(.receiving(IncomingFile(offer: offer, durable: 4_194_304)))])
    }

    @Test func `a file that was finished is answered with done, and not received again`() {
        var receiver = FileScript()
        let (offer, _) = receiver.startReceiving(byteCount: 0)
        receiver.feed(.finished(offer.id))
        receiver.feed(.persisted(.received(offer)))
        receiver.outputs = []
        receiver.feed(.received(offer.frame(session: 7, number: 1)))
        #expect(receiver.claim() == [.send(FileDone(id: offer.id).frame(session: 7))])
        // The same applies after a restart.
        var restarted = FileScript(state: receiver.exchange.state)
        restarted.feed(.sessionOpened(8))
        restarted.outputs = []
        restarted.feed(.received(offer.frame(session: 8, number: 1)))
        #expect(restarted.claim() == [.send(FileDone(id: offer.id).frame(session: 8))])
    }

    @Test func `the memory of finished transfers is bounded`() {
        var state = FileExchange.State()
        state.finished = (0..<UInt64(4096)).map { RandomID(high: 0, low: $0) }
        for number in UInt64(4096)..<4100 {
            state.apply(.received(SampleFile(byteCount: 0).offer(RandomID(high: 0, low: number))))
        }
        #expect(state.finished.count == 4096)
        #expect(state.finished.first == RandomID(high: 0, low: 4))
    }

    @Test func `a file that changed at the sender is a failure in words, and never a wrong file`() throws {
        var pair = FilePair()
        let file = SampleFile(byteCount: 100_000)
        let id = try pair.left.send(file)
        pair.left.disk.outgoing[file.file]?[51_200] ^= 0xFE
        pair.connect()
        #expect(pair.left.exchange.state.results.map(\.failure?.cause) == [.damaged])
        #expect(pair.right.exchange.state.received.isEmpty)
        #expect(pair.right.disk.received[id] == nil && pair.right.disk.parts[id] == nil)
    }

    @Test(arguments: [(Int?.none, "gone"), (60_000, "shorter")])
    func `a file that vanished or shrank at the sender is a failure`(byteCount: Int?, _: String) throws {
        // R122.
        var pair = FilePair()
        let file = SampleFile(byteCount: 100_000)
        _ = try pair.left.send(file)
        pair.left.disk.outgoing[file.file] = byteCount.map { Array(file.bytes.prefix($0)) }
        pair.connect()
        #expect(pair.left.exchange.state.results.map(\.failure?.cause) == [.gone])
        #expect(pair.right.disk.parts.isEmpty)
    }

    @Test func `a receiver without room declines, before and in the middle`() throws {
        var pair = FilePair()
        pair.right.disk.room = 50_000
        _ = try pair.left.send(SampleFile(byteCount: 100_000))
        let fits = try pair.left.send(SampleFile(byteCount: 40_000))
        pair.connect()
        #expect(pair.left.exchange.state.results.map(\.failure?.cause) == [.full, nil])
        #expect(pair.right.exchange.state.received.map(\.id) == [fits])

        pair.right.disk.room = .max
        pair.right.disk.writesUntilFull = 2
        _ = try pair.left.send(SampleFile(byteCount: 100_000))
        pair.run()
        #expect(pair.left.exchange.state.results.last?.failure?.cause == .full)
        #expect(pair.right.disk.parts.isEmpty)
    }

    @Test func `a receiver declines what is too large for it, and names that lead out of a folder`() {
        var receiver = FileScript(byteCountMax: 1000)
        receiver.feed(.sessionOpened(7))
        for (name, byteCount, cause) in [
            ("a", UInt64(1001), FileFailure.Cause.tooLarge), ("..", 1, .badName), ("a/b", 1, .badName),
        ] {
            let file = SampleFile(byteCount: 1)
            var offer = file.offer(RandomID(high: 1, low: byteCount))
            (offer.name, offer.byteCount) = (name, byteCount)
            receiver.feed(.received(offer.frame(session: 7, number: 1)))
            #expect(receiver.claimAborts().map(\.failure.cause) == [cause])
        }
    }

    @Test func `a request over a limit is refused, and its copy released`() {
        // R122, R127: exceeded limits are reported to the caller.
        var sender = FileScript(byteCountMax: 1000)
        let digest = SampleFile(byteCount: 1).digest
        func send(_ number: UInt64, name: String = "a", byteCount: UInt64 = 1, metadata: Int = 0) -> FileExchange.Input
        {
            .send(
                .init(number: number), file: "f\(number)", name: name, byteCount: byteCount, digest,
                metadata: Array(repeating: 0, count: metadata))
        }
        for (input, fault) in [
            (send(1, byteCount: 1001), FileExchange.RequestError.tooLarge(byteCount: 1001, byteCountMax: 1000)),
            (send(1, metadata: 65_537), .metadataTooLarge(byteCount: 65_537)), (send(1, name: ""), .badName("")),
        ] {
            sender.feed(input)
            #expect(sender.claim() == [.answer(.init(number: 1), .refused(fault)), .release(file: "f1")])
        }
        for number in UInt64(1)...256 { sender.feed(send(number, byteCount: 1000, metadata: 65_536)) }
        #expect(sender.claim().count == 256)
        sender.feed(send(257))
        #expect(
            sender.claim() == [
                .answer(.init(number: 257), .refused(.tooMany(countMax: 256))), .release(file: "f257"),
            ])
    }

    @Test func `a request that cannot be stored is refused`() {
        var sender = FileScript()
        let file = SampleFile(byteCount: 1)
        sender.feed(file.request(1))
        guard case .persist(let record) = sender.claim().first else { return #expect(Bool(false)) }
        sender.feed(.persistFailed(record, reason: "full"))
        #expect(
            sender.claimDeeds() == [
                .answer(.init(number: 1), .refused(.notStored("full"))), .release(file: file.file),
            ])
    }

    @Test func `a cancelled transfer is dropped at both ends, and has no result`() throws {
        // R97, R98, R131.
        var pair = FilePair()
        let first = try pair.left.send(SampleFile(byteCount: 1_000_000))
        let second = try pair.left.send(SampleFile(byteCount: 1000))
        pair.connect(until: { !$0.right.disk.parts.isEmpty })
        pair.left.feed(.cancel(.init(number: 9), first))
        pair.run()
        #expect(pair.left.answers.last == .cancelled)
        #expect(pair.right.exchange.state.received.map(\.id) == [second])
        #expect(pair.right.disk.parts.isEmpty)
        #expect(pair.left.exchange.state.results.map(\.id) == [second])
        pair.left.feed(.cancel(.init(number: 10), second))
        pair.run()
        #expect(pair.left.answers.last == .refused(.unknownTransfer(second)))
    }

    @Test func `a transfer that was cancelled while the link was away is dropped when it is back`() throws {
        var pair = FilePair()
        let id = try pair.left.send(SampleFile(byteCount: 1_000_000))
        pair.connect(until: { !$0.right.disk.parts.isEmpty })
        pair.disconnect()
        pair.left.feed(.cancel(.init(number: 9), id))
        pair.connect()
        #expect(pair.right.disk.parts.isEmpty)
        #expect(pair.right.exchange.state.incoming == nil)
    }

    @Test func `a file that is cancelled while it is verified is not received`() {
        var receiver = FileScript()
        let (offer, _) = receiver.startReceiving(byteCount: 0)
        receiver.feed(
            .received(FileAbort(id: offer.id, failure: FileFailure(.cancelled, "no")).frame(session: 7)))
        receiver.outputs = []
        receiver.feed(.finished(offer.id))
        #expect(receiver.claimDeeds() == [.discard(offer.id), .persist(.abandoned(offer.id))])
    }

    @Test func `a file that is given up, however often that is said, keeps only late copies of its offer out`() {
        var receiver = FileScript()
        let (offer, _) = receiver.startReceiving(byteCount: 0)
        let abort = FileAbort(id: offer.id, failure: FileFailure(.cancelled, "no"))
        for _ in 0..<3 { receiver.feed(.received(abort.frame(session: 7))) }
        receiver.feed(.finished(offer.id))
        receiver.feed(.persisted(.abandoned(offer.id)))
        receiver.feed(.discarded(offer.id))
        receiver.outputs = []
        receiver.feed(.received(offer.frame(session: 7, number: 1)))
        #expect(receiver.claimDeeds().isEmpty)
        let next = SampleFile(byteCount: 10).offer(RandomID(high: 3, low: 5))
        receiver.feed(.received(next.frame(session: 7, number: 2)))
        #expect(receiver.claimDeeds() == [.begin(next, durable: 0)])
    }

    @Test func `another file begins when the last one's part and record are both gone`() {
        for isDiscardedFirst in [true, false] {
            var receiver = FileScript()
            let (offer, _) = receiver.startReceiving(byteCount: 40_000)
            receiver.outputs = []
            let next = SampleFile(byteCount: 10).offer(RandomID(high: 3, low: 5))
            receiver.feed(.received(next.frame(session: 7, number: 2)))
            #expect(receiver.claimDeeds() == [.discard(offer.id), .persist(.abandoned(offer.id))])
            receiver.feed(isDiscardedFirst ? .discarded(offer.id) : .persisted(.abandoned(offer.id)))
            #expect(receiver.claimDeeds().isEmpty)
            receiver.feed(isDiscardedFirst ? .persisted(.abandoned(offer.id)) : .discarded(offer.id))
            #expect(receiver.claimDeeds() == [.begin(next, durable: 0)])
        }
    }

    @Test func `a received file is told again at each start until it is consumed`() {
        // R158: at least once around a crash of the application.
        var receiver = FileScript()
        let (offer, _) = receiver.startReceiving(byteCount: 0)
        receiver.feed(.finished(offer.id))
        receiver.feed(.persisted(.received(offer)))
        var restarted = FileScript(state: receiver.exchange.state)
        #expect(restarted.claim() == [.event(.received(offer))])
        restarted.feed(.consumed(offer.id))
        #expect(restarted.claim() == [.persist(.consumed(offer.id))])
        restarted.feed(.persisted(.consumed(offer.id)))
        #expect(restarted.claim() == [.remove(offer)])
        var again = FileScript(state: restarted.exchange.state)
        #expect(again.claim().isEmpty)
    }

    @Test func `a result is told again at each start until it is taken`() throws {
        // R93, R181.
        var pair = FilePair()
        let id = try pair.left.send(SampleFile(byteCount: 10))
        pair.connect()
        var restarted = FileScript(state: pair.left.exchange.state)
        #expect(restarted.claim() == [.event(.ended(FileResult(id: id, failure: nil)))])
        restarted.feed(.resultTaken(id))
        restarted.feed(.persisted(.resultTaken(id)))
        #expect(restarted.exchange.state.results.isEmpty)
    }

    @Test func `a file waits at its sender while too many wait for the application`() throws {
        var state = FileExchange.State()
        let old = (0..<UInt64(256)).map { SampleFile(byteCount: 0).offer(RandomID(high: 5, low: $0)) }
        for offer in old { state.apply(.received(offer)) }
        var pair = FilePair(right: state)
        let id = try pair.left.send(SampleFile(byteCount: 10))
        pair.connect()
        #expect(pair.right.exchange.state.received.count == 256)
        pair.right.feed(.consumed(old[3].id))
        pair.run()
        #expect(pair.right.exchange.state.received.last?.id == id)
    }

    @Test func `an offer without an answer is repeated, ever more slowly`() throws {
        var sender = FileScript()
        _ = try sender.send(SampleFile(byteCount: 10))
        sender.feed(.sessionOpened(7))
        var moments: [Int64] = []
        while moments.count < 6, let deadline = sender.exchange.nextDeadline {
            moments.append(deadline.nanoseconds / 1_000_000)
            sender.feed(.timeReached, at: deadline.nanoseconds / 1_000_000)
        }
        #expect(moments == [2000, 6000, 14_000, 30_000, 62_000, 94_000])
        #expect(sender.claim().count == 7)
    }

    @Test func `frames of another session and broken ones are dropped`() throws {
        var receiver = FileScript()
        let (offer, file) = receiver.startReceiving(byteCount: 100_000)
        receiver.outputs = []
        receiver.feed(.received(file.chunk(offer.id, 0).frame(session: 6)))
        #expect(receiver.claim() == [.event(.dropped(.foreignSession))])
        for kind in [FrameKind.offer, .pull, .chunk, .done, .abort] {
            receiver.feed(.received(Frame(kind: kind, session: 7, body: Array("{}".utf8))))
            guard case .event(.dropped(.fault)) = receiver.claim().first else { return #expect(Bool(false)) }
        }
        var large = file.chunk(offer.id, 0).frame(session: 7)
        large.blob = Array(repeating: 0, count: 32_769)
        receiver.feed(.received(large))
        #expect(receiver.claim() == [.event(.dropped(.fault(.tooLarge(byteCount: 32_769))))])
        receiver.feed(.received(Frame(kind: .ping, session: 7)))
        #expect(receiver.claim() == [.event(.dropped(.wrongLane(.ping)))])
    }

    @Test func `a hostile sender cannot make numbers overflow`() {
        var receiver = FileScript()
        receiver.feed(.sessionOpened(7))
        let offer = SampleFile(byteCount: 100_000).offer(RandomID(high: 3, low: 4))
        receiver.feed(.received(offer.frame(session: 7, number: .max)))
        receiver.feed(.began(offer.id, at: .max))
        #expect(receiver.claimDeeds() == [.begin(offer, durable: 0), .finish(offer)])
        receiver.feed(.received(FileAbort(id: offer.id, failure: .init(.cancelled, "")).frame(session: 7)))
        receiver.take(FileChunk(id: offer.id, offset: .max, bytes: [1]), session: 7)
        #expect(receiver.claim() == [.event(.dropped(.old(.chunk)))])
        var sender = FileScript()
        guard let id = try? sender.send(SampleFile(byteCount: 10)) else { return #expect(Bool(false)) }
        sender.feed(.sessionOpened(7))
        let pull = FilePull(id: id, number: .max, offset: .max, byteCount: 1, arrived: .max)
        sender.outputs = []
        sender.feed(.received(pull.frame(session: 7)))
        #expect(sender.claim() == [.event(.dropped(.old(.pull)))])
    }

    @Test func `the frames of a file say what they said`() throws {
        let offer = SampleFile(byteCount: 7, metadata: [1, 2]).offer(RandomID(high: 1, low: 2))
        #expect(try FileOffer(offer.frame(session: 1, number: 2)) == offer)
        let pull = FilePull(id: offer.id, number: 3, offset: 1 << 40, byteCount: 262_144, arrived: 4)
        #expect(try FilePull(pull.frame(session: 1)) == pull)
        for code in ["cancelled", "full", "tooLarge", "badName", "damaged", "gone", "unknown", "failed", "later"] {
            let abort = FileAbort(id: offer.id, failure: FileFailure(FileFailure.Cause(code: code), "why"))
            #expect(try FileAbort(abort.frame(session: 1)) == abort)
            #expect(abort.failure.cause.code == code)
        }
        let long = FileFailure(.failed, String(repeating: "ä", count: 400))
        #expect(try FileAbort(FileAbort(id: offer.id, failure: long).frame(session: 1)).failure.words.utf8.count == 512)
        var greedy = pull
        greedy.byteCount += 1
        #expect(throws: FrameError.self) { try FilePull(greedy.frame(session: 1)) }
    }
}
