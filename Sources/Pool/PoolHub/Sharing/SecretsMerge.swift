import PoolModel

/// The changes of a hub's secrets when the configuration of another hub is imported.
///
/// A password belongs to an address: an import never moves it to another host, port or user name. A signing secret belongs
/// to its web address in the same way.
struct SecretsMerge {
    /// The secrets that are new here, to be stored before the configuration changes.
    private(set) var added: [Secrets.Name: String] = [:]
    /// The secrets that change, nil to be removed, after the configuration has changed.
    private(set) var replaced: [Secrets.Name: String?] = [:]
    /// The present values of those whose address changes.
    private(set) var moved: [Secrets.Name: String?] = [:]
    /// The differences between both sides, without the secrets themselves.
    private(set) var rows: [ConfigurationMerge.Row] = []

    /// Merges; nothing is changed.
    ///
    /// - Parameters:
    ///   - theirs: The export of the other hub.
    ///   - mine: The secrets of this hub.
    ///   - merge: The merge of the configurations.
    init(_ theirs: ExportedConfiguration, into mine: [Secrets.Name: String], with merge: ConfigurationMerge) {
        for server in Set(merge.mine.servers.map(\.id)).union(merge.theirs.servers.map(\.id)).sorted() {
            let name = Secrets.Name.password(server)
            let sides = (merge.mine.server(server), merge.theirs.server(server))
            // A server that exists only here keeps its password, unless it is removed.
            guard let named = sides.0 ?? sides.1, sides.1 != nil || merge.merged.server(server) == nil else { continue }
            take(
                name, "password of the server \"\(named.name)\"", mine: mine[name], theirs: theirs.secret(name), merge,
                isGone: merge.merged.server(server) == nil, isAddedAsWhole: sides.0 == nil,
                isElsewhere: sides.0.map { mine in sides.1.map { !$0.isReached(like: mine) } ?? false } ?? false)
        }
        for (name, subject) in merge.merged.alerts.channels.phoneSecretNames {
            // The address is a part of the name, so that nothing moves to another one.
            guard theirs.secret(name) != nil else { continue }
            take(
                name, subject, mine: mine[name], theirs: theirs.secret(name), merge, isGone: false,
                isAddedAsWhole: mine[name] == nil, isElsewhere: false)
        }
        let (own, merged) = (merge.mine.alerts.channels.webhook, merge.merged.alerts.channels.webhook)
        // The secret of a web address that is not used is ignored.
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
        let outcome: ConfigurationMerge.Outcome
        if isGone || (theirs == nil && !isElsewhere && merge.policy.removesOthers) {
            (outcome, replaced[name]) = (.removed, .some(nil))
        } else if mine == nil, isAddedAsWhole || !isElsewhere {
            // A secret that is left from a removed server is not used.
            (outcome, added[name]) = (.added, theirs)
        } else if theirs == nil, !isElsewhere {
            outcome = .stays
        } else {
            switch isAddedAsWhole ? .theirs : merge.policy.keep {
            case .theirs:
                (outcome, replaced[name]) = (.theirs, .some(theirs))
                if isElsewhere { moved[name] = .some(mine) }
            case .mine: outcome = .mine
            case nil: outcome = .undecided
            }
        }
        let other = mine != nil && theirs != nil ? "another one" : "one"
        rows.append(
            ConfigurationMerge.Row(
                outcome: outcome, subject: subject, mine: mine.map { _ in "one" }, theirs: theirs.map { _ in other }))
    }
}

extension Server {
    /// Whether a password for another server is also valid for this one.
    func isReached(like other: Server) -> Bool {
        (host, port, username) == (other.host, other.port, other.username)
    }
}
