extension PhoneService {
    /// All services, in the order of their channels.
    package static let table: [PhoneService] = [ntfy, pushover, telegram]

    private static func command(_ service: String, _ rest: String) -> String {
        "`poolsensors alerts channel \(service) \(rest)`"
    }

    // MARK: - ntfy

    private struct NtfyBody: Encodable {
        var topic: String
        var title: String
        var message: String
        var priority: Int
        var tags: [String]
    }

    private static let ntfy = PhoneService(
        channel: .ntfy, name: "ntfy", server: "https://ntfy.sh",
        fields: [
            Field(
                "topic", "the topic that the phones subscribe to", isRequired: true,
                expected: "1 to 64 letters, digits, - and _"
            ) { PhoneFieldRules.isWord($0, 1...64, signs: "-_") },
            Field(
                "username", "the user name, if the server asks for a password",
                expected: "1 to 64 visible characters without a colon"
            ) {
                PhoneFieldRules.isVisible($0, 1...64) && !$0.contains(":")
            },
            Field("token", "an access token", isSecret: true, expected: "1 to 256 visible characters") {
                PhoneFieldRules.isVisible($0, 1...256)
            },
            Field("password", "the password of the user name", isSecret: true, expected: "1 to 256 bytes") {
                (1...256).contains($0.utf8.count)
            },
        ],
        receives: """
            the topic, a title with the name of the device or server and the severity, the text with values, limits and \
            advice, and the priority; anyone who knows a topic that no account protects can read its notices
            """,
        titleByteCountMax: 250, textByteCountMax: 4000,
        form: { message, account in
            let body = NtfyBody(
                topic: account["topic"], title: message.title, message: message.text,
                priority: message.urgency == .urgent ? 5 : message.urgency == .normal ? 3 : 2,
                tags: [
                    message.urgency == .urgent
                        ? "rotating_light" : message.urgency == .normal ? "warning" : "white_check_mark"
                ])
            var headers: [String: String] = [:]
            if !account["token"].isEmpty {
                headers["Authorization"] = "Bearer \(account["token"])"
            } else if !account["username"].isEmpty {
                let pair = Base64.text(Array("\(account["username"]):\(account["password"])".utf8))
                headers["Authorization"] = "Basic \(String(decoding: pair, as: UTF8.self))"
            }
            return .json(body, path: "/", headers: headers)
        },
        isAccepted: { $0.member(named: "id")?.scalarText != nil },
        complaint: { $0.member(named: "error")?.scalarText },
        wait: { _ in nil },
        remedies: [
            Remedy(
                401,
                "the server accepts neither the token nor the password: make a new token and give it with "
                    + command("ntfy", "--secret-file token=FILE")),
            Remedy(
                403,
                "the topic belongs to an account: give a token of an account that may write to it with "
                    + command("ntfy", "--secret-file token=FILE")),
            Remedy(404, "no ntfy server answers there: correct the address with " + command("ntfy", "server=URL")),
            Remedy(413, "the server takes only shorter messages: raise its limit, message-size-limit"),
            Remedy(429, "the server limits how many messages it takes: wait, or give a token of an account with more"),
            Remedy(507, "the disk of the server is full: make room there"),
        ])

    // MARK: - Pushover

