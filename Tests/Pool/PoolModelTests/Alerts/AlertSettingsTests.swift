import PoolSamples
import Testing

@testable import PoolModel

@Suite struct AlertSettingsTests {
    @Test func `defaults are encoded away, and absent members are defaults`() throws {
        #expect(text(try CanonicalJSON.encode(AlertSettings())) == "{}")
        #expect(try CanonicalJSON.decode(AlertSettings.self, from: Array("{\"later\":1}".utf8)) == AlertSettings())
        #expect(throws: CanonicalJSON.Failure.self) {
            try CanonicalJSON.decode(AlertSettings.self, from: Array("{\"cooldownSeconds\":\"x\"}".utf8))
        }
        var settings = AlertSettings()
        settings.cooldownSeconds = 600
        settings.mutedQuantities = [.orp, .ph]
        settings.quietHours = QuietHours(startMinute: 1320, endMinute: 420)
        settings.channels.webhook = .init(url: "https://example.org/a?b=c", secretName: "pool")
        settings.hysteresis = [.ph: 0.1]
        let bytes = try CanonicalJSON.encode(settings)
        #expect(
            text(bytes)
                == "{\"channels\":{\"webhook\":{\"secretName\":\"pool\",\"url\":\"https://example.org/a?b=c\"}},"
                + "\"cooldownSeconds\":600,\"hysteresis\":{\"ph\":0.1},\"muted\":[\"ph\",\"orp\"],"
                + "\"quietHours\":{\"criticalPasses\":true,\"end\":420,\"start\":1320}}")
        #expect(try CanonicalJSON.decode(AlertSettings.self, from: bytes) == settings)
    }

    @Test(arguments: [60, 3600]) func `P66 the cooldown may be at each end of its range`(seconds: Int) throws {
        var settings = AlertSettings()
        settings.cooldownSeconds = seconds
        try settings.validate()
        settings.cooldownSeconds += seconds == 60 ? -1 : 1
        let error = AlertSettingsError.outOfRange(
            field: "cooldownSeconds", value: settings.cooldownSeconds, range: 60...3600)
        #expect(throws: error) { try settings.validate() }
        #expect("\(error)".contains("\(settings.cooldownSeconds): give a number from 60 to 3600"))
    }

    @Test(arguments: [
        ("ftp://example.org", WebhookAddressProblem.scheme), ("example.org", .scheme), ("https://", .host),
        ("https:///x", .host), ("https://me:pw@example.org/", .credentials), ("http://tok@h/x", .credentials),
        ("https://example.org:0/", .port), ("https://example.org:65536/", .port), ("https://example.org:/", .port),
        ("https://exa mple.org/", .character), ("https://example.org/é", .character),
        ("https://example.org/\n", .character),
        ("https://example.org/#x", .fragment),
    ])
    func `an address that is not valid is refused without repeating it`(url: String, flaw: WebhookAddressProblem) {
        #expect(WebhookAddressProblem.find(in: url) == flaw)
        var settings = AlertSettings()
        settings.channels.webhook = .init(url: url)
        #expect(throws: AlertSettingsError.webhookInvalid(flaw)) { try settings.validate() }
        #expect(!"\(AlertSettingsError.webhookInvalid(flaw))".contains("pw"))
    }

    @Test(arguments: [
        "https://example.org", "http://127.0.0.1:8080/a?b=@c", "HTTPS://[::1]:443/x", "http://hub.local/",
    ])
    func `an address that is one is taken`(url: String) {
        #expect(WebhookAddressProblem.find(in: url) == nil)
    }

    @Test func `every other field is checked too`() {
        func refused(_ change: (inout AlertSettings) -> Void) -> AlertSettingsError? {
            var settings = AlertSettings()
            change(&settings)
            do throws(AlertSettingsError) {
                try settings.validate()
                return nil
            } catch {
                return error
            }
        }
        #expect(refused { $0.hysteresis = [.ph: -0.1] } == .hysteresisOutOfRange(.ph, -0.1))
        #expect(refused { $0.hysteresis = [.orp: .infinity] } == .hysteresisOutOfRange(.orp, .infinity))
        #expect(refused { $0.quietHours = QuietHours(startMinute: 5, endMinute: 5) } == .quietHoursEmpty(5))
        #expect(refused { $0.channels.mqtt = .init(topic: "a/#") } == .topicInvalid("a/#", .wildcard("#")))
        #expect(refused { $0.channels.webhook = .init(url: "http://h", secretName: "") } == .secretNameInvalid)
        #expect(refused { $0.confirmationSamples = 0 } != nil)
        #expect(refused { $0.missingDelaySeconds = -1 } != nil)
        #expect(refused { $0.quietHours = QuietHours(startMinute: 0, endMinute: 1440) } != nil)
    }
}
