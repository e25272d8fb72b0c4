import PoolControl
import PoolModel
import Testing

@testable import PoolWeb
@testable import WebServer

/// Forecasts, advice and doses.
@Suite struct AdviceTests {
    private static let garden = Grant(poolID: SampleHub.garden, level: .edit)

    private func dose(
        _ pool: PoolID, product: String = "dichlor", _ amount: String = "150", unit: String = "g", more: String = ""
    ) -> String {
        #"{"poolID":"\#(pool)","product":"\#(product)","amount":\#(amount),"unit":"\#(unit)"\#(more)}"#
    }

    private static func logged(_ low: UInt64, _ pool: PoolID) -> Dose {
        Dose(
            id: DoseID(high: 8, low: low), poolID: pool, product: .dichlor, amount: 100, unit: .grams,
            at: SampleHub.now.advanced(byMilliseconds: -1000 * Int64(low)), author: "hub")
    }

    @Test func `V12 a forecast and V21 advice are for accounts that may read the pool`() async throws {
        let bench = try await Bench()
        let guest = try await bench.user("Gil", .guest, [Self.garden])
        let schemas = try Schemas()
        let forecasts = await guest.get("forecasts?device=\(SampleHub.lagoon)")
        #expect(try schemas.faults(of: forecasts.text, "forecasts") == [])
        #expect((forecasts.object["forecasts"] as? [[String: Any]])?.count == 3)
        let advice = await guest.get("advice?pool=\(SampleHub.garden)&totalAlkalinity=100&turnoverHours=5.5")
        #expect(try schemas.faults(of: advice.text, "advice") == [])
        #expect(
            bench.hub.commands == [
                .forecast(SampleHub.lagoon),
                .advice(SampleHub.garden, AdviceNumbers(totalAlkalinity: 100, turnoverHours: 5.5)),
            ])
        for target in [
            "forecasts?device=\(SampleHub.basin)", "forecasts?device=\(SampleHub.loose)",
            "advice?pool=\(SampleHub.hall)", "doses?pool=\(SampleHub.hall)",
        ] {
            #expect(await guest.get(target).status == 404, "\(target)")
        }
        #expect(bench.hub.commands.count == 2)
    }

    @Test(
        arguments: [
            (nil, false), ("", false), ("de", false), ("en-GB,fr;q=0.9", false), ("fr;q=0.4, en;q=0.5", false),
            ("fr;q=x", false), ("fr", true), ("FR-ca , en;q=0.8", true), ("de, fr;q=0.2", true),
        ] as [(String?, Bool)])
    func `V12, V21 reasons and assumptions are in the language that the request prefers`(
        language: String?, isFrench: Bool
    ) async throws {
        let bench = try await Bench()
        let headers = language.map { ["accept-language": $0] } ?? [:]
        let ada = try await bench.user("Ada", .owner)
        let advice = await ada.ask("GET", "advice?pool=\(SampleHub.garden)", headers: headers)
        #expect(
            advice.object["assumptions"] as? [String] == [
                isFrench
                    ? "N'ajoutez qu'un seul produit, et n'en mélangez jamais deux."
                    : "Add one product only, and never mix two."
            ])
        let forecasts = await ada.ask("GET", "forecasts?device=\(SampleHub.lagoon)", headers: headers)
        #expect(forecasts.text.contains(isFrench ? "aucune méthode ne fait mieux" : "no method was better"))
    }

    @Test func `notices and alerts say in French what they say in English, with the safety`() async throws {
        let bench = try await Bench()
        let key = AlertKey.value(SampleHub.lagoon, .chlorine, .low)
        bench.hub.change { state in
            var alert = SampleHub.alert(key, 1)
            (alert.severity, alert.value, alert.limit, alert.normal, alert.release) = (.critical, 0.4, 0.5, 1, 1.1)
            state.alerts.state = AlertState([alert])
            state.alerts.notices = [
                AlertNotice(
                    id: "1", episodeID: alert.episodeID, key: key, kind: .raised, severity: .critical, name: "Lagoon",
                    value: 0.4, limit: 0.5, normal: 1, release: 1.1, opposite: 3, since: SampleHub.now,
                    at: SampleHub.now, repeats: 0)
            ]
        }
        await bench.watcher.look()
        let ada = try await bench.user("Ada", .owner)
        let found = await ada.ask("GET", "alerts?notices=1", headers: ["accept-language": "fr"])
        #expect(
            found.text.contains(
                "Lagoon : Chlore 0,40 mg/L, 0,10 mg/L en dessous de la limite critique de 0,50 mg/L ; personne ne doit entrer "
                    + "dans l'eau ; mesurez à la main, puis ajoutez du chlore."))
        #expect(found.text.contains(#""summary":"Lagoon Chlore 0,40 mg/L trop bas""#))
        #expect(found.text.contains(#""fr":"Lagoon Chlore 0,40 mg/L trop bas""#))
        #expect(found.text.contains(#""en":"Lagoon Chlorine 0.40 mg/L too low""#))
        #expect(try Schemas().faults(of: found.text, "alerts") == [])
        #expect(await ada.get("alerts?notices=1").text.contains("keep people out of the water; measure by hand"))
    }

    @Test func `V21 advice is for the products at hand`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let path = "advice?pool=\(SampleHub.garden)&product="
        #expect(await ada.get(path + "sodium-hypochlorite%3D9.6,sodium-bisulfate").status == 200)
        let products = [
            AdviceNumbers.Product(.sodiumHypochlorite, strengthPercent: 9.6), AdviceNumbers.Product(.sodiumBisulfate),
        ]
        #expect(bench.hub.commands == [.advice(SampleHub.garden, AdviceNumbers(products: products))])
        for wrong in ["", "salt", "dichlor,", "dichlor%3D", "dichlor%3Dx", "other", "dichlor%3D5", "dichlor%3Dnan"] {
            let answer = await ada.get(path + wrong)
            #expect(answer.status == 400 && answer.object["member"] as? String == "product", "\(wrong)")
        }
        let many = Array(repeating: "dichlor", count: 9).joined(separator: ",")
        #expect(await ada.get(path + many).status == 400)
        #expect(bench.hub.commands.count == 1)
    }

    @Test(arguments: [
        "forecasts", "advice", "advice?pool=x&pool=y", "advice?pool=\(SampleHub.garden)&totalAlkalinity=24",
        "advice?pool=\(SampleHub.garden)&cyanuricAcid=nan", "advice?pool=\(SampleHub.garden)&borates=",
        "advice?pool=\(SampleHub.garden)&turnoverHours=1h", "doses?limit=0", "doses?limit=10001",
    ])
    func `a wrong number for advice is a problem that names it`(_ target: String) async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let answer = await ada.get(target)
        #expect(answer.status == 400 && answer.object["member"] as? String != nil)
        #expect(bench.hub.commands.isEmpty)
    }

    @Test func `V21 a dose is logged by its author, at the hub's time, and removed again`() async throws {
        let bench = try await Bench()
        let mia = try await bench.user("Mia", .member, [Self.garden])
        let made = await mia.ask("POST", "doses", dose(SampleHub.garden, more: #","note":"after rain""#))
        #expect(made.status == 201)
        #expect(try Schemas().faults(of: made.text, "dose") == [])
        #expect(made.object["author"] as? String == "web:Mia" && made.object["pool"] as? String == "Garden")
        guard case .doses(.add(let sent)) = try #require(bench.hub.commands.last) else {
            Issue.record("\(bench.hub.commands)")
            return
        }
        #expect(sent.at.milliseconds(since: SampleHub.now) < 60_000 && sent.note == "after rain")
        #expect(await mia.get("doses").list.count == 1)
        #expect(await mia.ask("DELETE", "doses/\(sent.id)").status == 200)
        #expect(await mia.get("doses").list.isEmpty)
        #expect(await mia.ask("DELETE", "doses/\(sent.id)").status == 404)
    }

    @Test func `V11 doses of other pools are not shown, and neither added nor removed`() async throws {
        let bench = try await Bench()
        bench.hub.log([
            Self.logged(1, SampleHub.hall), Self.logged(2, SampleHub.garden), Self.logged(3, SampleHub.hall),
        ])
        let mia = try await bench.user("Mia", .member, [Self.garden])
        #expect(await mia.get("doses?limit=1").list.map { $0["pool"] as? String } == ["Garden"])
        let other = await mia.ask("POST", "doses", dose(SampleHub.hall))
        #expect(other.status == 422 && other.object["member"] as? String == "poolID")
        #expect(await mia.ask("DELETE", "doses/\(DoseID(high: 8, low: 1))").status == 404)
        let gil = try await bench.user("Gil", .guest, [Self.garden])
        #expect(await gil.get("doses").list.count == 1)
        #expect(await gil.ask("POST", "doses", dose(SampleHub.garden)).status == 403)
        #expect(await gil.ask("DELETE", "doses/\(DoseID(high: 8, low: 2))").status == 403)
        #expect(bench.hub.commands.allSatisfy { if case .doses(.list) = $0 { true } else { false } })
    }

    @Test func `a wrong dose names its member`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        for (body, member) in [
            (dose(SampleHub.garden, "0"), "amount"), (dose(SampleHub.garden, product: "salt"), "product"),
            (dose(SampleHub.garden, unit: "mL"), "unit"), (dose(SampleHub.garden, unit: "kg"), "unit"),
            (dose(SampleHub.garden, more: #","strengthPercent":200"#), "strengthPercent"),
            (dose(SampleHub.garden, more: #","at":"2031-01-01T00:00:00Z""#), "at"),
            (dose(SampleHub.garden, more: #","note":"a\u202e""#), "note"), (dose(PoolID(high: 9, low: 9)), "poolID"),
        ] {
            let answer = await ada.ask("POST", "doses", body)
            #expect(answer.status == 422 && answer.object["member"] as? String == member, "\(body)")
        }
        #expect(bench.hub.commands.isEmpty)
    }
}
