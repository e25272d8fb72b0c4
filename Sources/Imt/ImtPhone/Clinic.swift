import Foundation
import GRDB
import ImtApp
package import ImtModel
import Platform
import Records
import Service
package import SyncStore
import Vault

/// What a clinic has on the phone: patients, transformations, photos, and the log of what was done.
///
/// Each change is durable when its call returns, and is in the log in the same transaction. Photos are sealed files beside the
/// database: a file is complete before its row exists, and the row goes before the file.
package actor Clinic {
    let file: RecordFile
    let files: SealedFolder
    let lane = TaskLane()
    private let signal = ChangeSignal()
    private let clock: @Sendable () -> Timestamp

    /// Opens the store of a folder, and makes it if it does not exist.
    ///
    /// What a crash left between a file and its row is removed.
    ///
    /// - Parameters:
    ///   - folder: The folder of the store.
    ///   - keys: The folder of the master key, which is another one.
    ///   - clock: The time.
    /// - Throws: ``ImtProblem``.
    package init(
        folder: StateFolder, keys: StateFolder, clock: @escaping @Sendable () -> Timestamp = { .now }
    ) throws(ImtProblem) {
        self.clock = clock
        file = try RecordFile(.clinic, in: folder)
        do {
            let wrap = try KeyWrap(keys: keys, mayCreate: file.wasCreated)
            files = try SealedFolder(folder: folder.path(of: "photos"), keys: wrap)
        } catch {
            throw ImtProblem(.failed, "\(error)", "\(error)")
        }
        try files.sweep(keeping: try file.read(PatientTable.files))
        // A crash may have come between an erase and this.
        try file.scrub()
    }

    nonisolated var now: Timestamp { clock() }

    /// The present day.
    package nonisolated var today: CalendarDay { CalendarDay(of: now) }

    /// Yields after each change; several may yield once.
    package nonisolated func changes() -> AsyncStream<Void> { signal.changes() }

    /// Writes in one transaction with its entry in the log, and tells that something changed.
    func change<Value>(
        _ author: Author, _ action: AuditAction, _ subject: String, _ detail: String = "",
        _ work: (Database) throws -> Value
    ) throws(ImtProblem) -> Value {
        let value = try file.write { database in
            let value = try work(database)
            try log(author, action, subject, detail, database)
            return value
        }
        signal.signal()
        return value
    }

    nonisolated func log(
        _ author: Author, _ action: AuditAction, _ subject: String, _ detail: String = "", _ database: Database
    ) throws {
        var row = AuditRow(
            at: now.milliseconds, who: author.who, watch: author.watch, action: action.rawValue, subject: subject,
            detail: detail)
        try row.insert(database)
    }

    func newID<Thing: Identified>(_: Thing.Type) -> Identifier<Thing> {
        var generator = SystemRandomNumberGenerator()
        return Identifier(using: &generator)
    }

    // MARK: - Patients

    /// Adds a patient (IMT4, IMT9).
    package func add(
        given: String, family: String = "", birth: String = "", by author: Author
    ) throws(ImtProblem) -> Patient {
        let patient = Patient(
            id: newID(Patient.self), given: try .given(given), family: try .family(family),
            birth: try CalendarDay.read(birth, Self.birthWords, today: today))
        return try change(author, .add, "\(patient.id)") { database in
            var row = PatientRow(patient)
            try row.insert(database)
            return patient
        }
    }

    private static let birthWords = (english: "date of birth", french: "date de naissance")

    /// Changes a patient; nil leaves a value, blank clears it where it may be (IMT22).
    package func edit(
        _ id: Patient.ID, given: String?, family: String?, birth: String?, by author: Author
    ) throws(ImtProblem) -> Patient {
        let newGiven = try given.map { (text) throws(ImtProblem) in try PersonName.given(text) }
        let newFamily = try family.map { (text) throws(ImtProblem) in try PersonName.family(text) }
        let day = today
        let newBirth = try birth.map { (text) throws(ImtProblem) in
            try CalendarDay.read(text, Self.birthWords, today: day)
        }
        return try change(author, .edit, "\(id)") { database in
            let row = try PatientTable.patient(id, database)
            guard var patient = row.patient else { throw Self.foreign(row.id) }
            if let newGiven { patient.given = newGiven }
            if let newFamily { patient.family = newFamily }
            if let newBirth { patient.birth = newBirth }
            try PatientRow(patient, number: row.number).update(database)
            return patient
        }
    }

    private static func foreign(_ id: String) -> ImtProblem {
        ImtProblem(
            .failed, "the store has \(id), which is no id: restore a backup", "la base a \(id), qui n'est pas un id")
    }

    /// Erases a patient with everything of hers but the log, which has no names (IMT35).
    ///
    /// When this returns, no byte of it is in the folder any more.
    ///
    /// - Returns: The number of photos that are gone.
    package func erase(_ id: Patient.ID, by author: Author) throws(ImtProblem) -> Int {
        let (names, count) = try change(author, .erase, "\(id)") { database in
            let names = try Self.erase(id, at: now, database)
            return names
        }
        try file.scrub()
        try files.remove(names)
        return count
    }

    /// Deletes the rows of a patient; returns the names of the files, and the number of photos.
    static func erase(_ id: Patient.ID, at now: Timestamp, _ database: Database) throws -> ([String], Int) {
        let row = try PatientTable.patient(id, database)
        let sql = "SELECT p.* FROM photo p JOIN transformation t ON t.number = p.transformation WHERE t.customer = ?"
        let photos = try PhotoRow.fetchAll(database, sql: sql, arguments: [row.number])
        let names = try PatientTable.files(of: photos, database)
        for photo in photos { try DeliveryTable.revoke(photo: photo.id, database) }
        try row.delete(database)
        try database.execute(
            sql: "INSERT OR REPLACE INTO erased (id, at) VALUES (?, ?)", arguments: [row.id, now.milliseconds])
        return (names, photos.count)
    }

    // MARK: - Looking

    /// A page of the list, or what is found by words.
    package func list(_ number: Int = 0, find text: String = "") throws(ImtProblem) -> ListedPatients {
        try file.read { try text.isEmpty ? PatientTable.page(number, $0) : PatientTable.find(text, $0) }
    }

    /// A patient with her transformations; in the log as seen.
    package func open(
        _ id: Patient.ID, by author: Author
    ) throws(ImtProblem) -> (patient: Patient, transformations: [Transformation]) {
        try file.write { database in
            let row = try PatientTable.patient(id, database)
            guard let patient = row.patient else { throw Self.foreign(row.id) }
            try log(author, .view, row.id, "", database)
            return (patient, try PatientTable.transformations(of: row.number ?? 0, database))
        }
    }

    /// The patient of a name or an id, for the command line.
    ///
    /// - Parameters:
    ///   - text: An id, a given name or a whole name, in any case; or the beginnings of its words.
    ///   - isWhole: Whether beginnings do not count.
    /// - Returns: The only such patient.
    /// - Throws: ``ImtProblem`` if there is none, or more than one.
    package func patient(named text: String, isWhole: Bool = false) throws(ImtProblem) -> Patient {
        if let id = Patient.ID(text) {
            return try file.read { try PatientTable.patient(id, $0).patient.orThrow(Self.foreign(text)) }
        }
        let found = try list(find: text).patients.map(\.patient)
        let wanted = text.lowercased()
        let full = found.filter { $0.fullName.lowercased() == wanted }
        let exact = full.isEmpty ? found.filter { $0.given.text.lowercased() == wanted } : full
        guard !exact.isEmpty || !isWhole || found.isEmpty else {
            throw ImtProblem(
                .refused,
                "\(Excerpt(text)) is only the beginning of a name: give the whole name, or the id that `imt list` shows",
                "\(Excerpt(text)) n'est que le début d'un nom : donnez le nom entier, ou l'id que montre `imt list`")
        }
        let chosen = exact.isEmpty ? found : exact
        guard let first = chosen.first else {
            throw ImtProblem(
                .missing, "there is no patient \(Excerpt(text)): see `imt list`",
                "aucun patient \(Excerpt(text)) : voyez `imt list`")
        }
        guard chosen.count == 1 else {
            throw ImtProblem(
                .refused, "\(Excerpt(text)) may be \(chosen.count) patients: give the id that `imt list` shows",
                "\(Excerpt(text)) peut être \(chosen.count) patients : donnez l'id que montre `imt list`")
        }
        return first
    }

    /// The transformation of a name or an id among those of a patient.
    package func transformation(named text: String, of patient: Patient.ID) throws(ImtProblem) -> Transformation {
        let all = try file.read { database in
            try PatientTable.transformations(of: try PatientTable.patient(patient, database).number ?? 0, database)
        }
        let found = all.filter { "\($0.id)" == text.lowercased() || $0.name?.text.lowercased() == text.lowercased() }
        guard let first = found.first, found.count == 1 else {
            throw ImtProblem(
                .missing,
                "\(found.count) transformations of this patient are called \(Excerpt(text)): give a name that one has, or its id",
                "\(found.count) transformations de ce patient s'appellent \(Excerpt(text)) : donnez un nom unique, ou l'id"
            )
        }
        return first
    }

    /// The newest entries of the log, newest first.
    package func audit(limit: Int) throws(ImtProblem) -> [AuditEntry] {
        try file.read { database in
            try AuditRow.order(sql: "number DESC").limit(limit).fetchAll(database).map { row in
                AuditEntry(
                    number: row.number ?? 0, at: Timestamp(milliseconds: row.at).iso8601, who: row.who,
                    watch: row.watch, action: row.action, subject: row.subject, detail: row.detail)
            }
        }
    }

    /// Notes something in the log that changes nothing here.
    package func note(_ action: AuditAction, _ subject: String, _ detail: String = "", by author: Author)
        throws(ImtProblem)
    {
        try file.write { try log(author, action, subject, detail, $0) }
    }

    // MARK: - Transformations

    /// Adds a transformation to a patient.
    package func addTransformation(
        of patient: Patient.ID, name: String, by author: Author
    ) throws(ImtProblem) -> Transformation {
        let id = newID(Transformation.self)
        let name = try PersonName.transformation(name)
        return try change(author, .add, "\(id)") { database in
            guard let customer = try PatientTable.patient(patient, database).number else {
                throw Self.foreign("\(patient)")
            }
            var row = TransformationRow(id: "\(id)", customer: customer, name: name?.text)
            try row.insert(database)
            return Transformation(id: id, name: name)
        }
    }

    /// Changes a transformation; nil leaves a value, blank clears it.
    package func edit(
        _ id: Transformation.ID, name: String?, before: String?, after: String?, by author: Author
    ) throws(ImtProblem) -> Transformation {
        let newName = try name.map { (text) throws(ImtProblem) in try PersonName.transformation(text) }
        let day = today
        func read(_ text: String, _ words: (String, String)) throws(ImtProblem) -> CalendarDay? {
            try CalendarDay.read(text, (words.0, words.1), today: day)
        }
        let newBefore = try before.map { (text) throws(ImtProblem) in try read(text, ("date before", "date avant")) }
        let newAfter = try after.map { (text) throws(ImtProblem) in try read(text, ("date after", "date après")) }
        return try change(author, .edit, "\(id)") { database in
            var row = try PatientTable.transformation(id, database)
            if let newName { row.name = newName?.text }
            if let newBefore { row.dayBefore = newBefore?.text }
            if let newAfter { row.dayAfter = newAfter?.text }
            try row.update(database)
            let photos = try PatientTable.photos(of: row.number ?? 0, database)
            return try row.transformation(photos).orThrow(Self.foreign(row.id))
        }
    }

    /// Names a transformation, if it is still called as the asker saw (IMT23).
    package func rename(
        _ id: Transformation.ID, saw: String?, to name: String, by author: Author
    ) throws(ImtProblem) {
        let name = try PersonName.transformation(name)
        _ = try change(author, .edit, "\(id)") { database in
            var row = try PatientTable.transformation(id, database)
            guard row.name == saw else {
                let present = row.name.map { "\(Excerpt($0))" } ?? "without a name"
                throw ImtProblem(
                    .refused, "it is \(present) by now: look again, then name it",
                    "elle s'appelle autrement à présent : regardez encore, puis nommez-la")
            }
            row.name = name?.text
            try row.update(database)
        }
    }

    /// Removes a transformation with its photos.
    package func remove(_ id: Transformation.ID, by author: Author) throws(ImtProblem) {
        let names = try change(author, .delete, "\(id)") { database in
            let row = try PatientTable.transformation(id, database)
            let photos = try PatientTable.photos(of: row.number ?? 0, database)
            let names = try PatientTable.files(of: photos, database)
            for photo in photos { try DeliveryTable.revoke(photo: photo.id, database) }
            try row.delete(database)
            return names
        }
        try file.scrub()
        try files.remove(names)
    }

    // MARK: - Consent

    /// Notes what a patient agrees to; nil for not asked (IMT33).
    ///
    /// What is not allowed any more is recalled from watches.
    package func consent(
        _ id: Patient.ID, _ purpose: Purpose, _ isGiven: Bool?, by author: Author
    ) throws(ImtProblem) -> Patient {
        try change(author, .consent, "\(id)", Self.words(purpose, isGiven)) { database in
            let row = try PatientTable.patient(id, database)
            guard var patient = row.patient else { throw Self.foreign(row.id) }
            patient.consent[purpose] = isGiven
            let changed = PatientRow(patient, number: row.number)
            try changed.update(database)
            try recall(of: changed, by: author, database)
            return patient
        }
    }

    /// The same for one photo, which stands above what the patient agreed to.
    package func consent(
        _ id: Photo.ID, _ purpose: Purpose, _ isGiven: Bool?, by author: Author
    ) throws(ImtProblem) -> Photo {
        try change(author, .consent, "\(id)", Self.words(purpose, isGiven)) { database in
            var row = try PatientTable.photo(id, database)
            switch purpose {
            case .clinical: row.clinical = isGiven
            case .marketing: row.marketing = isGiven
            }
            try row.update(database)
            let patient = try PatientTable.patient(ofTransformation: row.transformation, database)
            try recall(of: patient, by: author, database)
            return try row.photo.orThrow(Self.foreign(row.id))
        }
    }

    private static func words(_ purpose: Purpose, _ isGiven: Bool?) -> String {
        "\(purpose.rawValue): \(isGiven.map { $0 ? "yes" : "no" } ?? "not asked")"
    }

    /// Recalls every photo of a patient from watches that may not be shown any more.
    private nonisolated func recall(of patient: PatientRow, by author: Author, _ database: Database) throws {
        for transformation in try PatientTable.transformations(of: patient.number ?? 0, database) {
            for photo in transformation.photos {
                let consent = Consent(clinical: patient.clinical, marketing: patient.marketing)
                guard !Consent.allows(.clinical, patient: consent, photo: photo.consent),
                    try DeliveryTable.revoke(photo: "\(photo.id)", database)
                else { continue }
                try log(author, .recall, "\(photo.id)", "", database)
            }
        }
    }
}

