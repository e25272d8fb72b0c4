import Testing
import Text

@testable import Appliances

@Suite struct ReasonTests {
    private static let now = Timestamp(milliseconds: 1_780_315_200_000)
    private static let all = Reason.plain + [.lockedOut(until: now.advanced(byMilliseconds: 90_500))]

    @Test(arguments: HomeLanguage.allCases)
    func `T41 each reason has words of its own in each language`(language: HomeLanguage) {
        let words = Self.all.map { $0.words(in: language, now: Self.now) }

        #expect(words.count == 14)
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { !$0.isEmpty })
        let isKorean = words.map { $0.unicodeScalars.contains { ("\u{AC00}"..."\u{D7A3}").contains($0) } }
        #expect(isKorean.allSatisfy { $0 == (language == .korean) })
    }

    @Test func `T40 a lock-out says how long it lasts`() throws {
        let lockout = try #require(Self.all.last)
        #expect(lockout.words(in: .english, now: Self.now) == "locked for 1m31s")
        #expect(lockout.words(in: .french, now: Self.now) == "bloqué pendant 1m31s")
        #expect(lockout.words(in: .korean, now: Self.now) == "1m31s 동안 잠김")
        #expect(lockout.words(in: .english, now: Self.now.advanced(byMilliseconds: 100_000)) == "locked for 1s")
    }

    @Test func `a reason, a status and an answer survive their JSON`() throws {
        for reason in Self.all { #expect(try again(reason) == reason) }
        let statuses: [CommandStatus] = [
            .idle, .asked, .sent, .confirmed(milliseconds: 118), .unconfirmed, .refused(.busy), .expired, .unknown,
        ]
        for status in statuses { #expect(try again(status) == status) }
        for answer in [DeviceAnswer.done, .expired, .refused(.lowBattery)] { #expect(try again(answer) == answer) }
        #expect(CommandStatus.confirmed(milliseconds: 118).text == "confirmed 118")
        #expect(CommandStatus.refused(.hubOffline).text == "refused hubOffline")
    }

    @Test(arguments: ["", "confirmed", "confirmed -1", "confirmed 1.5", "refused", "refused nothing", "lost"])
    func `what is no status is refused`(text: String) {
        #expect(throws: ModelProblem.self) { try CommandStatus(text) }
    }

    private func again<Value: TextCodable>(_ value: Value) throws -> Value {
        try CanonicalJSON.decode(Value.self, from: CanonicalJSON.encode(value))
    }
}
