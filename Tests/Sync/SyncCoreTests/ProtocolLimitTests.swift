import Testing

@testable import SyncCore

/// The limits of PROTOCOL §14 at their edges: as much as one says passes, one more does not.
///
/// `Docs/internals/engine.md` says which test shows which limit.
@Suite struct ProtocolLimitTests {
    private func text(_ count: Int) -> String { String(repeating: "x", count: count) }
    private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

    // MARK: - UPLOAD

    /// Edits that have so many bytes as JSON, with commas between them.
    private func uploads(_ count: UInt64, byteCount: Int) -> [NumberedUpload] {
        var uploads: [NumberedUpload] = []
        var left = byteCount
        for number in 1...count {
            func upload(_ lengths: [Int]) -> NumberedUpload {
                let changes = lengths.enumerated().map {
                    change(title(100 * number + UInt64($0)), text($1))
                }
                return NumberedUpload(sequence: number, upload: .edit(edit(number, changes)))
            }
            let least = upload(Array(repeating: 0, count: 16)).json.encoded.count
            let share = number == count ? left : byteCount / Int(count)
            let rest = share - least
            let lengths = (0..<16).map { min(2048, max(0, rest - 2048 * $0)) }
            uploads.append(upload(lengths))
            left -= uploads[Int(number) - 1].json.encoded.count + 1
        }
        return uploads
    }

    private func batch(_ uploads: [NumberedUpload]) -> Frame {
        UploadBatch(incarnation: id(1), firstPending: 1, uploads: uploads).frame(session: 1)
    }

    @Test func `several uploads of a frame have 65,536 bytes, a larger one is alone`() throws {
        let most = uploads(3, byteCount: 65_536)
        #expect(most.map { $0.json.encoded.count + 1 }.reduce(-1, +) == 65_536)
        #expect(try UploadBatch(batch(most)).uploads == most)
        let tooMuch = uploads(3, byteCount: 65_537)
        #expect(
            throws: FrameError.body("uploads: 3 of 65537 bytes, expected at most 65536 bytes, or one alone")
        ) { try UploadBatch(batch(tooMuch)) }

