import SyncCore

/// What a simulated run does, and the rates of its faults.
///
/// A chance is a probability from 0 to 1. A rate counts per minute of virtual time, of each thing it can happen to.
public struct SimulationOptions: Hashable, Sendable {
    /// Whether each seed switches each kind of fault on or off, so that rare combinations get runs of their own.
    public var isSwarm = true
    /// Whether the report keeps the trace as lines; the hash over it is there in any case.
    public var keepsTrace = false

    /// The watches of a run: from one to this number, 1…16.
    public var watchCountMax = 3
    /// The virtual time with work and faults.
    public var chaos = Duration.seconds(20)
    /// The virtual time in which the watches have to converge again, once the faults have ended.
    public var recoveryLimit = Duration.seconds(40)
    /// The inputs that a run may take; more of them count as a livelock.
    public var stepLimit = 200_000

    /// The rate of transactions that the application wants.
    public var changeRate = 60.0
    /// The rate of registers' values that the application publishes.
    public var registerRate = 180.0
    /// The registers of a run: from one to this number.
    public var registerCountMax = 5
    /// The rate of invitations to watches that are not paired.
    public var invitationRate = 8.0
    /// The rate of unpairings.
    public var unpairingRate = 2.0
    /// The chance that a watch starts late in the run instead of at its start.
    public var lateStartChance = 0.3
    /// The longest delay with which a watch starts.
    public var lateStartLongest = Duration.seconds(10)

    /// The rate at which the person at some watch changes cells.
    public var editRate = 90.0
    /// The rate at which a person settles a conflict, at the hub or at a watch.
    public var settlingRate = 12.0
    /// The rate of user info that an application transfers, in either direction.
    public var itemRate = 60.0
    /// The rate at which an application holds an item or a file back.
    public var cancelRate = 8.0
    /// The rate of live messages, in either direction.
    public var messageRate = 40.0
    /// The rate of files that an application sends, in either direction.
    public var fileRate = 10.0

    /// The chance that a run has wide limits and large bursts of work, so that windows fill up.
    public var wideChance = 0.2
    /// The chance that the stores of a run are old: they have left nearly as many epochs as they remember.
    public var agedChance = 0.3

    /// The longest time that a message is on its way without faults.
    public var delayLongest = Duration.milliseconds(20)
    /// The chance that a message is lost.
    public var dropChance = 0.08
    /// The chance that a message arrives twice.
    public var duplicateChance = 0.08
    /// The chance that a message is held up and overtaken by others.
    public var reorderChance = 0.1
    /// The longest time that a message is held up.
    public var reorderLongest = Duration.milliseconds(600)
    /// The rate of connections that break.
    public var resetRate = 6.0
    /// The chance that a message of a broken connection still arrives, late.
    public var lateMessageChance = 0.5
    /// The rate at which a watch's earlier messages arrive at the hub once more, as a program with its key could send
    /// them.
    public var replayRate = 4.0
    /// The chance that the network damages a message.
    public var damageChance = 0.02
    /// The rate at which a forger with the key of one watch sends the hub frames that the watch never made.
    public var forgeryRate = 20.0
    /// The rate at which that forger sends the hub a hundred frames in half a second, which cost it time to read.
    public var floodRate = 6.0
    /// The chance that an attempt to connect fails: no socket is available, or the handshake fails.
    public var connectFailureChance = 0.1
    /// The rate of partitions, in one direction or in both.
    public var partitionRate = 4.0
    /// The longest partition.
    public var partitionLongest = Duration.seconds(12)

    /// The longest time until a store has made something durable without faults.
    public var storeDelayLongest = Duration.milliseconds(10)
    /// The chance that a store takes much longer.
    public var slowStoreChance = 0.1
    /// The longest time of a slow store.
    public var slowStoreLongest = Duration.seconds(2)
    /// The chance that a store fails and keeps nothing.
    public var storeFailureChance = 0.1

    /// The chance that a crash leaves something of what was on its way to the disk, torn or in another order.
    public var tailChance = 0.5

    /// The rate of crashes of the hub.
    public var hubCrashRate = 8.0
    /// The rate of crashes of a watch.
    public var watchCrashRate = 5.0
    /// The longest time from a crash to the next start.
    public var downtimeLongest = Duration.seconds(4)
    /// The rate at which a process is suspended and handles its inbox late.
    public var stallRate = 3.0
    /// The longest suspension.
    public var stallLongest = Duration.seconds(4)
    /// The chance that the hub starts with an earlier copy of its store after a crash.
    public var rollbackChance = 0.5

    /// The chance that a watch starts with another copy of its store after a crash, as if it was restored or cloned.
    public var watchRollbackChance = 0.3
    /// The chance that a disk does not do what is wanted with a file.
    public var fileFailureChance = 0.02

    /// The rate at which a wall clock jumps.
    public var wallJumpRate = 6.0
    /// The longest jump of a wall clock, in either direction.
    public var wallJumpLongest = Duration.seconds(315_360_000)
    /// The greatest rate error of a wall clock, in millionths, up to ``wallDriftLimit``.
    public var wallDriftMax = 500.0

    /// The greatest value of ``wallDriftMax``: one clock stands still, another one runs twice as fast.
    public static let wallDriftLimit = 1e6

    /// Creates the options of the usual run.
    public init() {}

    /// The options of one seed: with a swarm, half of the faults are off.
    func drawn(using streams: SplitMix64) -> SimulationOptions {
        guard isSwarm else { return self }
        var drawn = self
        let faults: [WritableKeyPath<SimulationOptions, Double>] = [
            \.dropChance, \.duplicateChance, \.reorderChance, \.resetRate, \.lateMessageChance, \.partitionRate,
            \.slowStoreChance, \.storeFailureChance, \.hubCrashRate, \.watchCrashRate, \.stallRate, \.rollbackChance,
            \.wallJumpRate, \.unpairingRate, \.lateStartChance, \.replayRate,
            \.damageChance, \.forgeryRate, \.watchRollbackChance, \.fileFailureChance, \.tailChance,
            \.floodRate, \.connectFailureChance,
        ]
        for (number, fault) in faults.enumerated() {
            // A stream for each, so that a new fault at the end of the list does not shift the others.
            var generator = streams.stream(UInt64(number))
            let isOn = generator.chance(0.5)
            let share = generator.unit()
            drawn[keyPath: fault] = isOn ? self[keyPath: fault] * (0.25 + 1.5 * share) : 0
        }
        return drawn
    }

    /// The options of the time after the faults.
    var withoutFaults: SimulationOptions {
        var options = self
        for fault in [
            \SimulationOptions.changeRate, \.registerRate, \.invitationRate, \.unpairingRate, \.dropChance,
            \.duplicateChance, \.reorderChance, \.resetRate, \.lateMessageChance, \.partitionRate, \.slowStoreChance,
            \.storeFailureChance, \.hubCrashRate, \.watchCrashRate, \.stallRate, \.rollbackChance, \.wallJumpRate,
            \.replayRate, \.editRate, \.settlingRate, \.itemRate, \.cancelRate, \.messageRate, \.fileRate,
            \.damageChance, \.forgeryRate, \.watchRollbackChance, \.fileFailureChance, \.tailChance,
            \.floodRate, \.connectFailureChance,
        ] {
            options[keyPath: fault] = 0
        }
        return options
    }
}
