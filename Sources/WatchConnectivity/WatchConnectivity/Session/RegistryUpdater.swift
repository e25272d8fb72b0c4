import Foundation
import SyncCore
import Synchronization

extension RealDevice: DeviceHost {
    /// Opens a device and fills a board with its companions; the first one is there before a watch is paired, so that
    /// the default session stays the same when it comes.
    ///
    /// The board holds its host weakly: keep the device as long as it is to run. Call ``start()`` then.
    ///
    /// - Throws: As ``init(_:_:)``.
    convenience init(
        _ setup: SessionSetup, on board: SessionRegistry,
        launchApp: (@Sendable (PeerState.LaunchReason) -> Void)? = nil,
        trace: @escaping @Sendable (TraceEvent) -> Void
    ) throws {
        let filler = RegistryUpdater(board, role: setup.side)
        var observer = Observer()
        observer.launchApp = launchApp
        observer.trace = trace
        observer.counterpartsChanged = { filler.fill() }
        do {
            try self.init(setup, observer)
        } catch {
            trace(.warning("the device could not be started: \(error)"))
            if setup.trace == nil {
                // Without a trace the developer would only see an unpaired session.
                FileHandle.standardError.write(Data("WatchConnectivity: \(error)\n".utf8))
            }
            throw error
        }
        filler.device = self
        filler.fill()
    }
}

/// Keeps a board's companions those of a device.
private final class RegistryUpdater: Sendable {
    private struct State: Sendable {
        weak var device: RealDevice?
        /// What the board was told of.
        var shown: [Int: SessionWatch] = [:]
    }

    // The board belongs to the process, or to a test that holds it.
    private weak let board: SessionRegistry?
    private let role: PeerState.Role
    private let state = Mutex(State())
    /// Held while the board is filled, so that of two threads the later one never leaves what the earlier one saw.
    ///
    /// A session that goes over to another companion tells its observers so within it: they may come back here.
    private let filling = NSRecursiveLock()

    init(_ board: SessionRegistry, role: PeerState.Role) {
        self.board = board
        self.role = role
    }

    var device: RealDevice? {
        get { state.withLock(\.device) }
        set { state.withLock { $0.device = newValue } }
    }

    /// Adds who came, removes who went, and gives a name to who got one.
    func fill() {
        filling.withLock {
            guard let board, let device else { return }
            for counterpart in device.counterparts { show(counterpart, on: board) }
        }
    }

    /// Brings one counterpart's place on the board in line with who it is now.
    private func show(_ counterpart: Peer, on board: SessionRegistry) {
        let identity = counterpart.identity
        // A phone has no name of its own; nobody's counterpart has none.
        let name = identity.map { role == .phone ? $0.name : "phone" } ?? ""
        let watch = SessionWatch(id: "\(counterpart.number)", name: name)
        // The first one stays on the board unpaired: its session is the default one.
        let isOnBoard = identity != nil || counterpart.number == 1
        let (isNew, isGone, isRenamed) = state.withLock { state in
            let shown = state.shown[counterpart.number]
            state.shown[counterpart.number] = isOnBoard ? watch : nil
            return (isOnBoard && shown == nil, !isOnBoard && shown != nil, isOnBoard && shown != watch)
        }
        if isNew {
            board.add(
                watch,
                PeerClient(shell: counterpart.shell, role: role) { [weak counterpart] in
                    counterpart?.watchDirectoryPath
                })
        } else if isGone {
            board.remove(watch.id)
        } else if isRenamed {
            board.rename(watch)
        }
    }
}
