internal import PoolModel
public import ZeroMQ

/// The hub that a watch is paired with.
public struct PairedHub: Hashable, Sendable {
    /// The endpoint of the hub at the time of pairing.
    public var endpoint: Endpoint
    /// The hub's public key; a hub with another key is another hub.
    public var key: CurvePublicKey
    /// The name that the hub uses for this watch.
    public var name: String

    /// Creates the record of a hub.
    public init(endpoint: Endpoint, key: CurvePublicKey, name: String) {
        self.endpoint = endpoint
        self.key = key
        self.name = name
    }
}

extension PairedHub {
    /// The fields in the file.
    private struct Fields: Codable {
        var endpoint: String
        var key: String
        var name: String
    }

    /// Creates the record from the bytes of a file.
    init(json: [UInt8]) throws {
        let fields = try CanonicalJSON.decode(Fields.self, from: json)
        self.init(endpoint: try Endpoint(fields.endpoint), key: try CurvePublicKey(z85: fields.key), name: fields.name)
    }

    /// The bytes of a file.
    var json: [UInt8] {
        get throws { try CanonicalJSON.encode(Fields(endpoint: endpoint.text, key: key.z85, name: name)) }
    }
}
