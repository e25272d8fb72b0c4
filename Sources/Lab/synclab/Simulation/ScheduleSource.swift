import ArgumentParser
import CommandSupport
import Foundation
import SyncSimulation

/// The schedule for a command: a file, or the one of a seed.
struct ScheduleSource: ParsableArguments {
    @Argument(help: ArgumentHelp("A schedule that was kept, as JSON.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("The seed of the run, in place of a file.", valueName: "n"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("The number of watches, 1 to 16; else the seed draws it.", valueName: "n"))
    var watches: Int?

    func validate() throws {
        if file != nil, seed != nil { throw Self.oneOfTwo }
        try WatchCount.check(watches)
    }

    private static var oneOfTwo: ValidationError {
        ValidationError("give the file of a schedule or --seed N, one of the two")
    }

    /// Whether neither a file nor a seed is given.
    var isEmpty: Bool { file == nil && seed == nil }

    /// Asks for one of the two.
    func validateIsGiven() throws {
        if isEmpty { throw Self.oneOfTwo }
    }

    /// What it is called in messages.
    var name: String { file ?? "seed \(seed ?? 0)" }

    /// The schedule.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read or contains no schedule.
    var schedule: Schedule {
        get throws {
            var schedule = try file.map(Self.read) ?? Schedule(seed: seed ?? 0)
            if let watches { schedule.watchCount = watches }
            return schedule
        }
    }

    /// Reads the file of a schedule.
    static func read(_ path: String) throws -> Schedule {
        let text: String
        do {
            text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw CommandFailure("cannot read the schedule \(path): \(SystemErrorText.of(error))")
        }
        do throws(ScheduleError) {
            return try Schedule(json: text)
        } catch {
            throw CommandFailure("\(path) is not a schedule: \(error)")
        }
    }
}

/// The number of watches of a run.
enum WatchCount {
    static func check(_ count: Int?) throws {
        guard let count, !(1...16).contains(count) else { return }
        throw ValidationError("--watches is \(count), expected a number from 1 to 16")
    }
}

/// A text as a file.
enum KeptFile {
    /// Checks that a file can be written, before work is done for it; leaves nothing behind.
    ///
    /// A file is first written beside its final place, so this check does the same.
    static func check(_ path: String) throws {
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure("cannot write \(path): it is a folder; name a file in it")
        }
        let place = URL(filePath: path)
        let trial = place.deletingLastPathComponent().appending(path: ".\(place.lastPathComponent).\(getpid())")
        do {
            try Data().write(to: trial)
            try FileManager.default.removeItem(at: trial)
        } catch {
            throw CommandFailure("cannot write \(path): \(SystemErrorText.of(error)); name another file")
        }
    }

    static func write(_ text: String, to path: String) throws {
        do {
            try text.write(to: URL(filePath: path), atomically: true, encoding: .utf8)
        } catch {
            throw CommandFailure("cannot write \(path): \(SystemErrorText.of(error))")
        }
    }
}
