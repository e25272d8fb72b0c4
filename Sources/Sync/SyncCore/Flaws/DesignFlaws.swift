/// Faults of design that a simulation plants into the engines, to see that its checks would find them.
///
/// The engines of an application have none: only this package can make engines with flaws.
package struct DesignFlaws: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The hub lets in anybody who has a key.
    package static let hubWelcomesStrangers = DesignFlaws(rawValue: 1 << 0)
    /// The hub does not look at the session of a frame.
    package static let hubIgnoresSessions = DesignFlaws(rawValue: 1 << 1)
    /// The hub believes that it knows all of its past.
    package static let hubIgnoresForks = DesignFlaws(rawValue: 1 << 2)
    /// The hub calls a watch linked as soon as it has greeted.
    package static let hubNeedsNoRoundTrip = DesignFlaws(rawValue: 1 << 3)
    /// The hub goes on with a watch that it has unpaired.
    package static let hubForgetsNobody = DesignFlaws(rawValue: 1 << 4)
    /// A watch does not look at the session of a frame.
    package static let watchIgnoresSessions = DesignFlaws(rawValue: 1 << 5)
    /// A watch takes each snapshot for the newest.
    package static let watchIgnoresRevisions = DesignFlaws(rawValue: 1 << 6)
    /// A watch goes back to an epoch that it has left.
    package static let watchIgnoresLeftEpochs = DesignFlaws(rawValue: 1 << 7)
    /// A watch takes each value of a register for the newest.
    package static let watchIgnoresOrders = DesignFlaws(rawValue: 1 << 8)
    /// A watch takes the answer to any greeting for the answer to its last one.
    package static let watchTakesAnyWelcome = DesignFlaws(rawValue: 1 << 9)
    /// A watch calls the link up as long as the transport does.
    package static let watchNeedsNoRoundTrip = DesignFlaws(rawValue: 1 << 10)
    /// A watch greets although its store may be about to change what it holds.
    package static let watchGreetsWhileStoring = DesignFlaws(rawValue: 1 << 11)
    /// A watch names a lost register once only.
    package static let watchForgetsHoles = DesignFlaws(rawValue: 1 << 12)
    /// The hub shows the newest value, whatever its author had seen.
    package static let hubIgnoresBases = DesignFlaws(rawValue: 1 << 13)
    /// The hub does not log what loses.
    package static let hubForgetsLosers = DesignFlaws(rawValue: 1 << 14)
    /// The hub creates a cell for an edit of one that it does not have.
    package static let hubCreatesUnknown = DesignFlaws(rawValue: 1 << 15)
    /// The hub does not recognise an edit that comes again in another numbering.
    package static let hubForgetsEditIDs = DesignFlaws(rawValue: 1 << 16)
    /// The hub believes that a number means the same upload forever.
    package static let hubTrustsNumbers = DesignFlaws(rawValue: 1 << 17)
    /// The hub finds a lost past by the revision only.
    package static let hubComparesRevisionsOnly = DesignFlaws(rawValue: 1 << 18)
    /// The hub takes edits of cells that are not the watch's to change.
    package static let hubIgnoresAuthority = DesignFlaws(rawValue: 1 << 19)
    /// The hub believes each clock.
    package static let hubBelievesClocks = DesignFlaws(rawValue: 1 << 20)
    /// The hub lets the winning cells of an edit take effect, and the others not.
    package static let hubSplitsEdits = DesignFlaws(rawValue: 1 << 21)
    /// The hub takes uploads in whatever order they come.
    package static let hubIgnoresGaps = DesignFlaws(rawValue: 1 << 22)
    /// A watch puts a newer value into an edit that may be on its way already.
    package static let watchMergesSentEdits = DesignFlaws(rawValue: 1 << 23)
    /// A watch bases an edit on the last snapshot, although the person saw an own change.
    package static let watchSeesOnlySnapshot = DesignFlaws(rawValue: 1 << 24)
    /// A watch compares numbers of uploads, not what they name.
    package static let watchTrustsNumbers = DesignFlaws(rawValue: 1 << 25)
    /// A watch goes on numbering in a new epoch.
    package static let watchKeepsNumbering = DesignFlaws(rawValue: 1 << 26)
    /// A watch takes over a new epoch and forgets the old one.
    package static let watchSalvagesNothing = DesignFlaws(rawValue: 1 << 27)
    /// A watch does not bring back conflicts that the hub has lost.
    package static let watchForgetsConflicts = DesignFlaws(rawValue: 1 << 28)
    /// A watch does not notice that deleted cells are back.
    package static let watchForgetsDeletions = DesignFlaws(rawValue: 1 << 29)
    /// The hub takes an edit for an old one if its watch has made a write with a later stamp before.
    package static let hubOrdersByStamps = DesignFlaws(rawValue: 1 << 58)
    /// The hub sends a watch its snapshot only when no other watch owes an acknowledgement.
    package static let hubAwaitsSlowest = DesignFlaws(rawValue: 1 << 59)
    /// Not a fault that the checks may find: stamps are what the wall clocks show, which may jump (I13).
    package static let clocksAreRaw = DesignFlaws(rawValue: 1 << 60)
    /// The hub reads whatever comes, of any size, and charges nobody for it.
    package static let hubReadsAnything = DesignFlaws(rawValue: 1 << 63)
    /// A watch tells its person of an edit before it is durable.
    package static let watchConfirmsEarly = DesignFlaws(rawValue: 1 << 30)
}
