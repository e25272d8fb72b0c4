import Postgres
import RidesApp
import RidesModel

extension Rows {
    /// Reads the rows, without those whose points have no place on earth, or whose amounts are none, such as NaN.
    func readable<Value>(_ read: (Row) throws -> Value) throws -> [Value] {
        try map { row -> Value? in
            do {
                return try read(row)
            } catch  where error is LocationError || error is MontantError {
                return nil
            }
        }.compactMap(\.self)
    }
}

extension Row {
    /// A point; nil for one without a place on earth, such as `POINT EMPTY`, which other programs may write.
    func place(_ name: String) throws -> Location? {
        do {
            return try location(name)
        } catch is LocationError {
            return nil
        }
    }

    /// A point.
    func location(_ name: String) throws -> Location {
        let raw: RawBytes = try self[name]
        return try Location(ewkb: raw.bytes)
    }

    /// An amount.
    ///
    /// - Throws: `MontantError` for NaN and for more than two decimals, `PostgresError` for NULL.
    func montant(_ name: String) throws -> Montant {
        let hundredths: Hundredths
        do {
            hundredths = try self[name]
        } catch PostgresError.column(let name, let reason) {
            throw MontantError.unreadable("\(name) \(reason)")
        }
        return try Montant(centimes: hundredths.value)
    }

    /// A text that a constraint limits.
    func value<Value: ColumnValue>(_ name: String) throws -> Value { try Value(colonne: self[name]) }

    /// A row of `courses`.
    func course() throws -> Course {
        Course(
            id: try self["id"], client_id: try self["client_id"], chauffeur_id: try self["chauffeur_id"],
            depart_point: try location("depart_point"), arrivee_point: try location("arrivee_point"),
            statut: try value("statut"), montant_estime: try montant("montant_estime"))
    }

    /// A row of `chauffeurs`.
    func chauffeur() throws -> Chauffeur {
        Chauffeur(
            id: try self["id"], user_id: try self["user_id"], localisation: try location("localisation"),
            statut: try value("statut"))
    }

    /// A row of `transactions`, without the reference, which the server's roles cannot read.
    func transaction() throws -> Transaction {
        Transaction(
            id: try self["id"], course_id: try self["course_id"], montant_final: try montant("montant_final"),
            token_paiement: nil, statut: try value("statut"))
    }

    /// A row of `course_evenement`.
    func event() throws -> RideEvent {
        let genre: String = try self["genre"]
        guard let known = RideEvent.Genre(rawValue: genre) else {
            throw PostgresError.column("genre", "is \(genre), which this program does not know")
        }
        // An event without a readable amount is still an event.
        let paid = (try? self["montant"] as Hundredths?) ?? nil
        return RideEvent(
            position: .init(xid: try self["xid"], id: try self["id"]), course: try self["course_id"], genre: known,
            texte: try self["texte"], montant: try paid.map { try Montant(centimes: $0.value) }, le: try self["le"])
    }
}
