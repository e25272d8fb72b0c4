import GRDB
package import ImtModel

/// A patient in the list, as accounts see it.
package struct ListedPatient: Hashable, Codable, Sendable {
    package var patient: Patient
    /// The number of transformations.
    package var count: Int
    /// The sides of which there is a photo.
    package var sides: [Side]

    /// The row that watches see.
    var row: PatientPage.Row {
        PatientPage.Row(
            id: patient.id, given: patient.given.text, initial: PatientPage.initial(of: patient.family?.text),
            count: count, sides: sides)
    }
}

/// A page of the list, as accounts see it.
package struct ListedPatients: Hashable, Codable, Sendable {
    package var number: Int
    package var pageCount: Int
    package var patients: [ListedPatient]

    /// The page that watches see.
    package var page: PatientPage {
        PatientPage(number: number, pageCount: pageCount, rows: patients.map(\.row))
    }
}

/// Patients with their transformations and photos; each function works within a transaction of its caller.
enum PatientTable {
    // MARK: - The list

    /// What is listed, for patients whose numbers a query finds in order.
    private static func listing(of numbers: String) -> String {
        """
        SELECT customer.*,
            (SELECT count(*) FROM transformation t WHERE t.customer = customer.number) AS count,
            EXISTS (SELECT 1 FROM transformation t JOIN photo p ON p.transformation = t.number
                WHERE t.customer = customer.number AND p.side = 'before') AS hasBefore,
            EXISTS (SELECT 1 FROM transformation t JOIN photo p ON p.transformation = t.number
                WHERE t.customer = customer.number AND p.side = 'after') AS hasAfter
        FROM (\(numbers)) AS chosen JOIN customer ON customer.number = chosen.number
        ORDER BY customer.sort, customer.number
        """
    }

    /// The statement of a page; its arguments are the number of rows and how many come before.
    static let pageSQL = listing(of: "SELECT number FROM customer ORDER BY sort, number LIMIT ? OFFSET ?")
    /// The statement of a search; its arguments are the words and the number of rows.
    static let findSQL = listing(
        of: """
            SELECT number FROM customer WHERE number IN (SELECT rowid FROM customer_name WHERE customer_name MATCH ?)
            ORDER BY sort, number LIMIT ?
            """)

    static func page(_ wanted: Int, _ database: Database) throws -> ListedPatients {
        let total = try Int.fetchOne(database, sql: "SELECT count(*) FROM customer") ?? 0
        let count = PatientPage.pageCount(of: total)
        let number = wanted.clamped(to: 0...count - 1)
        let rows = try Row.fetchAll(
            database, sql: pageSQL, arguments: [PatientPage.rowCount, number * PatientPage.rowCount])
        return ListedPatients(number: number, pageCount: count, patients: try rows.compactMap(listed))
    }

    /// The first patients of whose names each word of a text begins a word.
    static func find(_ text: String, _ database: Database) throws -> ListedPatients {
        // Quotes make a phrase of what is typed, so that no sign of it is an operator.
        let words = text.prefix(100).split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 32 } }.map {
            "\"" + $0.replacing("\"", with: "\"\"") + "\"*"
        }
        guard !words.isEmpty else { return try page(0, database) }
        let rows = try Row.fetchAll(
            database, sql: findSQL, arguments: [words.joined(separator: " "), PatientPage.rowCount])
        return ListedPatients(number: 0, pageCount: 1, patients: try rows.compactMap(listed))
    }

    private static func listed(_ row: Row) throws -> ListedPatient? {
        guard let patient = try PatientRow(row: row).patient else { return nil }
        let sides = [(Side.before, "hasBefore"), (.after, "hasAfter")].filter { row[$0.1] as Bool }.map(\.0)
        return ListedPatient(patient: patient, count: row["count"], sides: sides)
    }

    // MARK: - One patient

    static func patient(_ id: Patient.ID, _ database: Database) throws -> PatientRow {
        guard let row = try PatientRow.fetchOne(database, key: ["id": id.description]) else {
            throw missing("patient", "patient", "\(id)")
        }
        return row
    }

    static func transformation(_ id: Transformation.ID, _ database: Database) throws -> TransformationRow {
        guard let row = try TransformationRow.fetchOne(database, key: ["id": id.description]) else {
            throw missing("transformation", "transformation", "\(id)")
        }
        return row
    }

    static func photo(_ id: Photo.ID, _ database: Database) throws -> PhotoRow {
        guard let row = try PhotoRow.fetchOne(database, key: ["id": id.description]) else {
            throw missing("photo", "photo", "\(id)")
        }
        return row
    }

    /// The patient of a photo or a transformation.
    static func patient(ofTransformation number: Int64, _ database: Database) throws -> PatientRow {
        let sql = "SELECT c.* FROM customer c JOIN transformation t ON t.customer = c.number WHERE t.number = ?"
        guard let row = try PatientRow.fetchOne(database, sql: sql, arguments: [number]) else {
            throw missing("patient", "patient", "\(number)")
        }
        return row
    }

    /// The photos of a transformation: those before first, those after by their time.
    static func photos(of transformation: Int64, _ database: Database) throws -> [PhotoRow] {
        let sql = "SELECT * FROM photo WHERE transformation = ? ORDER BY view, side DESC, taken, number"
        return try PhotoRow.fetchAll(database, sql: sql, arguments: [transformation])
    }

    static func transformations(of customer: Int64, _ database: Database) throws -> [Transformation] {
        let sql = "SELECT * FROM transformation WHERE customer = ? ORDER BY number"
        return try TransformationRow.fetchAll(database, sql: sql, arguments: [customer]).compactMap { row in
            row.transformation(try photos(of: row.number ?? 0, database))
        }
    }

    /// The names of the sealed files of photos.
    static func files(of photos: [PhotoRow], _ database: Database) throws -> [String] {
        try photos.flatMap { photo in
            let copies = try String.fetchAll(
                database, sql: "SELECT id FROM copy WHERE photo = ?", arguments: [photo.number])
            return [photo.id] + copies
        }
    }

    /// The names of all sealed files.
    static func files(_ database: Database) throws -> Set<String> {
        try String.fetchSet(database, sql: "SELECT id FROM photo UNION ALL SELECT id FROM copy")
    }

    private static func missing(_ english: String, _ french: String, _ id: String) -> ImtProblem {
        ImtProblem(
            .missing, "there is no \(english) \(id): it may be erased; look at the list again",
            "ce \(french) n'existe pas ou plus (\(id)) : revoyez la liste")
    }
}

/// The statements of the list, for those who look at their plans.
package enum ListPlan {
    /// A page; its arguments are the number of rows and how many come before.
    package static let page = PatientTable.pageSQL
}