        let changes = (0..<16).map { number in
            change(
                title(number), String(repeating: "\u{1}", count: 2048), seen: String(repeating: "\u{1}", count: 2048))
        }
        let large = [NumberedUpload(sequence: 1, upload: .edit(edit(1, changes)))]
        #expect(batch(large).body.count > 6 * 65_536)
        #expect(try UploadBatch(batch(large)).uploads == large)
    }

    @Test func `a watch sends as many uploads as a frame may have, and a larger one alone`() {
        func sent(_ pending: [NumberedUpload]) -> Int? {
            var sender = UploadSender()
            return sender.next(ReplicaState(incarnation: id(1), pending: pending), now: instant(0))?.uploads.count
        }
        #expect(sent(uploads(3, byteCount: 65_536)) == 3)
        #expect(sent(uploads(3, byteCount: 65_537)) == 2)
        #expect(sent(uploads(1, byteCount: 33_000) + uploads(1, byteCount: 33_000)) == 1)
        let small = (1...65).map { NumberedUpload(sequence: $0, upload: .edit(edit($0, []))) }
        #expect(sent(Array(small.prefix(64))) == 64)
        #expect(sent(small) == 64)
    }

    // MARK: - The configuration

    private func refused(_ changes: [CellChange], by hub: inout HubScript) -> HubEngine.RequestError? {
        hub.feed(.transact(.init(number: 1), changes, expected: nil), at: 1)
        for case .answer(_, .refused(let fault)) in hub.outputs {
            hub.outputs = []
            return fault
        }
        hub.store(at: 1)
        hub.outputs = []
        return nil
    }

    @Test func `a cell has 16,384 bytes, or 2048 where watches may change it`() {
        var hub = HubScript(schema: houseSchema)
        for (key, limit) in [(note(1), 16_384), (title(1), 2048)] {
            #expect(refused([CellChange(key: key, value: text(limit))], by: &hub) == nil)
            let tooLarge = [CellChange(key: key, value: text(limit + 1))]
            #expect(refused(tooLarge, by: &hub) == .valueTooLarge(key, byteCount: limit + 1))
        }
    }

    @Test func `the cells of a snapshot have 720,896 bytes`() {
        var hub = HubScript(schema: houseSchema)
        var left = ConfigurationSize.cellByteCountMax
        var number: UInt64 = 0
        while left > 0 {
            number += 1
            let least = ConfigurationSize.byteCount(of: "", at: note(number))
            // The last one takes the rest.
            let length = left < 2 * (16_384 + least) ? min(16_384, left / 2 - least) : 16_384
            let last = left <= 16_384 + least ? left - least : length
            #expect(refused([CellChange(key: note(number), value: text(last))], by: &hub) == nil)
            left -= ConfigurationSize.byteCount(of: text(last), at: note(number))
        }
        #expect(left == 0)
        #expect(hub.engine.snapshot.contents.count <= Snapshot.byteCountMax)
        let longer = [CellChange(key: note(number), value: (hub.engine.cells[note(number)]?.value ?? "") + "x")]
        #expect(
            refused(longer, by: &hub) == .snapshotTooLarge(byteCount: ConfigurationSize.cellByteCountMax + 1))
    }

    // MARK: - Registers

    @Test func `a register's key has 1…256 bytes and its value 65,536, at both ends`() throws {
        var hub = HubScript()
        for (key, count, isRefused) in [
            ("k", 65_536, false), (text(256), 1, false), ("", 1, true), (text(257), 1, true), ("k", 65_537, true),
        ] {
            let register = Register(key: key, order: UInt64(count) * 1000, value: bytes(count))
            hub.feed(.publish(register), at: 1)
            #expect(hub.claimEvents().isEmpty != isRefused)
            let frame = register.frame(session: 1, number: 1, epoch: Epoch(number: 1))
            #expect(((try? Register.read(frame)) == nil) == isRefused)
        }
    }

    @Test func `a window has 1…1024 registers`() throws {
        for (window, isHello) in [(0, false), (1, true), (1024, true), (1025, false)] as [(UInt32, Bool)] {
            let hello = Hello(
                nonce: 1, wire: 1...1, schema: 1...1, name: "wrist", epoch: nil, known: nil, window: window)
            #expect(((try? Hello(hello.frame)) != nil) == isHello)
        }
    }

    // MARK: - Transfers

    @Test(arguments: [65_536, 65_537])
    func `a payload that comes has 65,536 bytes`(_ count: Int) throws {
        let isTaken = count == 65_536
        let item = ItemFrame(
            stream: id(1), number: 1, isFirst: true, id: id(2), track: .ordinary, payload: bytes(count))
        let message = MessageFrame(number: 1, wantsReply: true, timeoutMilliseconds: 1000, payload: bytes(count))
        for frame in [item.frame(session: 1), message.frame(session: 1)] {
            var script = ExchangeScript()
            script.open(1, at: 0)
            _ = script.claim()
            script.feed(.received(frame), at: 1)
            #expect(script.claim().contains(.event(.dropped(.fault(.tooLarge(byteCount: count))))) != isTaken)
        }
        var script = ExchangeScript()
        script.open(1, at: 0)
        script.feed(.message(request(1), Message(payload: [1], wantsReply: true, timeout: nil)), at: 1)
        _ = script.claim()
        script.feed(.received(MessageAnswerFrame.reply(bytes(count)).frame(number: 1, session: 1)), at: 2)
        #expect(script.claimAnswers().isEmpty != isTaken)
    }

    @Test func `a file's name has 255 bytes, its metadata 65,536, a chunk 32,768, a pull 262,144`() {
        func offers(_ name: String, _ metadata: Int) -> Bool {
            var offer = SampleFile(byteCount: 1).offer(id(1))
            (offer.name, offer.metadata) = (name, bytes(metadata))
            return (try? FileOffer(offer.frame(session: 1, number: 1))) != nil
        }
        #expect(offers(text(255), 65_536))
        #expect(!offers(text(256), 1))
        #expect(!offers("a", 65_537))
        for (count, isTaken) in [(32_768, true), (32_769, false)] {
            let chunk = FileChunk(id: id(1), offset: 0, bytes: bytes(count))
            #expect(((try? FileChunk(chunk.frame(session: 1))) != nil) == isTaken)
        }
        for (count, isTaken) in [(262_144, true), (262_145, false)] as [(UInt64, Bool)] {
            let pull = FilePull(id: id(1), number: 1, offset: 0, byteCount: count, arrived: 0)
            #expect(((try? FilePull(pull.frame(session: 1))) != nil) == isTaken)
        }
    }

    // MARK: - Pairing, texts

    @Test(arguments: [4095, 4096])
    func `a hub has 4096 watches`(_ count: UInt64) throws {
        func watch(_ number: UInt64) throws -> PeerKey {
            try #require(PeerKey(hexadecimal: String(repeating: Hexadecimal.text(number + 1), count: 4)))
        }
        var cells = SortedMap<CellKey, Cell>()
        func add(_ kind: String, _ key: PeerKey, _ text: String) {
            let place = Cell.Place(epoch: Epoch(number: 1), revision: 1)
            cells[CellKey(kind: kind, record: Schema.record(of: key), group: PairingRegistry.group)] = Cell(
                value: text, dot: id(1), stamp: stamp(1), written: place, created: place)
        }
        for number in 0..<count {
            let key = try watch(number)
            add(
                PairingRegistry.watchKind, key,
                #"{"key":"\#(key.hexadecimal)","name":"wrist \#(number)","paired":0}"#)
        }
        let invitation = try watch(9999)
        add(
            PairingRegistry.invitationKind, invitation,
            #"{"expires":\#(Int64.max),"key":"\#(invitation.hexadecimal)","name":null,"usedBy":null}"#)
        let registry = PairingRegistry(cells, at: moment(0))
        #expect(registry.watches.count == Int(count))
        let request = PairRequest(nonce: 1, key: try watch(5000), name: "wrist")
        switch registry.judge(request, from: invitation, at: moment(1)) {
        case .pair: #expect(count == 4095)
        case .refuse(let refusal): #expect(refusal.code == .full && count == 4096)
        case .paired: Issue.record("it was not paired before")
        }
    }

    @Test func `any other text has 1024 bytes`() {
        for (count, isRead) in [(1024, true), (1025, false)] {
            let refusal = Refusal(code: .failed, text: text(count), retryAfterMilliseconds: 1)
            #expect(((try? Refusal(refusal.frame(nonce: 1))) != nil) == isRead)
        }
    }
}
