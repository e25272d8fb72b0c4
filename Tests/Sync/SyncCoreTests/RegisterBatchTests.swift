import Testing

@testable import SyncCore

/// Several register values in one frame, for watches that take them so.
@Suite struct RegisterBatchTests {
    private static let epoch = Epoch(number: 1)

    /// A hub with linked watches, each with a window of its own.
    private struct Live {
        var hub = HubScript()
        var sessions: [UInt8: UInt64] = [:]

        init(window: UInt32 = 64, watches: [UInt8: Bool] = [1: true]) throws {
            for watch in watches.keys.sorted() { hub.pair(key(watch), at: 0) }
            for (watch, takesRegisters) in watches.sorted(by: { $0.key < $1.key }) {
                let hello = Hello(
                    nonce: UInt64(watch), wire: 1...1, schema: 1...1, name: "wrist", epoch: nil, known: nil,
                    window: window, takesRegisters: takesRegisters)
                hub.send(hello.frame, key(watch), connection(watch), at: 1)
                for case .send(let frame, connection(watch)) in hub.outputs where frame.kind == .welcome {
                    sessions[watch] = frame.session
                }
            }
            hub.outputs = []
        }

        mutating func publish(_ registers: [Register], at milliseconds: Int64 = 2) {
            for register in registers { hub.feed(.publish(register), at: milliseconds) }
            hub.feed(.timeReached, at: milliseconds)
        }

        mutating func credit(_ highest: UInt64, missing: [UInt64] = [], at milliseconds: Int64 = 3) {
            let frame = Credit(highest: highest, missing: missing).frame(session: sessions[1] ?? 0)
            hub.send(frame, key(1), connection(1), at: milliseconds)
        }

        /// Takes the frames with values that were sent to a watch.
        mutating func claim(_ watch: UInt8 = 1) -> [Frame] {
            var frames: [Frame] = []
            hub.outputs.removeAll { output in
                guard case .send(let frame, connection(watch)) = output else { return false }
                if frame.kind == .register || frame.kind == .registers { frames.append(frame) }
                return true
            }
            return frames
        }
    }

    private func registers(_ numbers: ClosedRange<Int>, byteCount: Int = 3) -> [Register] {
        numbers.map { number in
            Register(
                key: "lamp \(number)", order: UInt64(number),
                value: Array(repeating: UInt8(number & 0xFF), count: byteCount))
        }
    }

    private func read(_ frames: [Frame]) throws -> [Register] {
        try frames.flatMap { frame in
            frame.kind == .register ? [try Register.read(frame).register] : try RegisterBatch.read(frame).registers
        }
    }

    // MARK: - The hub

    @Test func `what is published at the same time goes in one frame, and is numbered value by value`() throws {
        var live = try Live()
        let values = registers(1...3)
        for register in values { live.hub.feed(.publish(register), at: 2) }
        #expect(live.claim().isEmpty)
        #expect(live.hub.engine.nextDeadline == instant(2))
        #expect(!live.hub.engine.isResting)
        live.hub.feed(.timeReached, at: 2)
        let frames = live.claim()
        #expect(frames.map(\.kind) == [.registers])
        #expect(frames.map(\.sequence) == [1])
        #expect(try RegisterBatch.read(frames[0]).registers == values)
        #expect(try RegisterBatch.read(frames[0]).epoch == live.hub.engine.version.epoch)
        // A single value comes as it does to any watch, and the numbers go on.
        live.publish(registers(4...4))
        let single = live.claim()
        #expect(single.map(\.kind) == [.register])
        #expect(single.map(\.sequence) == [4])
    }

    @Test func `a watch that does not say that it takes them gets each value in a frame of its own`() throws {
        var live = try Live(watches: [1: false, 2: true, 3: true])
        live.publish(registers(1...3))
        let plain = live.claim(1)
        #expect(plain.map(\.kind) == [.register, .register, .register])
        #expect(plain.map(\.sequence) == [1, 2, 3])
        #expect(try read(plain) == registers(1...3))
        let (second, third) = (live.claim(2), live.claim(3))
        #expect(second.map(\.kind) == [.registers])
        // Only the header differs.
        #expect(second.map(\.body) == third.map(\.body))
        #expect(second.map(\.blob) == third.map(\.blob))
    }

