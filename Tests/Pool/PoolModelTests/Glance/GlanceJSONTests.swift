import PoolSamples
import Testing

@testable import PoolModel

@Suite struct GlanceJSONTests {
    private let device = WatchDevice(id: lagoon.id, name: "L\"agoon\n", serverID: home.id, expectedIntervalSeconds: 60)

    private func glance(_ values: QuantityMap<Double>, link: LinkState = .linked, revision: UInt64? = 4187) -> Glance {
        var readings = DeviceReadings(deviceID: lagoon.id)
        readings.absorb(message(values, sampledAt: noon, receivedAt: noon))
        return Glance(
            device: device, readings: readings, history: nil, now: noon.advanced(byMilliseconds: 4500), link: link,
            revision: revision, clock: "12:00")
    }

    @Test func `P103 a glance is one line of JSON with these keys`() {
        var shown = glance([.temperature: 27.3, .ph: 7.64])
        shown.poolName = "Garden"
        let line = shown.jsonLine()
        #expect(
            line
                == #"{"ageSeconds":4,"alerts":[],"assessments":[{"assessment":"check","name":"L\"agoon\n","#
                + #""sentence":"pH 7.64 is too high.","sentenceFrench":"pH 7,64 : trop haut."}],"#
                + #""clock":"12:00","conflicts":[],"fileNotice":null,"#
                + #""freshness":"live","#
                + #""id":"\#(lagoon.id)","#
                + #""link":{"ageSeconds":null,"state":"linked","text":null},"name":"L\"agoon\n","pendingEdits":[],"#
                + #""pool":"Garden","readings":["#
                + #"{"ageSeconds":4,"deviation":null,"formerStatus":null,"freshness":"live","history":[],"isMeasured":true,"#
                + #""limits":{"criticalHigh":35,"criticalLow":15,"high":30,"low":20},"#
                + #""quantity":"temperature","status":"normal","trend":null,"unit":"°C","value":27.3},"#
                + #"{"ageSeconds":4,"deviation":"high","formerStatus":null,"freshness":"live","history":[],"isMeasured":true,"#
                + #""limits":{"criticalHigh":8,"criticalLow":6.5,"high":7.6,"low":6.8},"#
                + #""quantity":"ph","status":"warning","trend":null,"unit":"","value":7.64},"#
                + #"{"ageSeconds":null,"deviation":null,"formerStatus":null,"freshness":"never","history":[],"isMeasured":false,"#
                + #""limits":{"criticalHigh":5,"criticalLow":0.5,"high":3,"low":1},"#
                + #""quantity":"chlorine","status":"offline","trend":null,"unit":"mg/L","value":null},"#
                + #"{"ageSeconds":null,"deviation":null,"formerStatus":null,"freshness":"never","history":[],"isMeasured":false,"#
                + #""limits":{"criticalHigh":900,"criticalLow":500,"high":800,"low":600},"#
                + #""quantity":"orp","status":"offline","trend":null,"unit":"mV","value":null}"#
                + #"],"restoreNotice":null,"revision":4187,"source":{"from":"hub","text":null},"status":"warning","#
                + #""uploadObstacle":null}"#)
        #expect(!line.contains("\n"))
        let (before, after) = (#""status":"warning","uploadObstacle""#, #""status":"offline","uploadObstacle""#)
        #expect(shown.jsonLine(status: "offline") == line.replacing(before, with: after))
    }

    @Test(
        arguments: [
            (LinkState.unpaired, "unpaired", nil, nil),
            (.connecting(waitingFor: "the hub"), "connecting", nil, "the hub"),
            (.linked, "linked", nil, nil), (.lost(seconds: 14), "lost", 14, nil),
            (.refused(reason: "unknown key"), "refused", nil, "unknown key"),
        ] as [(LinkState, String, Int?, String?)])
    func `the link is a state, seconds and words`(link: LinkState, state: String, seconds: Int?, text: String?) throws {
        struct Line: Decodable {
            struct Link: Decodable, Equatable {
                var state: String
                var ageSeconds: Int?
                var text: String?
            }
            var link: Link
        }
        let line = glance([.ph: 7], link: link).jsonLine()
        let read = try CanonicalJSON.decode(Line.self, from: Array(line.utf8)).link
        #expect(read == Line.Link(state: state, ageSeconds: seconds, text: text))
    }

    @Test func `a glance says whether the hub has this or the watch kept it`() {
        func source(_ source: GlanceSource?, link: LinkState = .linked) -> Bool {
            var glance = glance([.ph: 7], link: link)
            glance.source = source
            let words: String? = if case .kept(let reason) = source { "\"\(reason)\"" } else { nil }
            let from = glance.isFromHub ? "hub" : "kept"
            #expect(glance.jsonLine().contains(#""source":{"from":"\#(from)","text":\#(words ?? "null")}"#))
            return glance.isFromHub
        }
        #expect(source(.hub))
        // A link that is up says nothing about values that the hub has not confirmed.
        #expect(!source(.kept(reason: "the hub")))
        #expect(source(nil))
        #expect(!source(nil, link: .lost(seconds: 1)))
    }

    @Test func `no reading, no revision and impossible numbers are null`() throws {
        var glance = glance([.ph: 7], revision: nil)
        glance.deviceName = nil
        glance.gauges[1].value = .nan
        glance.gauges[1].limits.high = .infinity
        glance.gauges[1].history = [nil, 7.5, .nan]

        let line = glance.jsonLine()

        #expect(line.contains(#""name":null"#))
        #expect(line.contains(#""revision":null"#))
        #expect(line.contains(#""history":[null,7.5,null]"#))
        #expect(line.contains(#""high":null"#))
        #expect(!line.contains("nan") && !line.contains("inf"))
    }

    @Test func `numbers are not rounded, not even large ones`() throws {
        var glance = glance([.ph: 7.2000000000000002], revision: .max)
        glance.gauges[0].value = 0.1 + 0.2
        let line = glance.jsonLine()
        #expect(line.contains("\"value\":0.30000000000000004"))
        #expect(line.contains("\"revision\":18446744073709551615"))
    }
}
