import PoolSamples
import Testing

@testable import PoolModel

/// The services that show alerts on phones: their settings, their requests and what their answers mean.
@Suite struct PhoneServiceTests {
    private let critical = AlertNotice(
        id: "1/1", episodeID: AlertEpisodeID(high: 0, low: 1), key: .value(DeviceID(high: 0, low: 2), .ph, .high),
        kind: .raised, severity: .critical, name: "Lagoon & Spa", value: 9.1, limit: 7.8, normal: 7.4, release: 7.35,
        opposite: 7, since: Timestamp(milliseconds: 1_780_315_200_000), at: Timestamp(milliseconds: 1_780_315_200_999),
        repeats: 0)
    private let now = Timestamp(milliseconds: 1_780_315_200_000)

    private func notice(_ kind: AlertNotice.Kind, _ severity: AlertSeverity) -> AlertNotice {
        var notice = critical
        notice.kind = kind
        notice.severity = severity
        notice.text = notice.sentence(in: .english)
        return notice
    }

    private func request(
        _ channel: AlertChannel, _ notice: AlertNotice, _ fields: [String: String], _ secrets: [String: String],
        in language: TextLanguage = .english
    ) throws -> PhoneRequest {
        let service = try #require(channel.phoneService)
        return service.request(for: notice, in: language, to: PhoneAccount(PhoneSettings(fields), secrets: secrets))
    }

    // MARK: - The table

    @Test func `each row has its own channel, and each channel of a row is switched on by its settings`() {
        #expect(Set(PhoneService.table.map(\.channel)).count == PhoneService.table.count)
        for service in PhoneService.table {
            #expect(service.channel.phoneService?.name == service.name)
            #expect(service.channel.initialAuthorization == .granted && service.channel.notifiesPeople)
            var channels = AlertChannelSettings()
            #expect(!channels.enabled.contains(service.channel))
            channels.phones[service.channel] = PhoneSettings()
            #expect(channels.enabled.contains(service.channel))
        }
        for channel in AlertChannel.allCases where !PhoneService.table.contains(where: { $0.channel == channel }) {
            #expect(channel.phoneService == nil)
        }
    }

    @Test func `settings are objects of their fields, and are kept with fields that this version does not know`() throws
    {
        let json = #"{"channels":{"ntfy":{"later":"x","topic":"pool"},"telegram":{"chat":"-100"}},"language":"french"}"#
        let settings = try CanonicalJSON.decode(AlertSettings.self, from: Array(json.utf8))
        #expect(settings.language == .french)
        #expect(
            settings.channels.phones == [
                .ntfy: PhoneSettings(["later": "x", "topic": "pool"]), .telegram: PhoneSettings(["chat": "-100"]),
            ])
        try settings.validate()
        #expect(text(try CanonicalJSON.encode(settings)) == json)
        let newer = try CanonicalJSON.decode(AlertSettings.self, from: Array(#"{"language":"german"}"#.utf8))
        #expect(newer == AlertSettings())
    }

    @Test(arguments: [
        (AlertChannel.ntfy, "topic", "a b"), (.ntfy, "topic", ""), (.ntfy, "topic", String(repeating: "x", count: 65)),
        (.ntfy, "server", "ntfy.example.org"), (.ntfy, "server", "https://h/?a"), (.ntfy, "username", "a:b"),
        (.pushover, "device", "my phone"), (.telegram, "chat", "pool"), (.telegram, "chat", "12x"),
        (.telegram, "chat", "-"), (.telegram, "chat", "@a"),
    ])
    func `a value that a field cannot have is refused with the field, the value and what is expected`(
        channel: AlertChannel, field: String, value: String
    ) throws {
        let service = try #require(channel.phoneService)
        var settings = AlertSettings()
        settings.channels.phones[channel] = PhoneSettings(
            ["topic": "pool", "chat": "1"].merging([field: value]) { $1 })
        let expected = try #require(service.allFields.first { $0.name == field }).expected
        #expect(
            throws: AlertSettingsError.phoneFieldInvalid(
                service: service.name, field: field, value: value, expected: expected)
        ) { try settings.validate() }
    }

