import Companion
import Foundation
import ImtApp
import ImtModel
import ImtPhone
import ImtWatch
import Platform
import SyncStore
import TestSupport
import Testing
import Text
import Vault
import WatchConnectivity
import WatchConnectivityTesting

@Suite(.pairReports) struct WristTests {
    @Test func `IMT36 a watch sees first names, and the pair that it asks for is exact at both ends`() async throws {
        let world = try await ClinicWorld()
        let (patient, one) = try await world.surgery.pair()
        _ = try await world.surgery.clinic.edit(
            patient.id, given: nil, family: "Lovelace", birth: "1980-05-31", by: world.surgery.author)
        await world.go("the list is there") { world.wrists[0].shown.page?.rows.first?.initial == "L" }
        let row = try #require(world.wrists[0].shown.page?.rows.first)
        #expect(row.given == "Ada" && row.count == 1 && row.sides == [.before, .after])
        await world.act { await $0.open(row) }
        #expect(world.wrists[0].shown.transformations.map(\.name) == ["Skin"])
        await world.act { await $0.look(at: one.id, .front) }
        await world.go("the pair is there") { world.wrists[0].shown.pair != nil }
        let pair = try #require(world.wrists[0].shown.pair)
        #expect(pair.days == ["2024-01-01", "2024-06-01"] && pair.before != pair.after)
        #expect(Comparison.fade(0).picture(before: pair.before, after: pair.after) == pair.before)
        let progress = try #require(world.wrists[0].shown.progress)
        #expect(progress.here == progress.all && progress.all > 0)
        let parts = try await world.surgery.clinic.pair(one.id, .front, for: Author("x", watch: "x")).parts
        let copy = try SealedFile.read(parts[0].path, key: Array(parts[0].ticket.key))
        #expect(try JPEGCodec.decode(copy, eighths: 8) == pair.before)
        #expect(world.photos().count == 2)
    }

    @Test func `IMT36 the phone keeps neither the keys of copies nor names that watches asked for`() async throws {
        let world = try await ClinicWorld(grants: [ImtApp.listGrant, ImtApp.photoGrant, ImtApp.editGrant])
        let (_, one) = try await world.surgery.pair()
        await world.go("the list is there") { world.wrists[0].shown.page?.rows.first?.given == "Ada" }
        let row = try #require(world.wrists[0].shown.page?.rows.first)
        await world.act { await $0.list(.find("Ada")) }
        await world.act { await $0.open(row) }
        await world.act { await $0.look(at: one.id, .front) }
        await world.go("the pair is there") { world.wrists[0].shown.pair != nil }
        #expect(world.storage.read().keys.filter { $0.hasPrefix("command/") }.isEmpty)
        let old = try #require(world.wrists[0].shown.transformations.first)
        await world.act { await $0.name(old, .nose) }
        #expect(world.storage.read().keys.count { $0.hasPrefix("command/") } == 1, "what changes something is kept")
    }

    @Test func `what was found stays while the list changes, and who was erased leaves every list`() async throws {
        let world = try await ClinicWorld()
        let clinic = world.surgery.clinic
        let (ada, _) = try await world.surgery.pair()
        let adam = try await clinic.add(given: "Adam", by: world.surgery.author)
        await world.go("the list is there") { world.wrists[0].shown.page?.rows.count == 2 }
        await world.act { await $0.list(.find("ada")) }
        _ = try await clinic.add(given: "Zoe", by: world.surgery.author)
        _ = try await clinic.edit(adam.id, given: "Adamo", family: nil, birth: nil, by: world.surgery.author)
        await world.go("the new name is found") {
            world.wrists[0].shown.page?.rows.map(\.given).sorted() == ["Ada", "Adamo"]
        }
        let row = try #require(world.wrists[0].shown.page?.rows.first { $0.id == ada.id })
        await world.act { await $0.open(row) }
        _ = try await clinic.erase(ada.id, by: world.surgery.author)
        await world.go("she is nowhere") {
            let shown = world.wrists[0].shown
            return shown.page?.rows.map(\.given) == ["Adamo"] && shown.patient == nil && shown.transformations.isEmpty
        }
    }

    @Test func `three watches get the same sealed files, which are made once`() async throws {
        let world = try await ClinicWorld(watches: 3)
        let (_, one) = try await world.surgery.pair()
        for number in 0..<3 { await world.act(number) { await $0.look(at: one.id, .front) } }
        await world.go("all have the pair") { world.wrists.allSatisfy { $0.shown.pair != nil } }
        #expect(world.surgery.files.count == 6, "two photos, two thumbs, two copies")
        let bytes = Set(
            try (0..<3).map { number in
                try world.photos(of: number).sorted().map {
                    try Data(contentsOf: URL(filePath: world.surgery.folder.path("watch-\(number)/\($0)")))
                }
            })
        #expect(bytes.count == 1)
    }

