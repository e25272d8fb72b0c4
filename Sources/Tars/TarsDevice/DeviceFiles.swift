package import Appliances
import Foundation
import PINPairing
import Platform
import TarsModel
import Text

/// What a device keeps over restarts and power cuts.
struct DeviceMemory: Codable, Sendable {
    /// Its settings, position and last answers.
    var record: DeviceRecord
    /// The tries of PINs, and the key that it shares with its owner's phone.
    var pairing = PairingRecord()
}

/// The files of a device: its memory, and the log of its motor.
final class DeviceFiles {
    private let memoryPath: String
    private let log: FileHandle

    /// Opens the files of a device, which are created if they are not there.
    ///
    /// - Throws: What the file system says.
    init(folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        memoryPath = "\(folder)/device.json"
        let logPath = "\(folder)/motor.log"
        if !FileManager.default.fileExists(atPath: logPath) {
            try NewFile.write([], to: logPath)
        }
        log = try FileHandle(forWritingTo: URL(filePath: logPath))
        try log.seekToEnd()
    }

    /// What was kept; nil in a new folder.
    ///
    /// - Throws: ``DeviceProblem`` if the file is damaged.
    func memory() throws -> DeviceMemory? {
        guard let bytes = FileManager.default.contents(atPath: memoryPath) else { return nil }
        do {
            return try CanonicalJSON.decode(DeviceMemory.self, from: Array(bytes))
        } catch {
            throw DeviceProblem(
                "\(memoryPath) is damaged (\(error)): remove it to begin with a new device, which must be paired again")
        }
    }

    /// Keeps the memory; when this returns, it survives a power cut.
    func keep(_ memory: DeviceMemory) throws { try NewFile.write(try CanonicalJSON.encode(memory), to: memoryPath) }

    /// Writes a movement to the log: nanoseconds of the monotonic clock, id, movement, origin.
    func note(_ movement: Movement, at now: Instant) throws {
        let line = "\(now.nanoseconds)\t\(movement.id)\t\(movement.text)\t\(movement.origin.rawValue)\n"
        try log.write(contentsOf: Data(line.utf8))
    }
}

/// Why a device cannot go on, in a sentence with the way out.
package struct DeviceProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// One line of a motor's log.
package struct MotorLogLine: Hashable, Sendable {
    /// The command that moved it.
    package var id: Command.ID
    /// What moved.
    package var movement: String
    /// The way of the command: `short`, `bridge` or `timer`.
    package var origin: String

    /// Reads a whole log.
    ///
    /// - Returns: The movements in their order, without a last line that a power cut tore.
    package static func all(of text: String) -> [MotorLogLine] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t")
            guard parts.count == 4, let id = Command.ID(String(parts[1])) else { return nil }
            return MotorLogLine(id: id, movement: String(parts[2]), origin: String(parts[3]))
        }
    }
}
