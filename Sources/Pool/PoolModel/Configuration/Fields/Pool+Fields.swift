/// The table of a pool's fields; limits have a cell for each quantity.
extension Pool: PatchedRecord {
    /// What the patch of a pool says beside its fields.
    package struct Supplement: Codable, Hashable, Sendable {
        /// Whether another pool may have the name, too; nil if none may.
        ///
        /// For an author who may not be shown whether one has.
        package var sharesName: Bool?
    }

    package static let noSupplement = Supplement()
    package static let kind = "pool"

    package static func blank(id: PoolID) -> Pool { Pool(id: id, name: "") }

    package static let cells: [RecordCell<Pool>] =
        [
            RecordCell(
                EntryGroup.nameGroup, watches: .changed, since: 2, isRequired: true,
                fields: [
                    RecordField(
                        \.name, "name", label: FieldWords("Name", "Nom"), note: "1…256 bytes.",
                        editor: .text(lengthMax: 256), option: FieldOption("A name for the pool.", "name"),
                        clean: { $0.name = HiddenCharacter.replaced(in: $0.name) },
                        check: { pool throws(ConfigurationError) in
                            try NameRule.check(pool.name, of: .pool)
                        })
                ],
                words: { pool, _ in "\(Excerpt(pool.name))" }),
            RecordCell(
                "water", subject: "volume", isRequired: true, isRaw: true,
                fields: [
                    RecordField(
                        blankable: \.volume, "volume",
                        option: FieldOption("The volume of its water, such as 48, 48m3 or 12700gal.", "volume"),
                        check: { pool throws(ConfigurationError) in
                            if let volume = pool.volume, !volumeRange.contains(volume) {
                                throw .volumeOutOfRange(volume)
                            }
                        })
                ],
                words: { pool, _ in pool.volume.map { DisplayUnits.current.text(volume: $0) } ?? "not known" }),
        ]
        + Quantity.allCases.map { quantity in
            RecordCell(
                EntryGroup.limits(quantity), subject: "\(quantity.name) limits", watches: .changed,
                since: max(2, quantity.facts.firstVersion), value: \.limits[quantity],
                check: { limits throws(ConfigurationError) in try limits.check(of: quantity) },
                words: { $0.text(of: quantity) })
        }
}
