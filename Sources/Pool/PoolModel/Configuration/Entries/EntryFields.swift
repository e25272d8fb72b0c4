/// The fields of each group, as they are in the JSON of an entry; the meaning of a key never changes.
enum EntryFields {
    struct Name: Codable {
        var name: String
    }

    struct Endpoint: Codable {
        var host: String
        var port: Int
        var username: String?
        var tls: Bool
        var caFile: String?
        var clientCertificate: Server.ClientCertificate?
        var `protocol`: Server.ProtocolVersion
    }

    struct Announcement: Codable {
        var prefix: String
    }

    struct Water: Codable {
        var volume: Double?
    }

    struct PoolOfDevice: Codable {
        var poolID: PoolID
    }

    struct Membership: Codable {
        var serverID: ServerID
    }

    struct Source: Codable {
        var topic: String
        /// Nil in records that never had a type.
        var type: String?
    }

    struct Timing: Codable {
        var expectedIntervalSeconds: Int
        /// Nil if a person has set it.
        var isLearned: Bool?
    }

    struct SelectedRecords: Codable {
        var serverID: ServerID?
        var deviceID: DeviceID?

        private enum CodingKeys: String, CodingKey {
            case serverID
            case deviceID
        }

        init(_ selection: Selection) {
            serverID = selection.serverID
            deviceID = selection.deviceID
        }

        /// Always writes both keys, so that an empty selection is stated and not left out.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(serverID, forKey: .serverID)
            try container.encode(deviceID, forKey: .deviceID)
        }
    }
}
