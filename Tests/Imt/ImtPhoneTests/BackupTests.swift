import Foundation
import GRDB
import ImtModel
import ImtPhone
import TestSupport
import Testing

@Suite struct BackupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a backup brings everything back, and what was erased since is erased again`() async throws {
        let backup = folder.path("backup")
        let (kept, erased, added): (Patient, Patient, Patient)
        let photos: [Photo]
        do {
            let surgery = try Surgery(in: folder)
            let first = try await surgery.pair(named: "Kept", seed: 1)
            (kept, photos) = (first.patient, first.transformation.photos)
            erased = try await surgery.pair(named: "Erased", seed: 2).patient
            #expect(try await surgery.clinic.backup(to: backup, by: surgery.author) == 8)
            await #expect(throws: ImtProblem.self) { try await surgery.clinic.backup(to: backup, by: surgery.author) }
            _ = try await surgery.clinic.pair(first.transformation.id, .front, for: Author("w", watch: "w1"))
            _ = try await surgery.clinic.erase(erased.id, by: surgery.author)
            _ = try await surgery.clinic.edit(kept.id, given: "Other", family: nil, birth: nil, by: surgery.author)
            added = try await surgery.clinic.add(given: "Added", by: surgery.author)
            let (patients, again) = try await surgery.clinic.restore(from: backup, by: surgery.author)
            #expect(patients == 1 && again == 1)
        }
        let surgery = try Surgery(in: folder)
        #expect(try await surgery.clinic.list().patients.map(\.patient.given.text) == ["Kept"])
        for id in [erased.id, added.id] {
            await #expect(throws: ImtProblem.self) { try await surgery.clinic.open(id, by: surgery.author) }
        }
        for photo in photos {
            #expect(PictureIntake.hash(try await surgery.clinic.picture(photo.id, by: surgery.author)) == photo.hash)
        }
        #expect(surgery.files.count == 4)
        #expect(try surgery.allBytes().range(of: Data("Erased".utf8)) == nil)
        #expect(try await surgery.clinic.revoked(of: "w1").count == 2, "watches delete what they got since")
        let log = try await surgery.clinic.audit(limit: 200).map(\.action)
        #expect(log.contains("restore") && log.contains("erase") && log.contains("backup"))
    }

    @Test func `IMT33 what was withdrawn since a backup stays withdrawn, and what was deleted comes back`() async throws
    {
        let surgery = try Surgery(in: folder)
        let clinic = surgery.clinic
        let (ada, eve, zoe) = (
            try await surgery.pair(), try await surgery.pair(named: "Eve", seed: 2),
            try await surgery.pair(named: "Zoe", seed: 3)
        )
        let photo = try #require(zoe.transformation.photos.first)
        _ = try await clinic.consent(photo.id, .marketing, true, by: surgery.author)
        let backup = folder.path("backup")
        _ = try await clinic.backup(to: backup, by: surgery.author)
        _ = try await clinic.consent(ada.patient.id, .clinical, false, by: surgery.author)
        _ = try await clinic.consent(eve.patient.id, .clinical, nil, by: surgery.author)
        _ = try await clinic.consent(photo.id, .marketing, nil, by: surgery.author)
        try await clinic.remove(zoe.transformation.photos[1].id, by: surgery.author)
        _ = try await clinic.restore(from: backup, by: surgery.author)
        func consent(_ patient: Patient) async throws -> Consent {
            try await clinic.open(patient.id, by: surgery.author).patient.consent
        }
        #expect(try await consent(ada.patient) == Consent(clinical: false, marketing: nil))
        #expect(try await consent(eve.patient) == Consent())
        #expect(try await consent(zoe.patient) == Consent(clinical: true, marketing: nil))
        let restored = try await clinic.open(zoe.patient.id, by: surgery.author).transformations[0].photos
        #expect(restored.map(\.id) == zoe.transformation.photos.map(\.id))
        #expect(restored.first?.consent == Consent())
    }

    @Test func `what is no backup, or of another master key, changes nothing`() async throws {
        let surgery = try Surgery(in: folder)
        let (patient, _) = try await surgery.pair()
        await #expect(throws: ImtProblem.self) {
            try await surgery.clinic.restore(from: folder.path("nowhere"), by: surgery.author)
        }
        let other = try Surgery()
        _ = try await other.pair(named: "Stranger")
        let foreign = folder.path("foreign")
        _ = try await other.clinic.backup(to: foreign, by: other.author)
        let problem = try await #require(throws: ImtProblem.self) {
            try await surgery.clinic.restore(from: foreign, by: surgery.author)
        }
        #expect(problem.description.contains("master key"))
        #expect(try await surgery.clinic.list().patients.map(\.patient.id) == [patient.id])
        #expect(surgery.files.count == 4)
        try Data("SQLite format 3\0 and garbage".utf8).write(to: URL(filePath: "\(foreign)/app.sqlite"))
        await #expect(throws: ImtProblem.self) {
            try await surgery.clinic.restore(from: foreign, by: surgery.author)
        }
        #expect(try await surgery.clinic.list().patients.count == 1)
    }

    @Test func `without its master key a store is not opened, and none is made in its place`() async throws {
        do { _ = try await Surgery(in: folder).pair() }
        try FileManager.default.removeItem(atPath: folder.path("phone.keys/master.secret"))
        let problem = try #require(throws: ImtProblem.self) { try Surgery.open(folder) }
        #expect(problem.description.contains("master.secret is missing"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("phone.keys/master.secret")))
    }

    @Test func `what a crash left between a file and its row is swept`() async throws {
        do { _ = try await Surgery(in: folder).pair() }
        try Data("left".utf8).write(to: URL(filePath: folder.path("phone/photos/orphan")))
        try Data("left".utf8).write(to: URL(filePath: folder.path("phone/photos/orphan.new")))
        #expect(try Surgery(in: folder).files.count == 4)
    }

    /// The plans of the list's statements; ``imt bench`` measures them.
    @Test func `IMT24 the list and the search use their indexes, and sort nothing but a page`() async throws {
        _ = try await Surgery(in: folder).pair()
        let queue = try DatabaseQueue(path: folder.path("phone/app.sqlite"))
        let plan = try await queue.read { database in
            try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN " + ListPlan.page, arguments: [40, 0]
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("USING COVERING INDEX customer_sort") }, "\(plan)")
        #expect(plan.contains { $0.contains("transformation_customer") }, "\(plan)")
        #expect(plan.contains { $0.contains("photo_transformation") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN customer") && !$0.contains("INDEX") }, "\(plan)")
        #expect(!plan.contains { $0.contains("SCAN t") || $0.contains("SCAN p") }, "\(plan)")
    }
}
