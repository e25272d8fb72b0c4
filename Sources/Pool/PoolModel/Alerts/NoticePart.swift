/// One fact of a notice, without its words: what it is about, the value, the limit, the age, the safety, what to do.
///
/// A notice is a list of parts, the same in every language; ``TextLanguage/words(for:)`` has words for each. So no
/// language can leave a fact out.
package struct NoticePart: Hashable, Sendable {
    /// What stands before a part.
    package enum Separator: Hashable, Sendable {
        /// Nothing: it is the first part.
        case start
        case space
        case colon
        case comma
        case semicolon
    }

    /// A fact.
    package enum Fact: Hashable, Sendable {
        /// The device or server.
        case subject(String)
        /// The notice is not the first one of its episode.
        case still
        /// The newest readings are old.
        case oldReadingsEnd
        /// It began and ended in old readings.
        case oldReadingsHad
        /// The value.
        case value(Quantity, Double)
        /// The quantity, if its value is not known.
        case outsideLimits(Quantity)
        /// How far the value exceeds which limit.
        case exceeds(Quantity, by: Double, Limits.Deviation, AlertSeverity, limit: Double)
        /// The value is inside its limit, but its alert ends only at the release.
        case beforeRelease(Quantity, Limits.Deviation, Double)
        /// The value is inside its limit, and where its alert ends is not known.
        case insideLimit(Quantity, Limits.Deviation, Double)
        /// The value is beyond its release, and must stay there for a while.
        case unconfirmed
        /// The value is within its limits again; the value if it is known.
        case backInside(Quantity, Double?)
        /// The value left its limits on the other side.
        case crossed(Quantity, Double, from: Limits.Deviation)
        /// Nothing comes: of the device, or of one quantity.
        case missing(Quantity?)
        /// Why nothing comes.
        case reason(MissingReason)
        /// The other quantities of the device come.
        case restArrives
        /// Something comes again.
        case arrivesAgain(Quantity?)
        /// Values that make no sense: of one quantity, or all payloads.
        case senseless(Quantity?)
        /// What a probe that measures nothing reports.
        case probeReports(Quantity, Double, ProbeFault)
        /// Values that make sense again.
        case sensible(Quantity?)
        /// The connection is lost.
        case disconnected
        /// The connection is restored.
        case reconnected
        /// The hub cannot store; the problem, if it is known.
        case unstored(String?)
        /// The hub stores again.
        case stored
        /// For so many milliseconds, until now.
        case lasting(Int64)
        /// It lasted so many milliseconds.
        case lasted(Int64)
        /// It lasted so many milliseconds, and ended so many milliseconds ago.
        case lastedUntil(Int64, endedBefore: Int64)
        /// It happened within the last so many milliseconds.
        case within(Int64)
        /// Nobody may be in the water.
        case keepOut
        /// What to do.
        case action(Action)
        /// The whole text of a test.
        case test
    }

    /// What a person does about an alert.
    package enum Action: Hashable, Sendable, CaseIterable {
        case checkHeatingAndFrost
        case checkHeatingAndPump
        case raisePH
        case lowerPH
        case addChlorine
        case stopChlorine
        case checkPHAndChlorine
        case stopDosing
        case addSalt
        case replaceWater
        case changeBattery
        case checkPower
        case allowTopics
        case checkProbe
        case checkCable
        case checkServer
        case notInHistory
    }

    /// What stands before it.
    package var separator: Separator
    /// The fact.
    package var fact: Fact

    /// Creates a part.
    package init(_ separator: Separator, _ fact: Fact) {
        self.separator = separator
        self.fact = fact
    }
}
