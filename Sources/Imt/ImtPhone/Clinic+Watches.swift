import Foundation
import GRDB
package import ImtApp
package import ImtModel
import Platform
import Records
import Vault

extension Clinic {
    /// A pair of copies for a watch.
    package struct Pair: Sendable {
        /// A copy.
        package struct Part: Sendable {
            package var ticket: WristReply.Ticket
            /// The photo.
            package var photo: Photo.ID
            /// The sealed file; it is the same for all watches.
            package var path: String
            /// The transfer to this watch that may be under way; nil for no transfer.
            package var transfer: String?
        }

        package var parts: [Part]
        package var isAligned: Bool
        package var warning: ImtProblem?
    }

    /// The transformations of a patient, as watches see them; in the log as seen.
    package func rows(of id: Patient.ID, for watch: Author) throws(ImtProblem) -> [WristReply.Row] {
        try open(id, by: watch).transformations.map { one in
            WristReply.Row(id: one.id, name: one.name?.text, complete: FaceView.allCases.filter(one.isComplete))
        }
    }

    /// Prepares the pair of a transformation for a watch; in the log as sent.
    ///
    /// A copy is made and sealed once, for all watches.
    ///
    /// - Throws: ``ImtProblem``, also if the patient does not agree to the clinical use.
    package func pair(_ id: Transformation.ID, _ view: FaceView, for watch: Author) async throws(ImtProblem) -> Pair {
        let (transformation, patient) = try file.read { database in
            let row = try PatientTable.transformation(id, database)
            let photos = try PatientTable.photos(of: row.number ?? 0, database)
            return (row.transformation(photos), try PatientTable.patient(ofTransformation: row.number ?? 0, database))
        }
        guard let transformation, let before = transformation.photo(.before, view),
            let after = transformation.photo(.after, view)
        else {
            throw ImtProblem(
                .refused, "both photos are needed: take them on the phone's page first",
                "il faut les deux photos : prenez-les d'abord sur la page du téléphone")
        }
        let consent = Consent(clinical: patient.clinical, marketing: patient.marketing)
        for photo in [before, after] where !Consent.allows(.clinical, patient: consent, photo: photo.consent) {
            throw Self.unconsented
        }
        let isAligned = CompareFrame.aligns([before, after])
        var parts: [Pair.Part] = []
        for photo in [before, after] {
            parts.append(
                try await part(photo, isAligned: isAligned, day: transformation.day(photo.side, view), for: watch))
        }
        return Pair(parts: parts, isAligned: isAligned, warning: transformation.warning(view))
    }

    private static let unconsented = ImtProblem(
        .refused, "the patient does not agree to the clinical use of this photo: ask, and note it on the phone's page",
        "le patient n'accepte pas l'usage clinique de cette photo : demandez, puis notez-le sur la page")

    private func part(
        _ photo: Photo, isAligned: Bool, day: CalendarDay?, for watch: Author
    ) async throws(ImtProblem) -> Pair.Part {
        let copy = try await frame(of: photo, isAligned: isAligned)
        // What was agreed to may have changed while the copy was made.
        let (watchID, moment) = (watch.watch ?? watch.who, now)
        let transfer = try file.write { database in
            let row = try PatientTable.photo(photo.id, database)
            let patient = try PatientTable.patient(ofTransformation: row.transformation, database)
            let consent = Consent(clinical: patient.clinical, marketing: patient.marketing)
            guard
                Consent.allows(
                    .clinical, patient: consent, photo: Consent(clinical: row.clinical, marketing: row.marketing))
            else { throw Self.unconsented }
            try DeliveryTable.prune(at: moment, database)
            try log(watch, .send, row.id, "", database)
            return try DeliveryTable.begin(copy.id, of: row.id, to: watchID, at: moment, database)
        }
        guard let id = PhotoCopy.ID(copy.id) else {
            throw ImtProblem(.failed, "the copy \(copy.id) has no id", "la copie \(copy.id) n'a pas d'id")
        }
        let ticket = WristReply.Ticket(
            copy: id, side: photo.side, key: Data(try files.key(of: copy.id, wrapped: copy.key)),
            byteCount: copy.byteCount, hash: copy.hash, day: day?.text)
        return Pair.Part(ticket: ticket, photo: photo.id, path: files.path(of: copy.id), transfer: transfer)
    }

    /// The copy of a photo in the frame of comparison; it is made when it is wanted for the first time.
    private func frame(of photo: Photo, isAligned: Bool) async throws(ImtProblem) -> CopyRow {
        do {
            // The lane, so that two watches do not make the same copy twice.
            return try await lane.perform { [file, files, id = newID(PhotoCopy.self)] in
                let (row, known) = try file.read { database in
                    let row = try PatientTable.photo(photo.id, database)
                    let sql = "SELECT * FROM copy WHERE photo = ? AND kind = ?"
                    return (
                        row, try CopyRow.fetchOne(database, sql: sql, arguments: [row.number, CopyKind.frame.rawValue])
                    )
                }
                if let known { return known }
                let (bytes, sealed) = try await runOnThread(stop: {}) {
                    let picture = try files.read(row.id, wrapped: row.key)
                    let bytes = try Rendition.make(
                        of: picture, photo.size, at: CompareFrame.place(of: photo, isAligned: isAligned),
                        in: CompareFrame.size)
                    return (bytes, try files.write(bytes, as: "\(id)"))
                }
                let copy = CopyRow(
                    id: "\(id)", photo: row.number ?? 0, kind: CopyKind.frame.rawValue, byteCount: bytes.count,
                    hash: PictureIntake.hash(bytes), key: Data(sealed.wrapped))
                do {
                    try file.write { try copy.insert($0) }
                } catch {
                    try? files.remove(["\(id)"])
                    throw error
                }
                return copy
            }
        } catch {
            throw file.problem(error)
        }
    }

    /// Notes the transfer of a copy to a watch.
    ///
    /// - Returns: Whether the watch may still get it; else the transfer must be cancelled.
    package func note(_ transfer: String, of copy: PhotoCopy.ID, to watch: String) throws(ImtProblem) -> Bool {
        try file.write { try DeliveryTable.note(transfer, of: "\(copy)", to: watch, $0) }
    }

    /// Notes that a transfer ended, in whichever way.
    package func ended(_ transfer: String) throws(ImtProblem) {
        try file.write { try DeliveryTable.end(transfer, $0) }
    }

    /// The transfers that must be cancelled, with their watches.
    package func cancellations() throws(ImtProblem) -> [(transfer: String, watch: String)] {
        try file.read(DeliveryTable.cancellations)
    }

    /// The copies that a watch must delete.
    package func revoked(of watch: String) throws(ImtProblem) -> [PhotoCopy.ID] {
        let moment = now
        return try file.read { try DeliveryTable.revoked(of: watch, at: moment, $0).compactMap { PhotoCopy.ID($0) } }
    }

    /// Recalls everything that a watch has.
    package func recall(_ watch: String, by author: Author) throws(ImtProblem) {
        _ = try change(author, .recall, watch) { try DeliveryTable.revoke(watch: watch, $0) }
    }
}