    @Test func `a greeting without the member is that of 0_1, byte for byte`() throws {
        func hello(_ takesRegisters: Bool) -> Frame {
            Hello(
                nonce: 1, wire: 1...1, schema: 1...2, name: "wrist", epoch: Epoch(number: 4),
                known: version(17, epoch: 4, chain: 9), items: WireSamples.positions, window: 64,
                takesRegisters: takesRegisters
            ).frame
        }
        #expect(hello(false) == WireSamples.frames[0])
        let text = String(decoding: hello(true).body, as: UTF8.self)
        #expect(text.replacing(#""registers":1,"#, with: "") == String(decoding: hello(false).body, as: UTF8.self))
        #expect(try Hello(hello(true)).takesRegisters)
        #expect(try !Hello(hello(false)).takesRegisters)
        var zero = hello(true)
        zero.body = Array(text.replacing(#""registers":1"#, with: #""registers":0"#).utf8)
        #expect(try !Hello(zero).takesRegisters)
        zero.body = Array(text.replacing(#""registers":1"#, with: #""registers":2"#).utf8)
        #expect(throws: FrameError.self) { try Hello(zero) }
    }

    @Test func `credit counts values, not frames`() throws {
        var live = try Live(window: 4)
        live.publish(registers(1...6))
        #expect(try read(live.claim()) == registers(1...4))
        live.credit(2)
        #expect(live.claim().map(\.sequence) == [5])
        live.credit(6)
        #expect(live.hub.engine.watches.first?.confirmedCount == 6)
        #expect(live.hub.engine.watches.first?.backlogCount == 0)
    }

    @Test func `values of a lost frame come again under new numbers, where they are the newest`() throws {
        var live = try Live()
        live.publish(registers(1...3))
        live.publish([Register(key: "lamp 2", order: 9, value: [9])], at: 3)
        _ = live.claim()
        live.credit(4, missing: [1, 2, 3], at: 4)
        let again = live.claim()
        #expect(again.map(\.sequence) == [5])
        #expect(try read(again).map(\.key) == ["lamp 1", "lamp 3"])
    }

    @Test func `a frame has at most 16,384 bytes, and a value that does not fit goes alone`() throws {
        let room = RegisterBatch.byteCountMax - RegisterBatch.frame(epoch: Self.epoch).beginning.count - 2
        /// Values that together fill a frame, but for some bytes.
        func values(short missing: Int) -> [Register] {
            var values = registers(1...2, byteCount: 4000)
            // With a comma behind each.
            let used = values.reduce(0) { $0 + RegisterBatch.member(of: $1).count + $1.value.count + 1 }
            var last = Register(key: "lamp 3", order: 3, value: Array(repeating: 3, count: 1000))
            // Both lengths have four digits, so the members are equally long.
            let count = room - used - RegisterBatch.member(of: last).count - missing
            last.value = Array(repeating: 3, count: count)
            values.append(last)
            return values
        }
        var full = try Live()
        full.publish(values(short: 0))
        let frames = full.claim()
        #expect(frames.count == 1)
        #expect(frames.map { $0.body.count + $0.blob.count } == [RegisterBatch.byteCountMax])
        #expect(try read(frames) == values(short: 0))
        var over = try Live()
        over.publish(values(short: -1))
        #expect(over.claim().map(\.kind) == [.registers, .register])
        var large = try Live()
        let whole = Register(key: "large", order: 1, value: Array(repeating: 1, count: 65_536))
        large.publish(registers(1...1) + [whole] + registers(2...3))
        let split = large.claim()
        #expect(split.map(\.kind) == [.register, .register, .registers])
        #expect(split.map(\.sequence) == [1, 2, 3])
    }

    // MARK: - The watch

    private func frame(_ body: String, _ blob: [UInt8] = [], sequence: UInt64 = 1, session: UInt64 = 5) -> Frame {
        Frame(kind: .registers, session: session, sequence: sequence, body: Array(body.utf8), blob: blob)
    }

    private func member(_ key: String, _ bytes: String, order: Int = 1) -> String {
        #"{"bytes":\#(bytes),"key":"\#(key)","order":"000000000000000\#(order)"}"#
    }

    private func body(_ members: String...) -> String {
        #"{"epoch":"0000000000000001","values":[\#(members.joined(separator: ","))]}"#
    }

    @Test func `a watch shows each value of a frame, and gives credit for each`() throws {
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        _ = watch.claim()
        watch.receive(frame(body(member("a", "1"), member("b", "0"), member("c", "2")), [1, 2, 3]), at: 1)
        let shown = watch.claim().compactMap { output -> Register? in
            if case .event(.registerChanged(let register)) = output { register } else { nil }
        }
        #expect(shown.map(\.key) == ["a", "b", "c"])
        #expect(shown.map(\.value) == [[1], [], [2, 3]])
        watch.feed(.timeReached, at: 60)
        let credits = try watch.claimFrames().filter { $0.kind == .credit }.map { try Credit($0) }
        #expect(credits == [Credit(highest: 3, missing: [])])
        // A frame is missing in between: each of its values is named.
        watch.receive(frame(body(member("a", "0", order: 2), member("b", "0", order: 2)), sequence: 6), at: 61)
        watch.feed(.timeReached, at: 120)
        let later = try watch.claimFrames().filter { $0.kind == .credit }.map { try Credit($0) }
        #expect(later == [Credit(highest: 7, missing: [4, 5])])
    }

    @Test func `a watch drops what it has, and takes the rest of the frame`() throws {
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        watch.receive(frame(body(member("a", "0", order: 2), member("b", "0"))), at: 1)
        _ = watch.claim()
        watch.receive(frame(body(member("a", "0"), member("c", "0")), sequence: 3), at: 2)
        let outputs = watch.claim()
        #expect(outputs.contains(.event(.dropped(.old(.registers)))))
        #expect(watch.engine.registers.keys == ["a", "b", "c"])
        #expect(watch.engine.registers["a"]?.register.order == 2)
    }

    @Test func `a frame that is not as it should be is refused whole`() throws {
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        _ = watch.claim()
        let good = member("a", "1")
        let long = String(repeating: "k", count: 257)
        let frames = [
            frame(body()), frame(body(good)), frame(body(good), [1, 2]), frame(body(good, member("b", "2")), [1, 2]),
            frame(body(good, member("a", "1", order: 2)), [1, 2]), frame(body(member("", "1")), [1]),
            frame(body(member(long, "1")), [1]), frame(body(member("a", "-1"), member("b", "2")), [1]),
            frame(body(member("a", "9223372036854775807"), good), [1]), frame(body(good), [1], sequence: 0),
            frame(body(good), [1], sequence: .max), frame(#"{"values":[\#(good)]}"#, [1]),
            frame(#"{"epoch":"0000000000000001"}"#), frame(#"{"epoch":"0000000000000001","values":{}}"#),
            frame(#"{"epoch":"0000000000000001","values":[1]}"#),
            frame(body(#"{"bytes":1,"key":"a"}"#), [1]),
            frame(body(good, #"{"bytes":1,"order":"0000000000000001"}"#), [1, 2]), frame("", [1]),
        ]
        for (number, frame) in frames.enumerated() {
            watch.receive(frame, at: 1)
            let isRefused = watch.claim().contains { output in
                if case .event(.dropped(.fault)) = output { true } else { false }
            }
            #expect(isRefused, "frame \(number)")
        }
        #expect(watch.engine.registers.isEmpty)
        watch.feed(.timeReached, at: 100)
        #expect(watch.claimFrames().allSatisfy { $0.kind != .credit })
    }

    @Test func `a frame of 16,384 bytes is taken, and a longer one is refused`() throws {
        for (more, isTaken) in [(0, true), (1, false)] {
            var watch = WatchScript()
            try watch.open(session: 5, at: 0)
            _ = watch.claim()
            let count = RegisterBatch.byteCountMax - body(member("a", "16000")).utf8.count + more
            watch.receive(frame(body(member("a", "\(count)")), Array(repeating: 7, count: count)), at: 1)
            #expect((watch.engine.registers["a"] != nil) == isTaken)
        }
    }

    @Test func `values of a history that was left do not count as arrived`() throws {
        var watch = WatchScript()
        try watch.open(session: 5, at: 0)
        watch.receive(frame(body(member("a", "0"))), at: 1)
        watch.receive(
            frame(#"{"epoch":"0000000000000002","values":[\#(member("a", "0")),\#(member("b", "0"))]}"#, sequence: 2),
            at: 2)
        _ = watch.claim()
        watch.receive(frame(body(member("a", "0", order: 5), member("c", "0")), sequence: 4), at: 3)
        #expect(watch.claim() == [.event(.dropped(.old(.registers)))])
        #expect(watch.engine.registers.keys == ["a", "b"])
    }
}
