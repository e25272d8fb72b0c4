import Text

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a device near by sends to everybody.
package struct Advertisement: Hashable, Sendable {
    /// Its name; nil for none.
    package var name: String?
    /// The data of its maker, byte for byte; nil for none.
    package var manufacturerData: [UInt8]?
    /// How strong it is, in dBm.
    package var rssi: Int

    /// Notes an advertisement.
    package init(name: String?, manufacturerData: [UInt8]?, rssi: Int) {
        self.name = name
        self.manufacturerData = manufacturerData
        self.rssi = rssi
    }
}

extension Advertisement: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, rssi
        case manufacturerData = "data"
    }

    /// Reads an advertisement as it is on the simulated link.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try values.decodeIfPresent(String.self, forKey: .name),
            manufacturerData: try values.decodeIfPresent(Data.self, forKey: .manufacturerData).map(Array.init),
            rssi: try values.decode(Int.self, forKey: .rssi))
    }

    /// Writes an advertisement for the simulated link.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(name, forKey: .name)
        try values.encodeIfPresent(manufacturerData.map { Data($0) }, forKey: .manufacturerData)
        try values.encode(rssi, forKey: .rssi)
    }
}
