public import SyncCore

/// A story of a hub and watches: their actions and faults, step by step, and what must be seen then.
///
/// The same scenario runs in virtual time and on real processes. Its text is described in `Docs/internals/scenarios.md`.
public struct Scenario: Hashable, Sendable {
    /// The name of its file.
    public var file: String
    /// What it shows: the first lines of comment of its file.
    public var purpose: String
    /// The steps, in their order.
    public var steps: [ScenarioStep]

    /// Creates a scenario.
    public init(file: String, purpose: String, steps: [ScenarioStep]) {
        self.file = file
        self.purpose = purpose
        self.steps = steps
    }
}

/// One line of a scenario.
public struct ScenarioStep: Hashable, Sendable {
    /// The number of its line, from 1.
    public var line: Int
    /// The line as it was written, without comment.
    public var text: String
    /// What it means.
    public var action: ScenarioAction

    /// Creates a step.
    public init(line: Int, text: String, action: ScenarioAction) {
        self.line = line
        self.text = text
        self.action = action
    }
}

/// What a step of a scenario does; devices are named, and the hub's name is `hub`.
public enum ScenarioAction: Hashable, Sendable {
    /// A watch is added to the story; it is not paired yet.
    case introduce(watch: String)
    /// The hub invites a watch, which accepts and starts.
    case pair(watch: String)
    /// The hub forgets a watch.
    case unpair(watch: String)
    /// A person changes cells, all or none.
    case change(by: String, [ScenarioChange])
    /// A person deletes all cells of a record that the device shows.
    case deleteRecord(by: String, record: String)
    /// A person settles the open conflict of a cell: restores the value that lost, or dismisses it.
    case settle(by: String, cell: CellName, restoring: Bool)
    /// Messages of a watch are lost from now on.
    case cut(watch: String, ScenarioCut)
    /// Messages of a watch are lost in both directions once this percentage of a file has arrived.
    case cutDuringFile(watch: String, file: String, percent: Int)
    /// Messages of a watch arrive again.
    case heal(watch: String)
    /// The process of a device dies at once, as with SIGKILL.
    case kill(String)
    /// The process of a device starts.
    case start(String)
    /// The process of a device is suspended, as with SIGSTOP.
    case stop(String)
    /// The process of a device continues.
    case goOn(String)
    /// A copy is made of everything that a device has stored; it is killed for that, and started again if it ran.
    case backUp(String, label: String)
    /// The copy replaces everything that a device has stored; it is killed for that, and started again if it ran.
    case restore(String, label: String)
    /// A second device starts with everything that a watch has stored, its key included.
    case clone(watch: String, name: String)
    /// The wall clock of a device jumps.
    case turnClock(String, by: Duration)
    /// Time passes.
    case wait(Duration)
    /// A person or an application sends user info.
    case sendItem(from: String, to: String, text: String, isUrgent: Bool)
    /// An application sends a live message and waits for its outcome.
    case ask(from: String, to: String, question: String, ScenarioOutcome)
    /// A file is sent.
    case sendFile(from: String, to: String, ScenarioFile)
    /// A device reads these versions of the records from now on; it is started again if it runs.
    case speak(String, versions: ClosedRange<UInt32>)
    /// A watch names this application from now on, or none (nil); it is started again if it runs.
    case name(watch: String, app: AppName?)
    /// Something must be seen: now, or within a time.
    case expect(ScenarioCondition, within: Duration?)
}

/// A change of one cell in a scenario.
public struct ScenarioChange: Hashable, Sendable {
    /// The cell.
    public var cell: CellName
    /// The value; nil deletes the cell.
    public var value: String?

    /// Creates a change.
    public init(cell: CellName, value: String?) {
        self.cell = cell
        self.value = value
    }
}

/// The directions in which messages of a watch are lost.
public enum ScenarioCut: Hashable, Sendable {
    /// Those in both directions.
    case both
    /// Those from the watch to the hub.
    case toHub
    /// Those from the hub to the watch.
    case fromHub
}

/// What must become of a live message.
public enum ScenarioOutcome: Hashable, Sendable {
    /// The other application replies with this text, and the reply arrives.
    case answer(String)
    /// The other application does not reply, so the question fails by its deadline.
    case noAnswer
    /// There is no link, so the question fails at once.
    case notReachable
}

/// A file in a scenario; its bytes follow from its name and size.
public struct ScenarioFile: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The size in bytes.
    public var byteCount: Int

    /// Creates a file.
    public init(name: String, byteCount: Int) {
        self.name = name
        self.byteCount = byteCount
    }

    /// Its bytes: the same for the same name and size on every machine.
    public var content: [UInt8] {
        var word: UInt64 = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return (0..<byteCount).map { _ in
            word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: word >> 56)
        }
    }
}

/// What can be seen of the devices of a scenario.
public enum ScenarioCondition: Hashable, Sendable {
    /// A device, or all of them (nil), shows a value of a cell; nil if it shows none.
    case shows(String?, cell: CellName, value: String?)
    /// A device, or all of them (nil), shows no cell of a record.
    case showsNoRecord(String?, record: String)
    /// A device holds an open conflict; nil stands for a deletion.
    case conflict(at: String, cell: CellName, loser: String?, winner: String?, rule: String)
    /// A device holds no open conflict, of a cell or at all (nil).
    case noConflict(at: String, cell: CellName?)
    /// A watch has a session with the hub, or has none.
    case linked(watch: String, Bool)
    /// A watch is not let in, or refused; with this code if one is given.
    case turnedAway(watch: String, code: String?)
    /// A device's application has received exactly these texts, in this order; at the hub from one watch.
    case got(String, texts: [String], from: String?, isUrgent: Bool)
    /// A device's application has received a file completely and byte by byte, or has not.
    case hasFile(String, name: String, Bool)
    /// A device has received a file completely, and the received part never shrank.
    case gotSteadily(String, name: String)
    /// This many edits of a watch wait for the hub.
    case waiting(watch: String, editCount: Int)
    /// All running watches hold what the hub holds, and nothing waits.
    case agreed
    /// The hub's history is no longer the one with which it began.
    case newEpoch
    /// The hub has warned of a watch.
    case warned(watch: String, ScenarioWarning)
}

/// What a hub can warn of.
public enum ScenarioWarning: String, CaseIterable, Sendable {
    /// Two devices have the key of the watch.
    case duplicate
    /// The clock of the watch is too far ahead.
    case clock
}
