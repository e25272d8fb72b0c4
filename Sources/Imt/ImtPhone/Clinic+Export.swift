import Crypto
import Foundation
package import ImtModel
import Records
import Vault

extension Clinic {
    /// A file of an export.
    package struct ExportedFile: Sendable {
        /// Its path in the export.
        package var name: String
        /// The photo that it is; nil for a document.
        package var photo: Photo.ID?
        /// The bytes of a document.
        package var bytes: [UInt8] = []
    }

    /// The files of a patient that may be used for a purpose: photos, a manifest, and FHIR R4 (IMT39); in the log as exported.
    ///
    /// - Returns: The files; ``contents(of:)`` has their bytes.
    /// - Throws: ``ImtProblem`` if nothing may be exported.
    package func export(_ id: Patient.ID, for purpose: Purpose, by author: Author) throws(ImtProblem) -> [ExportedFile]
    {
        let (patient, transformations) = try open(id, by: author)
        var entries: [ExportManifest.Entry] = []
        for transformation in transformations {
            for photo in transformation.photos
            where Consent.allows(purpose, patient: patient.consent, photo: photo.consent) {
                entries.append(ExportManifest.Entry(photo, of: transformation, number: entries.count + 1))
            }
        }
        guard !entries.isEmpty else {
            throw ImtProblem(
                .refused,
                "no photo of this patient may be used for the \(purpose.rawValue) purpose: ask the patient, and note the answer",
                "aucune photo de ce patient ne peut servir à cet usage : demandez au patient, et notez sa réponse")
        }
        try note(.export, "\(id)", "\(purpose.rawValue), \(entries.count) photos", by: author)
        do {
            var files = [
                ExportedFile(
                    name: "manifest.json",
                    bytes: try CanonicalJSON.encode(ExportManifest(purpose: purpose, patient: id, files: entries))),
                ExportedFile(name: "fhir/patient.json", bytes: try CanonicalJSON.encode(FHIRPatient(patient))),
            ]
            for entry in entries {
                let row = try file.read { try PatientTable.photo(entry.photo, $0) }
                let picture = try self.files.read(row.id, wrapped: row.key)
                files.append(
                    ExportedFile(
                        name: "fhir/media-\(entry.number).json",
                        bytes: try CanonicalJSON.encode(FHIRMedia(entry, of: id, picture))))
                files.append(ExportedFile(name: entry.file, photo: entry.photo))
            }
            return files
        } catch {
            throw file.problem(error)
        }
    }

    /// The bytes of a file of an export.
    package func contents(of exported: ExportedFile) throws(ImtProblem) -> [UInt8] {
        guard let photo = exported.photo else { return exported.bytes }
        let row = try file.read { try PatientTable.photo(photo, $0) }
        return try files.read(row.id, wrapped: row.key)
    }
}

/// What is in an export.
struct ExportManifest: Encodable {
    /// A photo.
    struct Entry: Encodable {
        var number: Int
        var file: String
        var photo: Photo.ID
        var transformation: Transformation.ID
        var name: String?
        var side: Side
        var view: FaceView
        /// The day on which it was taken.
        var day: String?
        var isDayEstimated: Bool
        var width: Int
        var height: Int
        var byteCount: Int
        /// The SHA-256 of the file.
        var sha256: String
        /// The eyes, left and right, in points of the picture.
        var eyes: EyePoints?

        init(_ photo: Photo, of transformation: Transformation, number: Int) {
            self.number = number
            self.photo = photo.id
            self.transformation = transformation.id
            name = transformation.name?.text
            side = photo.side
            view = photo.view
            day = ((photo.side == .before ? transformation.before : transformation.after) ?? photo.taken?.day)?.text
            isDayEstimated = photo.taken?.isEstimated ?? false
            width = photo.size.width
            height = photo.size.height
            byteCount = photo.byteCount
            sha256 = photo.hash
            eyes = photo.eyes
            file = "photos/\(number)-\(photo.side.rawValue)-\(photo.view.rawValue).jpg"
        }
    }

    var format = "imt-export-1"
    var purpose: Purpose
    var patient: Patient.ID
    var files: [Entry]
}

/// A patient in FHIR R4; source: hl7.org/fhir/R4/patient.html.
private struct FHIRPatient: Encodable {
    struct Name: Encodable {
        var use = "official"
        var family: String?
        var given: [String]
    }

    var resourceType = "Patient"
    var id: String
    var name: [Name]
    var birthDate: String?

    init(_ patient: Patient) {
        id = "\(patient.id)"
        name = [Name(family: patient.family?.text, given: [patient.given.text])]
        birthDate = patient.birth?.text
    }
}

/// A photo in FHIR R4; source: hl7.org/fhir/R4/media.html.
private struct FHIRMedia: Encodable {
    struct Text: Encodable { var text: String }
    struct Reference: Encodable { var reference: String }
    struct Attachment: Encodable {
        var contentType = "image/jpeg"
        var url: String
        var size: Int
        /// The SHA-1 in base 64, as FHIR wants it.
        var hash: String
        var title: String
    }

    var resourceType = "Media"
    var id: String
    var status = "completed"
    var subject: Reference
    var view: Text
    var createdDateTime: String?
    var width: Int
    var height: Int
    var content: Attachment

    init(_ entry: ExportManifest.Entry, of patient: Patient.ID, _ picture: [UInt8]) {
        id = "\(entry.photo)"
        subject = Reference(reference: "Patient/\(patient)")
        view = Text(text: entry.view.rawValue)
        createdDateTime = entry.day
        width = entry.width
        height = entry.height
        let title = [entry.name, entry.side.rawValue].compactMap(\.self).joined(separator: ", ")
        content = Attachment(
            url: entry.file, size: picture.count, hash: Data(Insecure.SHA1.hash(data: picture)).base64EncodedString(),
            title: title)
    }
}
