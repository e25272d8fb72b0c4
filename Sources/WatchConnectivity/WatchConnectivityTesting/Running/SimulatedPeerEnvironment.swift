import Foundation
import SyncCore
import Synchronization
import WatchConnectivity

/// What one companion stands on in one life of its simulated device; when that life is over it does nothing any more.
final class SimulatedPeerEnvironment: PeerEnvironment, Sendable {
    private let stage: PairRunner
    private let address: Address
    private let life: Int

    init(stage: PairRunner, address: Address, life: Int) {
        self.stage = stage
        self.address = address
        self.life = life
    }

    /// Changes the world if the device still has this life.
    private func change(_ change: (inout PairWorld) throws -> Void) rethrows {
        try stage.world.withLock { world in
            guard world.life(of: address.device) == life, world.hasPower(address.device) else { return }
            try change(&world)
        }
    }

    var moment: Moment { stage.world.withLock(\.moment) }

    func persist(_ record: PeerState.Record) throws {
        try change { world in
            guard world.disk(of: address.device) != .fails else { throw DiskFailure() }
            for change in record.changes { world.halves[address]?.stored[change.key] = change.value }
            world.countStep(of: address.device)
        }
    }

    func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag) {
        change { $0.ask(request, tag: tag, of: address) }
    }

    func hold(_ id: RandomID, path: String) -> PeerState.CopiedFile? {
        guard let content = stage.folders.content(of: path) else { return nil }
        var copied: PeerState.CopiedFile?
        change { world in
            guard world.disk(of: address.device) == .works else { return }
            if content.count >= PairFiles.heldByteCountMin {
                world.halves[address]?.files.hold(content, of: id)
            } else if UInt64(content.count) <= world.transfers.files.fileByteCountMax {
                copied = copy(content, of: id, path, in: &world)
            }
        }
        return copied
    }

    func letGo(_ id: RandomID) {
        change { $0.halves[address]?.files.letGo(id) }
    }

    func copyFile(_ id: RandomID, path: String) {
        let lying = stage.folders.content(of: path)
        change { world in
            guard world.disk(of: address.device) == .works else {
                return world.tell(address, .fileNotCopied(id, .insufficientSpace))
            }
            guard let content = world.halves[address]?.files.held[id] ?? lying else {
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
        world.halves[address]?.files.keep(content, as: id.hexadecimal)
        return PeerState.CopiedFile(
            file: id.hexadecimal, name: (path as NSString).lastPathComponent, byteCount: UInt64(content.count),
            digest: PairFiles.digest(of: content))
    }

    func releaseCopy(_ file: String) {
        change { $0.halves[address]?.files.release(file) }
    }

    func path(of file: FileOffer) -> String? {
        guard let bytes = stage.world.withLock({ $0.halves[address]?.files.received[file.id] }) else { return nil }
        return stage.folders.lay(bytes, of: file, at: address)
    }

    func remove(_ file: FileOffer) {
        stage.folders.remove(file, at: address)
    }

    func launchApp(_ reason: PeerState.LaunchReason) {
        change { $0.deeds.append(.launch(address, life: life, reason)) }
    }

    func endApp() {
        change { $0.deeds.append(.end(address, life: life)) }
    }

    func watchDirectory(exists: Bool) {
        stage.folders.setWatchDirectory(of: address.watch, exists: exists)
    }

    var watchDirectoryPath: String? { stage.folders.watchDirectory(of: address.watch) }

    func wake(at deadline: Instant?) {
        change { $0.halves[address]?.wakeAt = deadline }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let isAlive = stage.world.withLock { $0.life(of: address.device) == life && $0.hasPower(address.device) }
        if isAlive { stage.enqueue(work, of: address) }
    }

    func trace(_ event: TraceEvent) {
        guard case .warning = event else { return change { $0.note(address.device, event) } }
        // That an app goes on after its device lost its power is told, too.
        stage.world.withLock { $0.note(address.device, event) }
    }
}

/// The simulated disk does not take anything.
struct DiskFailure: Error, CustomStringConvertible {
    var description: String { "the disk fails, as the test wants it; set TestDevice.disk to .works" }
}
