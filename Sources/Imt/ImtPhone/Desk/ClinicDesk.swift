package import Companion
import Foundation
import ImtApp
import ImtModel
import Platform
import SyncStore
import WatchConnectivity

/// Answers the commands of the phone's machine, with a running phone or on the folder of one that does not run.
package struct ClinicDesk: Sendable {
    private let clinic: Clinic
    /// The watches; nil while no phone runs.
    private let host: PhoneHost<WristDesk>?

    package init(_ clinic: Clinic, host: PhoneHost<WristDesk>? = nil) {
        self.clinic = clinic
        self.host = host
    }

    /// Answers a command in the bytes of the socket.
    func answer(_ bytes: [UInt8]) async -> [UInt8] {
        var reply = ClinicReply.problem(
            "this command is of another version: update the program, and start the phone again", kind: .failed)
        if let request = try? CanonicalJSON.decode(ClinicRequest.self, from: bytes) {
            if case .restore = request {
                // The folder of a running phone is not exchanged below it.
                reply = .problem("the phone runs: stop it, then restore", kind: .refused)
            } else {
                reply = await answer(request)
            }
        }
        return CanonicalJSON.bytes(ofEncodable: reply)
    }

    /// Answers a command.
    package func answer(_ request: ClinicRequest) async -> ClinicReply {
        do {
            return try await carryOut(request)
        } catch let problem as ImtProblem {
            return .problem(problem.description, kind: problem.kind)
        } catch {
            return .problem("\(error)", kind: .failed)
        }
    }

    private func carryOut(_ request: ClinicRequest) async throws -> ClinicReply {
        let author = Author.commandLine
        switch request {
        case .list(let page, let text): return .listed(try await clinic.list(page, find: text))
        case .addPatient(let given, let family, let birth):
            let patient = try await clinic.add(given: given, family: family, birth: birth, by: author)
            return .done("added \(patient.fullName), \(patient.id)")
        case .consent(let name, let purpose, let isGiven):
            let patient = try await clinic.patient(named: name)
            _ = try await clinic.consent(patient.id, purpose, isGiven, by: author)
            let words = isGiven.map { $0 ? "agrees to" : "does not agree to" } ?? "was not asked about"
            return .done("\(patient.fullName) \(words) the \(purpose.rawValue) use of photos")
        case .addTransformation(let name, let title):
            let patient = try await clinic.patient(named: name)
            let one = try await clinic.addTransformation(of: patient.id, name: title, by: author)
            return .done("added \(one.name?.text ?? "a transformation") of \(patient.fullName), \(one.id)")
        case .importPhoto(let name, let title, let side, let view, let path, let replaces):
            return try await importPhoto(name, title, side, view, path, replaces)
        case .export(let name, let purpose, let path): return try await export(name, purpose, to: path)
        case .erase(let name):
            let patient = try await clinic.patient(named: name, isWhole: true)
            let count = try await clinic.erase(patient.id, by: author)
            // The links to watches have the name until their new views are stored.
            await host?.viewsChanged()
            if host != nil { try? await Task.sleep(for: .seconds(2)) }
            return .done(
                "erased \(patient.fullName) with \(count) photos; backups that were made before may still hold them: erase "
                    + "those, too")
        case .backup(let path):
            let count = try await clinic.backup(to: path, by: author)
            return .done(
                "wrote \(path) with \(count) sealed files; names are in it in clear, and the photos open only with the master "
                    + "key, which is not in it")
        case .restore(let path):
            let (patients, erased) = try await clinic.restore(from: path, by: author)
            let again = erased == 0 ? "" : "; \(erased) that were erased since are erased again"
            return .done("restored \(patients) patients from \(path)\(again)")
        case .audit(let limit): return .audit(try await clinic.audit(limit: limit))
        case .invite:
            _ = try running()
            return .code(try await WCSession.invitation())
        case .watches:
            return .watches(
                try await running().callers.map {
                    ClinicReply.Watch(name: $0.watch.name, grants: $0.grants.names.sorted())
                })
        case .grant(let watch, let grant, let isGiven): return try await grantWatch(watch, grant, isGiven)
        case .recall(let name):
            let watch = try await watch(name).watch
            try await clinic.recall(watch.id, by: author)
            return .done("recalled every photo from \(name); a watch that is out of reach deletes within 24 hours")
        }
    }

    private func running() throws(ImtProblem) -> PhoneHost<WristDesk> {
        try host.orThrow(
            ImtProblem(
                .refused, "watches are served while the phone runs: start it with `imt phone`",
                "les montres sont servies quand le téléphone tourne : lancez `imt phone`"))
    }

    // MARK: - Photos

    private func importPhoto(
        _ name: String, _ title: String, _ side: Side, _ view: FaceView, _ path: String, _ replaces: Bool
    ) async throws -> ClinicReply {
        let patient = try await clinic.patient(named: name)
        let transformation = try await clinic.transformation(named: title, of: patient.id)
        let (bytes, time) = try Self.read(path)
        let place = Clinic.Place(
            transformation.id, side, view, replacing: replaces ? transformation.photo(side, view)?.id : nil)
        do throws(ImtProblem) {
            let taken = try await clinic.addPhoto(bytes, at: place, fileTime: time, by: .commandLine)
            let size = taken.photo.size
            let notice = taken.notice.map { "; \($0)" } ?? ""
            let day = taken.photo.taken.map { ", taken \($0.isEstimated ? "about " : "")\($0.day.text)" } ?? ""
            return .done("took \(path) as the photo \(side.rawValue): \(size.width)×\(size.height)\(day)\(notice)")
        } catch {
            throw ImtProblem(error.kind, "\(path): \(error.description)", "\(path) : \(error.french)")
        }
    }

    /// A file of at most as many bytes as a picture may have, and its time.
    private static func read(_ path: String) throws -> ([UInt8], String?) {
        do {
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            let count = (facts[.size] as? NSNumber)?.intValue ?? 0
            guard facts[.type] as? FileAttributeType == .typeRegular else {
                throw ImtProblem(
                    .unfit, "\(path) is no file: name a JPEG", "\(path) n'est pas un fichier : nommez un JPEG")
            }
            guard count <= JPEGScan.byteCountMax else {
                throw ImtProblem(
                    .tooLarge, "\(path) has \(count) bytes, at most \(JPEGScan.byteCountMax): save it smaller",
                    "\(path) a \(count) octets, \(JPEGScan.byteCountMax) au plus : enregistrez-la plus petite")
            }
            let seconds = (facts[.modificationDate] as? Date)?.timeIntervalSince1970
            // To the second, and without the zone, as cameras write it.
            let time = seconds.map { Timestamp(milliseconds: Int64($0) * 1000).iso8601 }
            return (Array(try Data(contentsOf: URL(filePath: path))), time.map { String($0.prefix(19)) })
        } catch let problem as ImtProblem {
            throw problem
        } catch {
            throw ImtProblem(
                .missing, "\(path) cannot be read: name a JPEG that exists",
                "\(path) ne peut être lu : nommez un JPEG existant")
        }
    }

    private func export(_ name: String, _ purpose: Purpose, to path: String) async throws -> ClinicReply {
        guard !FileSystem.isThere(path) else {
            throw ImtProblem(
                .refused, "\(path) exists: name a folder that does not",
                "\(path) existe : nommez un dossier qui n'existe pas")
        }
        let patient = try await clinic.patient(named: name)
        let exported = try await clinic.export(patient.id, for: purpose, by: .commandLine)
        do {
            for file in exported {
                let place = "\(path)/\(file.name)"
                try StateFolder.prepare(FileSystem.folder(above: place))
                let bytes = try await clinic.contents(of: file)
                try OpenFile<FolderError>.create(place).write(bytes)
                try StateFolder.settle(contentsOf: place)
            }
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
        let count = exported.count { $0.photo != nil }
        return .done(
            "wrote \(path) with \(count) photos for the \(purpose.rawValue) purpose; they are not sealed there")
    }

    // MARK: - Watches

    private func watch(_ name: String) async throws -> Caller {
        let host = try running()
        guard let caller = await host.caller(named: name) else {
            throw ImtProblem(
                .missing, await host.absence(ofWatch: name), "il n'y a pas de montre \(Excerpt(name))")
        }
        return caller
    }

    private func grantWatch(_ name: String, _ grant: String, _ isGiven: Bool) async throws -> ClinicReply {
        let caller = try await watch(name)
        try await clinic.note(.grant, caller.watch.id, "\(grant): \(isGiven ? "yes" : "no")", by: .commandLine)
        let done = try await running().change(grant, isGiven: isGiven, of: caller, rest: "nothing")
        if !isGiven, grant == ImtApp.photoGrant { try await clinic.recall(caller.watch.id, by: .commandLine) }
        return .done(done)
    }
}
