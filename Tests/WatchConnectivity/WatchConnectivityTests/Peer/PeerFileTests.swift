import SyncCore
import Testing

@testable import WatchConnectivity

/// Files.
@Suite struct PeerFileTests {
    private func names(_ calls: [PeerState.Call]) -> [String] {
        calls.compactMap { if case .file(let offer) = $0 { offer.name } else { nil } }
    }

    private func results(_ calls: [PeerState.Call]) -> [(id: RandomID, code: WCError.Code?)] {
        calls.compactMap { if case .didFinishFile(let file, let code) = $0 { (file.id, code) } else { nil } }
    }

    @Test func `a file arrives with its name and metadata, and its sender learns it`() throws {
        // Rules R118, R121, R125, R128.
        let link = TestLink.active()
        let bytes = [UInt8](repeating: 5, count: 1_000_000)
        link.watch.paths["/a/b.txt"] = bytes
        let id = link.id()
        link.watch.transferFile(id, "/a/b.txt", metadata: [9])
        #expect(link.watch.peerState.outstandingFiles.map(\.path) == ["/a/b.txt"])
        // It was copied: the source may go (rule R124).
        link.watch.paths = [:]
        link.settle()
        guard case .file(let offer) = try #require(link.phone.claim().first) else { return }
        #expect(offer.name == "b.txt")
        #expect(offer.metadata == [9])
        #expect(offer.byteCount == 1_000_000)
        let calls = link.watch.claim()
        #expect(results(calls).map(\.code) == [nil])
        #expect(calls.contains { if case .fileProgress(id, _, of: 1_000_000) = $0 { true } else { false } })
        #expect(link.watch.peerState.outstandingFiles.isEmpty)
        // Rule R119: what the app left is removed.
        #expect(link.phone.folder.received.isEmpty)
        #expect(link.watch.folder.copies.isEmpty)
        #expect(link.watch.stored.keys.filter { $0.hasPrefix("file.") || $0.hasPrefix("filemark.") }.isEmpty)
    }

    @Test func `a file that the app has had is not given again by a driver that did not hear so in time`() {
        // Rule R158: the app was called while its link was exchanged for another one.
        let link = TestLink.active()
        let offer = FileOffer(
            id: link.id(), name: "a.txt", byteCount: 0, digest: TestFolder.digest(of: []), metadata: [])
        for arrived in [["a.txt"], []] {
            link.phone.feed(.engineEvent(.files(.received(offer))))
            link.settle()
            #expect(names(link.phone.claim()) == arrived)
        }
    }

    @Test func `files keep their order though their copies are ready in any`() {
        // Rule R126.
        let link = TestLink.active()
        link.watch.copiesAtOnce = false
        let ids = (0..<3).map { _ in link.id() }
        for (number, id) in ids.enumerated() {
            link.watch.paths["/\(number)"] = [UInt8(number)]
            link.watch.transferFile(id, "/\(number)")
        }
        for id in ids.reversed() {
            link.watch.finishCopy(id)
            link.settle()
        }
        #expect(names(link.phone.claim()) == ["0", "1", "2"])
        #expect(results(link.watch.claim()).map(\.id) == ids)
    }

    @Test func `more files than the engine takes wait without a sign`() {
        // Rules R99, R126.
        let link = TestLink.active()
        let wanted = (0..<300).map { "\($0)" }
        for name in wanted {
            link.watch.paths["/" + name] = Array(name.utf8)
            link.watch.transferFile(link.id(), "/" + name)
        }
        link.settle()
        link.advance(.seconds(60))
        #expect(names(link.phone.claim()) == wanted)
        #expect(results(link.watch.claim()).count == 300)
    }

