import HomeAssistantMQTT

import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct HomeAssistantDiscoveryTests {
    private func discovery(_ messages: [(topic: String, payload: String)]) -> HomeAssistantDiscovery {
        var discovery = HomeAssistantDiscovery()
        for message in messages { discovery.absorb(topic: message.topic, payload: Array(message.payload.utf8)) }
        return discovery
    }

    @Test func `the single form with abbreviations, base topic and availability is read`() throws {
        let offers = discovery([
            (
                "homeassistant/sensor/pool-monitor/ph/config",
                #"""
                {"~":"pool-monitor","name":"pH","stat_t":"~/sensor/ph/state","dev_cla":"ph","stat_cla":"measurement",
                "avty_t":"~/status","pl_avail":"up","pl_not_avail":"down","uniq_id":"ESPph","exp_aft":180,
                "dev":{"ids":["a0b1c2"],"name":"Pool Monitor","sw":"2026.8"},"o":{"name":"esphome"},"sug_dsp_prc":2}
                """#
            ),
            (
                "homeassistant/sensor/pool-monitor/water_temperature/config",
                #"""
                {"~":"sensor/water_temperature/state","state_topic":"pool-monitor/~","device_class":"temperature",
                "name":"Water Temperature","unit_of_measurement":"°F","value_template":"{{ value | float }}",
                "dev":{"ids":"a0b1c2"},"whatever":[1,{"x":null}]}
                """#
            ),
        ]).offers
        let offer = try #require(offers.first)
        #expect(offers.count == 1)
        #expect(offer.name == "Pool Monitor")
        #expect(offer.originName == "esphome")
        #expect(offer.topic == "pool-monitor/sensor")
        #expect(offer.expectedIntervalSeconds == 60)
        let mapping = try #require(offer.mapping)
        #expect(
            mapping.values == [
                ValueSource(.temperature, topic: "~/water_temperature/state", unit: .fahrenheit),
                ValueSource(.ph, topic: "~/ph/state"),
            ])
        #expect(
            mapping.availability == [
                AvailabilitySource(topic: "pool-monitor/status", online: ["up"], offline: ["down"])
            ])
    }

    private let kitchen = (
        topic: "homeassistant/device/pool7/config",
        payload: #"""
        {"dev":{"ids":"ea33","name":"Pool","mf":"Bla","mdl":"xya","sn":"1","hw":"1.0"},
        "o":{"name":"bla2mqtt","sw":"2.1","url":"https://bla.example"},
        "cmps":{"t":{"p":"sensor","device_class":"temperature","unit_of_measurement":"°C",
        "value_template":"{{ value_json.temperature}}","unique_id":"t1"},
        "fc":{"p":"sensor","name":"Free chlorine","unit_of_meas":"mg/L","val_tpl":"{{ value_json.cl | float / 10 }}"},
        "rx":{"p":"sensor","name":"Redox","dev_cla":"voltage","unit_of_meas":"V","val_tpl":"{{ value_json['redox'] }}"},
        "h":{"p":"sensor","device_class":"humidity","unit_of_measurement":"%","value_template":"{{ value_json.h }}"},
        "sp":{"p":"sensor","name":"pH setpoint","value_template":"{{ value_json.phsp }}"},
        "n":{"p":"number","name":"pH","value_template":"{{ value_json.ph }}"},"gone":{"p":"sensor"}},
        "availability":[{"t":"pool7/lwt","pl_avail":"Online","pl_not_avail":"Offline"},
        {"topic":"bridge/state","value_template":"{{ value_json.state }}"}],"avty_mode":"any",
        "state_topic":"pool7/state","qos":2}
        """#
    )

    @Test func `salt, conductivity and the battery are found by class, unit and name`() throws {
        let announced = (
            topic: "homeassistant/device/probe/config",
            payload: #"""
            {"dev":{"ids":"p1","name":"Pool"},"o":{"name":"x"},"state_topic":"probe/state","cmps":{
            "p":{"p":"sensor","device_class":"ph","value_template":"{{ value_json.ph }}"},
            "s":{"p":"sensor","name":"Salinity","unit_of_measurement":"ppm","value_template":"{{ value_json.sal }}"},
            "e":{"p":"sensor","device_class":"conductivity","unit_of_measurement":"mS/cm","value_template":"{{ value_json.ec }}"},
            "b":{"p":"sensor","device_class":"battery","unit_of_measurement":"%","value_template":"{{ value_json.b }}"},
            "v":{"p":"sensor","name":"Battery","device_class":"voltage","unit_of_measurement":"V","value_template":"{{ value_json.v }}"}}}
            """#
        )
        let offer = try #require(discovery([announced]).offers.first)
        let mapping = try #require(offer.mapping)
        #expect(mapping.values.map(\.quantity) == [.ph, .salinity, .conductivity, .battery])
        #expect(mapping.values.map(\.unit) == [.ph, .milligramsPerLitre, .millisiemens, .percent])
    }

    @Test func `the device form shares state topic and availability`() throws {
        let offer = try #require(discovery([kitchen]).offers.first)
        let mapping = try #require(offer.mapping)
        #expect(offer.topic == "pool7/state")
        #expect(mapping.values.map(\.quantity) == [.temperature, .chlorine, .orp])
        #expect(mapping.values.map(\.topic) == ["~", "~", "~"])
        #expect(mapping.values.map(\.scale) == [1, 0.1, 1])
        #expect(mapping.values.map(\.unit) == [.celsius, .milligramsPerLitre, .volts])
        #expect(mapping.availability.map(\.topic) == ["pool7/lwt", "bridge/state"])
        #expect(mapping.availability.map { "\($0.path)" } == ["", "state"])
        #expect(offer.notes.contains { $0.contains("mode \"any\"") })
    }

    @Test func `a unit is read from an announcement that the broker keeps, whenever it changes`() throws {
        let topic = "homeassistant/sensor/spa9/water/config"
        let announcement = #"{"name":"Water","dev_cla":"temperature","unit_of_meas":"°C","stat_t":"spa9/temp"}"#
        #expect(discovery([(topic, announcement)]).offers.first?.mapping?.values.first?.unitPlace == nil)
        var kept = HomeAssistantDiscovery()
        kept.absorb(topic: topic, payload: Array(announcement.utf8), isRetained: true)
        kept.absorb(topic: topic, payload: Array(announcement.utf8))
        kept.absorb(topic: kitchen.topic, payload: Array(kitchen.payload.utf8), isRetained: true)
        let offers = kept.offers
        let mapping = try #require(offers.last?.mapping)
        #expect(mapping.values.first?.unitPlace == UnitPlace(topic: topic, path: .keys("unit_of_meas")))
        let device = try #require(offers.first?.mapping)
        #expect(
            device.values.map { $0.unitPlace.map { "\($0.path)" } } == [
                "cmps.t.unit_of_measurement", "cmps.fc.unit_of_meas", "cmps.rx.unit_of_meas",
            ])
        var decoder = try MappingDecoder(mapping: mapping, deviceTopic: "spa9/temp")
        var values: [Double] = []
        for (topic, text) in [
            (topic, announcement), ("spa9/temp", "38.5"), (topic, announcement.replacing("°C", with: "°F")),
            ("spa9/temp", "101.3"), (topic, ""), ("spa9/temp", "100.4"),
        ] {
            let received = decoder.receive(topic: topic, payload: Array(text.utf8), receivedAt: noon, isRetained: false)
            let outcome = try #require(received)
            #expect(outcome.rejection?.isFault != true)
            values += outcome.readings.compactMap { $0.values[.temperature] }
        }
        #expect(zip(values, [38.5, 38.5, 38]).allSatisfy { abs($0 - $1) < 0.01 } && values.count == 3, "\(values)")
    }

    @Test func `a profile that reads the same takes the unit from the announcement, too`() throws {
        let config =
            #"{"name":"Water temperature","dev_cla":"temperature","unit_of_meas":"°C","#
            + #""stat_t":"pm/sensor/water_temperature/state","dev":{"ids":"1","name":"PM"}}"#
        var detection = Detection()
        for (topic, text, isRetained) in [
            ("homeassistant/sensor/pm/t/config", config, true), ("pm/sensor/water_temperature/state", "26.1", false),
            ("pm/sensor/ph/state", "7.2", false), ("pm/sensor/orp/state", "701", false),
        ] {
            detection.absorb(topic: topic, payload: Array(text.utf8), isRetained: isRetained, receivedAt: noon)
        }
        let proposal = try #require(detection.report().proposals.first)
        #expect(proposal.mapping?.values.first?.unitPlace?.topic == "homeassistant/sensor/pm/t/config")
    }

    @Test func `of several places a template may mean, a person must choose one`() throws {
        let config =
            #"{"name":"Water","dev_cla":"temperature","unit_of_meas":"°C","stat_t":"d/s","#
            + #""val_tpl":"{{ value_json.temp_a if value_json.pump else value_json.temp_b }}"}"#
        var detection = Detection()
        for (topic, text) in [
            ("homeassistant/sensor/d/t/config", config), ("d/s", #"{"pump":true,"temp_a":26.4,"temp_b":24.1}"#),
        ] {
            detection.absorb(topic: topic, payload: Array(text.utf8), isRetained: false, receivedAt: noon)
        }
        let report = detection.report()
        let proposal = try #require(report.proposals.first)
        #expect(report.proposals.count == 1 && proposal.source == .homeAssistant)
        #expect(proposal.openQuantities == [.temperature])
        #expect(proposal.suggestions.map(\.value) == [26.4, 24.1])
        #expect(proposal.remarks.contains("Water: template not understood: it chooses between two values"))
    }

    @Test func `an empty payload deletes, another one replaces`() {
        var discovery = discovery([kitchen])
        #expect(discovery.entities.count == 3)
        discovery.absorb(
            topic: kitchen.topic,
            payload: Array(#"{"cmps":{"p":{"p":"sensor","dev_cla":"ph","stat_t":"x/ph"}}}"#.utf8))
        #expect(discovery.entities.map(\.quantity) == [.ph])
        let outcome = discovery.absorb(topic: kitchen.topic, payload: [])
        #expect(outcome == .deleted)
        #expect(discovery.offers.isEmpty)
    }

    @Test func `a template that is not understood is told, and the sensor is still offered`() throws {
        let offer = try #require(
            discovery([
                (
                    "homeassistant/sensor/p1/config",
                    #"{"name":"Pool pH","stat_t":"p/1","val_tpl":"{% for x in value_json %}{{ x.ph }}{% endfor %}"}"#
                )
            ]).offers.first)
        #expect(offer.mapping == nil)
        #expect(offer.notes.contains { $0.contains("template not understood: it has statements (for)") })
    }

    @Test(
        arguments: [
            (#""name":"pH max","stat_t":"p/1","val_tpl":"{{ value_json.ph_max }}""#, nil),
            (#""name":"Target temperature","dev_cla":"temperature","unit_of_meas":"°C","stat_t":"p/1""#, nil),
            (#""name":"Outside temperature","dev_cla":"temperature","unit_of_meas":"°C","stat_t":"p/1""#, nil),
            (#""name":"Solar","dev_cla":"temperature","unit_of_meas":"°C","stat_t":"p/1""#, nil),
            (#""name":"RSSI","dev_cla":"signal_strength","unit_of_meas":"dBm","stat_t":"p/1""#, nil),
            (#""name":"pH battery","dev_cla":"battery","unit_of_meas":"%","stat_t":"p/1""#, nil),
            (#""name":"Battery voltage","dev_cla":"voltage","unit_of_meas":"mV","stat_t":"p/1""#, nil),
            (#""name":"EC","unit_of_meas":"µS/cm","stat_t":"p/1""#, .conductivity),
            (#""name":"TDS","unit_of_meas":"ppm","stat_t":"p/1""#, nil),
            (#""name":"Chlorine production","unit_of_meas":"%","stat_t":"p/1""#, nil),
            (#""name":"pH","stat_t":"pool/#""#, nil), (#""name":"pH""#, nil),
            (#""name":null,"obj_id":"pool_ph","stat_t":"p/1""#, .ph),
            (#""uniq_id":"water_orp","unit_of_meas":"mV","stat_t":"p/1","val_tpl":"{{ value_json.v }}""#, .orp),
            (#""name":"Wassertemperatur","unit_of_meas":"°C","stat_t":"p/1""#, .temperature),
            (#""name":"Freies Chlor","unit_of_meas":"ppm","stat_t":"p/1""#, .chlorine),
            (#""name":"Value","stat_t":"pool/ph/state""#, .ph),
        ] as [(String, Quantity?)])
    func `only quantities of the water are offered`(members: String, quantity: Quantity?) {
        let discovery = discovery([("homeassistant/sensor/node/thing/config", "{\(members)}")])
        #expect(discovery.entities.first?.quantity == quantity)
    }

    @Test(
        arguments: [
            "homeassistant/sensor/config", "homeassistant/sensor/a/b/c/config", "homeassistant/sensor/ä/config",
            "homeassistant/sensor/pool_ph/state", "other/sensor/x/config", "homeassistant//x/config",
        ])
    func `other topics are no announcements`(topic: String) {
        #expect(HomeAssistantTopic(topic) == nil)
    }

    @Test func `broken announcements are counted, not believed`() {
        var discovery = HomeAssistantDiscovery()
        let topic = "homeassistant/sensor/x/config"
        for payload in ["{", "[]", "null", "{\"name\":", "\u{FF}"] {
            discovery.absorb(topic: topic, payload: Array(payload.utf8))
        }
        discovery.absorb(topic: topic, payload: [0xFF, 0xFE])
        #expect(discovery.unreadableCount == 4)
        #expect(discovery.offers.isEmpty)
    }

    @Test func `no more announcements are kept than the limit`() {
        var discovery = HomeAssistantDiscovery()
        let count = HomeAssistantDiscovery.announcementCountMax
        for number in 0..<count + 7 {
            discovery.absorb(
                topic: "homeassistant/sensor/s\(number)/config",
                payload: Array(#"{"name":"pH","stat_t":"p/\#(number)"}"#.utf8))
        }
        discovery.absorb(
            topic: "homeassistant/sensor/big/config",
            payload: Array(repeating: 0x20, count: HomeAssistantDiscovery.byteCountMax + 1))
        #expect(discovery.entities.count == count)
        #expect(discovery.droppedCount == 8)
    }
}
