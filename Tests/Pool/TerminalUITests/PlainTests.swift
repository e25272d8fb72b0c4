import PoolModel
import Testing

@testable import TerminalUI

struct PlainTests {
    @Test
    func `a fresh device is told in one fact a line`() {
        #expect(
            SampleGlance.critical.glance.plainLines() == [
                "Do not swim: chlorine 0.20 mg/L.", "Lagoon: CRITICAL, updated 4 s ago, revision 4187",
                "Temperature: 27.3 °C, OK, normal 20.0 to 30.0, falling",
                "pH: 7.64, WARNING high, normal 6.80 to 7.60, rising",
                "Chlorine: 0.20 mg/L, CRITICAL low, normal 1.00 to 3.00, falling",
                "ORP: 586 mV, WARNING low, normal 600 to 800, steady",
            ])
    }

    @Test
    func `an old value is never told as a fresh one`() {
        #expect(
            SampleGlance.stale.glance.plainLines()[...3] == [
                "The probe has been silent for 3 min.", "Lagoon: STALE, updated 3 min ago, revision 4187",
                "Temperature: 27.3 °C, STALE, 3 min old, normal 20.0 to 30.0",
                "pH: 7.80, STALE, 3 min old, was high, normal 6.80 to 7.60",
            ])
        #expect(
            SampleGlance.lastKnown.glance.plainLines()[...2] == [
                "The age of the readings is unknown.", "Lagoon: LAST KNOWN, age unknown, revision 4187",
                "Temperature: 27.3 °C, LAST KNOWN, age unknown, normal 20.0 to 30.0",
            ])
        #expect(SampleGlance.offline.glance.plainLines()[1] == "Lagoon: OFFLINE, last seen 1 h ago, revision 4187")
        #expect(SampleGlance.missingProbe.glance.plainLines().count == 5)
    }

    @Test
    func `a link that is not up has a line of its own`() {
        #expect(SampleGlance.linkLost.glance.plainLines()[2] == "Link: LOST, last message of the hub 12 s ago")
        #expect(
            SampleGlance.refused.glance.plainLines() == [
                "No device: NO DATA, nothing received from the hub yet",
                "Link: REFUSED, this watch was removed on the hub; pair it again there to see the pools",
            ])
        #expect(
            SampleGlance.noDevice.glance.plainLines() == [
                "No device: there is none to show: it is gone, or none is selected on the hub, revision 12"
            ])
    }

    @Test(arguments: SampleGlance.allCases)
    func `no line has a sign that is drawn instead of read`(sample: SampleGlance) {
        for line in sample.glance.plainLines() {
            for scalar in line.unicodeScalars {
                #expect(!(0x2500...0x28FF).contains(scalar.value) && scalar.value >= 0x20)
                #expect(scalar.properties.generalCategory != .format)
            }
        }
    }

    @Test
    func `a device without a readable name has a line all the same`() {
        #expect(Glance.sample(name: "\u{1B}\u{202E}").plainLines()[1].hasPrefix("Unnamed device: OK"))
    }
}

struct PlainFollowerTests {
    @Test
    func `the first report is whole and the same again is silent`() {
        var follower = PlainFollower()
        #expect(follower.lines(for: .sample()).count == 6)
        #expect(follower.lines(for: .sample()).isEmpty)
    }

    @Test
    func `that time passed is no news`() {
        for detail in [PlainFollower.Detail.judgements, .values] {
            var follower = PlainFollower(detail)
            for sample in [SampleGlance.normal, .stale, .offline, .linkLost] {
                var glance = sample.glance
                _ = follower.lines(for: glance)
                glance.ageSeconds = (glance.ageSeconds ?? 0) + 7
                for index in glance.gauges.indices { glance.gauges[index].ageSeconds? += 7 }
                glance.gauges[0].trend = .rising
                glance.clock = "10:10"
                if case .lost = glance.link { glance.link = .lost(seconds: 900) }
                #expect(follower.lines(for: glance).isEmpty, "\(sample)")
            }
        }
    }

