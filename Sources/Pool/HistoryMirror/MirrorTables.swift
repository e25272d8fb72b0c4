internal import PoolModel
internal import Postgres

/// The tables of mirrors: those of all hubs are in one schema.
enum MirrorTables {
    /// Makes the tables, if they are not there.
    static let script = Script(
        file: """
            CREATE SCHEMA IF NOT EXISTS poolsensors;
            CREATE TABLE IF NOT EXISTS poolsensors.hub (
                hub TEXT PRIMARY KEY, last_row BIGINT NOT NULL DEFAULT 0, copied_at TIMESTAMPTZ
            );
            CREATE TABLE IF NOT EXISTS poolsensors.reading (
                hub TEXT NOT NULL REFERENCES poolsensors.hub (hub), row BIGINT NOT NULL, device TEXT NOT NULL,
                sampled_at TIMESTAMPTZ NOT NULL, time_quality TEXT NOT NULL, received_at TIMESTAMPTZ NOT NULL,
                value JSONB NOT NULL, PRIMARY KEY (hub, row)
            );
            CREATE INDEX IF NOT EXISTS reading_by_time ON poolsensors.reading (device, sampled_at);
            """)

    /// Makes the view with a column for each quantity.
    ///
    /// The keys are constants of the program, and new ones come at the end, as a view that is replaced needs.
    static let view = Script(
        file: """
            CREATE OR REPLACE VIEW poolsensors.readings AS
            SELECT hub, row, device, sampled_at, time_quality, received_at
            \(Quantity.allCases.map { ", (value ->> '\($0.rawValue)')::float8 AS \($0.rawValue)" }.joined())
            FROM poolsensors.reading
            """)

    /// Values as an object of JSON; one that is not finite is a text, which the view reads as well.
    static func json(_ values: QuantityMap<Double>) -> String {
        let members = values.pairs.map { quantity, value in
            "\"\(quantity.rawValue)\":" + (value.isFinite ? "\(value)" : value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
        }
        return "{\(members.joined(separator: ","))}"
    }
}
