import SyncCore

/// The path between the hub and a watch in a virtual world, and its faults.
package struct VirtualLink: Sendable {
    /// What happens to one frame.
    package enum Outcome {
        /// It is lost without notice.
        case vanishes
        case drops
        case arrives(VirtualNetwork.Passage, FrameMishap?)

        /// The planned or drawn fault that struck the frame; nil if none did, or if it is lost without notice.
        package var mishap: FrameMishap? {
            switch self {
            case .vanishes: nil
            case .drops: .drop
            case .arrives(_, let mishap): mishap
            }
        }
    }

    /// Whether there is no connection, and both ends know it.
    package var isCut = false
    /// Whether frames to the hub are lost without notice.
    package var losesToHub = false
    package var losesToWatch = false
    package var faults = FrameFaults()
    /// The faults of the next frames to a side, in order.
    private var planned: [(isToHub: Bool, mishap: FrameMishap)] = []
    /// The silence that ends by itself.
    private var silence = (toHub: false, toWatch: false, until: Instant(nanoseconds: 0))

    /// Whether no connection can be made.
    func isClosed(at now: Instant) -> Bool {
        isCut || loses(isToHub: true, at: now) && loses(isToHub: false, at: now)
    }

    /// Whether it has no faults but those that are planned for frames with content.
    func isClear(at now: Instant) -> Bool {
        !isCut && !loses(isToHub: true, at: now) && !loses(isToHub: false, at: now) && faults == FrameFaults()
    }

    /// Whether frames in one direction are lost without notice.
    func loses(isToHub: Bool, at now: Instant) -> Bool {
        if isToHub ? losesToHub : losesToWatch { return true }
        return now < silence.until && (isToHub ? silence.toHub : silence.toWatch)
    }

    /// Loses all frames in these directions until a time, in place of an earlier silence.
    mutating func silence(toHub: Bool, toWatch: Bool, until: Instant) {
        silence = (toHub, toWatch, until)
    }

    /// Plans a fault for the next frame in one direction that carries content of the application.
    package mutating func plan(_ mishap: FrameMishap, isToHub: Bool) {
        planned.append((isToHub, mishap))
    }

    /// Ends all faults.
    package mutating func heal() {
        isCut = false
        losesToHub = false
        losesToWatch = false
        faults = FrameFaults()
        planned = []
        silence = (false, false, Instant(nanoseconds: 0))
    }

    /// Decides the outcome of a frame that is sent now and would need this time without faults.
    mutating func outcome(
        of kind: FrameKind, isToHub: Bool, now: Instant, frameTime: Duration, draws: inout SplitMix64
    ) -> Outcome {
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

    private mutating func plannedMishap(of kind: FrameKind, isToHub: Bool) -> FrameMishap? {
        guard kind.carriesContent, let index = planned.firstIndex(where: { $0.isToHub == isToHub }) else { return nil }
        return planned.remove(at: index).mishap
    }
}

extension FrameKind {
    /// Whether it carries content of the application.
    fileprivate var carriesContent: Bool {
        switch self {
        case .message, .reply, .item, .offer, .chunk: true
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .register, .registers,
            .messageError, .context, .contextAcknowledged, .upload, .itemAcknowledged, .pull, .done, .abort:
            false
        }
    }
}