    @Test func `IMT33 IMT36 a withdrawn consent takes the pair from a watch within a second`() async throws {
        let world = try await ClinicWorld()
        let (patient, one) = try await world.surgery.pair()
        await world.act { await $0.look(at: one.id, .front) }
        await world.go("the pair is there") { world.wrists[0].shown.pair != nil }
        let start = world.pair.elapsed
        _ = try await world.surgery.clinic.consent(patient.id, .clinical, false, by: world.surgery.author)
        await world.go("the pair is gone") { world.wrists[0].shown.pair == nil }
        #expect(world.photos().isEmpty)
        #expect(world.pair.elapsed - start < .seconds(60), "virtual time, of which the hosts' tasks use what they need")
        await world.act { await $0.look(at: one.id, .front) }
        #expect(world.wrists[0].shown.notice?.contains("does not agree") == true)
    }

    @Test func `consent that is withdrawn while a watch is cut off in a transfer: it never shows the pair`()
        async throws
    {
        let world = try await ClinicWorld()
        let (patient, one) = try await world.surgery.pair()
        // Large, so that the transfer takes its time.
        var faults = TestLink.Faults()
        faults.delays = .milliseconds(300)...Duration.milliseconds(400)
        world.pair.link.faults = faults
        await world.act { await $0.look(at: one.id, .front) }
        world.pair.link.cut()
        let isHere = world.wrists[0].shown.pair != nil
        await world.go("the watch knows that it is cut off") { !world.wrists[0].shown.isReachable }
        _ = try await world.surgery.clinic.consent(patient.id, .clinical, false, by: world.surgery.author)
        world.pair.link.heal()
        await world.go("the watch has the recall") {
            world.wrists[0].shown.notice == "the phone recalled a photo" && world.wrists[0].shown.isReachable
        }
        #expect(world.wrists[0].shown.pair == nil && world.photos().isEmpty && !isHere)
        await world.go("nothing is under way") { (try? await world.surgery.clinic.cancellations().isEmpty) == true }
        for _ in 0..<200 { await world.pair.advance(by: .milliseconds(50)) }
        #expect(world.wrists[0].shown.pair == nil && world.photos().isEmpty)
    }

    @Test func `IMT36 a watch without imt.photo gets no photo, and one that loses it keeps none`() async throws {
        let world = try await ClinicWorld(watches: 2)
        let (_, one) = try await world.surgery.pair()
        let callers = await world.host.callers
        try await world.host.setGrants(.init([ImtApp.listGrant]), of: callers[1].watch.id)
        await world.go("the second watch knows") { world.wrists[1].shown.grants == [ImtApp.listGrant] }
        let before = world.pair.events.count
        await world.act(1) { await $0.look(at: one.id, .front) }
        #expect(world.wrists[1].shown.notice?.contains("needs imt.photo") == true)
        for _ in 0..<50 { await world.pair.advance(by: .milliseconds(100)) }
        let file = world.pair.timeline.split(separator: "\n").dropFirst(before).filter {
            $0.lowercased().contains("file")
        }
        #expect(file.isEmpty, "\(file)")
        #expect(world.photos(of: 1).isEmpty && world.surgery.files.count == 4, "not even a copy is made")
        #expect(try await world.surgery.clinic.audit(limit: 100).allSatisfy { $0.action != "send" })
        await world.act(0) { await $0.look(at: one.id, .front) }
        await world.go("the first watch has the pair") { world.wrists[0].shown.pair != nil }
        try await world.host.setGrants(.init([ImtApp.listGrant]), of: callers[0].watch.id)
        await world.go("its photos are gone") { world.wrists[0].shown.pair == nil }
        #expect(world.photos(of: 0).isEmpty)
    }

    @Test func `IMT35 a lock drops the photos, and nothing of a patient is shown`() async throws {
        let world = try await ClinicWorld()
        let (_, one) = try await world.surgery.pair()
        await world.act { await $0.look(at: one.id, .front) }
        await world.go("the pair is there") { world.wrists[0].shown.pair != nil }
        await world.act { await $0.lock() }
        let shown = world.wrists[0].shown
        #expect(shown.isLocked && shown.pair == nil && shown.patient == nil && world.photos().isEmpty)
        await world.act { await $0.look(at: one.id, .front) }
        #expect(world.wrists[0].shown.pair == nil, "a locked watch asks for nothing")
        await world.act { await $0.unlock() }
        await world.act { await $0.look(at: one.id, .front) }
        await world.go("the pair comes again") { world.wrists[0].shown.pair != nil }
    }

    @Test func `IMT23 a watch with imt.edit names a transformation, others do not`() async throws {
        let world = try await ClinicWorld(grants: [ImtApp.listGrant, ImtApp.editGrant])
        _ = try await world.surgery.pair()
        await world.go("the list is there") { world.wrists[0].shown.page?.rows.isEmpty == false }
        let row = try #require(world.wrists[0].shown.page?.rows.first)
        await world.act { await $0.open(row) }
        let old = try #require(world.wrists[0].shown.transformations.first)
        await world.act { await $0.name(old, .nose) }
        #expect(world.wrists[0].shown.transformations.first?.name == "Nose")
        await world.act { await $0.name(old, .hair) }
        #expect(world.wrists[0].shown.notice?.contains("it is \"Nose\" by now") == true)
    }
}

