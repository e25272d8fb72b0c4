import PoolModel

/// What becomes of a hub's secrets when the configuration of another hub is taken in.
///
/// A password goes with the address for which it was given: an import never brings it to a server of another host, port or
/// user name. A signing secret goes with the web address in the same way.
struct SecretsMerge {
    /// The secrets that this hub has not, to be kept before the configuration is changed.
    private(set) var added: [Secrets.Name: String] = [:]
    /// The secrets that this hub has and that change, nil to be forgotten, after the configuration was changed.
    private(set) var replaced: [Secrets.Name: String?] = [:]
    /// Those of them that were given for an address which this hub has no longer then, as they are.
    private(set) var moved: [Secrets.Name: String?] = [:]
    /// What is not the same on both sides; never the secrets.
    private(set) var rows: [ConfigurationMerge.Row] = []

    /// Merges; nothing is changed.
    ///
    /// - Parameters:
    ///   - theirs: What the other hub told.
    ///   - mine: The secrets of this hub.
    ///   - merge: What becomes of the rest.
    init(_ theirs: ExportedConfiguration, into mine: [Secrets.Name: String], with merge: ConfigurationMerge) {
        for server in Set(merge.mine.servers.map(\.id)).union(merge.theirs.servers.map(\.id)).sorted() {
            let name = Secrets.Name.password(server)
            let sides = (merge.mine.server(server), merge.theirs.server(server))
            // One that only this hub has keeps its password, unless it goes.
            guard let named = sides.0 ?? sides.1, sides.1 != nil || merge.merged.server(server) == nil else { continue }
            take(
                name, "password of the server \"\(named.name)\"", mine: mine[name], theirs: theirs.secret(name), merge,
                isGone: merge.merged.server(server) == nil, isAddedAsWhole: sides.0 == nil,
                isElsewhere: sides.0.map { mine in sides.1.map { !$0.isReached(like: mine) } ?? false } ?? false)
        }
        let (own, merged) = (merge.mine.alerts.channels.webhook, merge.merged.alerts.channels.webhook)
        // The secret of a web address that is not used is of no use.
        guard let secretName = merged?.secretName, merged == merge.theirs.alerts.channels.webhook else { return }
        let name = Secrets.Name.signing(secretName)
        take(
            name, "secret \"\(secretName)\" that signs webhooks", mine: mine[name], theirs: theirs.secret(name), merge,
            isGone: false, isAddedAsWhole: own == nil, isElsewhere: own?.url != merged?.url)
    }

    private mutating func take(
        _ name: Secrets.Name, _ subject: String, mine: String?, theirs: String?, _ merge: ConfigurationMerge,
        isGone: Bool, isAddedAsWhole: Bool, isElsewhere: Bool
    ) {
        guard mine != theirs else { return }
        let fate: ConfigurationMerge.Fate
        if isGone || (theirs == nil && !isElsewhere && merge.policy.removesOthers) {
            (fate, replaced[name]) = (.removed, .some(nil))
        } else if mine == nil, isAddedAsWhole || !isElsewhere {
            // Whatever is left of a server that was here once is not its password any more.
            (fate, added[name]) = (.added, theirs)
        } else if theirs == nil, !isElsewhere {
            fate = .stays
        } else {
            switch isAddedAsWhole ? .theirs : merge.policy.keep {
            case .theirs:
                (fate, replaced[name]) = (.theirs, .some(theirs))
                if isElsewhere { moved[name] = .some(mine) }
            case .mine: fate = .mine
            case nil: fate = .undecided
            }
        }
        let other = mine != nil && theirs != nil ? "another one" : "one"
        rows.append(
            ConfigurationMerge.Row(
                fate: fate, subject: subject, mine: mine.map { _ in "one" }, theirs: theirs.map { _ in other }))
    }
}

extension Server {
    /// Whether a password for another server is one for this, too.
    func isReached(like other: Server) -> Bool {
        (host, port, username) == (other.host, other.port, other.username)
    }
}
