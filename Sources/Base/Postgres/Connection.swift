internal import CPostgres

/// A connection to a PostgreSQL server, used by one thread at a time.
@safe
package final class Connection {
    private let handle: OpaquePointer
    /// The names of the statements that the server has parsed, by their text and the types of their parameters.
    private var prepared: [PreparedKey: String] = [:]

    private struct PreparedKey: Hashable {
        var sql: String
        var types: [UInt32]
    }

    /// Connects, and waits until the server answers.
    ///
    /// A statement fails that waits more than 10 s for what another one has locked, unless the server has another
    /// `lock_timeout`.
    ///
    /// - Parameter string: A connection string or address of libpq. With several hosts and
    ///   `target_session_attrs=read-write` it finds the one that takes changes.
    /// - Throws: ``PostgresError/connectionLost(_:)``.
    package init(_ string: String) throws(PostgresError) {
        // Words of the string win over those before it.
        let names = ["connect_timeout", "client_encoding", "tcp_user_timeout", "dbname"]
        let values = ["5", "UTF8", "10000", string]
        let result = unsafe withCStrings(names) { names in
            unsafe withCStrings(values) { values in unsafe PQconnectdbParams(names, values, 1) }
        }
        guard let result = unsafe result else { throw .connectionLost("there is no memory for it") }
        unsafe handle = result
        guard unsafe PQstatus(result) == CONNECTION_OK else { throw .connectionLost(lastMessage) }
        // Notices are for people at a terminal.
        unsafe PQsetNoticeProcessor(result, { _, _ in }, nil)
        try execute(
            "SELECT set_config('lock_timeout', '10s', false) WHERE current_setting('lock_timeout') = '0'")
    }

    deinit { unsafe PQfinish(handle) }

    /// Whether the connection is usable as far as is known.
    package var isOpen: Bool { unsafe PQstatus(handle) == CONNECTION_OK }

    /// The version of the server, such as 150020 for 15.20.
    package var serverVersion: Int { Int(unsafe PQserverVersion(handle)) }

    /// Carries out one statement; its text is a part of the program, and values come as parameters.
    ///
    /// The server parses a statement once for each connection.
    ///
    /// - Throws: ``PostgresError``.
    @discardableResult
    package func execute(_ sql: StaticString, _ parameters: Parameter...) throws(PostgresError) -> Rows {
        try execute(sql, parameters)
    }

    /// Carries out one statement with a list of parameters.
    @discardableResult
    package func execute(_ sql: StaticString, _ parameters: [Parameter]) throws(PostgresError) -> Rows {
        let key = PreparedKey(sql: sql.description, types: parameters.map(\.type))
        let name: String
        if let known = prepared[key] {
            name = known
        } else {
            name = "s\(prepared.count)"
            let types = key.types.map { Oid($0) }
            _ = try unsafe checked(PQprepare(handle, name, key.sql, Int32(types.count), types))
            prepared[key] = name
        }
        let values = parameters.map(\.encoded)
        let lengths = values.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: values.count)
        let result = unsafe withPointers(to: values) { pointers in
            unsafe PQexecPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
        }
        return try unsafe checked(result)
    }

    /// Carries out the statements of a file of the program, without parameters.
    ///
    /// - Throws: ``PostgresError``.
    package func run(_ script: Script) throws(PostgresError) {
        _ = try unsafe checked(PQexec(handle, script.text))
    }

    /// The last result of a call; anything but success is an error.
    private func checked(_ result: OpaquePointer?) throws(PostgresError) -> Rows {
        guard let result = unsafe result else { throw .connectionLost(lastMessage) }
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return unsafe Rows(owning: result)
        default: break
        }
        defer { unsafe PQclear(result) }
        guard let state = unsafe field(UInt8(ascii: "C"), of: result) else { throw .connectionLost(lastMessage) }
        throw .server(
            sqlState: state, message: unsafe field(UInt8(ascii: "M"), of: result) ?? "",
            constraint: unsafe field(UInt8(ascii: "n"), of: result))
    }

    private func field(_ code: UInt8, of result: OpaquePointer) -> String? {
        unsafe PQresultErrorField(result, Int32(code)).map { unsafe String(cString: $0) }
    }

    /// What libpq says of the last failure, on one line.
    private var lastMessage: String {
        let text = unsafe String(cString: PQerrorMessage(handle))
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    // MARK: - Notifications

    /// The descriptor to poll for input.
    var socket: Int32 { unsafe PQsocket(handle) }

    /// Reads what has arrived; returns whether there was a notification.
    ///
    /// - Throws: ``PostgresError/connectionLost(_:)``.
    func takeNotifications() throws(PostgresError) -> Bool {
        guard unsafe PQconsumeInput(handle) == 1 else { throw .connectionLost(lastMessage) }
        var hasAny = false
        while let notice = unsafe PQnotifies(handle) {
            hasAny = true
            unsafe PQfreemem(notice)
        }
        return hasAny
    }
}

/// Statements that are a file of the program; nothing that a person typed gets into it.
package struct Script: Sendable {
    let text: String

    /// Takes the text of a file of the program.
    package init(file text: String) { self.text = text }
}

/// Passes texts as a C array with a null at the end, valid during the call.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    unsafe withPointers(to: texts.map { Array($0.utf8) + [0] } + [nil]) { pointers in
        guard let pointers = unsafe pointers else { preconditionFailure("a list with a null at its end has a start") }
        return unsafe body(pointers)
    }
}

/// Passes lists of bytes as a C array of pointers, valid during the call; nil is a null pointer.
private func withPointers<Result>(
    to values: [[UInt8]?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    // An empty value has a place, too: a null pointer would mean NULL.
    let storage = UnsafeMutablePointer<CChar>.allocate(capacity: values.reduce(1) { $0 + ($1?.count ?? 0) })
    defer { unsafe storage.deallocate() }
    var place = 0
    var pointers: [UnsafePointer<CChar>?] = unsafe []
    for value in values {
        guard let value else {
            unsafe pointers.append(nil)
            continue
        }
        let start = unsafe storage + place
        for (index, byte) in value.enumerated() { unsafe start[index] = CChar(bitPattern: byte) }
        unsafe pointers.append(start)
        place += value.count
    }
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
}