@Suite struct AlbumTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func album(at now: Timestamp) throws -> Album {
        try Album(
            folder: try StateFolder(path: folder.path("album")), keys: try StateFolder(path: folder.path("keys")),
            at: now)
    }

    /// A sealed file as it arrives, with its ticket.
    private func arrival(_ number: UInt64, _ side: Side, count: Int = 1000) throws -> (URL, WristReply.Ticket) {
        let (key, bytes) = (SealedFile.makeKey(), [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count))
        let place = URL(filePath: folder.path("arrived-\(number)"))
        try SealedFile.write(bytes, to: place.path, key: key)
        return (
            place,
            WristReply.Ticket(
                copy: PhotoCopy.ID(high: 0, low: number), side: side, key: Data(key), byteCount: count,
                hash: PictureIntake.hash(bytes), day: nil)
        )
    }

    private func transformation(_ number: UInt64) -> Transformation.ID { Transformation.ID(high: 9, low: number) }

    private var early: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path("album")).filter { $0.hasSuffix(".early") }
        }
    }

    @Test func `a file that overtakes its ticket waits for it, sealed, and no longer than a minute`() throws {
        var album = try album(at: .now)
        let (file, ticket) = try arrival(1, .before)
        let (other, recalled) = try arrival(2, .before)
        for (place, copy) in [(file, ticket.copy), (other, recalled.copy)] { #expect(try !album.take(place, as: copy)) }
        #expect(try early.count == 2 && !FileManager.default.fileExists(atPath: file.path))
        _ = try album.revoke([recalled.copy])
        #expect(try early.count == 1)
        try album.expect([ticket], of: transformation(1), .front, at: .now)
        #expect(try album.picture(transformation(1), .front, .before)?.bytes.count == 1000)
        #expect(try early.isEmpty)
        for number in 10..<40 as Range<UInt64> {
            let (place, one) = try arrival(number, .before)
            #expect(try !album.take(place, as: one.copy))
        }
        #expect(try early.count == 16)
        try album.sweep(at: Timestamp.now.advanced(byMilliseconds: 62_000))
        #expect(try early.isEmpty)
    }

    @Test func `what is damaged, and what comes twice is not kept`() throws {
        let now = Timestamp(milliseconds: 1_000_000)
        var album = try album(at: now)
        let (second, wanted) = try arrival(2, .before)
        try album.expect([wanted], of: transformation(1), .front, at: now)
        try Data("damaged".utf8).write(to: second)
        #expect(try !album.take(second, as: wanted.copy))
        let (third, again) = try arrival(3, .before)
        try album.expect([again], of: transformation(1), .front, at: now)
        #expect(try album.take(third, as: again.copy))
        #expect(try !album.take(try arrival(3, .before).0, as: again.copy))
        #expect(try album.picture(transformation(1), .front, .before)?.bytes.count == 1000)
    }

    @Test func `IMT35 the album survives a kill sealed, and its files open with the watch's key alone`() throws {
        let now = Timestamp(milliseconds: 1_000_000)
        let (file, ticket) = try arrival(1, .before)
        do {
            var album = try album(at: now)
            try album.expect([ticket], of: transformation(1), .front, at: now)
            #expect(try album.take(file, as: ticket.copy))
        }
        let all = try FileManager.default.contentsOfDirectory(atPath: folder.path("album")).map {
            try Data(contentsOf: URL(filePath: folder.path("album/\($0)")))
        }
        for bytes in all {
            #expect(bytes.range(of: ticket.key) == nil && bytes.range(of: Data(repeating: 1, count: 16)) == nil)
        }
        #expect(try album(at: now).picture(transformation(1), .front, .before) != nil)
        try FileManager.default.removeItem(atPath: folder.path("keys/master.secret"))
        #expect(try album(at: now).picture(transformation(1), .front, .before) == nil)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("album")).allSatisfy {
                !$0.hasSuffix(".sealed")
            })
    }

    @Test
    func `IMT36 at most 32 MiB are kept for at most a day, the oldest go first, and what is recalled goes at once`()
        throws
    {
        let now = Timestamp(milliseconds: 1_000_000)
        var album = try album(at: now)
        let large = 9 * 1024 * 1024
        for number in 1...4 as ClosedRange<UInt64> {
            let (file, ticket) = try arrival(number, .before, count: large)
            try album.expect([ticket], of: transformation(number), .front, at: now)
            #expect(try album.take(file, as: ticket.copy))
        }
        #expect(try album.picture(transformation(1), .front, .before) == nil)
        #expect(try album.picture(transformation(2), .front, .before) != nil)
        #expect(try album.revoke([PhotoCopy.ID(high: 0, low: 2), PhotoCopy.ID(high: 5, low: 5)]))
        #expect(try !album.revoke([PhotoCopy.ID(high: 0, low: 2)]))
        #expect(try album.picture(transformation(2), .front, .before) == nil)
        let day = Int64(24 * 3_600_000)
        #expect(try !album.sweep(at: now.advanced(byMilliseconds: day - 1)))
        #expect(try album.sweep(at: now.advanced(byMilliseconds: day)))
        #expect(try album.picture(transformation(4), .front, .before) == nil)
    }
}
