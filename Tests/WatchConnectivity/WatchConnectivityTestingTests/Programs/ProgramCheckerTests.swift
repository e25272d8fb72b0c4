import Platform
import Primitives
import SyncCore
import Testing
import WatchConnectivity

@testable import WatchConnectivityTesting

/// The checker sees what it is there for: each promise, broken in a log that was good, and faults planted on the way.
@Suite struct ProgramCheckerTests {
    private typealias Entry = ProgramLog.Entry

    /// The log of a program in which all kinds of things are sent and arrive.
    private static func goodLog() throws -> ProgramLog {
        var program = SessionProgram(seed: 0)
        program.steps = [
            .activate(.phone), .activate(.watch(0)), .settle,
            .userInfo(.phone, isComplication: false, .small), .userInfo(.phone, isComplication: false, .small),
            .context(.phone, .small), .message(.phone, isData: false, wantsReply: true, .small),
            .message(.phone, isData: false, wantsReply: true, .small),
            .message(.phone, isData: true, wantsReply: false, .tooLarge),
            .file(.phone, byteCount: 10, hasMetadata: true, exists: true), .settle, .advance(.seconds(1)),
        ]
        program.traits = SessionProgram.Traits()
        let report = try ProgramRun.run(program)
        try #require(report.violations.isEmpty, "\(report.violations)")
        return report.log
    }

    /// The promises that are broken once a log was changed.
    private func broken(_ change: (inout [Entry]) -> Void) throws -> Set<ProgramChecker.Promise> {
        var log = try Self.goodLog()
        change(&log.entries)
        return Set(ProgramChecker.violations(in: log).map(\.promise))
    }

    private func arrivals(_ kind: ProgramLog.Kind, _ entries: [Entry]) -> [Int] {
        entries.indices.filter {
            if case .began(_, _, let callback) = entries[$0] { return callback.arrival?.kind == kind }
            return false
        }
    }

