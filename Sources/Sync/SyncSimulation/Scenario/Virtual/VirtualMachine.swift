import SyncCore

/// A hub or a watch in virtual time: its engine while its process runs, and what outlives it.
struct VirtualMachine<Engine: Sendable, Stored: Sendable>: Sendable {
    /// The engine of this life, nil while the process does not run.
    var engine: Engine?
    /// The number of the life, by which late events of an earlier one are told apart.
    var life = 0
    /// Whether the process stands still.
    var isStopped = false
    /// What waits for a process that stands still.
    var held: [VirtualEvent] = []
    /// How far its wall clock is ahead, in milliseconds.
    var clockOffset: Int64 = 0
    /// The versions of the records that it reads.
    var versions = ScenarioSchema.versions
    /// What is on its disk.
    var stored: Stored
    /// Its application, which an observer sees.
    var application = VirtualApplication()
    /// Before this moment its engine is not told again that time has come.
    var nextTick = Instant(nanoseconds: 0)

    init(stored: Stored) {
        self.stored = stored
    }

    /// Whether the process runs and does not stand still.
    var isRunning: Bool { engine != nil && !isStopped }

    /// The process dies.
    mutating func kill() {
        engine = nil
        isStopped = false
        held = []
        life += 1
    }
}

/// What a hub has on its disk.
struct VirtualHubStore: Sendable {
    var ledger: LedgerState
    var transfers: [PeerKey: TransferState] = [:]
    var files: [PeerKey: VirtualFiles] = [:]

    mutating func apply(_ transaction: Transaction) {
        ledger.apply(transaction)
        for peer in transaction.forgotten {
            transfers[peer] = nil
            files[peer] = nil
        }
    }
}

/// What a watch has on its disk.
struct VirtualWatchStore: Sendable {
    var state: WatchEngine.State
    var files = VirtualFiles()

    mutating func apply(_ record: WatchEngine.Record) {
        switch record {
        case .replica(let record): state.replica.apply(record)
        case .registers(let registers, let fence):
            for held in registers { state.registers[held.register.key] = held }
            state.replica.fence = fence
        case .transfer(let record): state.transfers.apply(record)
        }
    }
}

/// A watch in virtual time.
struct VirtualWatch: Sendable {
    var machine: VirtualMachine<WatchEngine, VirtualWatchStore>
    /// Its key; a clone has that of its original.
    let key: PeerKey
    /// The name by which the hub knows it.
    let pairedName: String
    /// The application that it names.
    var app: AppName? = ScenarioSchema.app
    var isPaired = false
    /// The number of its connection, nil without one.
    var connection: Int?
    /// Whether the hub's door was shut at the last attempt.
    var isShutOut = false
    /// Whether its messages to the hub are lost.
    var losesOutgoing = false
    /// Whether the hub's messages to it are lost.
    var losesIncoming = false
    /// At how many percent of which file its messages are lost from then on.
    var cutAt: (file: String, percent: Int)?
}

/// Something that will happen in virtual time.
enum VirtualEvent: Sendable {
    case hub(HubEngine.Input, life: Int)
    case hubStores(Transaction, life: Int)
    case hubRecords(PeerKey, TransferRecord, life: Int)
    case watch(String, WatchEngine.Input, life: Int)
    case watchStores(String, WatchEngine.Record, life: Int)
    case dial(String, life: Int)
    case pairing([[UInt8]])
}
