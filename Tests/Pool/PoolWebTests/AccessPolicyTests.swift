import PoolModel
import Testing

@testable import PoolWeb
@testable import WebServer

/// Who may use which route.
@Suite struct AccessPolicyTests {
    /// The kinds of accounts, each with a letter.
    private static let kinds: [(letter: Character, account: Account?)] = {
        let now = SampleHub.now
        let earlier = now.advanced(byMilliseconds: -Account.confirmationMilliseconds - 1)
        func user(_ role: Role, _ grants: [Grant], confirmed: Timestamp) -> Account {
            Account(kind: .user, userID: "u", name: "Ada", role: role, grants: grants, key: "k", confirmed: confirmed)
        }
        func token(_ role: Role, _ scopes: Set<TokenScope>) -> Account {
            Account(kind: .token, userID: "u", name: "Ada", role: role, grants: [], key: "k", scopes: scopes)
        }
        let (all, garden) = (
            [Grant(poolID: nil, level: .edit)], [Grant(poolID: SampleHub.garden, level: .edit)]
        )
        return [
            ("-", nil), ("O", user(.owner, [], confirmed: now)), ("o", user(.owner, [], confirmed: earlier)),
            ("M", user(.member, all, confirmed: now)), ("m", user(.member, garden, confirmed: now)),
            ("r", user(.member, [Grant(poolID: SampleHub.garden, level: .read)], confirmed: now)),
            ("G", user(.guest, all, confirmed: now)), ("g", user(.guest, garden, confirmed: now)),
            (
                "s",
                Account(
                    kind: .share, name: "link", role: .guest, grants: [Grant(poolID: SampleHub.garden, level: .read)],
                    key: "k")
            ),
            ("R", token(.owner, [.read])), ("W", token(.owner, [.read, .write])), ("P", token(.owner, [.metrics])),
            ("w", token(.guest, [.read, .write])), ("p", token(.guest, [.metrics])),
        ]
    }()

    /// The letters of the accounts that may use a route, for a subject in the garden.
    private static func allowed(_ route: Route) -> String {
        String(
            kinds.filter { kind in
                do {
                    try AccessPolicy.check(
                        route, kind.account, of: .poolsensors, showsMetrics: false, at: SampleHub.now)
                    guard [.read, .edit].contains(route.demand), let account = kind.account else {
                        return true
                    }
                    try AccessPolicy.check(
                        route, account, of: "\(SampleHub.garden)", in: .poolsensors,
                        missing: Problem(.missing, "it does not exist"))
                    return true
                } catch {
                    return false
                }
            }.map(\.letter))
    }

    private static let everybody = "-OoMmrGgsRWPwp"
    private static let accounts = "OoMmrGgsRWPwp"
    private static let persons = "OoMmrGg"
    private static let readers = "OoMmrGgsRW"
    private static let editors = "OoMmW"

    private static let expected: [String: String] = [
        "health": everybody, "openapi": everybody, "setup": everybody, "setUp": everybody, "logIn": everybody,
        "metrics": "P", "logOut": accounts, "me": accounts, "pools": accounts, "devices": accounts, "doses": accounts,
        "alerts": accounts,
        "events": accounts, "confirm": persons, "changePassword": persons, "tokens": persons, "removeToken": persons,
        "sessions": persons, "removeSession": persons, "removeSessions": persons,
        "addToken": "OMmrGg", "pool": readers, "poolAlerts": readers, "poolLimits": readers, "device": readers,
        "deviceLimits": readers,
        "readings": readers, "series": readers, "export": readers, "calibrations": readers, "forecasts": readers,
        "advice": readers, "editPool": editors,
        "setPoolLimits": editors, "editDevice": editors, "setDeviceLimits": editors, "calibrate": editors,
        "removeCalibration": editors, "addDose": editors, "removeDose": editors, "acknowledge": editors,
        "snooze": editors,
        "conflicts": "OoMW",
        "restoreConflict": "OoMW", "dismissConflict": "OoMW", "changes": "OoRW", "watches": "OoRW", "users": "OoRW",
        "shares": "OoRW", "removeShare": "OoW", "invite": "O", "unpair": "O", "addUser": "O", "editUser": "O",
        "removeUser": "O", "addShare": "O",
        "addPool": "OoW", "removePool": "O", "addDevice": "OoW", "removeDevice": "O", "source": "OoRW",
        "editSource": "OoW", "presets": accounts, "servers": "OoRW", "server": "OoRW", "addServer": "O",
        "editServer": "O", "removeServer": "O", "testServer": "O", "detection": "OoRW", "beginDetection": "OoW",
        "endDetection": "OoW", "addDetected": "OoW", "alertSettings": "OoRW", "editAlertSettings": "OoW",
        "channels": "OoRW", "channel": "OoRW", "editChannel": "O", "testChannel": "O", "keeping": "OoRW",
        "removal": "OoRW", "editKeeping": "O", "editExport": "O", "endExport": "O",
    ]

    @Test(arguments: PoolRoutes.all.map(\.route.id))
    func `V16 each route is for exactly the accounts that it is for`(_ id: String) throws {
        #expect(Self.allowed(try Route.named(id)) == (try #require(Self.expected[id])))
    }

    @Test func `V11 another pool does not exist for an account without a grant`() throws {
        let missing = Problem(.missing, "it does not exist")
        let route = try Route.named("pool")
        for kind in Self.kinds {
            guard let account = kind.account else { continue }
            let seesAll = "OoMGRW".contains(kind.letter)
            for pool in [SampleHub.hall, nil] {
                let problem: Problem?
                do {
                    try AccessPolicy.check(
                        route, account, of: pool.map { "\($0)" }, in: .poolsensors, missing: missing)
                    problem = nil
                } catch {
                    problem = error
                }
                #expect((problem == nil) == seesAll, "\(kind.letter)")
                #expect(problem == nil || problem?.kind == .missing)
            }
        }
    }
}
