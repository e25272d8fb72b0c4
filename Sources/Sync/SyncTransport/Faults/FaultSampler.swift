package import SyncCore

/// The direction of a message, seen from the end that has the faults.
package enum FaultDirection: Hashable, Sendable {
    /// To this end.
    case incoming
    /// From this end.
    case outgoing
}

/// The outcome for one message.
package enum FaultOutcome: Hashable, Sendable {
    /// It arrives, once for each copy.
    case arrives([Copy])
    /// The message is lost.
    case lost
    /// The message is lost, and the connection breaks.
    case resets

    /// One arrival of a message.
    package struct Copy: Hashable, Sendable {
        /// When it arrives.
        package var due: Instant
        /// The byte that changes in transit; nil if none does.
        package var corruption: Corruption?
    }

    /// A changed byte.
    package struct Corruption: Hashable, Sendable {
        /// Its position in the bytes of all parts.
        package var offset: Int
        /// The bits that are inverted; at least one.
        package var mask: UInt8

        /// The parts with the byte changed.
        package func applied(to parts: [[UInt8]]) -> [[UInt8]] {
            var (parts, offset) = (parts, offset)
            for index in parts.indices {
                if offset < parts[index].count {
                    parts[index][offset] ^= mask
                    return parts
                }
                offset -= parts[index].count
            }
            return parts
        }
    }
}

/// Decides the outcomes of the messages of one link, one after the other.
///
/// Each message takes the same number of random numbers. So the outcome of a message depends neither on the sizes of
/// the messages before it nor on the other direction.
package struct FaultSampler: Hashable, Sendable {
    private struct Lane: Hashable, Sendable {
        let faults: MessageFaults
        var generator: SplitMix64
        var cutUntil: Instant?
        /// The arrival time of the last message that was not reordered.
        var lastDue: Instant?
    }

    private var incoming: Lane
    private var outgoing: Lane
    /// The counts of the decisions so far.
    package internal(set) var counts = FaultCounts()

    /// Creates the sampler of a link.
    package init(_ faults: LinkFaults) {
        let seeds = SplitMix64(seed: faults.seed)
        incoming = Lane(
            faults: faults.incoming, generator: seeds.stream(2), cutUntil: faults.incoming.cutUntil)
        outgoing = Lane(
            faults: faults.outgoing, generator: seeds.stream(3), cutUntil: faults.outgoing.cutUntil)
    }

    /// Decides the outcome of the next message of a direction; time must not go back.
    package mutating func outcome(byteCount: Int, _ direction: FaultDirection, at now: Instant) -> FaultOutcome {
        switch direction {
        case .incoming: Self.outcome(byteCount: byteCount, &incoming, &counts, at: now)
        case .outgoing: Self.outcome(byteCount: byteCount, &outgoing, &counts, at: now)
        }
    }

    private static func outcome(
        byteCount: Int, _ lane: inout Lane, _ counts: inout FaultCounts, at now: Instant
    ) -> FaultOutcome {
        let faults = lane.faults
        let roll = FaultDraw(&lane.generator)
        counts.messages += 1
        if roll.cut < faults.cut, lane.cutUntil.map({ $0 <= now }) ?? true {
            lane.cutUntil = now.advanced(by: faults.longestCut * roll.cutLength)
            counts.cuts += 1
        }
        if let until = lane.cutUntil, now < until {
            counts.lostInCuts += 1
            return .lost
        }
        if roll.reset < faults.reset {
            counts.resets += 1
            return .resets
        }
        if roll.drop < faults.drop {
            counts.dropped += 1
            return .lost
        }
        var copy = FaultOutcome.Copy(due: max(now, lane.lastDue ?? now), corruption: nil)
        if roll.delay < faults.delay {
            counts.delayed += 1
            copy.due = max(copy.due, now.advanced(by: faults.longestDelay * roll.delayLength))
        }
        if roll.reorder < faults.reorder {
            counts.reordered += 1
            copy.due = copy.due.advanced(by: faults.longestDelay * roll.reorderLength)
        } else {
            lane.lastDue = copy.due
        }
        if roll.corrupt < faults.corrupt, byteCount > 0 {
            counts.corrupted += 1
            copy.corruption = .init(
                offset: Int(roll.place % UInt64(byteCount)), mask: 1 << UInt8(truncatingIfNeeded: roll.place >> 61))
        }
        guard roll.duplicate < faults.duplicate else { return .arrives([copy]) }
        counts.duplicated += 1
        return .arrives([copy, .init(due: copy.due, corruption: nil)])
    }
}

/// The random numbers of one message.
private struct FaultDraw {
    let cut: Double
    let cutLength: Double
    let reset: Double
    let drop: Double
    let delay: Double
    let delayLength: Double
    let reorder: Double
    let reorderLength: Double
    let corrupt: Double
    let place: UInt64
    let duplicate: Double

    init(_ generator: inout SplitMix64) {
        cut = generator.unit()
        cutLength = generator.unit()
        reset = generator.unit()
        drop = generator.unit()
        delay = generator.unit()
        delayLength = generator.unit()
        reorder = generator.unit()
        reorderLength = generator.unit()
        corrupt = generator.unit()
        place = generator.next()
        duplicate = generator.unit()
    }
}
