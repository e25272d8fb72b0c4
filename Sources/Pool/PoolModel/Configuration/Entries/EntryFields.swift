/// The fields of each group, as they are in the JSON of an entry; the meaning of a key never changes.
enum EntryFields {
    struct Name: Codable {
        var name: String
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