    private static let pushover = PhoneService(
        channel: .pushover, name: "Pushover", server: "https://api.pushover.net",
        fields: [
            Field(
                "token", "the API token of your application", isSecret: true, isRequired: true,
                expected: "30 letters and digits"
            ) { PhoneFieldRules.isWord($0, 30...30) },
            Field(
                "user", "your user key or group key", isSecret: true, isRequired: true,
                expected: "30 letters and digits"
            ) { PhoneFieldRules.isWord($0, 30...30) },
            Field(
                "device", "the one device that gets notices", expected: "1 to 25 letters, digits, - and _"
            ) { PhoneFieldRules.isWord($0, 1...25, signs: "-_") },
        ],
        receives: """
            your user key, a title with the name of the device or server and the severity, the text with values, limits \
            and advice, the priority, and the time of the notice
            """,
        titleByteCountMax: 250, textByteCountMax: 1024,
        form: { message, account in
            .form(
                [
                    ("token", account["token"]), ("user", account["user"]), ("device", account["device"]),
                    ("title", message.title), ("message", message.text),
                    // 2 would repeat by itself until somebody confirms it there; the hub repeats alerts already.
                    ("priority", message.urgency == .urgent ? "1" : message.urgency == .normal ? "0" : "-1"),
                    ("timestamp", "\(message.at.milliseconds.flooredDivision(by: 1000))"),
                ], path: "/1/messages.json")
        },
        isAccepted: { $0.member(named: "status")?.scalarText == "1" },
        complaint: { body in
            guard case .array(let errors)? = body.member(named: "errors") else { return nil }
            let texts = errors.compactMap(\.scalarText)
            return texts.isEmpty ? nil : texts.joined(separator: "; ")
        },
        wait: { _ in nil },
        remedies: [
            Remedy(
                429,
                "the messages of the application for this month are used up: wait for the first of the next month, or buy "
                    + "more at pushover.net"),
            Remedy(
                words: "token",
                "take the API token from your application's page at pushover.net and give it with "
                    + command("pushover", "--secret-file token=FILE")),
            Remedy(
                words: "user",
                "take the user key from pushover.net and give it with "
                    + command("pushover", "--secret-file user=FILE")),
            Remedy(
                words: "device",
                "correct the device with " + command("pushover", "device=NAME") + ", or leave it out with `device=`"),
            Remedy(
                404, "Pushover does not answer there: correct the address with " + command("pushover", "server=URL")),
        ])

    // MARK: - Telegram

    private struct TelegramBody: Encodable {
        var chat: String
        var text: String
        var isSilent: Bool

        enum CodingKeys: String, CodingKey {
            case chat = "chat_id"
            case text
            case isSilent = "disable_notification"
        }
    }

    private static let telegram = PhoneService(
        channel: .telegram, name: "Telegram", server: "https://api.telegram.org",
        fields: [
            Field(
                "chat", "the number of the chat, or the @name of a channel", isRequired: true,
                expected: "a number such as 123456789 or -1001234567890, or a name such as @pool_alerts"
            ) { text in
                if text.hasPrefix("@") { return PhoneFieldRules.isWord(String(text.dropFirst()), 4...32, signs: "_") }
                let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
                return (1...20).contains(digits.utf8.count)
                    && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            },
            Field(
                "token", "the token of your bot", isSecret: true, isRequired: true,
                expected: "what @BotFather gave, such as 123456:ABC-DEF"
            ) { text in
                let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                return parts.count == 2 && Int(parts[0]) != nil
                    && PhoneFieldRules.isWord(String(parts[0]), 1...20)
                    && PhoneFieldRules.isWord(String(parts[1]), 1...128, signs: "-_")
            },
        ],
        receives: """
            the chat, a title with the name of the device or server and the severity, and the text with values, limits \
            and advice; the chat keeps the messages
            """,
        titleByteCountMax: 250, textByteCountMax: 3800,
        form: { message, account in
            .json(
                TelegramBody(
                    chat: account["chat"], text: "\(message.title)\n\(message.text)",
                    isSilent: message.urgency == .quiet),
                path: "/bot\(account["token"])/sendMessage")
        },
        isAccepted: { $0.member(named: "ok") == .bool(true) },
        complaint: { body in
            guard let text = body.member(named: "description")?.scalarText else { return nil }
            let chat = body.member(named: "parameters")?.member(named: "migrate_to_chat_id")?.scalarText
            return chat.map { "\(text); the chat is now \($0)" } ?? text
        },
        wait: { $0.member(named: "parameters")?.member(named: "retry_after")?.scalarText.flatMap { Int($0) } },
        remedies: [
            Remedy(
                401,
                "the token is wrong: ask @BotFather for it and give it with "
                    + command("telegram", "--secret-file token=FILE")),
            Remedy(
                404,
                "the token or the address is wrong: ask @BotFather for the token and give it with "
                    + command("telegram", "--secret-file token=FILE")),
            Remedy(
                words: "chat not found",
                "write to the bot first, or add it to the group, then give the number of the chat with "
                    + command("telegram", "chat=NUMBER")),
            Remedy(
                words: "upgraded to a supergroup",
                "the group has another number now: give it with " + command("telegram", "chat=NUMBER")),
            Remedy(403, "the bot may not write there: unblock it, press Start, or add it to the group again"),
            Remedy(429, "Telegram limits how many messages it takes: wait"),
        ])
}
