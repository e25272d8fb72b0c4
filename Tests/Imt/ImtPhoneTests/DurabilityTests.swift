import Foundation
import ImtModel
import ImtPhone
import TestSupport
import Testing

/// What is there after a process was killed: its files as they were at that moment.
@Suite struct DurabilityTests {
    private let surgery: Surgery

    init() throws { surgery = try Surgery() }

    /// Opens the store as it would be if the process were killed now, and looks at it.
    private func afterKill<Result>(_ look: (Clinic) async throws -> Result) async throws -> Result {
        let copy = try TemporaryFolder()
        for name in ["phone", "phone.keys"] {
            try FileManager.default.copyItem(atPath: surgery.folder.path(name), toPath: copy.path(name))
        }
        return try await look(try Surgery.open(copy))
    }

    @Test func `IMT9 IMT10 each of the six operations is there after a kill`() async throws {
        let (clinic, author) = (surgery.clinic, surgery.author)
        let ada = try await clinic.add(given: "Ada", by: author)
        #expect(try await afterKill { try await $0.list().patients.map(\.patient) } == [ada])
        let renamed = try await clinic.edit(ada.id, given: "Eva", family: nil, birth: nil, by: author)
        #expect(try await afterKill { try await $0.list().patients.map(\.patient) } == [renamed])
        let one = try await clinic.addTransformation(of: ada.id, name: "Skin", by: author)
        func transformations(_ clinic: Clinic) async throws -> [Transformation] {
            try await clinic.open(ada.id, by: author).transformations
        }
        #expect(try await afterKill(transformations).map(\.id) == [one.id])
        _ = try await clinic.edit(one.id, name: "Nose", before: nil, after: nil, by: author)
        #expect(try await afterKill(transformations).first?.name?.text == "Nose")
        let photo = try await clinic.addPhoto(try Surgery.picture(), at: Clinic.Place(one.id, .before), by: author)
            .photo
        let hash = try await afterKill { PictureIntake.hash(try await $0.picture(photo.id, by: author)) }
        #expect(hash == photo.hash)
        try await clinic.remove(one.id, by: author)
        #expect(try await afterKill(transformations).isEmpty)
        _ = try await clinic.erase(ada.id, by: author)
        #expect(try await afterKill { try await $0.list().patients.isEmpty })
        #expect(surgery.files.isEmpty)
    }

    @Test func `a disk that is full refuses with a sentence, and nothing partial is visible`() async throws {
        let (patient, one) = try await surgery.pair()
        let files = surgery.files
        // A folder that takes no file stands for a full disk; root may write everywhere, so it is a file here.
        try FileManager.default.moveItem(
            atPath: surgery.folder.path("phone/photos"), toPath: surgery.folder.path("aside"))
        try Data().write(to: URL(filePath: surgery.folder.path("phone/photos")))
        await #expect(throws: ImtProblem.self) {
            try await surgery.clinic.addPhoto(
                try Surgery.picture(5), at: Clinic.Place(one.id, .after), by: surgery.author)
        }
        try FileManager.default.removeItem(atPath: surgery.folder.path("phone/photos"))
        try FileManager.default.moveItem(
            atPath: surgery.folder.path("aside"), toPath: surgery.folder.path("phone/photos"))
        #expect(surgery.files == files)
        #expect(try await surgery.clinic.open(patient.id, by: surgery.author).transformations[0].photos.count == 2)
    }
}
