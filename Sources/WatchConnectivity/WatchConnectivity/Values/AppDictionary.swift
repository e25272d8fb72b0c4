/// A dictionary that an app gave or gets: its encoded bytes, or the original if it cannot be sent.
// Unchecked: a dictionary that cannot be sent may hold anything; it is only handed back to the app.
struct AppDictionary: @unchecked Sendable {
    private enum Form {
        case bytes([UInt8])
        case unsendable([String: Any])
    }

    private let form: Form

    init(bytes: [UInt8]) {
        form = .bytes(bytes)
    }

    /// Wraps the dictionary that the app gave, encoded as this payload.
    init(_ given: [String: Any], as payload: PeerState.Payload) {
        switch payload {
        case .bytes(let bytes, _): form = .bytes(bytes)
        case .unsupported: form = .unsendable(given)
        }
    }

    /// The dictionary as the other side receives it.
    var value: [String: Any] {
        switch form {
        case .bytes(let bytes): SessionPayload.dictionary(bytes) ?? [:]
        case .unsendable(let given): given
        }
    }

    /// The bytes, if the dictionary can be sent.
    var bytes: [UInt8]? {
        guard case .bytes(let bytes) = form else { return nil }
        return bytes
    }
}

extension PeerState.Payload {
    /// The key path and the type of the value that cannot be sent, such as `a.b[2]: URL`; nil if everything can.
    var unsendablePath: String? {
        guard case .unsupported(let keyPath, let type) = self else { return nil }
        return keyPath.isEmpty ? type : "\(keyPath): \(type)"
    }
}
