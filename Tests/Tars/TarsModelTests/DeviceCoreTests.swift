import Appliances
import Peripherals
import Testing
import Text

@testable import TarsModel

@Suite struct DeviceCoreTests {
    private static let start: Int64 = 1_780_315_200_000

    private static func moment(_ seconds: Double) -> Moment {
        Moment(
            monotonic: Instant(nanoseconds: Int64(seconds * 1e9)), wallMilliseconds: start + Int64(seconds * 1000))
    }

    private static func id(_ number: UInt64) -> Command.ID { Command.ID(high: 0, low: number) }

    /// A device, and what it did.
    private struct Bench {
        var core: DeviceCore
        var moved: [Movement] = []
        var answers: [DeviceAnswer] = []
        var kept: DeviceRecord?

        init(_ mode: DeviceMode, program: Program? = nil, timers: [DeviceTimer] = []) {
            let settings = DeviceSettings(mode: mode, program: program, timers: timers)
            core = DeviceCore(record: DeviceRecord(settings: settings), movementTime: .milliseconds(500))
        }

        mutating func send(
            _ id: UInt64, _ order: DeviceCore.Order?, at seconds: Double, until: Double = 1000,
            origin: Movement.Origin = .short
        ) -> DeviceAnswer? {
            let end = Timestamp(milliseconds: DeviceCoreTests.moment(until).wallMilliseconds)
            core.handle(
                .command(DeviceCoreTests.id(id), order, until: end, origin: origin), at: DeviceCoreTests.moment(seconds)
            )
            drain()
            return answers.last
        }

        mutating func tick(at seconds: Double) {
            core.handle(.tick, at: DeviceCoreTests.moment(seconds))
            drain()
        }

        /// The same device after a power cut: only what was kept is there.
        mutating func restart() throws {
            let bytes = try CanonicalJSON.encode(try #require(kept))
            core = DeviceCore(
                record: try CanonicalJSON.decode(DeviceRecord.self, from: bytes), movementTime: .milliseconds(500))
        }

        private mutating func drain() {
            while let output = core.nextOutput() {
                switch output {
                case .keep(let record): kept = record
                case .move(let movement): moved.append(movement)
                case .answer(_, let answer): answers.append(answer)
                case .tellState: break
                }
            }
        }
    }

    @Test func `T34 a repeat gets the answer of the first time, and nothing moves again`() throws {
        var bench = Bench(.press)
        #expect(bench.send(1, .act(.press(hold: nil)), at: 0) == .done)
        #expect(bench.send(1, .act(.press(hold: nil)), at: 1, origin: .bridge) == .done)
        try bench.restart()
        #expect(bench.send(1, .act(.press(hold: nil)), at: 2) == .done)
        // Not even another action under the same id.
        #expect(bench.send(1, .act(.lock), at: 3) == .done)
        #expect(bench.moved.map(\.text) == ["push"])
    }

    @Test func `T34 the last 64 ids are kept, and the one before them is forgotten if it is valid no more`() {
        var bench = Bench(.press)
        #expect(bench.send(0, .act(.press(hold: nil)), at: 0, until: 10) == .done)
        for number in 1...64 as ClosedRange<UInt64> {
            #expect(bench.send(number, .act(.press(hold: nil)), at: Double(number)) == .done)
        }
        #expect(bench.moved.count == 65)
        for number in 1...64 as ClosedRange<UInt64> {
            _ = bench.send(number, .act(.press(hold: nil)), at: 100 + Double(number))
        }
        #expect(bench.moved.count == 65)
        // A capture of it says the time that it says.
        #expect(bench.send(0, .act(.press(hold: nil)), at: 200, until: 10) == .expired)
        _ = bench.send(0, .act(.press(hold: nil)), at: 202)
        #expect(bench.moved.count == 66)
    }

    @Test func `T34 a replay moves nothing as long as its command is valid, whatever came since`() {
        var bench = Bench(.press)
        #expect(bench.send(0, .act(.press(hold: nil)), at: 0, until: 400) == .done)
        for number in 1...100 as ClosedRange<UInt64> {
            _ = bench.send(number, .act(.press(hold: nil)), at: Double(number), until: Double(number) + 0.5)
        }
        #expect(bench.moved.count == 101)
        #expect(bench.send(0, .act(.press(hold: nil)), at: 399, until: 400) == .done)
        #expect(bench.moved.count == 101)
    }

