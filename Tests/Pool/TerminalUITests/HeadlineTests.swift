import PoolModel
import Testing

@testable import TerminalUI

struct HeadlineTests {
    @Test(
        arguments: [
            (SampleGlance.normal, Headline.judged(.normal), "normal"), (.warning, .judged(.warning), "warning"),
            (.critical, .judged(.critical), "critical"), (.stale, .stale, "stale"), (.offline, .offline, "offline"),
            (.lastKnown, .lastKnown, "offline"),
            (.partlyStale, .partlyStale, "stale"), (.formerlyCritical, .formerly(.critical), "stale"),
            (.deadBand, .judged(.warning), "warning"), (.missingProbe, .judged(.normal), "normal"),
            (.never, .noReading, "offline"),
            (.noDevice, .noDevice, "offline"), (.waiting, .waiting, "offline"), (.unpaired, .unpaired, "offline"),
            (.connecting, .connecting, "offline"),
            (.connectingAgain, .judged(.normal), "normal"), (.linkLost, .judged(.normal), "normal"),
            (.linkLostStale, .stale, "stale"),
            (.refused, .refused, "offline"), (.hostileName, .judged(.normal), "normal"),
            (.wideNumbers, .judged(.critical), "critical"),
        ] as [(SampleGlance, Headline, String)])
    func `each state has its headline and its word for programs`(
        sample: SampleGlance, headline: Headline, label: String
    ) {
        #expect(Headline(sample.glance) == headline)
        #expect(Headline(sample.glance).label == label)
    }

    @Test
    func `no combination of freshness, link and status is OK unless every value is live and normal`() {
        let links: [LinkState] = [
            .unpaired, .connecting(waitingFor: "x"), .linked, .lost(seconds: 1), .refused(reason: "x"),
        ]
        let freshnesses: [Freshness] = [.live, .stale, .offline, .lastKnown, .never]
        for link in links {
            for device in freshnesses {
                for first in freshnesses {
                    for status in Status.allCases {
                        var glance = Glance.sample(freshness: device, link: link)
                        for index in glance.gauges.indices { glance.gauges[index].freshness = .live }
                        glance.gauges[0].freshness = first
                        glance.gauges[0].status = status
                        let isAllFresh = device == .live && first == .live && status == .normal && link != .unpaired
                        let lines = glance.plainLines()
                        let claimsOK = Headline(glance) == .judged(.normal)

                        #expect(claimsOK == isAllFresh)
                        #expect(lines.contains { $0.contains(": OK") && $0.hasPrefix("Lagoon") } == isAllFresh)
                        #expect(
                            !lines[0].contains("You can swim") || device == .live && first == .live && link == .linked)
                        #expect((Headline(glance).label == "normal") == isAllFresh)
                    }
                }
            }
        }
    }

    @Test
    func `an old value is not judged whatever its status says, and still counts against the whole`() {
        var glance = Glance.sample(chlorine: 0.2)
        glance.gauges[2].freshness = .stale
        #expect(Headline(glance) == .partlyStale)
        #expect(!glance.plainLines().joined().contains("CRITICAL"))
    }

    @Test
    func `a value that is not a number counts as none`() {
        var glance = Glance.sample()
        for index in glance.gauges.indices { glance.gauges[index].value = .nan }
        #expect(Headline(glance) == .noReading)

        glance.gauges[0].value = 27
        #expect(Headline(glance) == .judged(.normal))
    }

    @Test
    func `a device of which no value can be judged is not OK`() {
        var glance = Glance.sample()
        for index in glance.gauges.indices { glance.gauges[index].status = .offline }
        #expect(Headline(glance) == .stale)
    }
}

struct NoticeTests {
    @Test(arguments: [
        (SampleGlance.normal, "live", "all in range"),
        (.missingProbe, "live", "all in range"),
        (.formerlyCritical, "Chlorine was critical 3 h ago: 0.40 mg/L", "a ack"),
        (.deadBand, "pH 7.58, still above its release at 7.55", "2 min · a ack"),
        (.warning, "pH high 7.64", ""),
        (.critical, "Chlorine low 0.20 mg/L", "+2 more"),
        (.stale, "no new data for 3 min", "r retry"),
        (.offline, "last seen 1 h ago", "r retry"),
        (.lastKnown, "last known values, age unknown", "r retry"),
        (.partlyStale, "pH: no new value for 3 min", "+1 more"),
        (.never, "no reading received yet", "r retry"),
        (.noDevice, "no device is selected on the hub", ""),
        (.waiting, "waiting for the hub's configuration", ""),
        (.unpaired, "not paired with a hub yet", "q quit"),
        (.connecting, "waiting for the hub at 127.0.0.1:7201", "r retry"),
        (.linkLost, "link lost 12 s ago", "r retry"),
        (.linkLostStale, "link lost 1 min ago", "r retry"),
    ])
    func `the bottom line names what comes first`(sample: SampleGlance, text: String, hint: String) {
        let notice = Notice(sample.glance)
        #expect(notice.text == text)
        #expect(notice.hints.first ?? "" == hint)
    }

