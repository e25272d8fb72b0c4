/// Faults of design that a simulation plants into the engines, to see that its checks would find them.
///
/// The engines of an application have none: only this package can make engines with flaws.
package struct DesignFlaws: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The hub lets in whoever has a key.
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
}
