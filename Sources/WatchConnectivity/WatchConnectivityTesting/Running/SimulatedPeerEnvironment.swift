import Foundation
import Platform
import SyncCore
import SyncSimulation
import WatchConnectivity

/// The environment of one peer, from the start of its simulated device until it loses power; afterwards it does
/// nothing.
final class SimulatedPeerEnvironment: PeerEnvironment, Sendable {
    /// A file with fewer bytes is copied during the call; less than on a real device, so that small programs test
    /// both cases.
    private static let heldByteCountMin = 4096

    private let stage: PairRunner
    private let address: Side
    private let life: Int

    init(stage: PairRunner, address: Side, life: Int) {
        self.stage = stage
        self.address = address
        self.life = life
    }

    /// Changes the world, unless the device has lost power since.
    private func change(_ change: (inout PairWorld) throws -> Void) rethrows {
        try stage.world.withLock { world in
            guard world.life(of: address.device) == life, world.hasPower(address.device) else { return }
            try change(&world)
        }
    }

    var moment: Moment { stage.world.withLock(\.moment) }

    func persist(_ record: PeerState.Record) throws {
        try change { try $0.keep(record, of: address) }
    }

    func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag) {
        change { $0.ask(request, tag: tag, of: address) }
    }

    func hold(_ id: RandomID, path: String) -> PeerState.CopiedFile? {
        guard let content = stage.folders.content(of: path) else { return nil }
        var copied: PeerState.CopiedFile?
        change { world in
            guard world.devices.diskState(of: address.device) == .works else { return }
            if content.count >= Self.heldByteCountMin {
                world.hold(content, of: id, at: address)
            } else if UInt64(content.count) <= world.transfers.files.fileByteCountMax {
                copied = copy(content, of: id, path, in: &world)
            }
        }
        return copied
    }

    func releaseOriginal(_ id: RandomID) {
        change { $0.releaseOriginal(id, at: address) }
    }

    func copyFile(_ id: RandomID, path: String) {
        let present = stage.folders.content(of: path)
        change { world in
            guard world.devices.diskState(of: address.device) == .works else {
                return world.tell(address, .fileNotCopied(id, .insufficientSpace))
            }
            guard let content = world.held(id, at: address) ?? present else {
                return world.tell(address, .fileNotCopied(id, .fileAccessDenied))
            }
            guard UInt64(content.count) <= world.transfers.files.fileByteCountMax else {
                return world.tell(address, .fileNotCopied(id, .payloadTooLarge))
            }
            world.tell(address, .fileCopied(id, copy(content, of: id, path, in: &world)))
        }
    }

    private func copy(
        _ content: [UInt8], of id: RandomID, _ path: String, in world: inout PairWorld
    ) -> PeerState.CopiedFile {
        world.change { $0.keep(content, as: id.hexadecimal, at: address) }
        return PeerState.CopiedFile(
            file: id.hexadecimal, name: (path as NSString).lastPathComponent, byteCount: UInt64(content.count),
            digest: .simulated(of: content))
    }

    func releaseCopy(_ file: String) {
        change { world in world.change { $0.release(file, at: address) } }
    }

    func path(of file: FileOffer) -> String? {
        guard let bytes = stage.world.withLock({ $0.devices.received(file.id, at: address) }) else { return nil }
        return stage.folders.lay(bytes, of: file, at: address)
    }

    func remove(_ file: FileOffer) {
        stage.folders.remove(file, at: address)
    }

    func launchApp(_ reason: PeerState.LaunchReason) {
        change { $0.add(.launch(address, life: life, reason)) }
    }

    func suspendApp() {
        change { $0.add(.suspend(address, life: life)) }
    }

    func endApp() {
        change { $0.add(.end(address, life: life)) }
    }

    func watchDirectory(exists: Bool) {
        stage.folders.setWatchDirectory(of: address.watch, exists: exists)
    }

    var watchDirectoryPath: String? { stage.folders.watchDirectory(of: address.watch) }

    func wake(at deadline: Instant?) {
        change { $0.setAlarm(of: address, at: deadline) }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let isAlive = stage.world.withLock { $0.life(of: address.device) == life && $0.hasPower(address.device) }
        if isAlive { stage.enqueue(work, of: address) }
    }

    func trace(_ event: TraceEvent) {
        guard case .warning = event else { return change { $0.note(address.device, event) } }
        // An app that continues after its device lost power is recorded too.
        stage.world.withLock { $0.note(address.device, event) }
    }
}
