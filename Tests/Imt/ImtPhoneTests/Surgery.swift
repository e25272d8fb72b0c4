import Foundation
import ImtModel
import ImtPhone
import SyncStore
import TestSupport
import Text

/// A clinic in a folder of a test.
struct Surgery {
    let folder: TemporaryFolder
    let clinic: Clinic
    let author = Author("test")

    init(in folder: TemporaryFolder) throws {
        self.folder = folder
        clinic = try Self.open(folder)
    }

    init() throws { try self.init(in: TemporaryFolder()) }

    static func open(_ folder: TemporaryFolder) throws -> Clinic { try PhoneProcess.open(folder.path("phone")) }

    /// A small picture of a generated face.
    static func picture(_ seed: UInt64 = 1, progress: Double = 0, _ width: Int = 96, _ height: Int = 120) throws
        -> [UInt8]
    {
        try GeneratedFace(seed: seed, progress: progress).jpeg(PictureSize(width: width, height: height))
    }

    /// A patient with a pair of photos, who agrees to the clinical use.
    func pair(named name: String = "Ada", seed: UInt64 = 1) async throws -> (
        patient: Patient, transformation: Transformation
    ) {
        let patient = try await clinic.add(given: name, by: author)
        _ = try await clinic.consent(patient.id, .clinical, true, by: author)
        let one = try await clinic.addTransformation(of: patient.id, name: "Skin", by: author)
        for side in Side.allCases {
            _ = try await clinic.addPhoto(
                try Self.picture(seed, progress: side == .before ? 0 : 1), at: Clinic.Place(one.id, side),
                taken: side == .before ? "2024-01-01T10:00:00" : "2024-06-01T10:00:00", by: author)
        }
        let all = try await clinic.open(patient.id, by: author).transformations
        return (patient, all[0])
    }

    /// The names of the sealed files.
    var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("phone/photos")).sorted()) ?? []
    }

    /// Every byte of the phone's folder.
    func allBytes() throws -> Data {
        var all = Data()
        let files = FileManager.default.enumerator(atPath: folder.path("phone"))
        while let name = files?.nextObject() as? String {
            all.append((try? Data(contentsOf: URL(filePath: folder.path("phone/\(name)")))) ?? Data())
        }
        return all
    }
}
