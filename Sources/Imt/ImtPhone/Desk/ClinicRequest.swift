package import ImtModel

/// What commands on the phone's machine ask of it.
package enum ClinicRequest: Codable, Sendable {
    /// A page of the list, from 0, or what is found by words.
    case list(page: Int, find: String)
    /// Add a patient.
    case addPatient(given: String, family: String, birth: String)
    /// Note what a patient agrees to; nil for not asked.
    case consent(patient: String, purpose: Purpose, isGiven: Bool?)
    /// Add a transformation.
    case addTransformation(patient: String, name: String)
    /// Take in a picture from a file of this machine.
    case importPhoto(patient: String, transformation: String, side: Side, view: FaceView, path: String, replaces: Bool)
    /// Write the files of a patient into a new folder.
    case export(patient: String, purpose: Purpose, path: String)
    /// Erase a patient.
    case erase(patient: String)
    /// Write a backup into a new folder.
    case backup(path: String)
    /// Take over a backup; only while no phone runs.
    case restore(path: String)
    /// The newest entries of the log.
    case audit(limit: Int)
    /// A code for a new watch.
    case invite
    /// The watches, and what they may do.
    case watches
    /// Let a watch do something, or not any more.
    case grant(watch: String, grant: String, isGiven: Bool)
    /// Recall every photo that a watch has.
    case recall(watch: String)
}

/// The answer.
package enum ClinicReply: Codable, Sendable {
    case listed(ListedPatients)
    case audit([AuditEntry])
    case code(String)
    case watches([Watch])
    /// It is done, in a sentence.
    case done(String)
    /// It cannot be done, in a sentence with the way out.
    case problem(String, kind: ImtProblem.Kind)

    /// A watch.
    package struct Watch: Codable, Hashable, Sendable {
        package var name: String
        package var grants: [String]
    }
}
