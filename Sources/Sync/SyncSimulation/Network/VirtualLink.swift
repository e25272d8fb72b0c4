import SyncCore

/// What lies between the hub and a watch in a virtual world, and what goes wrong on it.
package struct VirtualLink: Sendable {
    /// What may become of a frame.
    package enum Mishap: Hashable, Sendable {
        case drop
        case duplicate
        /// What is sent after it may pass it.
        case holdUp(Duration)
    }

    /// What becomes of frames at random.
    package struct Faults: Hashable, Sendable {
        package var dropChance = 0.0
        package var duplicateChance = 0.0
        package var reorderChance = 0.0
        package var reorderTime = Duration.zero
        package var delays = Duration.zero...Duration.zero

        package init() {}
    }

    /// What becomes of one frame.
    package enum Fate {
        /// It is lost without a word.
        case vanishes
        case drops
        case arrives(VirtualNetwork.Passage, Mishap?)

        /// What was done to a frame by what its link was told, nil if nothing was, or if it is lost in silence.
        package var mishap: Mishap? {
            switch self {
            case .vanishes: nil
            case .drops: .drop
            case .arrives(_, let mishap): mishap
            }
        }
    }

    /// Whether there is no connection, and both ends know it.
    package var isCut = false
    /// Whether what goes to the hub is lost without a word.
    package var losesToHub = false
    package var losesToWatch = false
    package var faults = Faults()
    /// What the next frames to a side suffer, in order.
    private var planned: [(isToHub: Bool, mishap: Mishap)] = []
    /// The silence that ends by itself.
    private var silence = (toHub: false, toWatch: false, until: Instant(nanoseconds: 0))

    /// Whether no connection can be made.
    func isClosed(at now: Instant) -> Bool {
        isCut || loses(isToHub: true, at: now) && loses(isToHub: false, at: now)
    }

    /// Whether nothing goes wrong on it but what is planned for frames with content.
    func isClear(at now: Instant) -> Bool {
        !isCut && !loses(isToHub: true, at: now) && !loses(isToHub: false, at: now) && faults == Faults()
    }

    /// Whether what goes one way is lost without a word.
    func loses(isToHub: Bool, at now: Instant) -> Bool {
        if isToHub ? losesToHub : losesToWatch { return true }
        return now < silence.until && (isToHub ? silence.toHub : silence.toWatch)
    }

    /// Loses all that goes these ways until a time, in place of an earlier silence.
    mutating func silence(toHub: Bool, toWatch: Bool, until: Instant) {
        silence = (toHub, toWatch, until)
    }

    /// Does something to the next frame one way that carries content of the application.
    package mutating func plan(_ mishap: Mishap, isToHub: Bool) {
        planned.append((isToHub, mishap))
    }

    /// Ends all that goes wrong.
    package mutating func heal() {
        isCut = false
        losesToHub = false
        losesToWatch = false
        faults = Faults()
        planned = []
        silence = (false, false, Instant(nanoseconds: 0))
    }

    /// Decides what becomes of a frame that is sent now and takes a time without faults.
    mutating func fate(
        of kind: FrameKind, isToHub: Bool, now: Instant, frameTime: Duration, draws: inout SplitMix64
    ) -> Fate {
        guard !loses(isToHub: isToHub, at: now) else { return .vanishes }
        let mishap = plannedMishap(of: kind, isToHub: isToHub) ?? faults.draw(using: &draws)
        var passage = VirtualNetwork.Passage(delay: frameTime + faults.delay(using: &draws))
        switch mishap {
        case .drop: return .drops
        case .holdUp(let time):
            passage.delay += time
            passage.isHeldUp = true
        case .duplicate: passage.copyGap = .zero
        case nil: break
        }
        return .arrives(passage, mishap)
    }

    private mutating func plannedMishap(of kind: FrameKind, isToHub: Bool) -> Mishap? {
        guard kind.carriesContent, let index = planned.firstIndex(where: { $0.isToHub == isToHub }) else { return nil }
        return planned.remove(at: index).mishap
    }
}

extension VirtualLink.Faults {
    fileprivate func draw(using draws: inout SplitMix64) -> VirtualLink.Mishap? {
        guard dropChance + duplicateChance + reorderChance > 0 else { return nil }
        let (drops, copies, holdsUp) = (
            draws.chance(dropChance), draws.chance(duplicateChance), draws.chance(reorderChance)
        )
        if drops { return .drop }
        if holdsUp { return .holdUp(draws.duration(upTo: reorderTime)) }
        return copies ? .duplicate : nil
    }

    fileprivate func delay(using draws: inout SplitMix64) -> Duration {
        guard delays.upperBound > .zero else { return .zero }
        return delays.lowerBound + draws.duration(upTo: delays.upperBound - delays.lowerBound)
    }
}

extension FrameKind {
    /// Whether the application's content travels in it.
    fileprivate var carriesContent: Bool {
        switch self {
        case .message, .reply, .item, .offer, .chunk: true
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .register, .messageError, .context,
            .contextAcknowledged, .upload, .itemAcknowledged, .pull, .done, .abort:
            false
        }
    }
}
