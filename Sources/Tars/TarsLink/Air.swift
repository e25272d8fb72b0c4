import SystemPackage
package import TarsModel
import Text
package import ZeroMQ

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The simulated short link: a folder that stands for the air around the devices in it.
///
/// Each device has a socket there, with which it advertises and takes connections. No radio range is simulated; instead a
/// place, such as the phone's, can ``walk(_:away:)`` out of range of all of them.
package struct Air: Hashable, Sendable {
    /// The folder.
    package let folder: String

    /// Names a folder; nothing is opened.
    package init(folder: String) { self.folder = folder }

    /// Where a device advertises and takes connections.
    ///
    /// - Throws: `EndpointError` if the path of the folder is too long for a socket.
    package func endpoint(of serial: Serial) throws(EndpointError) -> Endpoint {
        try Endpoint("ipc://\(folder)/\(serial.short).ble")
    }

    /// Every endpoint in the folder, also those of strangers.
    package var endpoints: Set<Endpoint> {
        // Nobody is near in a folder that is not there.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(names.filter { $0.hasSuffix(".ble") }.compactMap { try? Endpoint("ipc://\(folder)/\($0)") })
    }

    /// Takes a place out of range of every device, or back.
    ///
    /// - Throws: What the file system says.
    package func walk(_ place: String, away: Bool) throws {
        if away {
            try Data().write(to: URL(filePath: mark(of: place)))
        } else if FileManager.default.fileExists(atPath: mark(of: place)) {
            try FileManager.default.removeItem(atPath: mark(of: place))
        }
    }

    /// Whether a place is out of range.
    package func isAway(_ place: String) -> Bool { FileManager.default.fileExists(atPath: mark(of: place)) }

    private func mark(of place: String) -> String { "\(folder)/\(place).away" }
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