    @Test
    func `a judgement that changed is told once, with its value`() {
        var follower = PlainFollower()
        _ = follower.lines(for: .sample())
        #expect(follower.lines(for: .sample(ph: 7.4)).isEmpty)

        #expect(
            follower.lines(for: .sample(ph: 7.64)) == [
                "pH 7.64 is too high.", "Lagoon: WARNING, updated 4 s ago, revision 4187",
                "pH: 7.64, WARNING high, normal 6.80 to 7.60, rising",
            ])
        #expect(follower.lines(for: .sample(ph: 7.65)).isEmpty)
        #expect(follower.lines(for: .sample(ph: 6.7)) == ["pH: 6.70, WARNING low, normal 6.80 to 7.60, rising"])
        #expect(follower.lines(for: .sample(ph: 7.2)).count == 3)
    }

    @Test
    func `with values a value that reads differently is news`() {
        var follower = PlainFollower(.values)
        _ = follower.lines(for: .sample())
        #expect(follower.lines(for: .sample(temperature: 27.31)).isEmpty)
        #expect(follower.lines(for: .sample(temperature: 27.4)).count == 1)
    }

    @Test
    func `losing the freshness is news, and so is getting it back`() {
        var follower = PlainFollower()
        _ = follower.lines(for: .sample())
        #expect(follower.lines(for: .sample(freshness: .stale, age: 50)).count == 6)
        #expect(follower.lines(for: .sample(freshness: .offline, age: 900)).count == 5)
        #expect(
            follower.lines(for: .sample())[...1] == ["You can swim.", "Lagoon: OK, updated 4 s ago, revision 4187"])
    }

    @Test
    func `a link that went and came back is told twice`() {
        var follower = PlainFollower()
        _ = follower.lines(for: .sample())
        #expect(
            follower.lines(for: .sample(link: .lost(seconds: 3)))
                == ["No link to the hub for less than 1 min.", "Link: LOST, last message of the hub 3 s ago"])
        #expect(follower.lines(for: .sample(link: .lost(seconds: 4))).isEmpty)
        #expect(follower.lines(for: .sample()) == ["You can swim.", "Link: connected"])
        #expect(follower.lines(for: .sample()).isEmpty)
        #expect(
            follower.lines(for: .sample(link: .lost(seconds: 1)))
                == ["No link to the hub for less than 1 min.", "Link: LOST, last message of the hub 1 s ago"])
    }

    @Test
    func `another device is told as a whole`() {
        var follower = PlainFollower()
        _ = follower.lines(for: .sample())
        #expect(follower.lines(for: .sample(name: "Spa")).count == 6)
        #expect(follower.lines(for: .empty(name: nil, revision: 2)).count == 1)
        #expect(follower.lines(for: .sample(name: "Spa")).count == 6)
    }
}

extension PlainTests {
    @Test
    func `what was changed here and waits, and what lost, is told and on the bottom line`() {
        var glance = SampleGlance.normal.glance
        glance.pendingEdits = [#"name of the device "Lagoon": "Big""#]
        #expect(glance.plainLines()[2] == #"Edits: 1 edit waits for the hub, name of the device "Lagoon": "Big""#)
        #expect(Notice(glance) == Notice(.calm, "live", brief: "live 1 edit waits", hints: ["1 edit waits"]))
        let side = ConflictSummary.Side(value: "\"Big\"", author: "Kitchen", at: Timestamp(milliseconds: 0))
        glance.conflicts = [
            ConflictSummary(
                id: ConflictID(bytes: [0x3f, 0x9a, 0x00, 0xaa, 0x11]), subject: "name of the device \"Lagoon\"",
                base: nil, loser: side, winner: nil,
                rule: "newest", obstacle: nil)
        ]
        #expect(
            glance.plainLines()[3]
                == #"Conflict 3f9a00aa: name of the device "Lagoon", shown is nothing, not shown is "Big" by Kitchen"#)
        #expect(Notice(glance).text == #"conflict: name of the device "Lagoon""#)
        #expect(Notice(glance).hints.first == "1 edit waits · c look")
        glance.link = .lost(seconds: 12)
        #expect(Notice(glance).text == "link lost 12 s ago, 1 edit waits")
    }

    @Test
    func `an alert is told with its age, and only its judgement is news`() {
        var glance = SampleGlance.critical.glance
        glance.moment = Timestamp(milliseconds: 1_000_000)
        glance.alerts = AlertState([.sample(.chlorine, severity: .critical), .sample(.ph, isAcknowledged: true)])
        #expect(
            glance.plainLines()[2...3] == [
                "Alert CRITICAL: Lagoon Chlorine too low, 2 min ago",
                "Alert WARNING: Lagoon pH too high, 2 min ago, acknowledged",
            ])
        var follower = PlainFollower()
        _ = follower.lines(for: glance)
        glance.moment = Timestamp(milliseconds: 9_000_000)
        #expect(follower.lines(for: glance).isEmpty)
        glance.alerts = AlertState([.sample(.chlorine, severity: .critical, isAcknowledged: true)])
        #expect(follower.lines(for: glance) == ["Alert CRITICAL: Lagoon Chlorine too low, 2 h ago, acknowledged"])
    }

    @Test
    func `a hub that was restored or cannot take edits is told once`() {
        var follower = PlainFollower()
        _ = follower.lines(for: .sample())
        #expect(
            follower.lines(for: SampleGlance.obstacle.glance)
                == [
                    "Edits: 2 edits wait for the hub, name of the device \"Lagoon\": \"Big\", pH warning above: 7.80",
                    "Edits: NOT TAKEN, the hub's list of conflicts is full",
                ])
        #expect(
            follower.lines(for: SampleGlance.restored.glance)
                == ["Hub: the hub was restored from a backup, 2 edits sent again"])
        #expect(follower.lines(for: SampleGlance.restored.glance).isEmpty)
    }

    @Test
    func `a file that came is told once, with its size and place`() {
        // P88
        var follower = PlainFollower()
        _ = follower.lines(for: .sample())
        let lines = follower.lines(for: SampleGlance.fileReceived.glance)
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("File: received pool") == true)
        #expect(lines.first?.hasSuffix(".csv, 12 kB, at /srv/watches/Wrist/shared/3f9a/pool.csv") == true)
        #expect(follower.lines(for: SampleGlance.fileReceived.glance).isEmpty)
    }
}
