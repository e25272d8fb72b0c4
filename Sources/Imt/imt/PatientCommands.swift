import ArgumentParser
import Commands
import Foundation
import ImtApp
import ImtModel
import ImtPhone
import Text

/// Lists patients.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists patients: a page, or what is found by the beginnings of words.")

    @Argument(help: "The beginnings of words of names.") var find: [String] = []
    @Option(help: ArgumentHelp("The page, from 1.", valueName: "number")) var page = 1
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var state: StateOptions

    func validate() throws {
        guard (1...1_000_000).contains(page) else { throw ValidationError("--page is \(page): give 1 to 1000000") }
    }

    func run() async throws {
        let request = ClinicRequest.list(page: page - 1, find: find.joined(separator: " "))
        guard case .listed(let listed) = try await state.ask(request) else { return }
        if json { return Output.standard.line(try CanonicalJSON.output(listed)) }
        var table = TextTable("PATIENT", "BORN", "TRANSFORMATIONS", "PHOTOS", "ID")
        for one in listed.patients {
            table.add(
                one.patient.fullName, one.patient.birth?.text ?? "", "\(one.count)",
                one.sides.map(\.rawValue).joined(separator: "+"), "\(one.patient.id)")
        }
        for line in table.lines { Output.standard.line(line) }
        Output.standard.line("page \(listed.number + 1) of \(listed.pageCount)")
    }
}

/// Adds a patient.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a patient.")

    @Argument(help: "The first name.") var given: String
    @Argument(help: "The family name.") var family = ""
    @Option(help: ArgumentHelp("The date of birth.", valueName: "day")) var birth = ""
    @OptionGroup var state: StateOptions

    func run() async throws { try await state.change(.addPatient(given: given, family: family, birth: birth)) }
}

/// Adds a transformation.
struct TransformationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transformation", abstract: "Adds a transformation to a patient.")

    @Argument(help: "The patient: names, their beginnings, or the id.") var patient: String
    @Argument(help: "Its name.") var name = ""
    @OptionGroup var state: StateOptions

    func run() async throws { try await state.change(.addTransformation(patient: patient, name: name)) }
}

/// Notes a consent.
struct ConsentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent", abstract: "Notes what a patient agrees to; what is withdrawn is recalled from watches.")

    @Argument(help: "The patient.") var patient: String
    @Argument(help: "clinical or marketing.") var purpose: Purpose
    @Argument(help: "yes, no or unasked.") var answer: String
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard let isGiven = ["yes": true, "no": false, "unasked": Bool?.none][answer] else {
            throw ValidationError("\"\(answer)\" is no answer: give yes, no or unasked")
        }
        try await state.change(.consent(patient: patient, purpose: purpose, isGiven: isGiven))
    }
}

/// Takes in a picture.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Takes in a JPEG; the page takes what a browser can read.",
        discussion: "The picture's own time counts, else that of the file, which is marked as estimated.")

    @Argument(help: "The patient.") var patient: String
    @Argument(help: "The transformation: its name or its id.") var transformation: String
    @Argument(help: "before or after.") var side: Side
    @Argument(help: "The JPEG.") var file: String
    @Option(help: ArgumentHelp("front, left or right.", valueName: "view")) var view = FaceView.front
    @Flag(help: "Take the place of the photo that is there.") var replace = false
    @OptionGroup var state: StateOptions

    func run() async throws {
        try await state.change(
            .importPhoto(
                patient: patient, transformation: transformation, side: side, view: view, path: absolute(file),
                replaces: replace))
    }
}

/// Writes the files of a patient.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes what may be used for a purpose: photos, a manifest, FHIR R4.")

    @Argument(help: "The patient.") var patient: String
    @Argument(help: "The folder, which must not exist.") var folder: String
    @Option(name: .customLong("for"), help: ArgumentHelp("clinical or marketing.", valueName: "purpose"))
    var purpose = Purpose.clinical
    @OptionGroup var state: StateOptions

    func run() async throws {
        try await state.change(.export(patient: patient, purpose: purpose, path: absolute(folder)))
    }
}

/// Erases a patient.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erases a patient with all photos; this cannot be undone.")

    @Argument(help: "The patient.") var patient: String
    @Flag(name: .customLong("yes"), help: "Do not ask.") var isConfirmed = false
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard isConfirmed else { throw ValidationError("this cannot be undone: add --yes to erase \(patient)") }
        try await state.change(.erase(patient: patient))
    }
}

/// Shows the log.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Prints the log, newest first: who did what, when, from which watch.")

    @Option(help: ArgumentHelp("How many entries.", valueName: "count")) var limit = 50
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .audit(let entries) = try await state.ask(.audit(limit: max(1, limit))) else { return }
        if json { return Output.standard.line(try CanonicalJSON.output(entries)) }
        var table = TextTable("WHEN", "WHO", "WHAT", "ABOUT", "")
        for one in entries { table.add(one.at, one.who, one.action, one.subject, one.detail) }
        for line in table.lines { Output.standard.line(line) }
    }
}

/// Writes a backup.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Writes a backup into a new folder; the master key is not in it.")

    @Argument(help: "The folder, which must not exist.") var folder: String
    @OptionGroup var state: StateOptions

    func run() async throws { try await state.change(.backup(path: absolute(folder))) }
}

/// Takes over a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Takes over a backup in place of everything, while no phone runs.",
        discussion: "Patients that were erased here since the backup are erased again.")

    @Argument(help: "The folder of the backup.") var folder: String
    @OptionGroup var state: StateOptions

    func run() async throws { try await state.change(.restore(path: absolute(folder))) }
}

/// A code for a watch.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Prints a code with which a watch of another machine pairs.")

    @OptionGroup var state: StateOptions

    func run() async throws {
        guard case .code(let code) = try await state.ask(.invite) else { return }
        Output.standard.line(code)
    }
}

/// The watches.
struct WatchesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watches", abstract: "Lists the watches and what they may do, changes that, or recalls photos.")

    @OptionGroup var grants: GrantOptions
    @Option(help: ArgumentHelp("Recall every photo from a watch: its name.", valueName: "watch")) var recall: String?
    @OptionGroup var state: StateOptions

    func run() async throws {
        if let recall { return try await state.change(.recall(watch: recall)) }
        let changes = try grants.changes(among: ImtApp.grants.map(\.0))
        for change in changes {
            try await appearing {
                try await state.change(.grant(watch: change.watch, grant: change.grant, isGiven: change.isGiven))
            }
        }
        guard changes.isEmpty, case .watches(let all) = try await state.ask(.watches) else { return }
        GrantOptions.list(all.map { ($0.name, $0.grants) }, rest: "nothing")
    }

    /// Does something, again while a watch that was just started is not known yet.
    private func appearing(_ work: () async throws -> Void) async throws {
        for _ in 0..<50 {
            do {
                return try await work()
            } catch let failure as CommandFailure where failure.exitStatus == .notFound {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        try await work()
    }
}
