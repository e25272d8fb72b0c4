import SyncCore
import Testing

@testable import SyncLink

@Suite struct HeldFramesTests {
    private static func frame(_ number: UInt64) -> Frame {
        Frame(kind: .register, session: 1, sequence: number)
    }

    /// The connections in the order in which they come up, each with the numbers of its frames.
    private static func groups(_ held: HeldFrames) -> [(connection: ConnectionID, numbers: [UInt64])] {
        var groups: [(connection: ConnectionID, numbers: [UInt64])] = []
        held.visit { frame, connection in
            if groups.last?.connection == connection {
                groups[groups.count - 1].numbers.append(frame.sequence)
            } else {
                groups.append((connection, [frame.sequence]))
            }
        }
        return groups
    }

    @Test func `frames of one connection go out together, in their order`() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var generator = SplitMix64(seed: seed)
            var held = HeldFrames()
            var expected: [ConnectionID: [UInt64]] = [:]
            for number in 0..<300 as Range<UInt64> {
                // Mostly one connection after the other, as registers go to watches; sometimes one that has no credit
                // is left out, or one comes again.
                let step = generator.next() % 8 == 0 ? generator.next() : number
                let connection = ConnectionID(bytes: [0, UInt8(step % 17)])
                held.append(Self.frame(number), to: connection)
                expected[connection, default: []].append(number)
            }

            let groups = Self.groups(held)

            #expect(groups.count == expected.count)
            #expect(held.count == 300)
            for group in groups { #expect(group.numbers == expected[group.connection]) }
        }
    }

    @Test func `nothing waits at first`() {
        #expect(HeldFrames().isEmpty)
        #expect(Self.groups(HeldFrames()).isEmpty)
    }
}
