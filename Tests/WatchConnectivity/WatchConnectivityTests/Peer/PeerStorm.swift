import SyncCore
import Testing

@testable import WatchConnectivity

/// A random program on two devices, whose links break and whose apps and processes end, and what it must not have done.
final class PeerStorm {
    /// What one side did and got.
    struct Account {
        var sentInfos: [RandomID] = []
        var sentFiles: [RandomID] = []
        var cancelled: Set<RandomID> = []
        var finished: [RandomID: Int] = [:]
        var infos: [UInt64] = []
        var files: [UInt64] = []
        var contexts: [UInt64] = []
        var lastContext: UInt64?
        /// How often each message had an outcome; those of an ended process are gone.
        var outcomes: [UInt64: Int] = [:]
        var messages: [UInt64] = []
        var restartCount = 0
        var isTaking = true
        /// The transfer whose `didFinish` has not returned.
        var held: RandomID?
    }

    let link = TestLink.active(isTraced: false)
    var accounts = [Account(), Account()]
    private var generator: SplitMix64
    private var lastNumber: UInt64 = 0
    private var numbers: [RandomID: UInt64] = [:]
    var problems: [String] = []

    let isDiskFlaky: Bool

    init(seed: UInt64, isDiskFlaky: Bool = false) {
        self.isDiskFlaky = isDiskFlaky
        generator = SplitMix64(seed: seed)
        for index in 0...1 {
            link.devices[index].takes = { [unowned self] call in take(call, index) }
        }
    }

    func run(stepCount: Int) {
        for _ in 0..<stepCount { step(Int.random(in: 0...1, using: &generator)) }
        for index in 0...1 {
            let device = link.devices[index]
            accounts[index].isTaking = true
            device.isDiskFull = false
            finishCall(index)
            device.feed(.appState(.foreground))
            device.feed(.activate(hasDelegate: true))
        }
        link.open()
        link.advance(.seconds(120))
        check()
    }

    // MARK: - What happens