extension Optional {
    /// The value, or an error.
    func orThrow(_ problem: @autoclosure () -> ImtProblem) throws(ImtProblem) -> Wrapped {
        guard let self else { throw problem() }
        return self
    }
}

extension Clinic {
    /// Fills the store with rows, without pictures, to measure the list.
    package func fill(patients: Int, photosEach: Int) throws(ImtProblem) {
        let names = ["Marie", "Ada", "Ben", "Zoé", "Omar", "Li", "Noah", "Mia"]
        for start in stride(from: 0, to: patients, by: 5000) {
            try file.write { database in
                for number in start..<min(start + 5000, patients) {
                    let patient = Patient(
                        id: newID(Patient.self), given: PersonName(checked: names[number % names.count]),
                        family: PersonName(checked: "P\((number * 7919) % 1_000_003)"))
                    var row = PatientRow(patient)
                    try row.insert(database)
                    var transformation = TransformationRow(
                        id: "\(newID(Transformation.self))", customer: row.number ?? 0, name: "Skin")
                    for index in 0..<photosEach {
                        if index.isMultiple(of: 2) {
                            transformation.id = "\(newID(Transformation.self))"
                            transformation.number = nil
                            try transformation.insert(database)
                        }
                        let photo = Photo(
                            id: newID(Photo.self), side: index.isMultiple(of: 2) ? .before : .after, view: .front,
                            taken: nil, size: PictureSize(width: 1, height: 1), byteCount: 0, hash: "")
                        var photoRow = PhotoRow(photo, of: transformation.number ?? 0, key: [])
                        try photoRow.insert(database)
                    }
                }
            }
        }
    }
}