    @Test func `a field that is needed is asked for, and an address with a password is not repeated`() {
        var settings = AlertSettings()
        settings.channels.phones[.telegram] = PhoneSettings()
        #expect(
            throws: AlertSettingsError.phoneFieldMissing(
                service: "Telegram", field: "chat", "the number of the chat, or the @name of a channel")
        ) { try settings.validate() }
        settings.channels.phones = [.pushover: PhoneSettings(["server": "https://me:pw@example.org"])]
        do throws(AlertSettingsError) {
            try settings.validate()
            Issue.record("an address with a password was taken")
        } catch {
            #expect(
                "\(error)".hasPrefix("The server of Pushover is not valid: give http://") && !"\(error)".contains("pw"))
        }
    }

    @Test func `what leaves the house names the service, its address, and a connection without encryption`() throws {
        let service = try #require(AlertChannel.ntfy.phoneService)
        #expect(service.disclosure(of: PhoneSettings()).hasPrefix("ntfy at https://ntfy.sh gets the topic, a title"))
        let own = service.disclosure(of: PhoneSettings(["server": "http://10.0.0.7:8080/"]))
        #expect(own.hasPrefix("ntfy at http://10.0.0.7:8080 gets") && own.hasSuffix("that is not encrypted."))
    }

    // MARK: - Requests

    @Test func `ntfy gets JSON at the root, with the priority and the sign of the severity`() throws {
        let request = try request(.ntfy, critical, ["topic": "pool-8f"], ["token": "tk_abc"])
        #expect(request.path == "/")
        #expect(request.headers == ["Authorization": "Bearer tk_abc", "Content-Type": "application/json"])
        #expect(
            text(request.body)
                == #"{"message":"Lagoon & Spa: pH 9.10, 1.30 above the critical limit of 7.80; "#
                + #"keep people out of the water; measure by hand, then lower the pH.","#
                + #""priority":5,"tags":["rotating_light"],"title":"Lagoon & Spa: critical","topic":"pool-8f"}"#)
        let warning = try self.request(.ntfy, notice(.raised, .warning), ["topic": "p"], [:])
        #expect(text(warning.body).contains(#""priority":3,"tags":["warning"]"#) && warning.headers.count == 1)
        let over = try self.request(.ntfy, notice(.recovered, .critical), ["topic": "p"], [:])
        #expect(text(over.body).contains(#""priority":2,"tags":["white_check_mark"],"title":"Lagoon & Spa: over""#))
    }

    @Test func `ntfy gets user name and password where there is no token`() throws {
        let request = try request(.ntfy, critical, ["topic": "p", "username": "phil"], ["password": "my:pass"])
        #expect(request.headers["Authorization"] == "Basic cGhpbDpteTpwYXNz")
    }

    @Test func `Pushover gets a form with both keys, and a priority that needs no confirmation`() throws {
        let secrets = ["token": String(repeating: "a", count: 30), "user": String(repeating: "u", count: 30)]
        let request = try request(.pushover, critical, ["device": "phone-1"], secrets)
        #expect(request.path == "/1/messages.json")
        #expect(request.headers == ["Content-Type": "application/x-www-form-urlencoded"])
        let parts = text(request.body).split(separator: "&").map(String.init)
        #expect(
            parts.prefix(3) == ["token=\(secrets["token"] ?? "")", "user=\(secrets["user"] ?? "")", "device=phone-1"])
        #expect(parts[3] == "title=Lagoon%20%26%20Spa%3A%20critical")
        #expect(parts[4].hasPrefix("message=Lagoon%20%26%20Spa%3A%20pH%209.10%2C%20"))
        #expect(parts.suffix(2) == ["priority=1", "timestamp=1780315200"])
        let over = text(try self.request(.pushover, notice(.recovered, .warning), [:], secrets).body)
        #expect(over.contains("&priority=-1&") && !over.contains("device="))
        #expect(
            text(try self.request(.pushover, notice(.raised, .warning), [:], secrets).body).contains("&priority=0&"))
    }

    @Test func `Telegram gets JSON for its bot, silent at the end of an alert, in the language of the house`() throws {
        let request = try request(.telegram, critical, ["chat": "-100123"], ["token": "12:ab"], in: .french)
        #expect(request.path == "/bot12:ab/sendMessage")
        let body = text(request.body)
        #expect(body.hasPrefix(#"{"chat_id":"-100123","disable_notification":false,"text":"Lagoon & Spa : critique\n"#))
        #expect(body.contains("au-dessus de la limite critique"))
        let over = text(
            try self.request(.telegram, notice(.recovered, .critical), ["chat": "1"], [:], in: .french).body)
        #expect(over.contains(#""disable_notification":true"#) && over.contains("Lagoon & Spa : terminé"))
    }

    @Test func `a text that is too long is cut between characters`() throws {
        var long = critical
        long.text = String(repeating: "é", count: 3000)
        let form = text(try request(.pushover, long, [:], [:]).body)
        let message = try #require(form.split(separator: "&").first { $0.hasPrefix("message=") })
        let cut = message.dropFirst("message=".count).replacing("%C3%A9", with: "é").replacing("%E2%80%A6", with: "…")
        #expect(cut.utf8.count <= 1024 && cut.utf8.count > 1018 && cut.hasSuffix("é…"))
    }

    // MARK: - Answers

    private func verdict(
        _ channel: AlertChannel, _ status: Int, _ body: String, retryAfter: String? = nil
    ) throws -> PhoneVerdict {
        try #require(channel.phoneService).verdict(
            status: status, retryAfter: retryAfter, body: Array(body.utf8), PhoneSettings(), at: now)
    }

    @Test(arguments: [
        (AlertChannel.ntfy, 200, #"{"id":"xE73","event":"message"}"#),
        (.pushover, 200, #"{"status":1,"request":"647d2300"}"#),
        (.telegram, 200, #"{"ok":true,"result":{"message_id":7}}"#),
    ])
    func `an answer of the service itself is a success`(channel: AlertChannel, status: Int, body: String) throws {
        let taken = try verdict(channel, status, body)
        guard case .accepted = taken else {
            Issue.record("\(taken)")
            return
        }
        let strange = try verdict(channel, 200, "<html>Welcome to this hotel</html>")
        guard case .failed(let words, nil) = strange else {
            Issue.record("a page of somebody else was taken for success: \(strange)")
            return
        }
        let name = try #require(channel.phoneService).name
        #expect(words.contains("but not as \(name) does: check the address"))
    }

    @Test(arguments: [
        (
            AlertChannel.ntfy, 401, #"{"code":40101,"http":401,"error":"unauthorized"}"#,
            #"answered with status 401, "unauthorized": the server accepts neither the token nor the password"#
        ),
        (.ntfy, 403, #"{"code":40301,"http":403,"error":"forbidden"}"#, "the topic belongs to an account"),
        (.ntfy, 413, #"{"error":"message too large"}"#, "message-size-limit"),
        (
            .pushover, 400, #"{"token":"invalid","errors":["application token is invalid"],"status":0}"#,
            #""application token is invalid": take the API token from your application's page"#
        ),
        (
            .pushover, 400, #"{"user":"invalid","errors":["user identifier is not a valid user"],"status":0}"#,
            "take the user key from pushover.net"
        ),
        (.pushover, 400, #"{"errors":["device name is not valid"],"status":0}"#, "correct the device"),
        (.pushover, 200, #"{"errors":["user key is invalid"],"status":0}"#, "take the user key"),
        (
            .telegram, 401, #"{"ok":false,"error_code":401,"description":"Unauthorized"}"#,
            "the token is wrong: ask @BotFather"
        ),
        (
            .telegram, 400, #"{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}"#,
            #""Bad Request: chat not found": write to the bot first"#
        ),
        (
            .telegram, 400,
            #"{"description":"group chat was upgraded to a supergroup chat","parameters":{"migrate_to_chat_id":-1009}}"#,
            "the chat is now -1009"
        ),
        (.telegram, 403, #"{"ok":false,"description":"Forbidden: bot was blocked by the user"}"#, "unblock it"),
        (.ntfy, 404, "404 page not found", "no ntfy server answers there"),
    ])
    func `an error that stays says what to do and is not tried again`(
        channel: AlertChannel, status: Int, body: String, expected: String
    ) throws {
        let verdict = try self.verdict(channel, status, body)
        guard case .refused(let words) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(words.contains(expected), "\(words)")
    }

    @Test(
        arguments: [
            (AlertChannel.ntfy, 429, #"{"error":"limit reached"}"#, "17", Int?(17)),
            (.ntfy, 503, "", "Mon, 01 Jun 2026 12:01:00 GMT", 60),
            (.ntfy, 429, "", "Mon, 01 Jun 2026 11:00:00 GMT", 0),
            (.ntfy, 429, "", "soon", nil),
            (.pushover, 429, #"{"errors":["application is over its quota"],"status":0}"#, nil, nil),
            (
                .telegram, 429, #"{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":35}}"#, "5",
                35
            ),
            (.telegram, 502, "", nil, nil), (.telegram, 307, "", nil, nil),
        ] as [(AlertChannel, Int, String, String?, Int?)])
    func `an error that passes is tried again, and not before the service wants it`(
        channel: AlertChannel, status: Int, body: String, header: String?, seconds: Int?
    ) throws {
        let verdict = try self.verdict(channel, status, body, retryAfter: header)
        guard case .failed(_, let wait) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(wait == seconds)
    }

    @Test func `what a service says is shown on one line, short, without signs that steer a terminal`() throws {
        let long = String(repeating: "x", count: 5000)
        let said = try verdict(.telegram, 400, "{\"ok\":false,\"description\":\"\\u001b[31m\(long)\"}")
        guard case .refused(let words) = said else {
            Issue.record("\(said)")
            return
        }
        #expect(words.count < 300 && words.contains(#"\u{1b}"#) && !words.contains("\u{1B}"))
    }
}
