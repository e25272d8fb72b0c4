/// Messages that a person can meet, and that the page of messages does not have.
///
/// A message is a text of a type that is an error, a problem, or a state of a connection, or of a call that ends a command. Each
/// piece of it between two interpolations that has three words or more must be on the page as it is.
///
/// - Parameters:
///   - sources: The sources that are searched.
///   - page: The page as written.
/// - Returns: The violations.
func unlistedMessageViolations(in sources: [SwiftSource], page: String) -> [Violation] {
    let words = MessageText.normal(page)
    let names = sources.reduce(into: Set<String>()) { $0.formUnion($1.messageTypes) }
    return sources.filter { source in !Message.silentPlaces.contains { source.path.hasPrefix($0.path) } }
        .flatMap { source in
            source.messagePieces(of: names).compactMap { piece in
                let text = MessageText.core(of: piece.text)
                guard MessageText.wordCount(of: text) >= 3, !words.contains(text),
                    !Message.silentWords.contains(where: { text.contains($0.words) })
                else { return nil }
                return Violation(
                    path: source.path, line: piece.line,
                    message: "\"\(text)\" is not in \(Message.page): add it with what to do, or say why nobody meets it"
                )
            }
        }
}

/// What a person meets, and where it is explained.
enum Message {
    /// The page that lists the messages.
    static let page = "Docs/guide/messages.md"

    /// The sources with messages of the program for pools.
    static func isSource(_ path: String) -> Bool {
        ["Pool", "Base", "Sync"].contains { path.hasPrefix("Sources/\($0)/") }
            && !path.hasPrefix("Sources/Sync/SyncSimulation/")
    }

    /// The calls whose texts end a command or are an answer.
    static let calls: Set = ["CommandFailure", "ValidationError", "RequestProblem", "Refusal", "refused", "void"]

    /// The names of types that are no errors, whose texts are messages nevertheless.
    static let states: Set = ["EndReason", "HubWait", "TLSProblem", "LinkStatus"]

    /// Sources whose texts nobody meets in the program for pools, and why.
    static let silentPlaces: [(path: String, reason: String)] = [
        ("Sources/Pool/PoolWeb/Accounts/AccountError+French.swift", "the same messages in French"),
        ("Sources/Pool/PoolWeb/HTTP/Problem+TooMany.swift", "the same messages in French"),
        ("Sources/Sync/SyncCore/Exchange/", "messages of apps on the engine"),
        ("Sources/Sync/SyncCore/UserInfo/", "user info of apps on the engine"),
        ("Sources/Sync/SyncCore/PropertyList/", "payloads of apps on the engine"),
        ("Sources/Sync/SyncCore/Wire/", "faults of frames, which are counted and not printed"),
        ("Sources/Sync/SyncCore/JSON/", "faults of frames, which are counted and not printed"),
        ("Sources/Base/Postgres/", "messages of apps with a database"),
        ("Sources/Base/ZeroMQ/Authentication/", "requests of libzmq itself"),
        ("Sources/Base/ZeroMQ/Curve/", "keys that the program makes itself"),
        ("Sources/Pool/PoolDecoding/Detection/HomeAssistant/", "details about templates beside a detected device"),
        ("Sources/Pool/TerminalUI/Hub/", "what a screen says beside the key that did nothing"),
        ("Sources/Pool/TerminalUI/Menus/", "what a screen says beside the key that did nothing"),
    ]

