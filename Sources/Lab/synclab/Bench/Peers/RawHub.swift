import Foundation
import PoolControl
import ZeroMQ

/// The bare hub of a run: one ROUTER on one thread.
struct RawHub {
    private let workload: Workload

    init(_ workload: Workload) {
        self.workload = workload
    }

    func run() throws {
        let context = try Context(maxSockets: 64)
        let router = try Socket(context, .router, options: try BenchSockets.hub())
        let endpoint = try router.bind(try Endpoint("tcp://127.0.0.1:*"))
        var poller = Poller()
        _ = poller.add(router, for: .input)
        PartReport.send(HubStart(endpoint: endpoint.text))
        let before = try ProcessFacts.byteCount()
        let watches = try welcome(router, &poller)
        Thread.sleep(forTimeInterval: workload.pauseSeconds)
        let perWatch = Double(try ProcessFacts.byteCount() - before) / Double(workload.watchCount)
        let meter = Meter()
        switch workload.work {
        case .flood(let milliseconds, let byteCount): try flood(watches, router, milliseconds, byteCount)
        case .rest(let milliseconds): Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        case .file(let byteCount): try serveFile(of: byteCount, to: watches[0], router, &poller)
        case .ask, .converse: break
        }
        PartReport.send(meter.report(byteCountPerWatch: perWatch))
        try answer(router, &poller)
    }

    /// Waits until all watches have sent their first message.
    private func welcome(_ router: borrowing Socket, _ poller: inout Poller) throws -> [RoutingID] {
        var watches: [RoutingID] = []
        while watches.count < workload.watchCount {
            _ = try poller.wait(timeout: nil)
            // No further message is read: the first question may have come already, and is answered later.
            while watches.count < workload.watchCount, let message = try router.receive() {
                guard let watch = message.routingID else { continue }
                watches.append(watch)
                _ = try router.send([LoadMark.hello], to: watch)
            }
        }
        return watches
    }

    /// Sends to each in turn as long as there is room.
    private func flood(
        _ watches: [RoutingID], _ router: borrowing Socket, _ milliseconds: Int, _ byteCount: Int
    ) throws {
        let blob = [UInt8](repeating: 0x5A, count: byteCount)
        let sizes = LoadMark.frameByteCounts
        let message =
            workload.side == .raw
            ? [blob]
            : [[UInt8](repeating: 7, count: sizes.header), [UInt8](repeating: 7, count: sizes.body), blob]
        let end = ProcessFacts.now + Double(milliseconds) / 1000
        while ProcessFacts.now < end {
            var hasRoom = false
            for watch in watches where try router.send(message, to: watch) == .sent { hasRoom = true }
            if !hasRoom { usleep(100) }
        }
        for watch in watches {
            while try router.send([LoadMark.end], to: watch) == .wouldBlock { usleep(100) }
        }
    }

    /// Sends a file in chunks as the watch gives credit, until the watch reports that it has the whole file.
    private func serveFile(
        of byteCount: Int, to watch: RoutingID, _ router: borrowing Socket, _ poller: inout Poller
    ) throws {
        let chunk = [UInt8](repeating: 0x5A, count: RawFile.chunkByteCount)
        var sent = 0
        var credit = RawFile.creditByteCount
        while true {
            while sent < byteCount, credit > 0, try router.send([chunk], to: watch) == .sent {
                sent += chunk.count
                credit -= chunk.count
            }
            _ = try poller.wait(timeout: nil)
            while let message = try router.receive() {
                if message.frames.last == RawFile.done { return }
                credit += RawFile.creditByteCount / 2
            }
        }
    }

    /// Returns every message to its sender, without end.
    private func answer(_ router: borrowing Socket, _ poller: inout Poller) throws {
        while true {
            _ = try poller.wait(timeout: nil)
            while let message = try router.receive() {
                if let watch = message.routingID { _ = try router.send(message.frames, to: watch) }
            }
        }
    }
}
