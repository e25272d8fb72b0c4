import Foundation
import GRDB
package import ImtModel
import Platform
import Records
import Vault

extension Clinic {
    /// Where a new photo belongs.
    package struct Place: Sendable {
        package var transformation: Transformation.ID
        package var side: Side
        package var view: FaceView
        /// The photo whose place it takes; nil for none.
        package var replacing: Photo.ID?

        package init(
            _ transformation: Transformation.ID, _ side: Side, _ view: FaceView = .front, replacing: Photo.ID? = nil
        ) {
            self.transformation = transformation
            self.side = side
            self.view = view
            self.replacing = replacing
        }
    }

    /// A photo that was taken in.
    package struct Taken: Sendable {
        package var photo: Photo
        /// What a person should know of its time, or of the order of the two photos; nil for nothing.
        package var notice: ImtProblem?
    }

    /// Takes in a picture; one at a time.
    ///
    /// Its file is complete on the disk before its row is, and nothing of it stays when it is refused.
    ///
    /// - Parameters:
    ///   - bytes: The JPEG, which is not trusted.
    ///   - place: Where it belongs.
    ///   - taken: When it was taken, as a browser read it; nil to look into the picture.
    ///   - fileTime: The time of its file, as `2026-06-01T12:00:00`; nil if that is unknown.
    ///   - author: Who brings it.
    /// - Returns: The photo, and what a person should know.
    /// - Throws: ``ImtProblem``.
    package func addPhoto(
        _ bytes: [UInt8], at place: Place, taken: String? = nil, fileTime: String? = nil, by author: Author
    ) async throws(ImtProblem) -> Taken {
        // Before any work: most mistakes are seen here.
        try file.read { database in
            let row = try PatientTable.transformation(place.transformation, database)
            try Self.check(place, try PatientTable.photos(of: row.number ?? 0, database))
        }
        let (id, thumbID, files) = (newID(Photo.self), newID(Photo.self), files)
        let made: (clean: CleanPicture, picture: SealedFolder.Sealed, thumb: SealedFolder.Sealed, thumbCount: Int)
        do {
            made = try await lane.perform {
                try await runOnThread(stop: {}) {
                    let clean = try PictureIntake.take(bytes)
                    let thumb = try Rendition.make(
                        of: clean.bytes, clean.size, at: Similarity(filling: Rendition.thumbSize, with: clean.size),
                        in: Rendition.thumbSize)
                    do {
                        return (
                            clean, try files.write(clean.bytes, as: "\(id)"), try files.write(thumb, as: "\(thumbID)"),
                            thumb.count
                        )
                    } catch {
                        // It is swept at the next start, if it cannot be removed now.
                        try? files.remove(["\(id)", "\(thumbID)"])
                        throw error
                    }
                }
            }
        } catch {
            throw file.problem(error)
        }
        let (time, timeNotice) = takenTime(taken ?? made.clean.taken, fileTime)
        let photo = Photo(
            id: id, side: place.side, view: place.view, taken: time, size: made.clean.size,
            byteCount: made.clean.bytes.count, hash: made.clean.hash)
        do {
            let (warning, gone) = try change(author, .add, "\(id)", "\(place.side.rawValue) \(place.view.rawValue)") {
                database in
                var row = try PatientTable.transformation(place.transformation, database)
                let number = row.number ?? 0
                var gone: [String] = []
                if let old = place.replacing {
                    let oldRow = try PatientTable.photo(old, database)
                    gone = try PatientTable.files(of: [oldRow], database)
                    try DeliveryTable.revoke(photo: oldRow.id, database)
                    try oldRow.delete(database)
                    try log(author, .delete, oldRow.id, "replaced", database)
                }
                var photoRow = PhotoRow(photo, of: number, key: made.picture.wrapped)
                try photoRow.insert(database)
                try CopyRow(
                    id: "\(thumbID)", photo: photoRow.number ?? 0, kind: CopyKind.thumb.rawValue,
                    byteCount: made.thumbCount, hash: "", key: Data(made.thumb.wrapped)
                ).insert(database)
                gone += try Self.dropFrames(of: number, place.view, database)
                let all = try PatientTable.photos(of: number, database)
                row.number = number
                return (row.transformation(all)?.warning(place.view), gone)
            }
            try files.remove(gone)
            return Taken(photo: photo, notice: timeNotice ?? warning)
        } catch {
            try? files.remove(["\(id)", "\(thumbID)"])
            throw error
        }
    }

