import WatchConnectivity

/// The parameters of a pair.
struct PairSetup {
    var watchCount = 1
    var seed: UInt64 = 1
    var phone = SessionBehaviour()
    var watch = SessionBehaviour()
    /// The values that phone and watches share, with who may write them.
    var records: [SharedRecords.Name: SharedRecords.Rule] = [:]
    /// Which watch may change which of them.
    var recordPermission = SharedRecords.Permission.all
    /// The number of registers that a watch accepts before it must give credit.
    var window: UInt32 = 64
    /// Whether a random choice is made when several things could happen next.
    var isShuffled = false
}
