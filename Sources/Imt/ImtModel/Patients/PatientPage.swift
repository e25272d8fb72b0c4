/// One page of the list, as a watch may see it: no family name, no date of birth (IMT36).
package struct PatientPage: Hashable, Codable, Sendable {
    /// The rows of a page.
    package static let rowCount = 40

    /// A patient in the list.
    package struct Row: Hashable, Codable, Sendable {
        package var id: Patient.ID
        /// The first name.
        package var given: String
        /// The first letter of the family name; empty without one.
        package var initial: String
        /// The number of transformations.
        package var count: Int
        /// The sides of which there is a photo.
        package var sides: [Side]

        package init(id: Patient.ID, given: String, initial: String, count: Int, sides: [Side]) {
            self.id = id
            self.given = given
            self.initial = initial
            self.count = count
            self.sides = sides
        }
    }

    /// The number of this page, from 0.
    package var number: Int
    /// How many pages there are.
    package var pageCount: Int
    /// The rows.
    package var rows: [Row]

    package init(number: Int, pageCount: Int, rows: [Row]) {
        self.number = number
        self.pageCount = pageCount
        self.rows = rows
    }

    /// How many pages so many patients make; at least one.
    package static func pageCount(of patients: Int) -> Int { max(1, (patients + rowCount - 1) / rowCount) }

    /// The first letter of a family name; empty without one.
    package static func initial(of family: String?) -> String { family?.first.map(String.init) ?? "" }
}