    private func step(_ index: Int) {
        let device = link.devices[index]
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<15: send(index)
        case 15..<30: transfer(index)
        case 30..<40: transferFile(index)
        case 40..<50: setContext(index)
        case 50..<56: cancel(index)
        case 56..<66: link.settle()
        case 66..<70: link.advance(.milliseconds(Int64.random(in: 1...20_000, using: &generator)))
        case 70..<76: link.close()
        case 76..<84: link.open()
        case 84..<87: accounts[index].isTaking.toggle()
        case 87..<89: finishCall(index)
        case 89..<90 where isDiskFlaky: device.isDiskFull.toggle()
        case 90..<92: restart(index)
        case 92..<93: device.feed(.leave)
        default: changeApp(index)
        }
    }

    private func changeApp(_ index: Int) {
        let states = PeerState.AppState.allCases
        let state = states[Int.random(in: 0..<states.count, using: &generator)]
        if state == .notRunning { (accounts[index].outcomes, accounts[index].held) = ([:], nil) }
        link.devices[index].feed(.appState(state))
        if state.isRunning { link.devices[index].feed(.activate(hasDelegate: true)) }
    }

    private func restart(_ index: Int) {
        (accounts[index].outcomes, accounts[index].held) = ([:], nil)
        accounts[index].restartCount += 1
        link.restart(link.devices[index])
    }

    private func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    private func number(_ bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * UInt64($1.offset)) }
    }

    private func send(_ index: Int) {
        guard link.devices[index].peerState.appState.isRunning else { return }
        let number = nextNumber()
        accounts[index].outcomes[number] = 0
        link.devices[index].send(number, bytes(number), wantsReply: number % 2 == 0)
    }

    private func transfer(_ index: Int) {
        guard link.devices[index].peerState.appState.isRunning else { return }
        let id = link.id()
        let number = nextNumber()
        numbers[id] = number
        accounts[index].sentInfos.append(id)
        link.devices[index].transfer(id, bytes(number))
    }

    private func transferFile(_ index: Int) {
        guard link.devices[index].peerState.appState.isRunning else { return }
        let id = link.id()
        let number = nextNumber()
        numbers[id] = number
        accounts[index].sentFiles.append(id)
        let byteCount = Int.random(in: 0...100_000, using: &generator)
        link.devices[index].paths["/\(number)"] = Array(repeating: 1, count: byteCount)
        link.devices[index].transferFile(id, "/\(number)")
    }

    private func setContext(_ index: Int) {
        guard link.devices[index].peerState.appState.isRunning else { return }
        let number = nextNumber()
        link.devices[index].set(bytes(number))
        if link.devices[index].answers.last == .some(nil) { accounts[index].lastContext = number }
    }

    private func cancel(_ index: Int) {
        let device = link.devices[index]
        let all = device.peerState.outstandingUserInfo.map(\.id) + device.peerState.outstandingFiles.map(\.id)
        guard let id = all.randomElement(using: &generator) else { return }
        accounts[index].cancelled.insert(id)
        device.feed(.cancel(id))
    }

    // MARK: - What the app gets

    private func take(_ call: PeerState.Call, _ index: Int) -> PeerState.Handling? {
        switch call {
        case .userInfo(let bytes): accounts[index].infos.append(number(bytes))
        case .file(let offer): accounts[index].files.append(UInt64(offer.name) ?? 0)
        case .context(let bytes): accounts[index].contexts.append(number(bytes))
        case .message(let bytes, _): accounts[index].messages.append(number(bytes))
        case .messageWithReply(let id, let bytes, _):
            accounts[index].messages.append(number(bytes))
            if bytes[0] % 4 == 0 { link.devices[index].feed(.reply(id, .bytes(bytes))) }
        case .didFinishUserInfo(let info, _): ended(info.id, index)
        case .didFinishFile(let file, _): ended(file.id, index)
        case .replyHandler(let token, _, _), .errorHandler(let token, _, _), .messageSettled(let token):
            accounts[index].outcomes[token.number]? += 1
        default: break
        }
        return accounts[index].isTaking ? .handled : nil
    }

    /// A call that does not return while its process lives comes again to the next one.
    private func ended(_ id: RandomID, _ index: Int) {
        if accounts[index].isTaking { accounts[index].finished[id, default: 0] += 1 } else { accounts[index].held = id }
    }

    private func finishCall(_ index: Int) {
        guard link.devices[index].peerState.appState != .notRunning else { return }
        if let id = accounts[index].held { accounts[index].finished[id, default: 0] += 1 }
        accounts[index].held = nil
        link.devices[index].finishCall()
    }

    // MARK: - What must hold

    private func check() {
        for index in 0...1 {
            let (account, other) = (accounts[index], accounts[1 - index])
            let device = link.devices[index]
            let name = device.role.rawValue
            for (number, count) in account.outcomes where count != 1 {
                problems.append("\(name): message \(number) has \(count) outcomes")
            }
            checkTransfers(name, account.sentInfos, account, arrived: other.infos, other.restartCount)
            checkTransfers(name, account.sentFiles, account, arrived: other.files, other.restartCount)
            if other.messages != other.messages.sorted() { problems.append("\(name): messages out of order") }
            if Set(other.messages).count < other.messages.count { problems.append("\(name): a message twice") }
            if other.contexts != other.contexts.sorted() { problems.append("\(name): contexts out of order") }
            if let last = account.lastContext, other.contexts.last != last {
                problems.append("\(name): context \(last) did not arrive, but \(other.contexts.suffix(3))")
            }
            if !device.peerState.outstandingUserInfo.isEmpty || !device.peerState.outstandingFiles.isEmpty {
                problems.append("\(name): something is outstanding for ever")
            }
            let left = device.stored.keys.filter { key in
                ["info.", "infomark.", "file.", "filemark."].contains { key.hasPrefix($0) && key != "info.current" }
            }
            if !left.isEmpty { problems.append("\(name): \(left) is left in the store") }
            if !device.folder.copies.isEmpty { problems.append("\(name): copies are left") }
            if !device.peerState.infos.held.isEmpty || !device.peerState.files.held.isEmpty {
                problems.append("\(name): the engine is thought to hold something")
            }
            if !device.unanswered.isEmpty { problems.append("\(name): messages keep their places in the engine") }
            if device.peerState.hasContentPending { problems.append("\(name): content is pending for ever") }
        }
    }

    /// Each transfer ended once; those that succeeded arrived, in order, and once unless the receiver's process ended.
    private func checkTransfers(
        _ name: String, _ ids: [RandomID], _ account: Account, arrived: [UInt64], _ restartCount: Int
    ) {
        for id in ids {
            let count = account.finished[id] ?? 0
            let number = numbers[id] ?? 0
            // What the disk did not take may come again after a restart.
            if isDiskFlaky, account.restartCount > 0, count > 0 { continue }
            if account.cancelled.contains(id) {
                if count != 0 { problems.append("\(name): cancelled \(number) finished \(count) times") }
            } else if count != 1 {
                // A process that ended takes a failure of a call that was refused with it.
                if count > 1 || arrived.contains(number) {
                    problems.append("\(name): \(number) finished \(count) times")
                }
            }
        }
        var first: [UInt64] = []
        for number in arrived where !first.contains(number) { first.append(number) }
        let sent = Set(ids.compactMap { numbers[$0] })
        let mine = first.filter { sent.contains($0) }
        if mine != mine.sorted() { problems.append("\(name): transfers out of order: \(mine)") }
    }
}

@Suite struct PeerStormTests {
    @Test(arguments: 1...25)
    func `random programs break no promise`(seed: UInt64) {
        // Rules R50, R53, R60, R72, R89, R90, R93, R97, R126.
        let storm = PeerStorm(seed: seed)
        storm.run(stepCount: 300)
        #expect(storm.problems == [])
    }

    @Test(arguments: 1...25)
    func `a disk that fails now and then loses nothing that was accepted`(seed: UInt64) {
        let storm = PeerStorm(seed: seed, isDiskFlaky: true)
        storm.run(stepCount: 300)
        #expect(storm.problems == [])
    }
}