    /// Parts of texts that nobody meets, or that one line of the page stands for, and why.
    static let silentWords: [(words: String, reason: String)] = [
        ("gave another answer", "one line on the page for all"),
        ("the ZeroMQ context was shut down", "only after the end of the link"),
        ("nothing more can be sent or received", "only if the program uses libzmq in a wrong way"),
        ("Undo only what was bound or connected", "only if the program uses libzmq in a wrong way"),
        ("leave the option at its default", "only if the program uses libzmq in a wrong way"),
        ("A REQ sends and then receives", "only if the program uses libzmq in a wrong way"),
        ("Install a libzmq that was built with it", "CURVE is checked at the start"),
        ("publish and subscribe between connected and ended", "only if the program uses libmosquitto in a wrong way"),
        ("MQTT allows 268435455", "no payload of the program is that long"),
        ("published messages are not acknowledged yet", "the hub waits for acknowledgements"),
        ("leave it out or use another version", "the hub uses only what both versions have"),
        ("admitted an unknown key", "only in a process with another authenticator"),
        ("records of the kind", "only programs on the engine choose kinds"),
        ("are the hub's own: choose another kind", "only programs on the engine choose kinds"),
        ("host name verification failed", "words of OpenSSL that are recognised"),
        ("alert unknown ca", "words of OpenSSL that are recognised"),
        ("alert certificate", "words of OpenSSL that are recognised"),
        ("alert handshake failure", "words of OpenSSL that are recognised"),
        ("total dissolved solids", "the name of an ingredient"),
        ("values for watches already", "the hub never has so many values"),
        ("it is larger than watches can be sent", "the hub never has a value of that size"),
        ("the default of", "the name of a place"),
        ("an empty text", "the name of a value"),
        ("an author has 1 to", "the page's names are shorter, and have no such characters"),
        ("bytes and no control characters", "the page's names are shorter, and have no such characters"),
        ("cannot contain another command of an author", "the page's server makes no such command"),
        ("no program to guard", "a command that only the program itself uses"),
    ]
}

/// Texts of messages, made comparable.
enum MessageText {
    /// A text without backticks, escapes and line breaks.
    static func normal(_ text: String) -> String {
        text.replacing("`", with: "").replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A piece without the signs at its ends.
    static func core(of piece: String) -> String {
        let signs: Set<Character> = [" ", ".", ",", ":", ";", "(", ")", "\"", "'"]
        var text = normal(piece)[...]
        while let first = text.first, signs.contains(first) { text.removeFirst() }
        while let last = text.last, signs.contains(last) { text.removeLast() }
        return String(text)
    }

    /// How many words of two letters or more there are.
    static func wordCount(of text: String) -> Int {
        text.split(separator: " ").count { $0.count(where: \.isLetter) >= 2 }
    }
}

extension SwiftSource {
    /// The names of the types here whose texts are messages.
    fileprivate var messageTypes: Set<String> {
        Set(
            declarations.filter { declaration in
                declaration.inherited.contains("Error") || Message.states.contains(declaration.name)
                    || declaration.name.hasSuffix("Problem") || declaration.name.hasSuffix("Trouble")
            }.map(\.name))
    }

    /// The pieces of text in the bodies of these types, and in the calls that end a command.
    fileprivate func messagePieces(of types: Set<String>) -> [SwiftProse] {
        var ranges: [ClosedRange<Int>] = []
        for declaration in declarations where types.contains(declaration.name) {
            guard let open = tokens.indices[declaration.place...].first(where: { text(at: $0) == "{" }) else {
                continue
            }
            ranges.append(open...closing(open, "{", "}"))
        }
        for index in tokens.indices where Message.calls.contains(text(at: index)) && text(at: index + 1) == "(" {
            // A case of an enum of that name is written with a dot.
            let isCase = ["refused", "void"].contains(text(at: index))
            if isCase, text(at: index - 1) != "." { continue }
            ranges.append(index...closing(index + 1, "(", ")"))
        }
        let french = tokens.indices.filter { text(at: $0) == "pick" && text(at: $0 + 1) == "(" }
            .compactMap { secondArgument(after: $0 + 1) }
        return prose.filter { piece in
            piece.kind == .string && ranges.contains { $0.contains(piece.place - 1) && $0.upperBound >= piece.place }
                && !french.contains { $0.contains(piece.place - 1) }
        }
    }

    /// The token that closes what opens here, or the last one.
    private func closing(_ start: Int, _ open: String, _ close: String) -> Int {
        var depth = 0
        for index in tokens.indices[start...] {
            if text(at: index) == open { depth += 1 }
            if text(at: index) == close { depth -= 1 }
            if depth == 0 { return index }
        }
        return tokens.endIndex - 1
    }

    /// The second argument of a call with two texts, English and French; the page is in English.
    private func secondArgument(after open: Int) -> ClosedRange<Int>? {
        let end = closing(open, "(", ")")
        var depth = 0
        for index in open..<end {
            if ["(", "[", "{"].contains(text(at: index)) { depth += 1 }
            if [")", "]", "}"].contains(text(at: index)) { depth -= 1 }
            if text(at: index) == ",", depth == 1 { return index...end }
        }
        return nil
    }
}
