/// A dictionary that an app gave or gets: as bytes, or as it was given where it cannot be sent.
// Unchecked: a dictionary that cannot be sent holds whatever the app put in; it is only handed back to the app.
struct AppDictionary: @unchecked Sendable {
    private enum Form {
        case bytes([UInt8])
        case unsendable([String: Any])
    }

    private let form: Form

    init(bytes: [UInt8]) {
        form = .bytes(bytes)
    }

    /// The dictionary that the app gave as this payload.
    init(_ given: [String: Any], as payload: PeerState.Payload) {
        switch payload {
        case .bytes(let bytes): form = .bytes(bytes)
        case .unsupported: form = .unsendable(given)
        }
    }

    /// The dictionary as the other side gets it.
    var value: [String: Any] {
        switch form {
        case .bytes(let bytes): SessionPayload.dictionary(bytes) ?? [:]
        case .unsendable(let given): given
        }
    }

    /// The bytes, if it can be sent.
    var bytes: [UInt8]? {
        guard case .bytes(let bytes) = form else { return nil }
        return bytes
    }
}

extension PeerState.Payload {
    /// Where it cannot be sent and why, such as `a.b[2]: URL`; nil if it can.
    var culprit: String? {
        guard case .unsupported(let keyPath, let type) = self else { return nil }
        return keyPath.isEmpty ? type : "\(keyPath): \(type)"
    }
}
