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
    package func endpoint<Maker>(of serial: SerialNumber<Maker>) throws(EndpointError) -> Endpoint {
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
