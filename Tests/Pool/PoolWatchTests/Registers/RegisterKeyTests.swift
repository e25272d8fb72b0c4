import PoolModel
import Testing

@Suite struct RegisterKeyTests {
    @Test func `the keys are these texts, and survive them`() {
        let keys: [RegisterKey: String] = [
            .device(deviceID(1)): "device/22220000-0000-0000-0000-000000000001",
            .server(serverID(2)): "server/11110000-0000-0000-0000-000000000002",
            .pool(PoolID(high: 0x3333_0000_0000_0000, low: 3)): "pool/33330000-0000-0000-0000-000000000003",
        ]
        for (key, text) in keys {
            #expect(key.text == text)
            #expect(RegisterKey(text) == key)
        }
    }

    @Test(arguments: [
        "", "device", "device/", "device/1", "22220000-0000-0000-0000-000000000001",
        "alert/22220000-0000-0000-0000-000000000001", "Device/22220000-0000-0000-0000-000000000001",
        "device/22220000-0000-0000-0000-000000000001/", "/device/22220000-0000-0000-0000-000000000001",
        "device/22220000-0000-0000-0000-00000000000A", "device/22220000000000000000000000000001",
    ])
    func `no other text is a key, so that a register has one name only`(_ text: String) {
        #expect(RegisterKey(text) == nil)
    }

    @Test func `a server's report is this JSON`() throws {
        let report = ServerReport(isConnected: true, since: Timestamp(milliseconds: 1_780_315_200_000))
        let json = try CanonicalJSON.encode(report)
        #expect(String(decoding: json, as: UTF8.self) == #"{"isConnected":true,"since":1780315200000}"#)
        #expect(try CanonicalJSON.decode(ServerReport.self, from: json) == report)
    }
}
