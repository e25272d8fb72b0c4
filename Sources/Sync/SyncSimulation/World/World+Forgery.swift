import SyncCore

/// Somebody who has one watch's key and sends the hub what the watch never made up.
extension World {
    /// Sends a few frames of the watch's session that are well formed and wrong, or that are nothing at all.
    mutating func forge(_ watch: Int, _ fault: Int) {
        guard let connection = world.connection(of: watch) else { return }
        let forger = FrameForger(captured: watches[watch].captured, connection: connection)
        for _ in 0..<1 + faults[fault].draws.below(4) {
            guard let parts = forger.forgery(&faults[fault].draws) else { continue }
            occasions.note(.frameForged)
            if (try? FrameCodec.frame(of: parts))?.kind == .credit { isCreditForged = true }
            trace.line(now, .network, "forges a message on connection \(connection)")
            let forged = VirtualNetwork.Message(
                connection: connection, isToHub: true, parts: parts, kind: .hello, sent: Instant(nanoseconds: .min),
                proof: Instant(nanoseconds: .min))
            world.inject(forged, after: faults[fault].draws.duration(upTo: .milliseconds(20)))
        }
    }

    /// The frames of a flood.
    private static let floodCount = 100
    /// The time that the hub's processor takes for a byte of a body that it reads.
    ///
    /// It is a thousand times too long, so that a flood of some kilobytes does what one of megabytes does to a real hub,
    /// and costs the simulation little.
    private static let readingTime = Duration.microseconds(5)

    /// Sends the hub a hundred greetings, all of them larger than a greeting may be, or as large as one may be.
    mutating func flood(_ watch: Int, _ fault: Int) {
        guard let connection = world.connection(of: watch) else { return }
        occasions.note(.frameFlood)
        trace.line(now, .network, "floods connection \(connection)")
        let isTooLarge = faults[fault].draws.chance(0.5)
        for number in 0..<Self.floodCount {
            let frame = FrameForger.greeting(nonce: faults[fault].draws.next(), isTooLarge: isTooLarge)
            var flood = VirtualNetwork.Message(
                connection: connection, isToHub: true, parts: FrameCodec.parts(of: frame), kind: .hello,
                sent: Instant(nanoseconds: .min), proof: Instant(nanoseconds: .min))
            flood.isFlood = true
            world.inject(flood, after: .milliseconds(5 * number))
        }
    }

    /// The hub's process is busy with what it has read of a flood, and does nothing else meanwhile.
    mutating func hubRead(_ byteCount: Int) {
        let work = Self.readingTime * byteCount
        world.pause(.hub, until: max(world.pausedUntil(.hub), now).advanced(by: work))
        fail(checks.isolation.worked(work, now: now))
    }
}
