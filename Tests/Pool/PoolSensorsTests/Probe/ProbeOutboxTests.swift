import MQTT
import Primitives
import Testing

@testable import poolsensors

@Suite struct ProbeOutboxTests {
    private static func sample(_ number: Int) throws -> ProbeSource.Sample {
        ProbeSource.Sample(number: number, topic: try TopicName("t"), payload: [UInt8(number)])
    }

    private static func outbox(_ count: Int, capacity: Int = 10) throws -> ProbeOutbox {
        var outbox = ProbeOutbox(capacity: capacity)
        for number in 0..<count { outbox.add(try sample(number)) }
        return outbox
    }

    private func identifier(_ number: UInt16) -> PacketIdentifier { PacketIdentifier(rawValue: number) }

    /// Passes everything to a connection.
    ///
    /// Returns the numbers of the samples in that order.
    private func handOver(_ outbox: inout ProbeOutbox, from first: UInt16) -> [Int] {
        var numbers: [Int] = []
        while let next = outbox.next {
            numbers.append(next.number)
            outbox.handedOver(as: identifier(first + UInt16(numbers.count) - 1))
        }
        return numbers
    }

    @Test func `samples go out in order, and each counts once`() throws {
        var outbox = try Self.outbox(3)

        #expect(handOver(&outbox, from: 1) == [0, 1, 2])
        #expect(outbox.publishedCount == 3)
        for number in UInt16(1)...3 { outbox.answered(identifier(number), isAccepted: true) }
        #expect(outbox.acknowledgedCount == 3)
        #expect(outbox.unacknowledgedCount == 0)
    }

    @Test func `after a break what was not confirmed goes out again, in its old order and before younger ones`() throws
    {
        var outbox = try Self.outbox(4)
        #expect(handOver(&outbox, from: 1) == [0, 1, 2, 3])
        outbox.answered(identifier(3), isAccepted: true)
        outbox.add(try Self.sample(4))

        outbox.connectionEnded()

        #expect(handOver(&outbox, from: 1) == [0, 1, 3, 4])
        #expect(outbox.publishedCount == 5)
        #expect(outbox.repeatedCount == 3)
        #expect(outbox.acknowledgedCount == 1)
    }

    @Test func `an answer of the connection before counts nothing`() throws {
        var outbox = try Self.outbox(1)
        _ = handOver(&outbox, from: 7)
        outbox.connectionEnded()

        outbox.answered(identifier(7), isAccepted: true)

        #expect(outbox.acknowledgedCount == 0)
        #expect(outbox.next?.number == 0)
    }

    @Test func `the same answer twice counts once`() throws {
        var outbox = try Self.outbox(2)
        _ = handOver(&outbox, from: 1)

        outbox.answered(identifier(1), isAccepted: true)
        outbox.answered(identifier(1), isAccepted: true)

        #expect(outbox.acknowledgedCount == 1)
        #expect(outbox.unacknowledgedCount == 1)
    }

    @Test func `a refused sample is not tried again`() throws {
        var outbox = try Self.outbox(1)
        _ = handOver(&outbox, from: 1)

        outbox.answered(identifier(1), isAccepted: false)
        outbox.connectionEnded()

        #expect(outbox.next == nil)
        #expect(outbox.refusedCount == 1)
        #expect(outbox.acknowledgedCount == 0)
    }

    @Test func `there is room for as many as it was made for, on the way or waiting`() throws {
        var outbox = try Self.outbox(2, capacity: 3)
        _ = handOver(&outbox, from: 1)
        #expect(outbox.hasRoom)
        outbox.add(try Self.sample(2))
        #expect(!outbox.hasRoom)

        outbox.answered(identifier(1), isAccepted: true)

        #expect(outbox.hasRoom)
    }

    @Test func `nothing is lost or counted twice in ten thousand samples with breaks`() throws {
        var outbox = ProbeOutbox(capacity: 50)
        var generator = SplitMix64(seed: 7)
        var (added, inFlight, confirmed, packet) = (0, [(UInt16, Int)](), [Int](), UInt16(0))
        while confirmed.count < 10_000 {
            switch generator.next() % 10 {
            case 0:
                outbox.connectionEnded()
                inFlight = []
            case 1...4 where outbox.hasRoom && added < 10_000:
                outbox.add(ProbeSource.Sample(number: added, topic: try TopicName("t"), payload: []))
                added += 1
            case 5...7:
                guard let sample = outbox.next else { continue }
                packet = packet % 65_535 + 1
                outbox.handedOver(as: identifier(packet))
                inFlight.append((packet, sample.number))
            default:
                guard !inFlight.isEmpty else { continue }
                let (number, sample) = inFlight.removeFirst()
                outbox.answered(identifier(number), isAccepted: true)
                confirmed.append(sample)
            }
        }

        #expect(outbox.acknowledgedCount == 10_000)
        #expect(outbox.publishedCount == 10_000)
        #expect(Set(confirmed).count == 10_000)
        #expect(outbox.unacknowledgedCount == 0)
    }
}