    @Test func `T34 what is stored is stored before the motor moves, and the answer comes last`() {
        var core = DeviceCore(
            record: DeviceRecord(settings: DeviceSettings(mode: .switch)), movementTime: .milliseconds(500))
        core.handle(
            .command(Self.id(1), .act(.on), until: Timestamp(milliseconds: Self.start + 5000), origin: .short),
            at: Self.moment(0))
        var kinds: [String] = []
        while let output = core.nextOutput() { kinds.append("\("\(output)".prefix { $0 != "(" })") }
        #expect(kinds == ["keep", "move", "tellState", "answer"])
    }

    @Test func `T35 an expired command is answered, stays expired, and moves nothing`() {
        var bench = Bench(.press)
        #expect(bench.send(1, .act(.press(hold: nil)), at: 5.001, until: 5) == .expired)
        #expect(bench.send(1, .act(.press(hold: nil)), at: 6, until: 100) == .expired)
        #expect(bench.send(2, .act(.press(hold: nil)), at: 5, until: 5) == .done)
        #expect(bench.moved.map(\.id) == [Self.id(2)])
    }

    @Test(
        arguments: [
            (.press, nil), (.press, .act(.on)), (.press, .act(.level(3))), (.switch, .act(.press(hold: nil))),
            (.switch, .act(.position(10))), (.custom, .act(.on)), (.custom, .act(.press(hold: nil))),
            (.curtain, .act(.toggle)), (.curtain, .act(.open)),
            (
                .press,
                .configure(
                    DeviceSettings(
                        mode: .press,
                        timers: Array(repeating: DeviceTimer(at: .init(milliseconds: 0), action: .on), count: 6)))
            ),
        ] as [(DeviceMode, DeviceCore.Order?)])
    func `T13 T36 what it does not know or cannot do is answered, and moves nothing`(
        mode: DeviceMode, order: DeviceCore.Order?
    ) {
        var bench = Bench(mode)
        #expect(bench.send(1, order, at: 0) == .refused(.unsupported))
        #expect(bench.moved == [])
        #expect(bench.core.record.settings.timers == [])
    }

    @Test func `T37 press returns by itself, a switch keeps its state, and on when on does nothing`() throws {
        var press = Bench(.press)
        #expect(press.send(1, .act(.press(hold: .seconds(3))), at: 0) == .done)
        #expect(press.moved.map(\.text) == ["push 3s"])

        var lamp = Bench(.switch)
        #expect(lamp.send(1, .act(.on), at: 0) == .done)
        #expect(lamp.send(2, .act(.on), at: 1) == .done)
        #expect(lamp.moved.map(\.text) == ["on"])
        try lamp.restart()
        #expect(lamp.send(3, .act(.on), at: 2) == .done)
        #expect(lamp.send(4, .act(.toggle), at: 3) == .done)
        #expect(lamp.send(5, .act(.off), at: 4) == .done)
        #expect(lamp.moved.map(\.text) == ["on", "off"])
    }

    @Test func `T38 a program runs its steps at their times, each a movement of the same command`() throws {
        var bench = Bench(.press)
        let program = try Program("push, 2s on, 500ms off")
        #expect(bench.send(1, .act(.program(program)), at: 0) == .done)
        #expect(bench.moved.map(\.text) == ["push"])
        bench.tick(at: 1.9)
        #expect(bench.moved.count == 1)
        bench.tick(at: 2)
        #expect(bench.moved.map(\.text) == ["push", "on"])
        let due = bench.core.deadline(at: Self.moment(2))
        #expect(due == Self.moment(2.5).monotonic)
        bench.tick(at: 2.5)
        #expect(bench.moved.map(\.text) == ["push", "on", "off"])
        #expect(bench.moved.allSatisfy { $0.id == Self.id(1) })
    }

    @Test func `T20 a device keeps a program of its own, and a press runs it`() throws {
        var bench = Bench(.press)
        let settings = DeviceSettings(mode: .custom, program: try Program("hold, 1s release"))
        #expect(bench.send(1, .configure(settings), at: 0) == .done)
        try bench.restart()
        #expect(bench.send(2, .act(.press(hold: nil)), at: 1) == .done)
        bench.tick(at: 2)
        #expect(bench.moved.map(\.text) == ["hold", "release"])
    }

    @Test func `T39 T42 a device that moves is busy, and the same id may try again`() {
        var bench = Bench(.press)
        #expect(bench.send(1, .act(.press(hold: .seconds(3))), at: 0) == .done)
        #expect(bench.send(2, .act(.press(hold: nil)), at: 3.4) == .refused(.busy))
        #expect(bench.send(2, .act(.press(hold: nil)), at: 3.6) == .done)
        #expect(bench.moved.map(\.text) == ["push 3s", "push"])
    }

    @Test func `a curtain goes to a position, and stops at once`() {
        var bench = Bench(.curtain)
        #expect(bench.send(1, .act(.position(40)), at: 0) == .done)
        #expect(bench.send(2, .act(.stop), at: 0.1) == .done)
        #expect(bench.send(3, .act(.on), at: 2) == .done)
        #expect(bench.send(4, .act(.stop), at: 4) == .done)
        #expect(bench.moved.map(\.text) == ["position 40", "stop", "position 100"])
    }

    @Test func `T41 a device with a low battery says so`() {
        var bench = Bench(.switch)
        bench.core.batteryPercent = 4
        #expect(bench.send(1, .act(.off), at: 0) == .done)
        #expect(bench.send(2, .act(.on), at: 0) == .refused(.lowBattery))
        #expect(bench.moved == [])
    }

    @Test func `T45 a timer runs once, a daily one each day, and a late one not at all`() throws {
        func at(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: Self.moment(seconds).wallMilliseconds) }
        var bench = Bench(
            .switch,
            timers: [DeviceTimer(at: at(10), action: .on), DeviceTimer(at: at(20), isDaily: true, action: .off)])
        #expect(bench.core.deadline(at: Self.moment(0)) == Self.moment(10).monotonic)
        bench.tick(at: 9)
        #expect(bench.moved == [])
        bench.tick(at: 10)
        bench.tick(at: 11)
        #expect(bench.moved.map(\.text) == ["on"])
        #expect(bench.moved.map(\.origin) == [.timer])
        bench.tick(at: 20)
        #expect(bench.moved.map(\.text) == ["on", "off"])
        try bench.restart()
        #expect(bench.core.record.settings.timers.map(\.at) == [at(86_420)])
        #expect(bench.send(1, .act(.on), at: 30) == .done)
        // The power was off at the time, and for two hours after it.
        bench.tick(at: 86_420 + 7200)
        #expect(bench.moved.map(\.text) == ["on", "off", "on"])
        #expect(bench.core.record.settings.timers.map(\.at) == [at(2 * 86_400 + 20)])
    }

