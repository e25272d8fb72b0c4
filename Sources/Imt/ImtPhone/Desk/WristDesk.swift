package import Companion
package import Foundation
package import ImtApp
import ImtModel
import Platform
package import WatchConnectivity

/// The phone's part for watches: lists, and photos as sealed files.
package actor WristDesk: CompanionPhone {
    package typealias App = ImtApp

    private let clinic: Clinic
    private let notice: @Sendable (String) -> Void
    private var host: PhoneHost<WristDesk>?

    /// Creates the part; ``connect(_:)`` gives it its host.
    package init(_ clinic: Clinic, notice: @escaping @Sendable (String) -> Void = { _ in }) {
        self.clinic = clinic
        self.notice = notice
    }

    /// Gives it the host that runs it.
    package func connect(_ host: PhoneHost<WristDesk>) { self.host = host }

    /// Follows the changes of the clinic until the task is cancelled: cancels what is recalled, and shows the new views.
    package func run() async {
        let changes = clinic.changes()
        await follow()
        for await _ in changes { await follow() }
    }

    private func follow() async {
        await cancelRecalled()
        await host?.viewsChanged()
    }

    /// Cancels the transfers of what is recalled; those of a watch that is not served yet when it is.
    private func cancelRecalled() async {
        do {
            for (transfer, watch) in try await clinic.cancellations() {
                guard let id = UUID(uuidString: transfer), let isUnderWay = await host?.isUnderWay(id, to: watch) else {
                    continue
                }
                if isUnderWay { await host?.cancel(id) } else { try await clinic.ended(transfer) }
            }
        } catch {
            notice("a recalled transfer goes on: \(error)")
        }
    }

    package func view(for caller: Caller) async -> WristView {
        await cancelRecalled()
        do {
            var page: PatientPage?
            if caller.grants.allow(ImtApp.listGrant) { page = try await clinic.list().page }
            return WristView(
                page: page, revoked: try await clinic.revoked(of: caller.watch.id), grants: caller.grants.names.sorted()
            )
        } catch {
            notice("a watch is shown nothing: \(error)")
            return WristView(page: nil, revoked: [], grants: caller.grants.names.sorted())
        }
    }

    package func perform(_ command: WristCommand, _ id: CommandID, by caller: Caller) async -> WristReply {
        let author = Author(caller.watch.name, watch: caller.watch.id)
        do throws(ImtProblem) {
            switch command {
            case .page(let number): return .page(try await clinic.list(number).page)
            case .find(let text): return .page(try await clinic.list(find: text).page)
            case .open(let patient): return .transformations(try await clinic.rows(of: patient, for: author))
            case .want(let transformation, let view): return try await send(transformation, view, to: author)
            case .rename(let transformation, let saw, let name):
                try await clinic.rename(transformation, saw: saw, to: name.text(in: .english), by: author)
                return .done
            }
        } catch {
            return .refused(error.description)
        }
    }

    private func send(
        _ transformation: Transformation.ID, _ view: FaceView, to watch: Author
    ) async throws(ImtProblem) -> WristReply {
        let pair = try await clinic.pair(transformation, view, for: watch)
        let id = watch.watch ?? ""
        for part in pair.parts {
            if let known = part.transfer.flatMap(UUID.init(uuidString:)), await host?.isUnderWay(known, to: id) == true
            {
                continue
            }
            let transfer: UUID
            do {
                guard let host else { throw CompanionError.notRunning(app: ImtApp.name) }
                transfer = try await host.send(
                    URL(filePath: part.path), ImtApp.FileInfo(copy: part.ticket.copy), to: id)
            } catch {
                throw ImtProblem(
                    .failed, "the photo does not set out: \(error)", "la photo ne part pas : \(error)")
            }
            if try await !clinic.note(transfer.uuidString, of: part.ticket.copy, to: id) {
                await host?.cancel(transfer)
            }
        }
        return .coming(pair.parts.map(\.ticket), isAligned: pair.isAligned, warning: pair.warning?.description)
    }

    package func received(_ event: ImtApp.Event, from caller: Caller) {}

    package func received(_ file: IncomingFile<ImtApp.FileInfo>, from caller: Caller) throws {
        // Watches have nothing to send.
        try FileManager.default.removeItem(at: file.file)
    }

    package func ended(_ transfer: UUID, to watch: SessionWatch, failure: String?) async {
        do {
            try await clinic.ended(transfer.uuidString)
        } catch {
            notice("a transfer is thought to go on: \(error)")
        }
        if let failure { notice("a photo did not reach \(watch.name): \(failure)") }
    }
}
