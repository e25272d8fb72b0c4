import MQTT

extension ClientIDConflict {
    /// The conflict in words, with what the user must do.
    ///
    /// - Parameter clientIdentifier: The client identifier that two clients use.
    /// - Returns: A sentence or two.
    func words(clientIdentifier: String) -> String {
        let remedy =
            "run only one hub with a copied state folder; a second hub needs other keys: "
            + "remove hub.key.secret there, and pair its watches again"
        return switch self {
        case .certain:
            "another client took over the hub's session: a second hub uses the name \(clientIdentifier); \(remedy)"
        case .likely(let count):
            "the broker accepted this hub and closed the connection again, \(count) times in a row: most likely a "
                + "second hub uses the name \(clientIdentifier); \(remedy)"
        }
    }
}