    @Test func `T45 a timer whose power is cut while it runs does not run again`() throws {
        let timer = DeviceTimer(
            at: Timestamp(milliseconds: Self.moment(10).wallMilliseconds), action: .press(hold: nil))
        let settings = DeviceSettings(mode: .press, timers: [timer])
        var core = DeviceCore(record: DeviceRecord(settings: settings), movementTime: .zero)
        core.handle(.tick, at: Self.moment(10))
        guard case .keep(let record)? = core.nextOutput(), case .move? = core.nextOutput() else {
            Issue.record("the timer did not run")
            return
        }
        core = DeviceCore(record: record, movementTime: .zero)
        core.handle(.tick, at: Self.moment(11))
        while let output = core.nextOutput() {
            if case .move = output { Issue.record("it ran again") }
        }
        #expect(core.record.settings.timers == [])
    }

    @Test func `T34 each command moves once, whatever is lost, doubled and cut`() throws {
        var random = SplitMix64(seed: 34)
        var bench = Bench(.press)
        var now = 0.0
        var done: Set<UInt64> = []
        for number in 0..<1000 as Range<UInt64> {
            for _ in 0...Int.random(in: 0...2, using: &random) {
                now += Double.random(in: 0.1...1, using: &random)
                if bench.send(number, .act(.press(hold: nil)), at: now, until: 1e6) == .done { done.insert(number) }
                if bench.kept != nil, Int.random(in: 0..<20, using: &random) == 0 { try bench.restart() }
            }
        }
        #expect(done.count > 500)
        #expect(bench.moved.count == done.count)
        #expect(Set(bench.moved.map(\.id)) == Set(done.map(Self.id)))
    }
}
