import CPowerCut
import Foundation
import Synchronization

/// A folder that lies on a disk without power of its own: what was not synced may be lost when the power is cut.
///
/// It watches each `fsync` and `fdatasync` of this process, SQLite's too, and remembers what was on the disk then: the
/// bytes of a file, the names in a folder. At some of them, and at some moments at which a test says that something is
/// acknowledged, it draws what a cut of the power would leave at that moment: of each file the bytes of the last sync, or any
/// part of what was written since, block by block; of all folders the names of their last sync, or the present ones.
///
/// A file system keeps the order in which names change, so names are lost together, or not at all.
public final class ForgetfulDisk: Sendable {
    /// What a cut of the power left.
    public struct Remains: Sendable {
        /// What was acknowledged before the cut.
        public var acknowledged: UInt64
        /// What was kept that need not have been, in words.
        public var words: String
        var root: [String: Node]

        indirect enum Node: Sendable {
            case file([UInt8], mode: Int)
            case folder([String: Node], mode: Int)
        }

        /// Lays what is left into a folder, which is made.
        public func lay(in path: String) throws {
            try Self.lay(root, path, mode: 0o700)
        }

        private static func lay(_ nodes: [String: Node], _ path: String, mode: Int) throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
            for (name, node) in nodes {
                switch node {
                case .folder(let inner, let mode): try lay(inner, "\(path)/\(name)", mode: mode)
                case .file(let bytes, let mode):
                    let place = "\(path)/\(name)"
                    try Data(bytes).write(to: URL(filePath: place))
                    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place)
                }
            }
        }
    }

    /// The folder.
    public let path: String
    private let state: Mutex<State>

    /// Makes a folder that watches what is synced in it.
    ///
    /// - Parameters:
    ///   - seed: What the moments of the cuts follow from, and what they leave.
    ///   - cutCount: How many cuts are drawn at most.
    ///   - chance: Of how many moments one is taken for a cut.
    /// - Throws: Why there can be no folder.
    public init(seed: UInt64, cutCount: Int = 40, chance: UInt64 = 8) throws {
        let name = "power-cut-\(UUID().uuidString)"
        path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        state = Mutex(State(path: path, seed: seed, cutCount: cutCount, chance: chance))
        Self.all.withLock { $0[path] = WeakDisk(disk: self) }
        power_cut_take_syncs { ForgetfulDisk.sync($0) ? 1 : 0 }
    }

    deinit {
        Self.all.withLock { $0[path] = nil }
        state.withLock { $0.letGo() }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Notes that something is acknowledged, which no cut of the power may take back from now on.
    public func acknowledge(_ number: UInt64) {
        state.withLock { state in
            state.acknowledged = number
            state.drawCut()
        }
    }

    /// Cuts the power now; what was not synced is lost, all of it.
    public func cut() -> Remains {
        state.withLock { $0.remains(.nothing) }
    }

    /// What the cuts so far left, in their order.
    public var cuts: [Remains] { state.withLock(\.cuts) }

    // MARK: - Syncs

    private struct WeakDisk {
        weak var disk: ForgetfulDisk?
    }

    private static let all = Mutex<[String: WeakDisk]>([:])

    /// Whether an open file lies on one of the disks, which has noted then that it is synced.
    private static func sync(_ descriptor: Int32) -> Bool {
        guard let place = place(of: descriptor) else { return false }
        let disk = all.withLock { all in all.first { place.hasPrefix($0.key + "/") || place == $0.key }?.value.disk }
        guard let disk else { return false }
        disk.state.withLock { state in
            state.drawCut()
            state.sync(descriptor, at: place)
        }
        return true
    }

    /// Where an open file lies, with its last name.
    private static func place(of descriptor: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }
}
