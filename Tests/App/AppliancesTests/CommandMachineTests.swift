import Testing
import Text

@testable import Appliances

@Suite struct CommandMachineTests {
    private static let until = Timestamp(milliseconds: 5000)

    private func machine(_ inputs: [(CommandMachine.Input, Double)]) -> CommandMachine {
        var machine = CommandMachine(until: Self.until, timeToLive: .seconds(5))
        for (input, seconds) in inputs { machine.handle(input, at: Instant(nanoseconds: Int64(seconds * 1e9))) }
        return machine
    }

    @Test(
        arguments: [
            ("nothing asked", [], .idle),
            ("the key", [(.key(isReachable: true), 0)], .asked),
            ("T35 the key without a link", [(.key(isReachable: false), 0)], .refused(.phoneUnreachable)),
            (
                "T35 a link that comes later changes nothing",
                [(.key(isReachable: false), 0), (.key(isReachable: true), 1), (.reply(.sent), 1)],
                .refused(.phoneUnreachable)
            ),
            ("sent", [(.key(isReachable: true), 0), (.reply(.sent), 0.1)], .sent),
            (
                "seen", [(.key(isReachable: true), 0), (.reply(.sent), 0.1), (.seen, 0.118)],
                .confirmed(milliseconds: 118)
            ),
            (
                "not seen within the grace", [(.key(isReachable: true), 0), (.reply(.sent), 0.1), (.tick, 3.2)],
                .unconfirmed
            ),
            (
                "a tick before the grace ends", [(.key(isReachable: true), 0), (.reply(.sent), 0.1), (.tick, 3.05)],
                .sent
            ),
            (
                "seen after the grace",
                [(.key(isReachable: true), 0), (.reply(.sent), 0.1), (.tick, 3.2), (.seen, 4)],
                .confirmed(milliseconds: 4000)
            ),
            ("refused", [(.key(isReachable: true), 0), (.reply(.refused(.busy)), 0.1)], .refused(.busy)),
            ("expired", [(.key(isReachable: true), 0), (.reply(.expired), 0.1)], .expired),
            (
                "denied by the device",
                [(.key(isReachable: true), 0), (.reply(.sent), 0.1), (.denied(.refused(.lowBattery)), 0.2)],
                .refused(.lowBattery)
            ),
            ("the link breaks", [(.key(isReachable: true), 0), (.linkLost, 0.1)], .unknown),
            ("no reply in time", [(.key(isReachable: true), 0), (.tick, 5)], .unknown),
            (
                "the context lists it",
                [
                    (.key(isReachable: true), 0), (.linkLost, 0.1),
                    (.context(.confirmed(milliseconds: 90), madeAt: Timestamp(milliseconds: 200)), 1),
                ], .confirmed(milliseconds: 90)
            ),
            (
                "a context from before the end does not list it",
                [
                    (.key(isReachable: true), 0), (.linkLost, 0.1),
                    (.context(nil, madeAt: Timestamp(milliseconds: 5000)), 1),
                ], .unknown
            ),
            (
                "a context from after the end does not list it",
                [
                    (.key(isReachable: true), 0), (.linkLost, 0.1),
                    (.context(nil, madeAt: Timestamp(milliseconds: 5001)), 6),
                ], .expired
            ),
            (
                "listed as sent, then nothing",
                [
                    (.key(isReachable: true), 0), (.linkLost, 0.1),
                    (.context(.sent, madeAt: Timestamp(milliseconds: 200)), 1), (.tick, 4),
                ], .unconfirmed
            ),
            (
                "what is refused stays refused",
                [
                    (.key(isReachable: true), 0), (.reply(.refused(.busy)), 0.1), (.seen, 0.2), (.linkLost, 0.3),
                    (.context(.confirmed(milliseconds: 1), madeAt: Timestamp(milliseconds: 9000)), 1),
                ], .refused(.busy)
            ),
        ] as [(String, [(CommandMachine.Input, Double)], CommandStatus)])
    func `B4 a command stands where its story leaves it`(
        story: String, inputs: [(CommandMachine.Input, Double)], status: CommandStatus
    ) {
        #expect(machine(inputs).status == status)
    }

    @Test func `no command waits without an end`() {
        var random = SplitMix64(seed: 4)
        let inputs: [CommandMachine.Input] = [
            .key(isReachable: true), .reply(.sent), .reply(.refused(.timeout)), .seen, .linkLost, .tick,
            .denied(.expired), .context(.sent, madeAt: Timestamp(milliseconds: 100)),
            .context(nil, madeAt: Timestamp(milliseconds: 100)),
        ]
        for _ in 0..<2000 {
            var machine = CommandMachine(until: Self.until, timeToLive: .seconds(5))
            var now = Instant(nanoseconds: 0)
            machine.handle(.key(isReachable: true), at: now)
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                now = now.advanced(by: .milliseconds(Int.random(in: 0...900, using: &random)))
                if let input = inputs.randomElement(using: &random) { machine.handle(input, at: now) }
            }
            if let deadline = machine.deadline { machine.handle(.tick, at: deadline) }
            // Asked and sent have a deadline, at which they end.
            #expect(machine.deadline == nil)
            #expect(machine.status != .asked && machine.status != .sent)
            machine.handle(.context(nil, madeAt: Timestamp(milliseconds: 6000)), at: now)
            #expect(machine.status.isFinal || machine.status == .unconfirmed)
        }
    }
}
