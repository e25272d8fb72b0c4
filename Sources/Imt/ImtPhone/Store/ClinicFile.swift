import GRDB
import ImtModel
import Records

extension RecordFile.Kind {
    /// The database of a clinic.
    static let clinic = RecordFile.Kind(
        name: "app.sqlite", applicationID: ClinicTables.applicationID, program: "imt", migrator: ClinicTables.migrator
    ) { error in
        if error.message == "after before before" {
            return ImtProblem(
                .refused, "there is no photo before of this view yet: take that one first",
                "il n'y a pas encore de photo avant de cette vue : prenez-la d'abord")
        }
        guard error.resultCode == .SQLITE_CONSTRAINT, error.message?.contains("photo.view") == true else { return nil }
        return ImtProblem(
            .refused, "there is a photo before of this view already: replace it, or delete it first",
            "il y a déjà une photo avant de cette vue : remplacez-la, ou supprimez-la d'abord")
    }
}

extension RecordFile {
    /// Overwrites what was deleted, also in the index of names and in the journal.
    ///
    /// An index of FTS5 keeps deleted words until its parts are merged.
    func scrub() throws(ImtProblem) {
        _ = try write { try $0.execute(sql: "INSERT INTO customer_name (customer_name) VALUES ('optimize')") }
        try emptyJournal()
    }
}
