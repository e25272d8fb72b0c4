import Foundation
import SyncCore
import TestSupport
import Testing

@testable import WatchConnectivity

/// What WatchConnectivity stores and sends, byte by byte: one example of each record.
///
/// `Fixtures/records/watchconnectivity.txt` has a line for each, its name and its bytes in hexadecimal. What apps' folders
/// hold and what older peers send must always be readable. BLESS=1 in the environment writes the file anew.
@Suite struct StoredBytesTests {
    private static let file = Repository.url("Fixtures/records/watchconnectivity.txt")

    private let id = RandomID(high: 0x0102_0304_0506_0708, low: 0xF1F2_F3F4_F5F6_F7F8)
    private let version = ContextVersion(incarnation: RandomID(high: 7, low: 8), number: 9)

    @Test func `each record has the bytes that it had, and is read from them`() throws {
        let examples = try envelopes() + stored()
        let text = examples.map { "\($0.name)\t\(hexadecimal($0.bytes))\n" }.joined()
        if ProcessInfo.processInfo.environment["BLESS"] == "1" { try Data(text.utf8).write(to: Self.file) }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == text)
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func envelopes() throws -> [(name: String, bytes: [UInt8])] {
        var status = DeviceStatus()
        (status.appState, status.isInstalled, status.isComplicationEnabled) = (.foreground, true, true)
        (status.isLocked, status.isWatchOnly) = (false, true)
        var unready = DeviceStatus()
        (unready.appState, unready.isActivated) = (.foreground, false)
        var elsewhere = DeviceStatus()
        (elsewhere.appState, elsewhere.usesOtherWatch) = (.background, true)
        let payload = try PropertyList.dictionary([
            "text": .string("Grüße"), "count": .integer(-3), "value": .real(7.25), "isOn": .boolean(true),
            "bytes": .data([0, 255]), "list": .array([.integer(1), .string("a")]),
        ]).encoded()
        let envelopes: [(String, Envelope)] = [
            ("status", .status(status)), ("status not activated", .status(unready)),
            ("status of a phone with another watch", .status(elsewhere)),
            ("context", .context(version, payload)),
            ("dictionary", .live(isData: false, timeoutMilliseconds: 60_000, payload)),
            ("data", .live(isData: true, timeoutMilliseconds: 1, [1, 2, 3])), ("drop", .drop(id)),
        ]
        return envelopes.map { name, envelope in
            #expect(Envelope(envelope.encoded) == envelope)
            return ("envelope \(name)", envelope.encoded)
        }
    }

    private func stored() throws -> [(name: String, bytes: [UInt8])] {
        let context = ContextQueue.Versioned(version: version, payload: [1, 2])
        #expect(ContextQueue.Versioned(context.packed) == context)
        var examples: [(name: String, bytes: [UInt8])] = [("context", context.packed)]
        let stages: [UserInfoQueue.Stage] = [.held, .cancelled, .finished(nil), .finished(.deliveryFailed)]
        for (number, stage) in stages.enumerated() {
            let bytes = try #require(stage.packed)
            #expect(UserInfoQueue.Stage(bytes) == stage)
            examples.append(("user info mark \(number)", bytes))
        }
        let digest = try #require(FileDigest(bytes: (0..<32).map { UInt8($0) }))
        var file = QueuedFile(id: id, path: "/tmp/Grüße.csv", metadata: [1, 2], stage: .storing)
        examples.append(("file", file.packed))
        file.copy = PeerState.CopiedFile(file: "17", name: "Grüße.csv", byteCount: 300, digest: digest)
        let marks: [QueuedFile.Stage] = [
            .copied, .held(id), .cancelled(nil), .cancelled(id), .finished(nil, id), .finished(.payloadTooLarge, nil),
        ]
        for (number, mark) in marks.enumerated() {
            file.stage = mark
            var read = try #require(QueuedFile(file.packed))
            #expect(read.id == file.id && read.path == file.path && read.metadata == file.metadata)
            read.take(file.packedMark)
            #expect(read.stage == mark && read.copy == file.copy)
            examples.append(("file mark \(number)", file.packedMark))
        }
        return examples
    }
}
