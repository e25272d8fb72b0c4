import Foundation
import Testing
import Text

@testable import PINPairing

@Suite struct PairingTests {
    private static let serial = "TARS0000000042A1"
    private static let phoneKey = [UInt8](repeating: 0xA1, count: 32)
    private static let deviceKey = [UInt8](repeating: 0xB2, count: 32)
    private static let start = Timestamp(milliseconds: 1_780_315_200_000)

    private static func holder(_ record: PairingRecord = PairingRecord()) throws -> PairingHolder {
        PairingHolder(pin: try PIN("314159"), holder: serial, linkKey: deviceKey, record: record)
    }

    private static func random(_ count: Int, _ generator: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// What goes over the wire between a phone and a device, until neither has anything to say.
    private struct Run {
        var outcome: PairingAsker.Outcome?
        var devicePaired: PairingKey?
        var kept: [PairingRecord] = []
        /// What happened, in order.
        var events: [String] = []
        var transcript: [PairingMessage] = []

        init(
            pin: String, with device: inout PairingHolder, seed: UInt64 = 1, at now: Timestamp = PairingTests.start,
            change: (PairingMessage) -> PairingMessage = { $0 }
        ) throws {
            var generator = SplitMix64(seed: seed)
            var phone = PairingAsker(
                pin: try PIN(pin), holder: PairingTests.serial, linkKey: PairingTests.phoneKey,
                random: PairingTests.random(48, &generator))
            var next: PairingMessage? = phone.opening
            while let message = next {
                transcript.append(message)
                next = nil
                let arrived = try #require(PairingMessage(change(message).bytes))
                for output in device.handle(arrived, random: PairingTests.random(32, &generator), at: now) {
                    switch output {
                    case .keep(let record):
                        events.append("keep")
                        kept.append(record)
                    case .send(let reply):
                        events.append("send")
                        transcript.append(reply)
                        next = phone.handle(try #require(PairingMessage(change(reply).bytes)))
                    case .paired(let key): devicePaired = key
                    case .unpaired: break
                    }
                }
            }
            outcome = phone.outcome
        }
    }

    @Test func `T11 T40 the right PIN pairs, and each side has the other's key`() throws {
        var device = try Self.holder()
        let run = try Run(pin: "314159", with: &device)

        guard case .paired(let phone) = run.outcome else {
            Issue.record("\(String(describing: run.outcome))")
            return
        }
        let paired = try #require(run.devicePaired)
        #expect(phone.linkKey == Self.deviceKey)
        #expect(paired.linkKey == Self.phoneKey)
        #expect(paired.isUnpaired(by: phone.unpairing))
        #expect(device.record.tries == 0)
        #expect(device.record.key == paired)
    }

    @Test func `T11 T40 a wrong PIN says how many tries are left, and the sixth try is refused even after a restart`()
        throws
    {
        var device = try Self.holder()
        for left in [4, 3, 2, 1] {
            #expect(try Run(pin: "000000", with: &device, seed: UInt64(left)).outcome == .wrong(left: left))
        }
        let until = Self.start.advanced(byMilliseconds: 60_000)
        let fifth = try Run(pin: "000000", with: &device, seed: 5)
        #expect(fifth.outcome == .lockedOut(until: until))

        let stored = try CanonicalJSON.encode(try #require(fifth.kept.last))
        var restarted = try Self.holder(try CanonicalJSON.decode(PairingRecord.self, from: stored))
        // Not even the right PIN.
        let sixth = try Run(pin: "314159", with: &restarted, seed: 6, at: until.advanced(byMilliseconds: -1))
        #expect(sixth.outcome == .lockedOut(until: until))
        #expect(sixth.events == ["send"])
        #expect(restarted.record.key == nil)
        #expect(try Run(pin: "314159", with: &restarted, seed: 7, at: until).devicePaired != nil)
        #expect(restarted.record.tries == 0)
        #expect(restarted.record.lockedUntil == nil)
    }

    @Test func `T40 each lock-out is twice the last, up to a day`() throws {
        var device = try Self.holder()
        var now = Self.start
        var lockouts: [Int64] = []
        for seed in 0..<20 as Range<UInt64> {
            if case .lockedOut(let until) = try Run(pin: "000000", with: &device, seed: seed, at: now).outcome {
                lockouts.append(until.milliseconds(since: now) / 1000)
                now = until
            }
        }
        #expect(lockouts.prefix(4) == [60, 120, 240, 480])
        #expect(lockouts.suffix(3) == [86_400, 86_400, 86_400])
        #expect(lockouts.count == 16)
    }

    @Test func `T40 a try is stored before the answer, so breaking off or cutting the power uses it`() throws {
        var device = try Self.holder()
        let run = try Run(pin: "314159", with: &device)
        #expect(run.events == ["keep", "send", "keep", "send"])
        #expect(run.kept.first?.tries == 1)

        var other = try Self.holder()
        var generator = SplitMix64(seed: 9)
        for count in 1...4 {
            let asker = PairingAsker(
                pin: try PIN("000000"), holder: Self.serial, linkKey: Self.phoneKey,
                random: Self.random(48, &generator))
            let outputs = other.handle(asker.opening, random: Self.random(32, &generator), at: Self.start)
            guard case .keep(let record)? = outputs.first, outputs.count == 2 else {
                Issue.record("\(outputs)")
                return
            }
            #expect(record.tries == count)
            other = try Self.holder(record)
        }
    }

    @Test func `T40 the PIN is not in the transcript, in any form`() throws {
        var device = try Self.holder()
        let wire = try Run(pin: "314159", with: &device).transcript.flatMap(\.bytes)
        let digits: [UInt8] = [3, 1, 4, 1, 5, 9]
        let number: UInt32 = 314_159
        let forms = [
            Array("314159".utf8), digits, [0x31, 0x41, 0x59], withBytes(of: number.bigEndian),
            withBytes(of: number.littleEndian), Array(withBytes(of: number.bigEndian).dropFirst()),
            CPace.hash(Array("314159".utf8)),
        ]
        for form in forms { #expect(!wire.contains(form)) }
    }

    /// All that somebody without a scalar can compute for a guess.
    ///
    /// These are the generator, and tags from each public point and from
    /// the generator in the place of the secret point. The right PIN is among the guesses: if it cannot be told apart from
    /// the others, then no longer list of guesses helps: a thousand show as much as all million, for which the environment
    /// variable `PINPAIRING_GUESSES` asks. The first test shows that the search finds it where it can.
    @Test(arguments: [true, false])
    func `A4 T40 a search over guesses finds the PIN only with a side's secret scalar`(knowsScalar: Bool) async throws {
        var device = try Self.holder()
        let run = try Run(pin: "314159", with: &device)
        guard case .ask(let session, let share, let linkKey) = run.transcript[0],
            case .answer(let otherShare, let otherKey) = run.transcript[1],
            case .confirm(let askTag) = run.transcript[2], case .confirm(let answerTag) = run.transcript[3]
        else {
            Issue.record("\(run.transcript)")
            return
        }
        var generator = SplitMix64(seed: 1)
        let random = Array(Self.random(48, &generator).dropFirst(16))
        let (ask, answer) = (CPace.joined(share, linkKey), CPace.joined(otherShare, otherKey))

        let fits: @Sendable (String) -> Bool = { guess in
            let point = CPace.generator(
                password: Array(guess.utf8), channel: CPace.joined(Array(Self.serial.utf8)), session: session)
            if knowsScalar, CPace.multiply(CPace.scalar(random), point) == share { return true }
            return [point, share, otherShare, [UInt8](repeating: 0, count: 32)].contains { secret in
                let key = CPace.key(session: session, secret: secret, first: ask, second: answer)
                return secret == point && (point == share || point == otherShare)
                    || [ask, answer].contains {
                        let tag = CPace.tag(session: session, key: key, message: $0)
                        return tag == askTag || tag == answerTag
                    }
            }
        }
        let count = ProcessInfo.processInfo.environment["PINPAIRING_GUESSES"].flatMap { Int($0) } ?? 1000
        // The guesses around the PIN, in four parts at once.
        let first = max(0, min(1_000_000 - count, 314_159 - count / 2))
        let found = await withTaskGroup(of: [String].self) { group in
            for part in 0..<4 {
                group.addTask {
                    stride(from: first + part, to: min(1_000_000, first + count), by: 4)
                        .map { String(repeating: "0", count: 6 - "\($0)".count) + "\($0)" }.filter(fits)
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect((first..<(first + count)).contains(314_159))
        #expect(found == (knowsScalar ? ["314159"] : []))
    }

    @Test func `T40 a link key that is changed on the way pairs nobody`() throws {
        let forged = [UInt8](repeating: 0xEE, count: 32)
        var device = try Self.holder()
        let asked = try Run(pin: "314159", with: &device) { message in
            if case .ask(let session, let share, _) = message {
                .ask(session: session, share: share, linkKey: forged)
            } else {
                message
            }
        }
        #expect(asked.outcome == .wrong(left: 4))
        #expect(asked.devicePaired == nil)

        let answered = try Run(pin: "314159", with: &device) { message in
            if case .answer(let share, _) = message { .answer(share: share, linkKey: forged) } else { message }
        }
        #expect(answered.outcome == .wrong(left: 3))
        #expect(answered.devicePaired == nil)
    }

    @Test func `T40 a device without the PIN is found out`() throws {
        var impostor = PairingHolder(
            pin: try PIN("999999"), holder: Self.serial, linkKey: Self.deviceKey, record: PairingRecord())
        #expect(try Run(pin: "314159", with: &impostor).outcome == .wrong(left: 4))

        // One that says yes to everything has no right tag.
        var generator = SplitMix64(seed: 8)
        var phone = PairingAsker(
            pin: try PIN("314159"), holder: Self.serial, linkKey: Self.phoneKey, random: Self.random(48, &generator))
        let share = CPace.generator(password: [1], channel: [], session: [])
        #expect(phone.handle(.answer(share: share, linkKey: Self.deviceKey)) != nil)
        #expect(phone.handle(.confirm(tag: [UInt8](repeating: 0, count: 64))) == nil)
        #expect(phone.outcome == .forged)
    }

    @Test(arguments: [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), [], [1]])
    func `T40 a share that is no point ends the pairing at once, and uses a try`(share: [UInt8]) throws {
        var device = try Self.holder()
        let outputs = device.handle(
            .ask(session: [1], share: share, linkKey: Self.phoneKey), random: [UInt8](repeating: 3, count: 32),
            at: Self.start)
        #expect(outputs == [.keep(device.record), .send(.wrong(left: 4))])
        #expect(device.record.tries == 1)

        var generator = SplitMix64(seed: 8)
        var phone = PairingAsker(
            pin: try PIN("314159"), holder: Self.serial, linkKey: Self.phoneKey, random: Self.random(48, &generator))
        #expect(phone.handle(.answer(share: share, linkKey: Self.deviceKey)) == nil)
        #expect(phone.outcome == .forged)
    }

    @Test func `T44 unpairing at either side wipes the key at both, and only with the key`() throws {
        var device = try Self.holder()
        guard case .paired(let phoneHas) = try Run(pin: "314159", with: &device).outcome else {
            Issue.record("not paired")
            return
        }
        let random = [UInt8](repeating: 3, count: 32)
        #expect(device.handle(.unpair(tag: [UInt8](repeating: 0, count: 64)), random: random, at: Self.start) == [])
        #expect(device.record.key != nil)
        let outputs = device.handle(phoneHas.unpairing, random: random, at: Self.start)
        #expect(outputs == [.keep(device.record), .unpaired])
        #expect(device.record.key == nil)
        #expect(device.handle(phoneHas.unpairing, random: random, at: Self.start) == [])

        var again = try Self.holder()
        guard case .paired(let other) = try Run(pin: "314159", with: &again, seed: 2).outcome,
            let own = again.record.key
        else {
            Issue.record("not paired")
            return
        }
        #expect(!other.isUnpaired(by: phoneHas.unpairing))
        #expect(other.isUnpaired(by: own.unpairing))
        #expect(again.unpaired().key == nil)
    }

    @Test func `T12 bytes that are no message are none, and messages survive their bytes`() throws {
        let messages: [PairingMessage] = [
            .ask(session: [1, 2], share: [3], linkKey: []), .answer(share: [4], linkKey: [5]), .confirm(tag: [6]),
            .wrong(left: 3), .lockedOut(until: Self.start), .unpair(tag: [7]),
        ]
        for message in messages {
            #expect(PairingMessage(message.bytes) == message)
            for end in 0..<message.bytes.count { #expect(PairingMessage(Array(message.bytes.prefix(end))) != message) }
        }
        var random = SplitMix64(seed: 5)
        for _ in 0..<2000 {
            let bytes = Self.random(Int.random(in: 0...40, using: &random), &random)
            if let message = PairingMessage(bytes) { #expect(PairingMessage(message.bytes) == message) }
        }
    }

    @Test(arguments: [
        ("31415", "the PIN has 5 digits: give 6"), ("3141592", "the PIN has 7 digits: give 6"),
        ("31415x", "the PIN has other characters than digits: give 6 digits"),
        ("３１４１５９", "the PIN has other characters than digits: give 6 digits"),
    ])
    func `T40 a PIN has six digits`(text: String, sentence: String) {
        let problem = #expect(throws: PIN.Problem.self) { try PIN(text) }
        #expect(problem?.description == sentence)
    }

    private func withBytes(of number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