    @Test func `errors come by didFinish`() {
        // Rules R122, R127, R147, R149.
        var behaviour = SessionBehaviour()
        behaviour.fileByteCountMax = 10
        let link = TestLink.active(behaviour)
        link.watch.paths["/large"] = Array(repeating: 0, count: 11)
        link.watch.transferFile(link.id(), "/missing")
        link.watch.transferFile(link.id(), "/large")
        link.watch.feed(
            .transferFile(
                link.id(), path: "/x", metadata: .unsupported(keyPath: "k", type: "NSNull"), hasDelegate: true))
        link.watch.feed(.transferFile(link.id(), path: "/x", metadata: nil, hasDelegate: false))
        link.phone.folder.isFull = true
        link.watch.paths["/fits"] = [1]
        link.watch.transferFile(link.id(), "/fits")
        link.settle()
        #expect(
            results(link.watch.claim()).map(\.code) == [
                .fileAccessDenied, .payloadTooLarge, .payloadUnsupportedTypes, .sessionMissingDelegate,
                .insufficientSpace,
            ])
        #expect(link.watch.folder.copies.isEmpty)
        #expect(link.watch.peerState.outstandingFiles.isEmpty)
    }

    @Test func `an error of which no process has heard is told to the next one`() {
        let link = TestLink.active()
        link.phone.folder.isFull = true
        link.watch.paths["/fits"] = [1]
        link.watch.transferFile(link.id(), "/fits")
        link.watch.feed(.appState(.notRunning))
        link.settle()
        link.restart(link.watch)
        link.watch.calls = []
        link.watch.feed(.appState(.foreground))
        link.watch.feed(.activate(hasDelegate: true))
        link.settle()
        #expect(results(link.watch.claim()).map(\.code) == [.insufficientSpace])
    }

    @Test func `files outlive processes on both sides`() {
        // Rules R90, R93, R118, R156.
        let link = TestLink.active()
        link.close()
        link.watch.copiesAtOnce = false
        link.watch.paths["/a"] = [1]
        let id = link.id()
        link.watch.transferFile(id, "/a")
        // The process ends before the copy is ready: it is made again.
        link.restart(link.watch)
        #expect(link.watch.copying.map(\.id) == [id])
        link.watch.finishCopy(id)
        link.restart(link.watch)
        link.phone.feed(.appState(.notRunning))
        link.open()
        link.restart(link.watch)
        link.restart(link.phone)
        for device in link.devices {
            device.calls = []
            device.feed(.appState(.foreground))
            device.feed(.activate(hasDelegate: true))
        }
        #expect(names(link.phone.claim()) == ["a"])
        #expect(results(link.watch.claim()).map(\.id) == [id])
    }

    @Test func `what is held of a file is let go when its copy is recorded, or when nobody wants it`() {
        // Rule R124: until then only what is held outlives the process.
        let link = TestLink.active()
        link.close()
        link.watch.copiesAtOnce = false
        link.watch.paths["/a"] = [1]
        let (kept, cancelled, missing) = (link.id(), link.id(), link.id())
        link.watch.transferFile(kept, "/a")
        link.watch.isDiskFull = true
        link.watch.finishCopy(kept)
        #expect(link.watch.releaseOriginal.isEmpty)
        // The copy is whole, and the process ends before that is recorded.
        link.watch.isDiskFull = false
        link.restart(link.watch)
        #expect(link.watch.peerState.filesToCopy == [kept])
        link.watch.finishCopy(kept)
        #expect(link.watch.releaseOriginal == [kept])
        #expect(link.watch.peerState.filesToCopy.isEmpty)
        link.watch.feed(.appState(.foreground))
        link.watch.feed(.activate(hasDelegate: true))
        link.watch.transferFile(cancelled, "/a")
        link.watch.feed(.cancel(cancelled))
        link.watch.transferFile(missing, "/b")
        link.watch.finishCopy(missing)
        link.open()
        link.settle()
        #expect(link.watch.releaseOriginal == [kept, cancelled, missing])
    }

    @Test func `a file that is copied within the call is recorded with it, and one that is refused is released`() {
        // Rule R124
        let link = TestLink.active()
        link.close()
        let copy = PeerState.CopiedFile(
            file: "copy", name: "a", byteCount: 1, digest: TestFolder.digest(of: [1]))
        link.watch.folder.copies["copy"] = [1]
        let id = link.id()
        link.watch.feed(.transferFile(id, path: "/a", metadata: nil, copy: copy, hasDelegate: true))
        link.restart(link.watch)
        #expect(link.watch.peerState.copies == ["copy"])
        #expect(link.watch.copying.isEmpty)
        for device in link.devices {
            device.feed(.appState(.foreground))
            device.feed(.activate(hasDelegate: true))
        }
        let refused = PeerState.CopiedFile(
            file: "refused", name: "a", byteCount: 1, digest: TestFolder.digest(of: [1]))
        for isDiskFull in [false, true] {
            link.watch.folder.copies["refused"] = [1]
            link.watch.isDiskFull = isDiskFull
            link.watch.feed(
                .transferFile(link.id(), path: "/a", metadata: nil, copy: refused, hasDelegate: isDiskFull))
            #expect(link.watch.folder.copies["refused"] == nil)
        }
        link.watch.isDiskFull = false
        link.open()
        link.settle()
        #expect(names(link.phone.claim()) == ["a"])
        #expect(results(link.watch.claim()).map(\.code) == [.sessionMissingDelegate, .genericError, nil])
        #expect(link.watch.releaseOriginal.isEmpty)
    }

    @Test func `a crash between the engine and the peerState's disk neither repeats nor loses a file`() {
        // Rules R93, R126: the file was handed over, and sent, and nothing of that is stored.
        let link = TestLink.active()
        link.watch.copiesAtOnce = false
        link.watch.paths["/a"] = [1]
        let id = link.id()
        link.watch.transferFile(id, "/a")
        // Everything that follows the copy is lost but the copy itself.
        link.close()
        link.watch.finishCopy(id)
        let copy = link.watch.peerState.files.transfers[1]?.copy
        let beforeHandOver = QueuedFile(id: id, path: "/a", metadata: nil, copy: copy, stage: .copied).packedMark
        var copied = link.watch.stored
        copied["filemark.0000000000000001"] = beforeHandOver
        link.watch.losesResultTaken = true
        link.open()
        link.advance(.seconds(1))
        #expect(names(link.phone.claim()) == ["a"])
        link.watch.stored = copied
        link.watch.losesResultTaken = false
        link.restart(link.watch)
        link.open()
        link.advance(.seconds(5))
        link.watch.calls = []
        link.watch.feed(.appState(.foreground))
        link.watch.feed(.activate(hasDelegate: true))
        #expect(names(link.phone.claim()).isEmpty)
        let ends = results(link.watch.claim())
        #expect(ends.map(\.id) == [id])
        #expect(ends.map(\.code) == [nil])
        #expect(link.watch.stored.keys.filter { $0.hasPrefix("file.") }.isEmpty)
    }

    @Test func `a cancelled file does not arrive, at no stage`() {
        // Rule R131.
        let link = TestLink.active()
        link.phone.feed(.appState(.suspended))
        link.watch.copiesAtOnce = false
        let ids = (0..<4).map { _ in link.id() }
        for (number, id) in ids.enumerated() {
            link.watch.paths["/\(number)"] = Array(repeating: 1, count: 50_000)
            link.watch.transferFile(id, "/\(number)")
        }
        link.watch.feed(.cancel(ids[0]))
        link.watch.finishCopy(ids[0])
        link.watch.finishCopy(ids[2])
        link.watch.feed(.cancel(ids[2]))
        link.watch.finishCopy(ids[1])
        link.watch.feed(.cancel(ids[1]))
        link.watch.finishCopy(ids[3])
        link.settle()
        #expect(link.watch.peerState.outstandingFiles.isEmpty)
        link.phone.feed(.appState(.foreground))
        #expect(names(link.phone.claim()) == ["3"])
        #expect(results(link.watch.claim()).map(\.id) == [ids[3]])
        #expect(link.watch.folder.copies.isEmpty)
    }

    @Test func `a file that the other device has whole is dropped there if it is cancelled in time`() {
        // Rule R97.
        let link = TestLink.active()
        link.phone.feed(.appState(.suspended))
        link.watch.paths["/a"] = Array(repeating: 1, count: 50_000)
        let id = link.id()
        link.watch.transferFile(id, "/a")
        // Until the receiver has it whole, and its DONE is under way.
        while link.phone.folder.received.isEmpty {
            if !link.watch.frames.isEmpty { link.phone.receive(link.watch.frames.removeFirst()) }
            guard link.phone.folder.received.isEmpty else { break }
            if !link.phone.frames.isEmpty { link.watch.receive(link.phone.frames.removeFirst()) }
        }
        link.watch.feed(.cancel(id))
        link.settle()
        link.phone.feed(.appState(.foreground))
        #expect(names(link.phone.claim()).isEmpty)
        #expect(results(link.watch.claim()).isEmpty)
        #expect(link.watch.stored.keys.filter { $0.hasPrefix("file.") }.isEmpty)
    }
}