    @Test func `it sees a lost item`() throws {
        #expect(
            try broken { entries in
                let place = arrivals(.userInfo, entries)[1]
                entries.removeSubrange(place...place + 1)
            }.contains(.nothingLost))
        #expect(
            try broken { entries in
                let place = arrivals(.context, entries)[0]
                entries.removeSubrange(place...place + 1)
            }.contains(.nothingLost))
    }

    @Test func `it sees an item that comes twice`() throws {
        #expect(
            try broken { entries in
                let place = arrivals(.file, entries)[0]
                entries.insert(contentsOf: entries[place...place + 1], at: place + 2)
            }.contains(.onceOnly))
    }

    @Test func `it sees items that change places`() throws {
        for kind in [ProgramLog.Kind.userInfo, .message] {
            #expect(
                try broken { entries in
                    let places = arrivals(kind, entries)
                    entries.swapAt(places[0], places[1])
                }.contains(.order))
        }
    }

    @Test func `it sees a transfer that ends twice, or never, or wrongly`() throws {
        func finish(_ entries: [Entry]) -> Int {
            entries.firstIndex { if case .finished(_, .userInfo, _) = $0 { true } else { false } } ?? 0
        }
        #expect(try broken { $0.insert($0[finish($0)], at: finish($0)) }.contains(.oneFinish))
        #expect(try broken { $0.remove(at: finish($0)) }.contains(.oneFinish))
        #expect(
            try broken { entries in
                guard case .finished(let number, let kind, _) = entries[finish(entries)] else { return }
                entries[finish(entries)] = .finished(number, kind, .deviceNotPaired)
            }.contains(.nothingLost))
        #expect(
            try broken { entries in
                guard case .finished(let number, _, _) = entries[finish(entries)] else { return }
                entries.insert(.cancelled(number), at: finish(entries))
            }.contains(.oneFinish))
    }

    @Test func `it sees two outcomes, none, and one within the call`() throws {
        func reply(_ entries: [Entry]) -> Int {
            entries.firstIndex { if case .replied = $0 { true } else { false } } ?? 0
        }
        #expect(try broken { $0.insert($0[reply($0)], at: reply($0)) }.contains(.oneOutcome))
        #expect(try broken { $0.remove(at: reply($0)) }.contains(.oneOutcome))
        #expect(try broken { $0.append(.handledTooEarly(1)) }.contains(.neverSynchronous))
    }

    @Test func `it sees calls that are forbidden`() throws {
        #expect(
            try broken { entries in
                entries.removeAll { if case .activating = $0 { true } else { false } }
            }.contains(.forbiddenCall))
        func changed(_ change: (inout ProgramLog.Callback) -> Void) throws -> Set<ProgramChecker.Promise> {
            try broken { entries in
                let place = arrivals(.userInfo, entries)[0]
                guard case .began(let actor, let process, var callback) = entries[place] else { return }
                change(&callback)
                entries[place] = .began(actor, process: process, callback)
            }
        }
        #expect(try changed { $0.appState = .suspended }.contains(.forbiddenCall))
        #expect(try changed { $0.activationState = .notActivated }.contains(.forbiddenCall))
        #expect(try changed { $0.arrival?.isIntact = false }.contains(.intact))
        #expect(try changed { $0.arrival?.number = 99 }.contains(.intact))
    }

    @Test func `it sees calls within calls, and an unrest`() throws {
        #expect(
            try broken { entries in
                let place = arrivals(.userInfo, entries)[0]
                entries.remove(at: place + 1)
            }.contains(.serial))
        #expect(try broken { $0.append(.unsettled) }.contains(.rest))
    }

    @Test func `it sees a wrong code`() throws {
        #expect(
            try broken { entries in
                let place = entries.firstIndex { if case .failed(_, .payloadTooLarge) = $0 { true } else { false } }
                guard let place, case .failed(let number, _) = entries[place] else { return }
                entries[place] = .failed(number, .genericError)
            }.contains(.rightError))
    }

    @Test(arguments: Fault.allCases)
    private func `it sees a fault on the way`(fault: Fault) throws {
        let isSeen = try (1...12).contains { seed in
            let state = Lock((isPlanted: false, delayed: PeerRequest?.none))
            let report = try ProgramRun.run(SessionProgram(seed: UInt64(seed))) { request in
                state.withLock { fault.detour(request, isPlanted: &$0.isPlanted, delayed: &$0.delayed) }
            }
            return !report.violations.isEmpty
        }
        #expect(isSeen)
    }

    /// What happens once to a request between a peer and its engine.
    private enum Fault: CaseIterable {
        case losesUserInfo
        /// User info is passed to the engine as two transfers.
        case repeatsUserInfo
        /// User info waits until other user info of its side has overtaken it.
        case swapsUserInfo
        case losesMessage

        func detour(_ request: PeerRequest, isPlanted: inout Bool, delayed: inout PeerRequest?) -> [PeerRequest] {
            if let waiting = delayed, waiting.side == request.side, case .item = request.request {
                delayed = nil
                return [request, waiting]
            }
            if isPlanted { return [request] }
            switch (self, request.request) {
            case (.losesUserInfo, .item):
                isPlanted = true
                return []
            case (.losesMessage, .message(let message)) where message.wantsReply:
                isPlanted = true
                return []
            case (.swapsUserInfo, .item):
                isPlanted = true
                delayed = request
                return []
            case (.repeatsUserInfo, .item(var transfer)):
                isPlanted = true
                var generator = SplitMix64(seed: 1)
                transfer.id = RandomID(using: &generator)
                let second = PeerRequest(
                    request: .item(transfer), tag: PeerState.EngineTag(number: .max), side: request.side)
                return [second, request]
            case (.losesUserInfo, _), (.losesMessage, _), (.swapsUserInfo, _), (.repeatsUserInfo, _): return [request]
            }
        }
    }
}
