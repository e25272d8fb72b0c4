import CommandSupport
import Foundation
import PoolHub
import PoolWatch
import Primitives
import SyncStore
import ZeroMQ

/// The folders of the hub and of the watches on this machine.
struct StateFolders: Sendable {
    /// The folder that contains them all; an absolute path.
    let root: String

    /// Uses the folder at a path, which may begin with `~/` or be relative.
    init(path: String, environment: Environment, workingFolder: String = FileManager.default.currentDirectoryPath) {
        let expanded: String
        if path == "~" || path.hasPrefix("~/") {
            expanded = (environment["HOME"] ?? "/") + path.dropFirst()
        } else {
            expanded = path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
        }
        root = URL(filePath: expanded).standardized.path
    }

    /// The default path of the state folder.
    static func standardPath(_ environment: Environment) -> String {
        StateHome.standard(of: "poolsensors", environment)
    }

    /// The folder of the hub.
    var hub: String { "\(root)/hub" }

    /// The state folder of the service in the package.
    static let ofService = "/var/lib/poolsensors"

    /// Whether the hub is the one that the package runs as a service.
    var isOfService: Bool { root == Self.ofService }

    /// How to start the hub, and how to ask that of the service if this machine has one.
    var startAdvice: String {
        HubFolder.startAdvice(path: hub) + otherHub(hasService: FileManager.default.fileExists(atPath: Self.ofService))
    }

    /// What to add where no hub runs: the way to the hub of the service; empty if there is none.
    func otherHub(hasService: Bool) -> String {
        guard hasService, !isOfService else { return "" }
        return "; the hub of the service is another one: "
            + "sudo -u poolsensors \(Catalog.state.entry.variable)=\(Self.ofService) poolsensors …"
    }

    /// What to know about a path that the hub itself opens; nil if there is nothing to know.
    ///
    /// The service has no access to home folders, and the disk is read-only for it outside of its own folder.
    func serviceNote(about path: String) -> String? {
        guard isOfService, path != root, !path.hasPrefix("\(root)/") else { return nil }
        return "the hub's service cannot read home folders and writes only below \(root)"
    }

    /// The folder of a watch.
    func watch(_ name: String) -> String { "\(root)/watches/\(Self.fileName(of: name))" }

    /// The names of the watches on this machine that are paired, sorted.
    var pairedWatches: [String] {
        // A folder that does not exist yet holds no watch.
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/watches")) ?? []
        return folders.filter { WatchFolder.isPaired(path: "\(root)/watches/\($0)") }
            .compactMap(\.removingPercentEncoding).sorted()
    }

    /// Makes the parent folders of the hub's and the watches' folders, with access for this user only.
    ///
    /// - Throws: ``CommandFailure`` if that is not possible, or if the hub's folder has too long a path for a socket.
    func prepare() throws {
        do {
            _ = try HubFolder.controlEndpoint(path: hub)
        } catch {
            let limit = Endpoint.ipcPathByteCountMax - "/hub/control".utf8.count
            throw CommandFailure(
                "the state folder \(root) has a path of \(root.utf8.count) bytes, too long for the hub's socket: "
                    + "choose one of at most \(limit) bytes with --state")
        }
        for path in [root, "\(root)/watches"] {
            do {
                try StateFolder.prepare(path)
            } catch {
                throw CommandFailure(
                    "cannot use the state folder: \(error); --state or POOLSENSORS_STATE chooses it")
            }
        }
    }

    /// The name of a folder for any name of a watch: letters, digits, `-`, `_` and dots inside the name are not
    /// changed.
    static func fileName(of name: String) -> String {
        var result = ""
        for byte in name.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
                    || (scalar == "." && !result.isEmpty))
            if isPlain {
                result.unicodeScalars.append(scalar)
            } else {
                result += "%" + Hexadecimal.text([byte]).uppercased()
            }
        }
        return result
    }
}
