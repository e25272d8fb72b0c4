import Foundation
import GRDB
import ImtApp
import ImtModel
import ImtPhone
import SyncStore
import TestSupport
import Testing
import Text
import Vault
import WebServer

@Suite struct ClinicTests {
    private let surgery: Surgery
    private var clinic: Clinic { surgery.clinic }
    private var author: Author { surgery.author }

    init() throws { surgery = try Surgery() }

    private func refusal(_ work: () async throws -> Void) async throws -> String {
        do {
            try await work()
        } catch let problem as ImtProblem {
            return problem.description
        }
        Issue.record("nothing was refused")
        return ""
    }

    @Test func `IMT2 IMT3 IMT4 IMT5 IMT21 IMT22 patients are added and changed, and the first name stays`() async throws
    {
        let ada = try await clinic.add(given: "Ada", family: "O'Brien", birth: "1980-05-31", by: author)
        let other = try await clinic.add(given: "محمد", by: author)
        #expect(ada.id != other.id && other.family == nil && other.birth == nil)
        #expect(try await refusal { _ = try await clinic.add(given: " ", by: author) }.contains("blank"))
        let edited = try await clinic.edit(ada.id, given: nil, family: "", birth: "", by: author)
        #expect(edited.id == ada.id && edited.given.text == "Ada" && edited.family == nil && edited.birth == nil)
        #expect(
            try await refusal { _ = try await clinic.edit(ada.id, given: "", family: nil, birth: nil, by: author) }
                .contains("blank"))
        #expect(try await clinic.open(ada.id, by: author).patient == edited)
        let nowhere = Patient.ID(high: 1, low: 1)
        #expect(try await refusal { _ = try await clinic.open(nowhere, by: author) }.contains("\(nowhere)"))
    }

    @Test func `IMT6 IMT7 IMT9 IMT19 the list keeps its order, and pages and search find names without accents`()
        async throws
    {
        for number in 0..<45 {
            _ = try await clinic.add(given: "P\(number < 10 ? "0" : "")\(number)", family: "Common", by: author)
        }
        let zoe = try await clinic.add(given: "Zoé", family: "Müller-Ångström", by: author)
        let first = try await clinic.list()
        #expect(first.patients.count == 40 && first.pageCount == 2)
        #expect(first.patients.map(\.patient.given.text) == first.patients.map(\.patient.given.text).sorted())
        #expect(try await clinic.list(99).number == 1)
        for text in ["zoe", "mull", "angs zo", "ZOÉ  müller", "\"zoe"] {
            #expect(try await clinic.list(find: text).patients.map(\.patient.id) == [zoe.id], "\(text)")
        }
        #expect(try await clinic.list(find: "zo\0").patients.map(\.patient.id) == [zoe.id])
        #expect(try await clinic.list(find: "a\0b").patients.isEmpty)
        for text in ["nobodyhere", "zoe common", "* OR *", "-"] {
            #expect(try await clinic.list(find: text).patients.isEmpty, "\(text)")
        }
        for name in ["C", "A", "B"] { _ = try await clinic.addTransformation(of: zoe.id, name: name, by: author) }
        let all = try await clinic.open(zoe.id, by: author).transformations
        #expect(all.map { $0.name?.text } == ["C", "A", "B"] && Set(all.map(\.id)).count == 3)
        #expect(try await clinic.list(find: "zoe").patients[0].count == 3)
    }

    @Test func `IMT8 each of the combinations of name, photos and days that may be is stored and shown`() async throws {
        let patient = try await clinic.add(given: "Ada", by: author)
        let picture = try Surgery.picture()
        var (stored, refused) = (0, 0)
        for bits in 0..<32 {
            let has = (0..<5).map { bits >> $0 & 1 == 1 }
            let one = try await clinic.addTransformation(of: patient.id, name: has[0] ? "Name \(bits)" : "", by: author)
            _ = try await clinic.edit(
                one.id, name: nil, before: has[3] ? "2024-01-01" : nil, after: has[4] ? "2024-02-01" : nil, by: author)
            if has[1] { _ = try await clinic.addPhoto(picture, at: Clinic.Place(one.id, .before), by: author) }
            if has[2] {
                do {
                    _ = try await clinic.addPhoto(picture, at: Clinic.Place(one.id, .after), by: author)
                } catch {
                    #expect(!has[1] && error.kind == .refused)
                    refused += 1
                    continue
                }
            }
            let shown = try await clinic.open(patient.id, by: author).transformations.last
            #expect((shown?.name != nil) == has[0] && (shown?.photo(.before, .front) != nil) == has[1])
            #expect((shown?.photo(.after, .front) != nil) == has[2])
            #expect((shown?.before != nil) == has[3] && (shown?.after != nil) == has[4])
            #expect(shown?.isComplete(.front) == (has[1] && has[2]))
            stored += 1
        }
        #expect(stored == 24 && refused == 8, "after without before is what IMT17 refuses")
    }

    @Test func `IMT17 the store itself refuses a photo after without one before`() async throws {
        let (_, one) = try await surgery.pair()
        let queue = try DatabaseQueue(path: surgery.folder.path("phone/app.sqlite"))
        let insert = """
            INSERT INTO photo (id, transformation, side, view, isEstimated, width, height, byteCount, hash, key)
            SELECT 'x', number, 'after', 'left', 0, 1, 1, 1, '', x'00' FROM transformation WHERE id = ?
            """
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: insert, arguments: ["\(one.id)"]) }
        }
        #expect(error?.message == "after before before")
    }

    @Test func `IMT11 a retake takes the place of the photo, and leaves no file`() async throws {
        let (_, one) = try await surgery.pair()
        let before = try #require(one.photo(.before, .front))
        #expect(surgery.files.count == 4)
        let again = try await clinic.addPhoto(
            try Surgery.picture(9), at: Clinic.Place(one.id, .before, replacing: before.id), by: author)
        #expect(again.photo.id != before.id && surgery.files.count == 4)
        #expect(!surgery.files.contains("\(before.id)"))
        #expect(
            try await refusal {
                _ = try await clinic.addPhoto(try Surgery.picture(8), at: Clinic.Place(one.id, .before), by: author)
            }.contains("already"))
        #expect(
            try await refusal { try await clinic.remove(again.photo.id, by: author) }.contains("delete that one first"))
        // A refused picture leaves nothing.
        #expect(
            try await refusal {
                _ = try await clinic.addPhoto(Array("no".utf8), at: Clinic.Place(one.id, .after), by: author)
            }.contains("no picture"))
        #expect(surgery.files.count == 4)
        #expect(try await clinic.picture(again.photo.id, by: author).count == again.photo.byteCount)
    }

    @Test func `IMT31 the time comes from the picture, else from its file as estimated, and impossible ones are told`()
        async throws
    {
        let patient = try await clinic.add(given: "Ada", by: author)
        func take(_ taken: String?, _ fileTime: String?) async throws -> Clinic.Taken {
            let one = try await clinic.addTransformation(of: patient.id, name: "", by: author)
            return try await clinic.addPhoto(
                try Surgery.picture(), at: Clinic.Place(one.id, .before), taken: taken, fileTime: fileTime, by: author)
        }
        let good = try await take("2024:05:31 10:20:30", "2025-01-01T00:00:00")
        #expect(good.photo.taken?.text == "2024-05-31T10:20:30" && good.photo.taken?.isEstimated == false)
        #expect(good.notice == nil)
        for bad in ["2099:01:01 00:00:00", "0000:00:00 00:00:00"] {
            let taken = try await take(bad, "2025-01-01T00:00:00")
            #expect(taken.photo.taken?.day.text == "2025-01-01" && taken.photo.taken?.isEstimated == true)
            #expect(taken.notice?.description.contains(bad.prefix(4)) == true)
        }
        #expect(try await take(nil, nil).photo.taken == nil)
    }

    @Test func `IMT28 IMT35 no byte of a picture is on the disk in clear, and each file has its own key`() async throws
    {
        let (_, one) = try await surgery.pair()
        let photo = try #require(one.photo(.before, .front))
        let picture = try await clinic.picture(photo.id, by: author)
        let bytes = try surgery.allBytes()
        #expect(bytes.count > picture.count)
        for start in stride(from: 0, to: picture.count - 24, by: 97) {
            #expect(bytes.range(of: Data(picture[start..<start + 24])) == nil)
        }
        let first = try Data(contentsOf: URL(filePath: surgery.folder.path("phone/photos/\(photo.id)")))
        #expect(first.count == SealedFile.byteCount(sealing: picture.count))
        // One byte of the sealed file is changed.
        var damaged = first
        damaged[damaged.count / 2] ^= 1
        try damaged.write(to: URL(filePath: surgery.folder.path("phone/photos/\(photo.id)")))
        #expect(try await refusal { _ = try await clinic.picture(photo.id, by: author) }.contains("does not open"))
    }

    @Test func `a whole name goes before beginnings, and what cannot be undone takes no beginning`() async throws {
        let one = try await clinic.add(given: "Kill1", by: author)
        for number in 10..<13 { _ = try await clinic.add(given: "Kill\(number)", family: "Doe", by: author) }
        #expect(try await clinic.patient(named: "kill1").id == one.id)
        #expect(try await clinic.patient(named: "Kill12 Doe", isWhole: true).given.text == "Kill12")
        #expect(try await clinic.patient(named: "Kill12").given.text == "Kill12")
        let zebedee = try await clinic.add(given: "Zebedee", family: "Quux", by: author)
        #expect(try await clinic.patient(named: "Z").id == zebedee.id)
        #expect(
            try await refusal { _ = try await clinic.patient(named: "Z", isWhole: true) }
                .contains("only the beginning of a name"))
        #expect(
            try await refusal { _ = try await clinic.patient(named: "Nobody", isWhole: true) }.contains("no patient"))
    }

    @Test func `erasing erases: no byte of the names and no file is left, but the log without names`() async throws {
        let name = "Xylophonia"
        let (patient, _) = try await surgery.pair(named: name)
        _ = try await clinic.edit(patient.id, given: nil, family: "Quetzalcoatl", birth: nil, by: author)
        _ = try await clinic.add(given: "Ben", by: author)
        #expect(try surgery.allBytes().range(of: Data(name.utf8)) != nil, "names are in clear before")
        #expect(try await clinic.erase(patient.id, by: author) == 2)
        let bytes = try surgery.allBytes()
        for text in [name, name.lowercased(), "Quetzal", "quetzal"] {
            #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
        }
        #expect(surgery.files.isEmpty)
        #expect(try await clinic.list(find: "xylo").patients.isEmpty)
        let log = try await clinic.audit(limit: 50)
        #expect(log.first?.action == "erase" && log.contains { $0.action == "add" && $0.subject == "\(patient.id)" })
    }

    @Test func `IMT34 the log has who did what, and is append-only`() async throws {
        let (patient, one) = try await surgery.pair()
        _ = try await clinic.picture(try #require(one.photo(.after, .front)).id, by: Author("web:Ada"))
        _ = try await clinic.pair(one.id, .front, for: Author("Left", watch: "w1"))
        _ = try await clinic.export(patient.id, for: .clinical, by: author)
        _ = try await clinic.consent(patient.id, .clinical, false, by: author)
        let log = try await clinic.audit(limit: 100)
        #expect(log.contains { $0.action == "view" && $0.who == "web:Ada" && $0.detail == "picture" })
        #expect(log.count { $0.action == "send" && $0.watch == "w1" } == 2)
        #expect(log.contains { $0.action == "export" } && log.count { $0.action == "recall" } == 2)
        #expect(log.contains { $0.action == "consent" && $0.detail == "clinical: no" })
        let queue = try DatabaseQueue(path: surgery.folder.path("phone/app.sqlite"))
        for sql in ["DELETE FROM audit", "UPDATE audit SET who = 'x'"] {
            let error = #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: sql) } }
            #expect(error?.message == "the log is append-only")
        }
    }

    @Test func `IMT33 only what is agreed to is exported, with a manifest and FHIR`() async throws {
        let (patient, one) = try await surgery.pair()
        #expect(
            try await refusal { _ = try await clinic.export(patient.id, for: .marketing, by: author) }
                .contains("marketing"))
        let after = try #require(one.photo(.after, .front))
        _ = try await clinic.consent(after.id, .marketing, true, by: author)
        let files = try await clinic.export(patient.id, for: .marketing, by: author)
        #expect(files.compactMap(\.photo) == [after.id])
        _ = try await clinic.consent(after.id, .clinical, false, by: author)
        #expect(try await clinic.export(patient.id, for: .clinical, by: author).count { $0.photo != nil } == 1)
        let manifest = try #require(files.first { $0.name == "manifest.json" })
        let text = String(decoding: manifest.bytes, as: UTF8.self)
        #expect(text.contains("\(after.hash)") && text.contains("\"purpose\":\"marketing\""))
        let picture = try await clinic.contents(of: try #require(files.first { $0.photo != nil }))
        #expect(PictureIntake.hash(picture) == after.hash)
        let entry = TarArchive.entry("photos/1.jpg", picture, at: 0)
        #expect(entry.count % 512 == 0 && entry.count >= picture.count + 512)
    }

    @Test func `IMT37 eye points are stored as numbers, the picture stays, and copies are made anew`() async throws {
        let (_, one) = try await surgery.pair()
        let watch = Author("Left", watch: "w1")
        let plain = try await clinic.pair(one.id, .front, for: watch)
        #expect(!plain.isAligned)
        for photo in one.photos {
            let eyes = GeneratedFace(seed: 1, progress: 0).eyes(in: photo.size)
            let set = try await clinic.setEyes(photo.id, (eyes.left, eyes.right), by: author)
            #expect(set.eyes == eyes && set.hash == photo.hash)
            #expect(PictureIntake.hash(try await clinic.picture(photo.id, by: author)) == photo.hash)
        }
        let aligned = try await clinic.pair(one.id, .front, for: watch)
        #expect(aligned.isAligned && Set(aligned.parts.map(\.path)).isDisjoint(with: plain.parts.map(\.path)))
        #expect(plain.parts.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
        #expect(surgery.files.count == 6)
    }

    @Test func `one copy is made and sealed for three watches`() async throws {
        let (_, one) = try await surgery.pair()
        var paths: Set<String> = []
        for watch in ["w1", "w2", "w3"] {
            paths.formUnion(try await clinic.pair(one.id, .front, for: Author(watch, watch: watch)).parts.map(\.path))
        }
        #expect(paths.count == 2 && surgery.files.count == 6)
        let part = try await clinic.pair(one.id, .front, for: Author("w4", watch: "w4")).parts[0]
        let opened = try SealedFile.read(part.path, key: Array(part.ticket.key))
        #expect(PictureIntake.hash(opened) == part.ticket.hash && opened.count <= Rendition.byteCountMax)
    }

    @Test func `IMT33 a withdrawn consent recalls copies and refuses new ones`() async throws {
        let (patient, one) = try await surgery.pair()
        let watch = Author("Left", watch: "w1")
        let pair = try await clinic.pair(one.id, .front, for: watch)
        for part in pair.parts { #expect(try await clinic.note(UUID().uuidString, of: part.ticket.copy, to: "w1")) }
        #expect(try await clinic.revoked(of: "w1").isEmpty)
        _ = try await clinic.consent(patient.id, .clinical, nil, by: author)
        #expect(try await Set(clinic.revoked(of: "w1")) == Set(pair.parts.map(\.ticket.copy)))
        #expect(try await clinic.cancellations().count == 2)
        #expect(try await refusal { _ = try await clinic.pair(one.id, .front, for: watch) }.contains("does not agree"))
        #expect(try await clinic.revoked(of: "w2").isEmpty)
        // Given again, and sent again: it may stay.
        _ = try await clinic.consent(patient.id, .clinical, true, by: author)
        _ = try await clinic.pair(one.id, .front, for: watch)
        #expect(try await clinic.revoked(of: "w1").isEmpty)
        _ = try await clinic.erase(patient.id, by: author)
        #expect(try await clinic.revoked(of: "w1").count == 2)
    }

    @Test func `IMT23 a transformation is named only if it is still called as was seen`() async throws {
        let (_, one) = try await surgery.pair()
        #expect(
            try await refusal { try await clinic.rename(one.id, saw: nil, to: "Nose", by: author) }
                .contains("it is \"Skin\" by now"))
        try await clinic.rename(one.id, saw: "Skin", to: "Nose", by: author)
        #expect(PresetName.allCases.allSatisfy { !$0.text(in: .french).isEmpty })
    }
}
