/// The places for open streams and files.
///
/// Guests of links have a part of them, so that a link that has spread keeps out neither accounts nor other links.
package struct StreamPlaces: Sendable {
    private let all: ConcurrencyLimit
    private let ofLinks: ConcurrencyLimit

    /// The places in which a stream stands, free again when the last reference is gone.
    package struct Place: Sendable {
        fileprivate let slots: [ConcurrencyLimit.Slot]
    }

    package init(_ settings: WebSettings) {
        all = ConcurrencyLimit(perHolder: settings.streamsPerSession, all: settings.streams)
        ofLinks = ConcurrencyLimit(perHolder: settings.streamsPerLink, all: settings.streamsOfLinks)
    }

    /// The number of open streams and files.
    package var count: Int { all.count }

    /// Takes a place for a stream of events or a file.
    ///
    /// - Throws: ``Problem`` if there are too many.
    package func take(_ account: Account) throws(Problem) -> Place {
        var slots: [ConcurrencyLimit.Slot] = []
        if let link = account.share {
            guard let slot = ofLinks.take(link) else {
                throw Problem.tooMany("too many guests of links are looking: try again later", wait: 15)
            }
            slots.append(slot)
        }
        guard let slot = all.take(account.key) else {
            throw Problem.tooMany(
                "there are too many open streams and files: close some, \(all.perHolder) are possible here", wait: 15)
        }
        return Place(slots: slots + [slot])
    }
}