    /// Refuses what the rows would not take, with a better sentence.
    private static func check(_ place: Place, _ photos: [PhotoRow]) throws(ImtProblem) {
        let ofView = photos.filter { $0.view == place.view.rawValue }
        let first = ofView.first { $0.side == Side.before.rawValue }
        if let replacing = place.replacing {
            guard let old = ofView.first(where: { $0.id == "\(replacing)" }), old.side == place.side.rawValue else {
                throw ImtProblem(
                    .missing, "the photo that is to be replaced is gone: look again",
                    "la photo à remplacer n'existe plus : regardez encore")
            }
        } else if place.side == .before, first != nil {
            throw ImtProblem(
                .refused, "there is a photo before of this view already: replace it, or delete it first",
                "il y a déjà une photo avant de cette vue : remplacez-la, ou supprimez-la d'abord")
        }
        if place.side == .after, first == nil {
            throw ImtProblem(
                .refused, "there is no photo before of this view yet: take that one first",
                "il n'y a pas encore de photo avant de cette vue : prenez-la d'abord")
        }
    }

    /// The time of a picture: what it says, else that of its file, marked as estimated (IMT31).
    private func takenTime(_ said: String?, _ fileTime: String?) -> (TakenTime?, ImtProblem?) {
        var notice: ImtProblem?
        if let said {
            do throws(ImtProblem) {
                return (try TakenTime(said, isEstimated: false, today: today), nil)
            } catch {
                notice = error
            }
        }
        let estimated = fileTime.flatMap { try? TakenTime($0, isEstimated: true, today: today) }
        return (estimated, notice)
    }

    /// Deletes a photo; that before stays while there is one after.
    package func remove(_ id: Photo.ID, by author: Author) throws(ImtProblem) {
        let names = try change(author, .delete, "\(id)") { database in
            let row = try PatientTable.photo(id, database)
            let others = try PatientTable.photos(of: row.transformation, database)
            if row.side == Side.before.rawValue,
                others.contains(where: { $0.view == row.view && $0.side == Side.after.rawValue })
            {
                throw ImtProblem(
                    .refused, "there is a photo after of this view: delete that one first, or replace this one",
                    "il y a une photo après de cette vue : supprimez-la d'abord, ou remplacez celle-ci")
            }
            let names = try PatientTable.files(of: [row], database)
            try DeliveryTable.revoke(photo: row.id, database)
            try row.delete(database)
            return names
                + (try Self.dropFrames(of: row.transformation, FaceView(rawValue: row.view) ?? .front, database))
        }
        try file.scrub()
        try files.remove(names)
    }

    /// Notes where the eyes of a photo are; nil forgets them (IMT37).
    package func setEyes(
        _ id: Photo.ID, _ points: (left: PicturePoint, right: PicturePoint)?, by author: Author
    ) throws(ImtProblem) -> Photo {
        let (photo, names) = try change(author, .edit, "\(id)", "eyes") { database in
            var row = try PatientTable.photo(id, database)
            let eyes = try points.map {
                try EyePoints(left: $0.left, right: $0.right, in: PictureSize(width: row.width, height: row.height))
            }
            (row.leftX, row.leftY, row.rightX, row.rightY) = (eyes?.left.x, eyes?.left.y, eyes?.right.x, eyes?.right.y)
            try row.update(database)
            let names = try Self.dropFrames(of: row.transformation, FaceView(rawValue: row.view) ?? .front, database)
            return (row.photo, names)
        }
        try files.remove(names)
        return try photo.orThrow(ImtProblem(.failed, "the photo \(id) has no id", "la photo \(id) n'a pas d'id"))
    }

    /// Drops the copies in the frame of comparison of a view, which depend on all its photos; returns their files.
    private static func dropFrames(of transformation: Int64, _ view: FaceView, _ database: Database) throws -> [String]
    {
        let sql = """
            SELECT id FROM copy WHERE kind = ? AND photo IN
                (SELECT number FROM photo WHERE transformation = ? AND view = ?)
            """
        let names = try String.fetchAll(
            database, sql: sql, arguments: [CopyKind.frame.rawValue, transformation, view.rawValue])
        for name in names { try database.execute(sql: "DELETE FROM copy WHERE id = ?", arguments: [name]) }
        return names
    }

    // MARK: - Pictures

    /// The picture of a photo as it is kept; in the log as seen.
    package func picture(_ id: Photo.ID, by author: Author) throws(ImtProblem) -> [UInt8] {
        let row = try file.write { database in
            let row = try PatientTable.photo(id, database)
            try log(author, .view, row.id, "picture", database)
            return row
        }
        return try files.read(row.id, wrapped: row.key)
    }

    /// The thumb of a photo.
    package func thumb(_ id: Photo.ID) throws(ImtProblem) -> [UInt8] {
        let copy = try file.read { database in
            let photo = try PatientTable.photo(id, database)
            return try CopyRow.fetchOne(
                database, sql: "SELECT * FROM copy WHERE photo = ? AND kind = ?",
                arguments: [photo.number, CopyKind.thumb.rawValue])
        }
        guard let copy else {
            throw ImtProblem(.missing, "the photo \(id) has no thumb", "la photo \(id) n'a pas de vignette")
        }
        return try files.read(copy.id, wrapped: copy.key)
    }
}

/// What a copy is for.
enum CopyKind: String {
    /// For lists.
    case thumb
    /// In the frame of comparison, for watches.
    case frame
}
