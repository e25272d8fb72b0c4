@testable import SyncCore

/// User info in both directions, generated from a seed.
struct SampleItems {
    private(set) var state = Exchange.State()
    private var generator: SplitMix64
    private var received: UInt64 = 0

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// One to three changes that are valid for the state.
    mutating func next() -> [Exchange.Change] {
        (0...generator.next() % 3).map { _ in
            let change = change()
            state.apply(change)
            return change
        }
    }

    private mutating func change() -> Exchange.Change {
        let track: ItemTrack = generator.next() % 3 == 0 ? .urgent : .ordinary
        let outbox = state.outboxes[track]
        switch generator.next() % 16 {
        case 0..<4: return .added(item(isCurrent: track == .urgent), track)
        case 4, 5: return .released(track, through: outbox.acknowledged + generator.next() % 4)
        case 6, 7: return .acknowledged(track, through: outbox.acknowledged + generator.next() % 4)
        case 8:
            let index = Int(generator.next() % UInt64(outbox.items.count + 1))
            return .cancelled(track, outbox.items.dropFirst(index).first?.id ?? RandomID(high: 0, low: 0))
        case 9:
            let origin = generator.next() % 2 == 0 ? position(RandomID(using: &generator)) : nil
            return .renumbered(track, stream: RandomID(using: &generator), origin: origin)
        case 10: return .spent(UrgentBudget(day: -3 + Int64(generator.next() % 9), spent: Int(generator.next() % 50)))
        case 11: return .passed(track, position(RandomID(using: &generator)))
        case 12: return .consumed(state.inbox.items.first?.id ?? RandomID(high: 0, low: 0))
        default:
            let id = RandomID(using: &generator)
            return .received(
                ReceivedItem(id: id, payload: payload(), isUrgent: generator.next() % 2 == 0), position(id))
        }
    }

    private mutating func item(isCurrent: Bool) -> Item {
        let last = ItemTrack.allCases.compactMap { state.outboxes[$0].items.last?.ordinal }.max() ?? 0
        return Item(ordinal: last + 1, id: RandomID(using: &generator), payload: payload(), isCurrent: isCurrent)
    }

    private mutating func payload() -> [UInt8] {
        (0..<generator.next() % 40).map { UInt8(truncatingIfNeeded: $0) }
    }

    private mutating func position(_ id: RandomID) -> ItemPosition {
        received += 1
        return ItemPosition(stream: RandomID(high: 3, low: 3), highest: received, lastID: id)
    }
}

/// Files in both directions, generated from a seed.
struct SampleFiles {
    private(set) var state = FileExchange.State()
    private(set) var count = 0
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// Whether no part of the state is empty.
    var isFull: Bool {
        state.incoming != nil && !state.queue.isEmpty && !state.received.isEmpty && !state.finished.isEmpty
            && state.results.contains { $0.failure != nil }
    }

    /// A record that is usually valid for the state.
    mutating func next() -> FileExchange.Record {
        count += 1
        let record = record()
        state.apply(record)
        return record
    }

    private mutating func record() -> FileExchange.Record {
        switch generator.next() % 12 {
        case 0..<3:
            return .queued(
                OutgoingFile(
                    // Sometimes a number that was already used.
                    number: state.lastNumber + generator.next() % 3, file: "copy \(count)\0", offer: offer()))
        case 3: return .ended(queuedID(), nil)
        case 4: return .ended(queuedID(), result(nil))
        case 5: return .ended(queuedID(), result(FileFailure(.other("odd\0"), "words of a person 🏊🏽‍♀️")))
        case 6: return .resultTaken(state.results.first?.id ?? RandomID(high: 0, low: 0))
        case 7, 8: return .receiving(IncomingFile(offer: offer(), durable: generator.next()))
        case 9: return generator.next() % 4 == 0 ? .abandoned(incoming().id) : .received(incoming())
        case 10: return .received(state.finished.first.map { offer($0) } ?? offer())
        default: return .consumed(state.received.first?.id ?? RandomID(high: 0, low: 0))
        }
    }

    private func queuedID() -> RandomID { state.queue.first?.offer.id ?? RandomID(high: 0, low: 0) }

    private func result(_ failure: FileFailure?) -> FileResult { FileResult(id: queuedID(), failure: failure) }

    private mutating func incoming() -> FileOffer { state.incoming?.offer ?? offer() }

    private mutating func offer(_ id: RandomID? = nil) -> FileOffer {
        guard let digest = FileDigest(bytes: (0..<32).map { UInt8(truncatingIfNeeded: count + $0) }) else {
            preconditionFailure("32 bytes are a digest")
        }
        return FileOffer(
            id: id ?? RandomID(using: &generator), name: "pool \(count).csv", byteCount: generator.next(),
            digest: digest, metadata: (0..<generator.next() % 9).map { UInt8($0) })
    }
}