    @Test
    func `an alarm that nobody answered comes before a lost link, and only a calm notice says live`() {
        var glance = Glance.sample(chlorine: 0.2, link: .lost(seconds: 3))
        #expect(Notice(glance).kind == .alarm(.critical))
        glance.alerts = AlertState([.sample(.chlorine, severity: .critical, isAcknowledged: true)])
        #expect(Notice(glance).kind == .outdated)
        for sample in SampleGlance.allCases {
            let notice = Notice(sample.glance)
            let isCalm =
                Headline(sample.glance) == .judged(.normal) && sample.glance.link == .linked
                && ![.conflict, .obstacle, .restored, .fileReceived].contains(sample)
            #expect((notice.kind == .calm) == isCalm, "\(sample)")
        }
    }

    @Test
    func `a banner tells how long, what to press, and what was answered`() {
        var glance = SampleGlance.critical.glance
        glance.moment = Timestamp(milliseconds: 1_000_000)
        glance.alerts = AlertState([.sample(.chlorine, severity: .critical), .sample(.ph)])
        #expect(
            Notice(glance).hints == ["+2 more · 2 min · a ack", "2 min · a ack", "a ack", "+2 more"])
        #expect(Notice(glance).hint(columns: 40) == "2 min · a ack")
        #expect(Notice(glance).hint(columns: 24) == "")

