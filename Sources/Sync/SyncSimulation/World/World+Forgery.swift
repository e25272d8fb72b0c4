import SyncCore

/// Somebody who has one watch's key and sends the hub what the watch never made up.
extension World {
    /// Sends a few frames of the watch's session that are well formed and wrong, or that are nothing at all.
    mutating func forge(_ watch: Int, _ fault: Int) {
        guard let connection = watches[watch].connection else { return }
        for _ in 0..<1 + faults[fault].draws.below(4) {
            guard let parts = forgery(watch, connection, &faults[fault].draws) else { continue }
            occasions.note(.frameForged)
            if (try? FrameCodec.frame(of: parts))?.kind == .credit { isCreditForged = true }
            trace.line(now, .network, "forges a message on connection \(connection)")
            let forged = VirtualNetwork.Message(
                connection: connection, isToHub: true, parts: parts, kind: .hello, sent: Instant(nanoseconds: .min),
                proof: Instant(nanoseconds: .min))
            queue.push(
                .message(forged), at: now.advanced(by: faults[fault].draws.duration(upTo: .milliseconds(20))))
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
        guard let connection = watches[watch].connection else { return }
        occasions.note(.frameFlood)
        trace.line(now, .network, "floods connection \(connection)")
        let isTooLarge = faults[fault].draws.chance(0.5)
        for number in 0..<Self.floodCount {
            let digits = String(faults[fault].draws.next(), radix: 16)
            let nonce = String(repeating: "0", count: 16 - digits.count) + digits
            let hello = """
                {"epoch":null,"items":{"ordinary":null,"urgent":null},"known":null,"knownRecords":0,"name":"wrist",\
                "nonce":"\(nonce)","schema":[1,1],"window":64,"wire":[1,1]}
                """
            // Blanks are allowed, and have to be read.
            let blanks = String(repeating: " ", count: (isTooLarge ? 8192 : 4096) - hello.utf8.count)
            let frame = Frame(kind: .hello, session: 0, body: Array((hello + blanks).utf8))
            var flood = VirtualNetwork.Message(
                connection: connection, isToHub: true, parts: FrameCodec.parts(of: frame), kind: .hello,
                sent: Instant(nanoseconds: .min), proof: Instant(nanoseconds: .min))
            flood.isFlood = true
            queue.push(.message(flood), at: now.advanced(by: .milliseconds(5 * number)))
        }
    }

    /// The hub's process is busy with what it has read of a flood, and does nothing else meanwhile.
    mutating func hubRead(_ byteCount: Int) {
        let work = Self.readingTime * byteCount
        hub.pausedUntil = max(hub.pausedUntil, now).advanced(by: work)
        fail(checks.isolation.worked(work, now: now))
    }

    private func forgery(_ watch: Int, _ connection: Int, _ draws: inout SplitMix64) -> [[UInt8]]? {
        let captured = watches[watch].captured
        guard draws.chance(0.8), !captured.isEmpty else {
            return [(0..<draws.below(100)).map { _ in UInt8(truncatingIfNeeded: draws.next()) }]
        }
        // What cannot be read was damaged before: it is no use as a pattern.
        guard var frame = try? FrameCodec.frame(of: draws.pick(captured).parts) else { return nil }
        let ofSession = captured.last { $0.connection == connection }
        if let latest = ofSession.flatMap({ try? FrameCodec.frame(of: $0.parts) }), draws.chance(0.9) {
            frame.session = latest.session
        }
        switch draws.below(6) {
        case 0: frame.sequence = draws.next() >> UInt64(draws.below(64))
        case 1: frame.sequence = draws.pick([0, 1, .max, UInt64(Int64.max), frame.sequence &+ 1])
        case 2, 3:
            frame.body = Self.changed(frame.body, &draws)
            // Who forges an upload gives the header the same number, or the hub looks no further.
            if frame.kind == .upload, let first = Self.firstNumber(frame.body) { frame.sequence = first }
        case 4: frame.kind = draws.pick(FrameKind.allCases)
        default: frame.blob = [UInt8](repeating: 7, count: draws.below(300))
        }
        return FrameCodec.parts(of: frame)
    }

    /// The number of the first upload in the body of an UPLOAD.
    private static func firstNumber(_ body: [UInt8]) -> UInt64? {
        let text = String(decoding: body, as: UTF8.self)
        return text.firstMatch(of: /"sequence":"([0-9a-f]{16})"/).flatMap { UInt64($0.output.1, radix: 16) }
    }

    /// JSON with other digits in some places.
    private static func changed(_ body: [UInt8], _ draws: inout SplitMix64) -> [UInt8] {
        var body = body
        let digits = body.indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(body[$0]) }
        guard !digits.isEmpty else { return body }
        for _ in 0..<1 + draws.below(3) {
            body[draws.pick(digits)] = UInt8(ascii: "0") + UInt8(draws.below(10))
        }
        return body
    }
}
