package import Appliances
import Peripherals
package import Primitives
import Text

/// One movement of a motor: a line of the device's log.
package struct Movement: Hashable, Sendable {
    /// What moves.
    package enum Deed: Hashable, Sendable {
        /// The arm; `hold` is how long a push lasts, nil for as briefly as it can.
        case arm(Verb, hold: Duration?)
        /// The curtain, to this position.
        case travel(to: Int)
        /// The curtain stands still.
        case stop
    }

    /// How the command came.
    package enum Origin: String, Sendable {
        case short, bridge, timer
    }

    /// The command.
    package var id: Command.ID
    /// What moves.
    package var deed: Deed
    /// How the command came.
    package var origin: Origin

    /// The movement in a word, with its value.
    package var text: String {
        switch deed {
        case .arm(let verb, let hold?): "\(verb.rawValue) \(DurationText.text(hold))"
        case .arm(let verb, nil): verb.rawValue
        case .travel(let position): "position \(position)"
        case .stop: "stop"
        }
    }
}

/// A motor device without its radio: it takes commands, moves once for each id, and answers.
///
///      ready ──command──▶ moving ──last movement over──▶ ready
///        └──────timer───────▲ │
///                             └──stop (curtain)────────▶ ready
///
/// A command that is repeated gets the answer of the first time (T34). One that comes after its time, that the device does not
/// understand, or that its mode does not have is answered, and nothing moves (T35, T36). While the device moves, others are
/// ``Reason/busy``, which is not kept: the same id may try again.
///
/// After each input drain ``nextOutput()``, in order: what is to be stored is stored before the motor moves, so that a power cut
/// between the two loses a movement and never doubles one.
package struct DeviceCore: Sendable {
    /// What a command wants.
    package enum Order: Hashable, Sendable {
        case act(Action)
        /// Keep these settings.
        case configure(DeviceSettings)
    }

    /// What happens to the device.
    package enum Input: Sendable {
        /// A command came; its order is nil if it was not understood.
        case command(Command.ID, Order?, until: Timestamp, origin: Movement.Origin)
        /// The time went on.
        case tick
    }

    /// What is to be done.
    package enum Output: Hashable, Sendable {
        /// Store the record durably before anything that follows.
        case keep(DeviceRecord)
        case move(Movement)
        case answer(Command.ID, DeviceAnswer)
        /// Tell everybody the state, which changed.
        case tellState
    }

    private enum State {
        case ready
        /// The movements that come, with their times, and when the last one is over.
        case moving(rest: [Due], over: Instant)
    }

    private struct Due {
        var at: Instant
        var movement: Movement
    }

    /// The lowest charge at which the motor moves, in percent.
    package static let batteryPercentMin = 5
    /// How late a timer may run, in milliseconds; a later one is left out.
    private static let timerDelayMax: Int64 = 60_000

    /// What survives a restart.
    package private(set) var record: DeviceRecord
    /// What is left of the battery, 0…100 %.
    package var batteryPercent = 100
    private let movementTime: Duration
    private var state = State.ready
    private var outputs: [Output] = []
    /// Until when the command that is being carried out is valid, and the time by the same clock.
    private var validity: (until: Timestamp, now: Timestamp)?

    /// Starts a device.
    ///
    /// - Parameters:
    ///   - record: What it stored before.
    ///   - movementTime: How long one movement takes.
    package init(record: DeviceRecord, movementTime: Duration) {
        self.record = record
        self.movementTime = movementTime
    }

    /// What is to be done next; nil when that is all.
    package mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// When ``Input/tick`` is due; nil while nothing is waited for.
    package func deadline(at now: Moment) -> Instant? {
        let moving: Instant? =
            switch state {
            case .ready: nil
            case .moving(let rest, let over): rest.first?.at ?? over
            }
        let timer = record.settings.timers.map(\.at).min().map { at in
            now.monotonic.advanced(
                by: .milliseconds(max(0, at.milliseconds(since: Timestamp(milliseconds: now.wallMilliseconds)))))
        }
        return [moving, timer].compactMap { $0 }.min()
    }

    /// Takes in what happened.
    package mutating func handle(_ input: Input, at now: Moment) {
        moveOn(to: now.monotonic)
        switch input {
        case .command(let id, let order, let until, let origin):
            let wall = Timestamp(milliseconds: now.wallMilliseconds)
            validity = (until, wall)
            defer { validity = nil }
            let answer =
                record.answers.answer(to: id) ?? (record.answers.isFull(at: wall) ? .refused(.busy) : nil)
                ?? decide(id, order, isLate: now.wallMilliseconds > until.milliseconds, origin, at: now.monotonic)
            outputs.append(.answer(id, answer))
        case .tick: runTimers(at: now)
        }
    }

    /// Notes what takes charge beside movements; it is stored with the next answer.
    package mutating func spend(_ note: (inout EnergyUse) -> Void) { note(&record.energy) }

    // MARK: - Commands

    private mutating func decide(
        _ id: Command.ID, _ order: Order?, isLate: Bool, _ origin: Movement.Origin, at now: Instant
    ) -> DeviceAnswer {
        if isLate { return settle(id, .expired) }
        switch order {
        case nil: return settle(id, .refused(.unsupported))
        case .configure(let settings):
            guard settings.timers.count <= Int(Limit.timers.range.upperBound) else {
                return settle(id, .refused(.unsupported))
            }
            record.settings = settings
            let answer = settle(id, .done)
            outputs.append(.tellState)
            return answer
        case .act(let action): return act(id, action, origin, at: now)
        }
    }

    private mutating func act(
        _ id: Command.ID, _ action: Action, _ origin: Movement.Origin, at now: Instant
    ) -> DeviceAnswer {
        guard let plan = plan(for: action) else { return settle(id, .refused(.unsupported)) }
        if case .moving = state, plan.first?.deed != .stop { return .refused(.busy) }
        if !plan.isEmpty, batteryPercent < Self.batteryPercentMin { return settle(id, .refused(.lowBattery)) }
        var time = now
        var rest: [Due] = []
        var over = now
        for step in plan {
            time = time.advanced(by: step.delay)
            rest.append(Due(at: time, movement: Movement(id: id, deed: step.deed, origin: origin)))
            over = time.advanced(by: movementTime + step.lasts)
        }
        let before = (record.isOn, record.position)
        for step in plan { note(step.deed) }
        record.energy.movements += Double(plan.count)
        let answer = settle(id, .done)
        if !plan.isEmpty {
            state = .moving(rest: rest, over: over)
            moveOn(to: now)
            if before != (record.isOn, record.position) { outputs.append(.tellState) }
        }
        return answer
    }

    private mutating func settle(_ id: Command.ID, _ answer: DeviceAnswer) -> DeviceAnswer {
        record.answers.keep(answer, to: id, until: validity?.until, at: validity?.now ?? Timestamp(milliseconds: 0))
        outputs.append(.keep(record))
        return answer
    }

    // MARK: - Movements

    private struct Step {
        var delay = Duration.zero
        var deed: Movement.Deed
        /// How long the movement stays, beside the time that any takes.
        var lasts = Duration.zero
    }

    /// What moves for an action: nothing when the device is there already, and nil when its mode does not have it.
    private func plan(for action: Action) -> [Step]? {
        switch (record.settings.mode, action) {
        case (.press, .press(let hold)):
            [Step(deed: .arm(.push, hold: hold), lasts: hold ?? .zero)]
        case (.press, .program(let program)), (.custom, .program(let program)): Self.steps(of: program)
        case (.custom, .press(hold: nil)): record.settings.program.map(Self.steps)
        case (.switch, .on): turn(on: true)
        case (.switch, .off): turn(on: false)
        case (.switch, .toggle): turn(on: !record.isOn)
        case (.curtain, .on): travel(to: 100)
        case (.curtain, .off): travel(to: 0)
        case (.curtain, .position(let position)): travel(to: position)
        case (.curtain, .stop): if case .moving = state { [Step(deed: .stop)] } else { [] }
        case (.press, _), (.switch, _), (.custom, _), (.curtain, _): nil
        }
    }

    private static func steps(of program: Program) -> [Step] {
        [Step(deed: .arm(program.first, hold: nil))]
            + program.steps.map { Step(delay: $0.delay, deed: .arm($0.verb, hold: nil)) }
    }

    private func turn(on isOn: Bool) -> [Step] {
        record.isOn == isOn ? [] : [Step(deed: .arm(isOn ? .on : .off, hold: nil))]
    }

    private func travel(to position: Int) -> [Step] {
        record.position == position ? [] : [Step(deed: .travel(to: position))]
    }

    private mutating func note(_ deed: Movement.Deed) {
        switch deed {
        case .arm(.on, _): record.isOn = true
        case .arm(.off, _): record.isOn = false
        case .travel(let position): record.position = position
        case .arm, .stop: break
        }
    }

    /// Begins the movements that are due, and ends the last one.
    private mutating func moveOn(to now: Instant) {
        guard case .moving(var rest, let over) = state else { return }
        while let next = rest.first, next.at <= now {
            outputs.append(.move(next.movement))
            rest.removeFirst()
        }
        state = rest.isEmpty && over <= now ? .ready : .moving(rest: rest, over: over)
    }

    // MARK: - Timers

    private mutating func runTimers(at now: Moment) {
        let wall = Timestamp(milliseconds: now.wallMilliseconds)
        for timer in record.settings.timers.sorted(by: { $0.at < $1.at }) where timer.at <= wall {
            let slot = record.settings.timers.firstIndex(of: timer) ?? 0
            let late = wall.milliseconds(since: timer.at)
            // The marker of timers, and one id for each time that a timer is due.
            let id = Command.ID(
                high: 0x7469_6D65_7200_0000 | UInt64(slot), low: UInt64(bitPattern: timer.at.milliseconds))
            // The power may have been cut after the motor moved, and before the timer was moved on.
            if late <= Self.timerDelayMax, record.answers.answer(to: id) == nil,
                act(id, timer.action, .timer, at: now.monotonic) == .refused(.busy)
            {
                continue
            }
            if timer.isDaily {
                record.settings.timers[slot].at = timer.at.advanced(
                    byMilliseconds: (late / 86_400_000 + 1) * 86_400_000)
            } else {
                record.settings.timers.remove(at: slot)
            }
            outputs.append(.keep(record))
        }
    }
}
