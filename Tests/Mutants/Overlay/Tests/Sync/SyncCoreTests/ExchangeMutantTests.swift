import TestSupport
import Testing

@testable import SyncCore

/// Two exchanges together, with faults of design planted into both.
@Suite(.longWork) struct ExchangeMutantTests {
    /// The faults of design that random schedules find, with the seeds that they may take.
    private static let planted: [(name: String, mutant: Mutant, seeds: UInt64)] = [
        ("acknowledged early", .itemsAcknowledgedEarly, 10),
        ("answered early", .itemsAnsweredEarly, 10),
        ("not recognised", .itemsNotRecognised, 100),
        ("renamed", .itemsRenamed, 100),
        ("never renumbered", .itemsNeverRenumbered, 50),
        ("hide gaps", .itemsHideGaps, 100),
        ("taken out of order", .itemsTakenOutOfOrder, 20),
        ("marked apart", .itemsMarkedApart, 50),
        ("forget the inbox", .itemsForgetInbox, 50),
        ("overfill the inbox", .itemsOverfillInbox, 20),
        ("cancelled late", .itemsCancelledLate, 50),
        ("messages twice", .messagesTwice, 20),
    ]

    @Test(arguments: 0..<planted.count)
    func `random schedules find a planted fault`(_ number: Int) throws {
        let planted = Self.planted[number]
        for seed in 0..<planted.seeds {
            let finding = Mutant.plant([planted.mutant]) {
                var world = ExchangeWorld(seed: seed, faults: .init(restores: true))
                world.run(steps: 400)
                return world.finding
            }
            guard let finding else { continue }
            return try Caught.note(planted.mutant.rawValue, by: "ExchangeMutantTests, seed \(seed), \(finding)")
        }
        Issue.record("\(planted.seeds) schedules did not find: \(planted.name)")
    }

    // MARK: - Faults that need a certain schedule

    /// A schedule, and whether the promise that it is about was kept.
    private static let scripts: [(name: String, mutant: Mutant, isKept: @Sendable () -> Bool)] = [
        ("an acknowledgement is a number and an id", .itemsTrustNumbers, deliversAfterRewoundNumbers),
        ("a new numbering keeps the ids", .itemsRenamed, deliversOnceAfterRestore),
        ("a clock that goes back refills nothing", .budgetRefilledBackwards, keepsBudgetWhenClockGoesBack),
        ("what was spent survives a restart", .budgetNotStored, keepsBudgetAcrossRestart),
        ("a late reply does not count", .messagesTakeLateReplies, givesOneOutcome),
        ("a message ends with its session", .messagesOutliveSessions, endsMessagesWithSession),
    ]

    @Test(arguments: 0..<scripts.count)
    func `a schedule of its own finds a planted fault`(_ number: Int) throws {
        let script = Self.scripts[number]
        #expect(script.isKept(), "\(script.name)")
        let isKept = Mutant.plant([script.mutant]) { script.isKept() }
        #expect(!isKept, "\(script.name): the fault is not seen")
        if !isKept { try Caught.note(script.mutant.rawValue, by: "ExchangeMutantTests, \(script.name)") }
    }

    /// C14: the restored sender counts the same number for another item.
    @Sendable private static func deliversAfterRewoundNumbers() -> Bool {
        var pair = ExchangePair()
        pair.open(at: 0)
        pair.left.accept([1], at: 0)
        pair.settle(at: 0)
        let backup = pair.left.disk
        pair.left.accept([2], at: 1)
        pair.settle(at: 1)
        pair.left.restart(from: backup)
        pair.left.accept([3], at: 2)
        pair.open(at: 2)
        pair.settle(at: 2)
        return pair.received == [[1], [2], [3]]
    }

    /// C15: what the restored sender sends again, the receiver has already.
    @Sendable private static func deliversOnceAfterRestore() -> Bool {
        var pair = ExchangePair()
        pair.left.accept([1], at: 0)
        let backup = pair.left.disk
        pair.open(at: 0)
        pair.settle(at: 0)
        pair.left.restart(from: backup)
        pair.open(at: 1)
        pair.settle(at: 1)
        return pair.received == [[1]]
    }

    @Sendable private static func keepsBudgetWhenClockGoesBack() -> Bool {
        var script = ExchangeScript(configuration: oneUrgentPerDay)
        let day = Duration.seconds(86_400).wholeNanoseconds / 1_000_000
        script.accept([1], isUrgent: true, at: day)
        script.accept([2], isUrgent: true, at: 0)
        return script.disk.outboxes.urgent.items.count == 1
    }

    @Sendable private static func keepsBudgetAcrossRestart() -> Bool {
        var script = ExchangeScript(configuration: oneUrgentPerDay)
        script.accept([1], isUrgent: true, at: 0)
        script.crash()
        script.accept([2], isUrgent: true, at: 1)
        return script.disk.outboxes.urgent.items.count == 1
    }

    private static var oneUrgentPerDay: Exchange.Configuration {
        var configuration = Exchange.Configuration()
        configuration.urgentPerDay = 1
        return configuration
    }

    @Sendable private static func givesOneOutcome() -> Bool {
        var script = ExchangeScript()
        script.open(1, at: 0)
        script.feed(.message(request(1), Message(payload: [], wantsReply: true)), at: 0)
        script.feed(.timeReached, at: 10_000)
        script.feed(.received(MessageAnswerFrame.reply([1]).frame(number: 1, session: 1)), at: 10_001)
        return script.claimAnswers() == [.failed(.replyTimedOut)]
    }

    @Sendable private static func endsMessagesWithSession() -> Bool {
        var script = ExchangeScript()
        script.open(1, at: 0)
        script.feed(.message(request(1), Message(payload: [], wantsReply: true)), at: 0)
        script.feed(.sessionClosed, at: 1)
        return script.claimAnswers() == [.failed(.sessionReset)]
    }
}
