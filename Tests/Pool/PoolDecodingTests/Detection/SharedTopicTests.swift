import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// Topics that several messages or several devices use alternately.
@Suite struct SharedTopicTests {
    private func report(_ lines: [(topic: String, payload: String)]) -> DetectionReport {
        var detection = Detection()
        for line in lines {
            detection.absorb(topic: line.topic, payload: Array(line.payload.utf8), isRetained: false, receivedAt: noon)
        }
        return detection.report()
    }

    private func values(_ proposal: DeviceProposal?) -> [Quantity: Double] {
        let pairs = proposal?.preview.compactMap { preview in preview.value.map { (preview.quantity, $0) } } ?? []
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The values that a hub decodes from the messages with the proposed mapping.
    private func read(_ lines: [(topic: String, payload: String)], as proposal: DeviceProposal) throws -> [Double] {
        var decoder = try MappingDecoder(mapping: try #require(proposal.mapping), deviceTopic: proposal.topic)
        return lines.flatMap { line in
            let outcome = decoder.receive(
                topic: line.topic, payload: Array(line.payload.utf8), receivedAt: noon, isRetained: false)
            #expect(outcome?.rejection?.isFault != true)
            return outcome?.readings.flatMap { $0.values.pairs.map(\.1) } ?? []
        }
    }

    @Test func `a topic that ends on a message of something else keeps what came before`() throws {
        // Shelly, second generation: changes are reported on one topic.
        let topic = "shellyplus1-a8032ab12345/events/rpc"
        let frame = { (params: String) in
            #"{"src":"shellyplus1-a8032ab12345","dst":"shellyplus1-a8032ab12345/events","method":"NotifyStatus","#
                + #""params":{"ts":1780315199.5,\#(params)}}"#
        }
        let lines = [
            (topic, frame(#""temperature:100":{"id":100,"tC":25.3,"tF":77.5}"#)),
            (topic, frame(#""switch:0":{"id":0,"output":true,"temperature":{"tC":41.2,"tF":106.2}}"#)),
            ("shellyplus1-a8032ab12345/online", "true"),
        ]
        let report = report(lines)
        let proposal = try #require(report.proposals.first)
        #expect(report.proposals.count == 1)
        #expect(values(proposal) == [.temperature: 25.3])
        #expect(proposal.mapping?.values.map(\.notation) == [#"temperature=params["temperature:100"].tC"#])
        #expect(proposal.mapping?.time?.notation == "params.ts")
        #expect(try read(Array(lines.prefix(2)), as: proposal) == [25.3])
    }

    @Test func `partial messages in turn lose no quantity, and null takes none away`() throws {
        let parts = [#"{"ph":7.2}"#, #"{"orp":690}"#, #"{"temperature":26.5,"ph":null}"#, #"{"orp":691}"#]
        let json = try #require(report(parts.map { ("x/pool", $0) }).proposals.first)
        #expect(values(json) == [.temperature: 26.5, .ph: 7.2, .orp: 691])
        #expect(json.profile == "flat")
        let text = try #require(report([("x/pool", "ph:7.2"), ("x/pool", "temp:26.5")]).proposals.first)
        #expect(values(text) == [.temperature: 26.5, .ph: 7.2])
        let bare = report([("x/pool/ph", "7.2"), ("x/pool/orp", "690"), ("x/pool/ph", "unavailable")])
        #expect(values(bare.proposals.first) == [.ph: 7.2, .orp: 690])
    }

    @Test func `several devices on one topic are proposed apart, each with its condition`() throws {
        let topic = "rtl_433/events"
        let lines = [
            (topic, #"{"model":"Acurite-986","id":7,"temperature_C":4.5,"battery_ok":1}"#),
            (topic, #"{"model":"Inkbird-ITH20R","id":31,"temperature_C":26.3,"temperature_2_C":null}"#),
            (topic, #"{"model":"Schrader","id":"abc","pressure_kPa":210}"#),
            (topic, #"{"model":"Acurite-986","id":9,"temperature_C":-18.0}"#),
            (topic, #"{"model":"Inkbird-ITH20R","id":31,"temperature_C":26.4}"#),
        ]
        let report = report(lines)
        let notations = report.proposals.map { $0.mapping?.values.map(\.notation) ?? [] }
        #expect(
            Set(notations) == [
                ["temperature=temperature_C if model=Acurite-986 if id=7"],
                ["temperature=temperature_C if model=Acurite-986 if id=9"],
                ["temperature=temperature_C if model=Inkbird-ITH20R"],
            ])
        let pool = try #require(report.proposals.first { $0.name == "Inkbird-ITH20R" })
        #expect(values(pool) == [.temperature: 26.4])
        #expect(try read(lines, as: pool) == [26.3, 26.4])
        #expect(report.proposals.allSatisfy { $0.remarks.contains { $0.contains("the topic is shared") } })
    }

    @Test func `what names the value and not its device makes one device`() throws {
        let lines = [
            ("poollab/measure", #"{"parameter":"pH","value":7.21,"unit":"pH","scenario":"429"}"#),
            ("poollab/measure", #"{"parameter":"PL Chlorine Free","value":1.3,"unit":"mg/l","scenario":"428"}"#),
            ("poollab/measure", #"{"parameter":"Alkalinity","value":95,"unit":"ppm","scenario":"430"}"#),
        ]
        let report = report(lines)
        let proposal = try #require(report.proposals.first)
        #expect(report.proposals.count == 1)
        #expect(values(proposal) == [.ph: 7.21, .chlorine: 1.3])
        #expect(try read(lines, as: proposal) == [7.21, 1.3])
        #expect(proposal.unused.map(\.kind) == ["alkalinity"])
    }

    @Test func `kinds of messages of one device stay one device`() throws {
        let report = report([
            ("x/pool", #"{"type":"probe","ph":7.2}"#), ("x/pool", #"{"type":"redox","orp":690}"#),
            ("x/pool", #"{"type":"pump","rpm":1800}"#),
        ])
        #expect(report.proposals.count == 1)
        #expect(values(report.proposals.first) == [.ph: 7.2, .orp: 690])
    }

    @Test func `a number of the message is no device`() {
        let counted = report((1...6).map { ("x/pool", #"{"id":\#($0),"ph":7.\#($0)}"#) })
        #expect(counted.proposals.map { values($0) } == [[.ph: 7.6]])
        let ids = ["0c6b1f6e-3d1a-4b57-9b1e-0d7f0a1c2b3d", "9a6b1f6e-3d1a-4b57-9b1e-0d7f0a1c2b3e"]
        #expect(report(ids.map { ("x/pool", #"{"id":"\#($0)","ph":7.2}"#) }).proposals.count == 1)
    }

    @Test func `more devices on a topic than are told apart are bounded`() {
        var detection = Detection()
        for number in 0..<500 {
            let payload = #"{"mac":"\#(number * 7919 % 1000)x","ph":7.2}"#
            detection.absorb(topic: "x", payload: Array(payload.utf8), isRetained: false, receivedAt: noon)
        }
        #expect(detection.report().proposals.count == ObservedTopic.variantCountMax)
    }

    @Test(arguments: [
        (
            #"{"pool":{"ph":7.21,"orp":702,"temp":26.5},"spa":{"ph":7.43,"orp":655,"temp":38.1},"air":{"temp":31}}"#,
            ["pool", "spa"]
        ),
        (#"{"ph":7.21,"orp":702,"temp":26.5,"spa":{"ph":7.43,"orp":655,"temp":38.1}}"#, ["controller", "spa"]),
        (
            #"{"pools":{"garden":{"ph":7.21,"orp":702,"temp":26.5},"kids":{"ph":7.43,"orp":655,"temp":38.1}}}"#,
            ["garden", "kids"]
        ),
        (
            #"{"pools":[{"name":"Garden","ph":7.21,"orp":702,"temp":26.5},{"name":"Spa","ph":7.43,"orp":655,"temp":38.1}]}"#,
            ["Garden", "Spa"]
        ),
        (
            #"{"data":{"pool_1":{"water":{"ph":7.21,"orp":702,"temp":26.5}},"pool_2":{"water":{"ph":7.43,"orp":655,"temp":38.1}}}}"#,
            ["pool_1", "pool_2"]
        ),
    ])
    func `each pool of one message is a device`(_ payload: String, _ names: [String]) throws {
        let lines = [("home/controller", payload)]
        let proposals = report(lines).proposals.sorted { $0.name < $1.name }
        #expect(proposals.map(\.name) == names)
        #expect(
            proposals.map(values) == [
                [.temperature: 26.5, .ph: 7.21, .orp: 702], [.temperature: 38.1, .ph: 7.43, .orp: 655],
            ])
        #expect(proposals.allSatisfy { $0.openQuantities.isEmpty && ($0.mapping != nil || $0.profile == "flat") })
        // The flat message needs no mapping.
        for (proposal, read) in zip(proposals, [[26.5, 7.21, 702], [38.1, 7.43, 655]]) where proposal.mapping != nil {
            #expect(try self.read(lines, as: proposal) == read)
        }
    }

    @Test(arguments: [
        #"{"pool":{"ph":7.2,"orp":700},"heater":{"temp":31.5}}"#, #"{"pool":{"ph":7.2,"orp":700},"spa":{"temp":37.5}}"#,
        #"{"pool":{"current":{"ph":7.2,"orp":700},"average":{"ph":7.3,"orp":690}}}"#,
        #"{"pool":{"ph":7.2,"orp":700},"pool_raw":{"ph":7.3,"orp":690}}"#,
    ])
    func `the parts of one pool are one device`(_ payload: String) {
        let proposals = report([("home/controller", payload)]).proposals
        #expect(proposals.count == 1)
        #expect(values(proposals.first)[.ph] == 7.2)
    }
}