        // The worst unanswered alert comes first; if all are answered, the worst one does.
        glance.alerts = AlertState([.sample(.chlorine, severity: .critical, isAcknowledged: true), .sample(.ph)])
        #expect(Notice(glance).text == "pH high 7.64")
        glance.alerts = AlertState([
            .sample(.chlorine, severity: .critical, isAcknowledged: true), .sample(.ph, isAcknowledged: true),
            .sample(.orp, side: .low, snoozedUntil: Timestamp(milliseconds: 2_000_000)),
        ])
        #expect(Notice(glance).text == "Chlorine low 0.20 mg/L")
        #expect(Notice(glance).hints[1] == "2 min · acknowledged")
    }

    @Test(arguments: [
        (AlertKey.fault(DeviceID(high: 1, low: 2), .ph), "pH faulty"),
        (.missing(DeviceID(high: 1, low: 2), .orp), "ORP missing"),
        (.fault(DeviceID(high: 1, low: 2), nil), "Lagoon faulty"),
        (.hub(.storage), "Lagoon cannot store"),
    ])
    func `an alert about no value that shows is on every face, and none of them says OK`(key: AlertKey, text: String) {
        var glance = SampleGlance.normal.glance
        glance.deviceID = DeviceID(high: 1, low: 2)
        var alert = AlertState.Alert.sample(.ph)
        alert.key = key
        glance.alerts = AlertState([alert])
        #expect(Headline(glance) == .judged(.warning) && Headline(glance).label == "warning")
        #expect(Notice(glance).text == text && Notice(glance).kind == .alarm(.warning))
        #expect(Notice(glance).hints.first == "a ack")
        #expect(TmuxLine.text(glance, depth: .mono, isASCII: true).contains("!"))
        #expect(!glance.plainLines()[1].contains("OK") && glance.plainLines()[1].contains("WARNING"))
        #expect(!glance.plainLines()[0].contains("You can swim"))
        // An acknowledged alert is shown less prominently, but it is not over.
        alert.isAcknowledged = true
        glance.alerts = AlertState([alert])
        #expect(Headline(glance) == .judged(.warning) && Notice(glance).hints.first == "acknowledged")
    }

    @Test
    func `a quantity that should be told is named on the face`() {
        var glance = SampleGlance.missingProbe.glance
        glance.gauges[3].isExpected = true
        #expect(Headline(glance) == .partlyStale && Headline(glance).label == "stale")
        #expect(Notice(glance).text == "ORP: no usable value")
    }

    @Test
    func `an old critical is told as one on every face, and none of them says CRITICAL`() throws {
        let glance = SampleGlance.formerlyCritical.glance
        var screen = WatchScreen(capabilities: Capabilities(depth: .mono))
        for (columns, rows) in [(46, 22), (24, 10), (40, 15), (40, 9), (72, 1)] {
            let text = screen.draw(glance, size: Size(columns: columns, rows: rows)).text.lowercased()
            #expect(text.contains("was crit") && !text.replacing("was crit", with: "").contains("◆"), "\(text)")
        }
        for text in [TmuxLine.text(glance), glance.plainLines().joined(separator: "\n")] {
            #expect(text.lowercased().contains("was critical"), "\(text)")
        }
        #expect(glance.plainLines()[0] == "Do not swim: chlorine was 0.40 mg/L 3 h ago.")
        #expect(glance.plainLines()[1] == "Lagoon: WAS CRITICAL, updated 4 s ago, revision 4187")
        #expect(
            glance.plainLines().contains("Chlorine: 0.40 mg/L, STALE, 3 h old, was critical low, normal 1.00 to 3.00"))
        #expect(try GlanceFormat("{sign} {status}").text(glance) == "◌ WAS CRITICAL")
        #expect(glance.jsonLine().contains("\"status\":\"stale\""))
    }

    @Test
    func `a value in the dead band of its alert is never called too high`() {
        let glance = SampleGlance.deadBand.glance
        let lines = glance.plainLines()
        #expect(lines.contains { $0.hasPrefix("pH: 7.58, WARNING, still above its release at 7.55, normal") })
        #expect(Notice(glance).brief == "pH 7.58 recovering")
        var screen = WatchScreen(capabilities: Capabilities(depth: .mono))
        for (columns, rows) in [(46, 22), (24, 10), (40, 9), (72, 1)] {
            #expect(!screen.draw(glance, size: Size(columns: columns, rows: rows)).text.contains("high"))
        }
    }

    @Test
    func `what a device does not measure is on no face`() {
        let glance = SampleGlance.missingProbe.glance
        var screen = WatchScreen(capabilities: Capabilities(depth: .mono))
        for (columns, rows) in [(46, 22), (24, 10), (40, 9), (72, 1)] {
            #expect(!screen.draw(glance, size: Size(columns: columns, rows: rows)).text.contains("ORP"))
        }
        #expect(!glance.plainLines().joined().contains("ORP") && !TmuxLine.text(glance).contains("ORP"))
        // A click on the empty place is on nothing.
        _ = screen.draw(glance, size: WatchScreen.preferredSize)
        #expect(screen.place(x: 40, y: 14, size: WatchScreen.preferredSize) == nil)
        #expect(screen.place(x: 5, y: 14, size: WatchScreen.preferredSize) == .gauge(.chlorine))
    }

    @Test
    func `an alert of another device answers nothing here`() {
        var glance = SampleGlance.critical.glance
        glance.alerts = AlertState([.sample(.chlorine, severity: .critical, name: "Spa", isAcknowledged: true)])
        #expect(Notice(glance).hints == ["+2 more", "+2 more", "+2 more"])
    }

    @Test
    func `what the hub says is shown without what could do harm`() {
        let glance = Glance.empty(name: nil, revision: nil, link: .refused(reason: "\u{1B}[2Jgone\u{202E}"))
        #expect(Notice(glance).text == "refused: [2Jgone")
        let silent = Glance.empty(name: nil, revision: nil, link: .refused(reason: "\u{7}"))
        #expect(Notice(silent).text == "refused: no reason given")
    }
}

struct FaceFormatterTests {
    @Test(arguments: [
        (-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"), (86_399, "23 h"),
        (86_400, "1 d"), (Int.max, "106751991167300 d"), (Int.min, "0 s"),
    ])
    func `an age is told in its largest whole unit`(seconds: Int, text: String) {
        #expect(FaceFormatter.age(seconds) == text)
    }

    @Test
    func `a long text is broken between words and ends with an ellipsis`() {
        let text = "one two three four"
        #expect(text.wrapped(columns: 40, lines: 3) == ["one two three four"])
        #expect(text.wrapped(columns: 8, lines: 3) == ["one two", "three", "four"])
        #expect(text.wrapped(columns: 8, lines: 2) == ["one two", "three f…"])
        #expect(text.wrapped(columns: 8, lines: 1) == ["one two…"])
        #expect("incomprehensibilities".wrapped(columns: 8, lines: 3) == ["incompre", "hensibil", "ities"])
        #expect("a incomprehensibility".wrapped(columns: 8, lines: 2) == ["a", "incompr…"])
        #expect("  one two  three".wrapped(columns: 9, lines: 3) == ["  one two", "  three"])
        #expect("      one two".wrapped(columns: 6, lines: 3) == ["   one", "   two"])
        #expect("one    two".wrapped(columns: 5, lines: 3) == ["one", "two"])
        #expect("露天風呂 温泉".wrapped(columns: 5, lines: 4) == ["露天", "風呂", "温泉"])
        #expect("".wrapped(columns: 8, lines: 3) == [""])
        #expect("ab".wrapped(columns: 0, lines: 3) == [""])
    }
}
