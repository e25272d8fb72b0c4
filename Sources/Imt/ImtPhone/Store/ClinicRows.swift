import Foundation
import GRDB
import ImtModel

/// A row of `customer`.
struct PatientRow: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "customer"

    var number: Int64?
    var id: String
    var given: String
    var family: String?
    var birth: String?
    var sort: String
    var clinical: Bool?
    var marketing: Bool?

    init(_ patient: Patient, number: Int64? = nil) {
        self.number = number
        id = patient.id.description
        given = patient.given.text
        family = patient.family?.text
        birth = patient.birth?.text
        sort = patient.sortKey
        clinical = patient.consent.clinical
        marketing = patient.consent.marketing
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }

    /// The patient; nil if the id cannot be read, which happens only if another program wrote it.
    var patient: Patient? {
        guard let id = Patient.ID(id) else { return nil }
        return Patient(
            id: id, given: PersonName(checked: given), family: family.map { PersonName(checked: $0) },
            birth: birth.flatMap { CalendarDay($0) }, consent: Consent(clinical: clinical, marketing: marketing))
    }
}

/// A row of `transformation`.
struct TransformationRow: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "transformation"

    var number: Int64?
    var id: String
    var customer: Int64
    var name: String?
    var dayBefore: String?
    var dayAfter: String?

    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }

    func transformation(_ photos: [PhotoRow]) -> Transformation? {
        guard let id = Transformation.ID(id) else { return nil }
        return Transformation(
            id: id, name: name.map { PersonName(checked: $0) }, before: dayBefore.flatMap { CalendarDay($0) },
            after: dayAfter.flatMap { CalendarDay($0) }, photos: photos.compactMap(\.photo))
    }
}

/// A row of `photo`.
struct PhotoRow: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "photo"

    var number: Int64?
    var id: String
    var transformation: Int64
    var side: String
    var view: String
    var taken: String?
    var isEstimated: Bool
    var width: Int
    var height: Int
    var byteCount: Int
    var hash: String
    var leftX: Double?
    var leftY: Double?
    var rightX: Double?
    var rightY: Double?
    var clinical: Bool?
    var marketing: Bool?
    /// The wrapped key of the sealed file.
    var key: Data

    init(_ photo: Photo, of transformation: Int64, key: [UInt8]) {
        id = photo.id.description
        self.transformation = transformation
        side = photo.side.rawValue
        view = photo.view.rawValue
        taken = photo.taken?.text
        isEstimated = photo.taken?.isEstimated ?? false
        width = photo.size.width
        height = photo.size.height
        byteCount = photo.byteCount
        hash = photo.hash
        clinical = photo.consent.clinical
        marketing = photo.consent.marketing
        self.key = Data(key)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }

    var photo: Photo? {
        guard let id = Photo.ID(id), let side = Side(rawValue: side), let view = FaceView(rawValue: view) else {
            return nil
        }
        var eyes: EyePoints?
        if let leftX, let leftY, let rightX, let rightY {
            eyes = EyePoints(left: PicturePoint(x: leftX, y: leftY), right: PicturePoint(x: rightX, y: rightY))
        }
        let time = taken.flatMap {
            try? TakenTime($0, isEstimated: isEstimated, today: CalendarDay(days: 100_000_000))
        }
        return Photo(
            id: id, side: side, view: view, taken: time, size: PictureSize(width: width, height: height),
            byteCount: byteCount, hash: hash, eyes: eyes, consent: Consent(clinical: clinical, marketing: marketing))
    }
}

/// A row of `copy`.
struct CopyRow: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "copy"

    var id: String
    var photo: Int64
    var kind: String
    var byteCount: Int
    var hash: String
    /// The wrapped key of the sealed file.
    var key: Data
}

/// A row of `delivery`: a copy that a watch got, or will get.
struct DeliveryRow: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "delivery"

    var copy: String
    var photo: String
    var watch: String
    var transfer: String?
    var at: Int64
    var isRevoked: Bool
}

/// A row of `audit`.
struct AuditRow: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "audit"

    var number: Int64?
    var at: Int64
    var who: String
    var watch: String?
    var action: String
    var subject: String
    var detail: String
}
