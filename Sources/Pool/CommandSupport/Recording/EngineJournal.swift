import Foundation
import Platform
package import SyncCore
package import SyncSimulation
import SyncTransport

/// Passes what a link reports to a recorder.
package final class JournalRecording: HubRecording, WatchRecording {
    private let recorder: Lock<EngineRecorder>

    package init(_ recorder: EngineRecorder) {
        self.recorder = Lock(recorder)
    }

    package func began(
        _ ledger: LedgerState, transfers: [PeerKey: TransferState], seed: UInt64, at moment: Moment,
        outputs: [HubEngine.Output]
    ) {
        recorder.withLock { $0.began(ledger, transfers: transfers, seed: seed, at: moment, outputs: outputs) }
    }

    package func stepped(_ input: HubEngine.Input, at moment: Moment, outputs: [HubEngine.Output]) {
        recorder.withLock { $0.stepped(input, at: moment, outputs: outputs) }
    }

    package func began(
        _ configuration: WatchEngine.Configuration, _ loaded: WatchEngine.State, seed: UInt64, at moment: Moment,
        outputs: [WatchEngine.Output]
    ) {
        recorder.withLock { $0.began(configuration, loaded, seed: seed, at: moment, outputs: outputs) }
    }

    package func stepped(_ input: WatchEngine.Input, at moment: Moment, outputs: [WatchEngine.Output]) {
        recorder.withLock { $0.stepped(input, at: moment, outputs: outputs) }
    }
}

/// Opens the journal of an engine.
package enum EngineJournal {
    /// A recorder that continues a file.
    ///
    /// It first removes a record that a crash cut short at the end of the file, and nothing else.
    ///
    /// The recorder writes without waiting for the disk: its data survives a crash of the process, but not of the
    /// machine.
    ///
    /// - Parameters:
    ///   - path: The file; only this user can read it.
    ///   - name: The name of the device for people.
    ///   - key: The public key by which the others know it.
    ///   - versions: The versions of the records that it reads; the present ones by default.
    ///   - application: The application that its engine belongs to.
    /// - Returns: The recording to pass to the link.
    /// - Throws: ``CommandFailure`` if the file cannot be written, is damaged, or is something else than the device's
    ///   journal.
    package static func open(
        _ path: String, name: String, key: PeerKey, versions: ClosedRange<UInt32>? = nil,
        of application: JournalApplication
    ) throws -> JournalRecording {
        let device = JournalDevice(
            name: name, key: key, versions: versions ?? application.versions, application: application.name)
        let file = unsafe Foundation.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw CommandFailure("cannot open the journal \(path): \(SystemErrorText.of(number: errno))")
        }
        let whole: Int
        do {
            let bytes = Array(try Data(contentsOf: URL(filePath: path)))
            whole = try JournalFile.wholeByteCount(bytes)
            if let owner = try JournalFile.device(bytes), owner.key != key || owner.application != application.name {
                throw JournalError.malformed("it is that of another device, \(owner.name): name another file")
            }
        } catch {
            close(file)
            throw CommandFailure("cannot go on with the journal \(path): \(JournalErrorFormatter.of(error))")
        }
        guard ftruncate(file, off_t(whole)) == 0 else {
            close(file)
            throw CommandFailure("cannot cut the journal \(path): \(SystemErrorText.of(number: errno))")
        }
        // The end of the process closes the file; the engine runs until then.
        let recorder = EngineRecorder(device: device, of: application, byteCount: whole) { bytes in
            // The buffer has the given number of bytes.
            unsafe write(file, bytes, bytes.count) == bytes.count
        }
        return JournalRecording(recorder)
    }
}

/// Formats what is wrong with a journal.
package enum JournalErrorFormatter {
    package static func of(_ error: any Error) -> String {
        switch error {
        case JournalError.notAJournal: "it is not an engine journal"
        case JournalError.damaged(let record, let offset):
            "record \(record), at byte \(offset), is damaged: take an undamaged copy of the file, or name another one"
        case JournalError.malformed(let text): text
        default: SystemErrorText.of(error)
        }
    }
}
