package import Companion
import Foundation
package import ImtApp
package import ImtModel
import Platform
import SyncStore
import WatchConnectivity

/// A watch of a clinic: the list, the pair that is looked at, and the album.
package actor Wrist {
    /// A pair of photos, decoded.
    package struct Pair: Sendable {
        package var transformation: Transformation.ID
        package var view: FaceView
        package var before: Raster
        package var after: Raster
        package var days: [String?]
        package var isAligned: Bool

        package init(
            transformation: Transformation.ID, view: FaceView, before: Raster, after: Raster, days: [String?],
            isAligned: Bool
        ) {
            (self.transformation, self.view, self.days, self.isAligned) = (transformation, view, days, isAligned)
            (self.before, self.after) = (before, after)
        }
    }

    /// What a face shows.
    package struct Shown: Sendable {
        package var isReachable = false
        package var isLocked = false
        /// What this watch may do; nil before the first view.
        package var grants: [String]?
        /// The page of the list, or what was found.
        package var page: PatientPage?
        /// The patient that is open, with the transformations.
        package var patient: PatientPage.Row?
        package var transformations: [WristReply.Row] = []
        /// How much of the wanted pair is here, of how many bytes.
        package var progress: (here: Int, all: Int)?
        package var pair: Pair?
        /// A sentence for the person.
        package var notice: String?

        /// Nothing yet.
        package init() {}
    }

    /// How long an answer of the phone is waited for.
    private static let patience = Duration.seconds(20)

    private let host: WatchHost<ImtApp>
    private let clock: @Sendable () -> Timestamp
    private var album: Album
    /// What is being looked at, or waited for.
    private var wanted: (transformation: Transformation.ID, view: FaceView, isAligned: Bool)?
    /// What the list shows: another page than the first, or what was found; nil for the first page, which the view has.
    private var listed: WristCommand?
    private let board = ShownBoard(Shown())

    /// Creates a watch; nothing happens before ``run()``.
    package init(
        _ host: WatchHost<ImtApp>, album: consuming Album, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.host = host
        self.album = album
        self.clock = clock
    }

    /// Creates a watch as a process, with its folder; its key is in a folder beside, whose name ends with `.keys`.
    ///
    /// - Throws: What the folder says.
    package static func open(name: String, in place: CompanionPlace, code: String?) throws -> Wrist {
        let host = try place.watch(ImtApp.self, name: name, code: code)
        let album = try Album(
            folder: try StateFolder(path: "\(place.folder)/album"),
            keys: try StateFolder(path: "\(place.folder).keys"), at: .now)
        return Wrist(host, album: album)
    }

    /// What a face shows now; on any thread.
    package nonisolated var shown: Shown { board.shown }

    /// Yields after a change.
    package nonisolated var changes: AsyncStream<Void> { board.changes }

    private nonisolated func show(_ body: (inout Shown) -> Void) { board.change(body) }

    /// Works until the task is cancelled.
    ///
    /// - Throws: What the host throws.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [host] in try await host.run() }
            group.addTask { for await event in self.host.events { await self.take(event) } }
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(30))
                    await self.sweep()
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func take(_ event: WatchHost<ImtApp>.Event) {
        do {
            switch event {
            case .view(let view): try take(view)
            case .file(let file):
                if try album.take(file.file, as: file.info.copy) { try refresh() }
            case .reachable(let isReachable): show { $0.isReachable = isReachable }
            case .tooOld, .phoneTooOld: show { $0.notice = event.advice }
            case .event: break
            }
        } catch {
            show { $0.notice = "a photo is not kept: \(error)" }
        }
    }

    /// Deletes what is recalled before anything else is shown.
    private func take(_ view: WristView) throws {
        if try album.revoke(view.revoked) {
            try refresh()
            show { $0.notice = "the phone recalled a photo" }
        }
        if !view.grants.contains(ImtApp.photoGrant) {
            if shown.pair != nil { show { $0.notice = "the phone took back \(ImtApp.photoGrant)" } }
            try forget()
        }
        guard let page = view.page else {
            listed = nil
            return show { ($0.grants, $0.page, $0.patient, $0.transformations) = (view.grants, nil, nil, []) }
        }
        show { $0.grants = view.grants }
        if let listed {
            Task { await look(again: listed) }
        } else {
            follow(page)
        }
    }

    /// Asks again for what the list shows, so that nobody stays in it who was erased.
    private func look(again command: WristCommand) async {
        guard case .done(.page(let page)) = await host.send(command, within: Self.patience), listed == command else {
            return
        }
        follow(page)
    }

    /// Shows a page of the list anew, and the open patient as it is there.
    private func follow(_ page: PatientPage) {
        show { $0.page = page }
        guard let patient = shown.patient else { return }
        if let row = page.rows.first(where: { $0.id == patient.id }) { return show { $0.patient = row } }
        Task {
            // It may be on another page now.
            let answer = await host.send(.open(patient.id), within: Self.patience)
            guard case .done(.refused) = answer, shown.patient?.id == patient.id else { return }
            show { ($0.patient, $0.transformations) = (nil, []) }
        }
    }

    private func sweep() {
        guard (try? album.sweep(at: clock())) == true else { return }
        try? refresh()
    }

    private func forget() throws {
        try album.clear()
        wanted = nil
        show { ($0.pair, $0.progress) = (nil, nil) }
    }

    /// Shows the wanted pair as far as it is here.
    private func refresh() throws {
        guard let wanted else { return }
        let progress = album.progress(wanted.transformation, wanted.view)
        var pair: Pair?
        if let before = try album.picture(wanted.transformation, wanted.view, .before),
            let after = try album.picture(wanted.transformation, wanted.view, .after)
        {
            pair = Pair(
                transformation: wanted.transformation, view: wanted.view,
                before: try JPEGCodec.decode(before.bytes, eighths: 8),
                after: try JPEGCodec.decode(after.bytes, eighths: 8),
                days: [before.day, after.day], isAligned: wanted.isAligned)
        }
        let found = pair
        show { ($0.progress, $0.pair) = (progress, found) }
    }

    // MARK: - What a person does

    /// Asks the phone; what it refuses is the notice.
    private func ask(_ command: WristCommand) async -> WristReply? {
        guard !shown.isLocked else { return nil }
        show { $0.notice = nil }
        let sentence: String
        switch await host.send(command, within: Self.patience) {
        case .done(.refused(let reason)): sentence = reason
        case .done(let reply): return reply
        case .refused(let reason):
            sentence = reason.hasPrefix("needs ") ? "this watch \(reason): give it on the phone" : reason
        case .unreachable: sentence = "the phone is out of reach"
        case .expired, .unknown: sentence = "the phone did not answer: try again"
        }
        show { $0.notice = sentence }
        return nil
    }

    /// Shows a page of the list, or what is found.
    package func list(_ command: WristCommand) async {
        guard case .page(let page) = await ask(command) else { return }
        listed = command == .page(0) ? nil : command
        show { ($0.page, $0.patient) = (page, nil) }
    }

    /// Opens a patient.
    package func open(_ patient: PatientPage.Row) async {
        guard case .transformations(let rows) = await ask(.open(patient.id)) else { return }
        show { ($0.patient, $0.transformations) = (patient, rows) }
    }

    /// Shows a pair: that of the album, or what the phone sends.
    package func look(at transformation: Transformation.ID, _ view: FaceView) async {
        guard let reply = await ask(.want(transformation, view)),
            case .coming(let tickets, let isAligned, let warning) = reply
        else { return }
        do {
            try album.expect(tickets, of: transformation, view, at: clock())
            wanted = (transformation, view, isAligned)
            try refresh()
            if let warning { show { $0.notice = warning } }
            Task { await remind(of: transformation, view) }
        } catch {
            show { $0.notice = "a photo is not kept: \(error)" }
        }
    }

    /// Says why a wanted pair may not come.
    private func remind(of transformation: Transformation.ID, _ view: FaceView) async {
        guard (try? await Task.sleep(for: Self.patience)) != nil, wanted?.transformation == transformation,
            wanted?.view == view, let progress = shown.progress, progress.here < progress.all, shown.notice == nil
        else { return }
        show { $0.notice = "the photos are not here yet: look at the link to the phone, and at the room on this disk" }
    }

    /// Leaves the pair; it stays in the album.
    package func leave() {
        wanted = nil
        show { ($0.pair, $0.progress) = (nil, nil) }
    }

    /// Names a transformation.
    package func name(_ row: WristReply.Row, _ name: PresetName) async {
        guard case .done = await ask(.rename(row.id, saw: row.name, to: name)) else { return }
        if let patient = shown.patient { await open(patient) }
    }

    /// Locks: no photo stays, and nothing of a patient is shown.
    package func lock() {
        show { ($0.isLocked, $0.patient, $0.transformations, $0.notice) = (true, nil, [], nil) }
        do { try forget() } catch { show { $0.notice = "the album is not deleted: \(error)" } }
    }

    /// Ends the lock.
    package func unlock() { show { $0.isLocked = false } }
}
