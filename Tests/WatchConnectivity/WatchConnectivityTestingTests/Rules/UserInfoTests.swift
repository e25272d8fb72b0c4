import Foundation
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Rules R89–R117 with two sessions.
@Suite struct UserInfoTests {
    @Test func `user info arrives once and in order, whatever the link does`() throws {
        // R89, R96, R138
        let duo = try Duo()
        duo.pair.link.faults.dropChance = 0.2
        duo.pair.link.faults.duplicateChance = 0.2
        duo.pair.link.faults.reorderChance = 0.2
        duo.pair.link.faults.delays = .zero ... .milliseconds(100)
        for number in 1...30 { duo.pair.phone.transferUserInfo(["n": number]) }
        #expect(numbers(duo.pair.phone.outstandingUserInfoTransfers.map(\.userInfo)) == Array(1...30))
        duo.pair.advance(by: .seconds(120))
        #expect(numbers(duo.watch.userInfos) == Array(1...30))
        #expect(duo.phone.finishedUserInfos.count == 30)
    }

    @Test func `it survives the end of both apps and of the phone's device`() throws {
        // R90, R93, R156
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.link.cut()
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.phoneDevice.app = .notRunning
        duo.pair.watchDevice.app = .notRunning
        duo.pair.phoneDevice.powerOff()
        duo.pair.link.heal()
        duo.pair.phoneDevice.powerOn()
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1])
        #expect(duo.phone.finishedUserInfos.isEmpty)
        duo.pair.phoneDevice.app = .foreground
        duo.pair.settle()
        #expect(duo.phone.finishedUserInfos.count == 1 && duo.phone.finishedUserInfos.first?.error == nil)
    }

    @Test func `a transfer is outstanding until it ends, and then it is the same object`() throws {
        // R91, R92, R93
        final class Finishes: NSObject, WCSessionDelegate {
            // Written on the session's queue while the test waits for it.
            nonisolated(unsafe) var transfers: [WCSessionUserInfoTransfer] = []
            func session(
                _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
                error: (any Error)?
            ) {}
            func session(
                _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
            ) {
                #expect(session.outstandingUserInfoTransfers.isEmpty)
                unsafe transfers.append(userInfoTransfer)
            }
        }
        let duo = try Duo()
        let finishes = Finishes()
        duo.pair.phone.delegate = finishes
        let transfer = duo.pair.phone.transferUserInfo(["n": 1])
        #expect(transfer.isTransferring && duo.pair.phone.outstandingUserInfoTransfers == [transfer])
        duo.pair.settle()
        #expect(unsafe finishes.transfers.map { $0 === transfer } == [true])
        #expect(!transfer.isTransferring)
    }

    @Test func `success means that the device has it, not that the app has seen it`() throws {
        // R94
        let duo = try Duo()
        duo.pair.watchDevice.isAppStartable = false
        duo.pair.watchDevice.app = .suspended
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(duo.phone.finishedUserInfos.count == 1 && duo.watch.userInfos.isEmpty)
    }

    @Test func `what is cancelled in time does not arrive, and is not told of unless that is wanted`() throws {
        // R97, R98
        for isTold in [false, true] {
            var behaviour = SessionBehaviour()
            behaviour.reportsCancelledTransfers = isTold
            let duo = try Duo(behaviour: behaviour)
            duo.pair.link.cut()
            duo.pair.settle()
            let transfer = duo.pair.phone.transferUserInfo(["n": 1])
            duo.pair.phone.transferUserInfo(["n": 2])
            transfer.cancel()
            duo.pair.link.heal()
            duo.pair.settle()
            #expect(numbers(duo.watch.userInfos) == [2])
            #expect(duo.phone.finishedUserInfos.count == (isTold ? 2 : 1))
            transfer.cancel()
            duo.pair.settle()
            #expect(duo.phone.finishedUserInfos.count == (isTold ? 2 : 1))
        }
    }

    @Test func `what is cancelled before the pair is turned does not arrive`() throws {
        // R97
        let duo = try Duo()
        let transfers = (1...4).map { duo.pair.phone.transferUserInfo(["n": $0]) }
        let reverse = duo.pair.watch.transferUserInfo(["n": 1])
        for transfer in [transfers[0], transfers[2], reverse] { transfer.cancel() }
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [2, 4] && duo.phone.userInfos.isEmpty)
        #expect(duo.phone.finishedUserInfos.count == 2)
    }

    @Test func `complication user info overtakes what was queued before the pair is turned`() throws {
        // R110
        let duo = try Duo()
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        for number in 1...3 { duo.pair.phone.transferUserInfo(["n": number]) }
        duo.pair.phone.transferCurrentComplicationUserInfo(["n": 4])
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [4, 1, 2, 3])
    }

    @Test func `without the watch's app it fails at once with 7006, and wrong payloads with their codes`() throws {
        // R100, R101, R102, R144, R149
        let duo = try Duo()
        duo.pair.phone.transferUserInfo(["bad": NSNull()])
        duo.pair.phone.transferUserInfo(["pad": Data(count: 65_537)])
        duo.pair.settle()
        duo.pair.watchDevice.isAppInstalled = false
        duo.pair.settle()
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(
            codes(duo.phone.finishedUserInfos.map(\.error)) == [
                .payloadUnsupportedTypes, .payloadTooLarge, .watchAppNotInstalled,
            ])
        #expect(duo.pair.phone.outstandingUserInfoTransfers.isEmpty)
    }

    @Test func `user info of exactly the limit arrives, and of one byte more fails`() throws {
        // R147, R148, R149, R150
        let duo = try Duo()
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        for isComplication in [false, true] {
            duo.phone.clear()
            duo.watch.clear()
            for byteCount in [65_536, 65_537] {
                let info = try dictionary(ofByteCount: byteCount)
                _ =
                    isComplication
                    ? duo.pair.phone.transferCurrentComplicationUserInfo(info) : duo.pair.phone.transferUserInfo(info)
            }
            duo.pair.settle()
            #expect(duo.watch.userInfos.count == 1)
            #expect(Set(codes(duo.phone.finishedUserInfos.map(\.error))) == [nil, .payloadTooLarge])
        }
    }

    @Test func `it wakes the watch's app, and waits for the phone's`() throws {
        // R105, R106
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.app = .suspended
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .background && numbers(duo.watch.userInfos) == [1])
        duo.pair.phoneDevice.app = .suspended
        duo.pair.watch.transferUserInfo(["n": 2])
        duo.pair.settle()
        #expect(duo.pair.phoneDevice.app == .suspended && duo.phone.userInfos.isEmpty)
    }

    @Test func `nothing expires`() throws {
        // R108
        let duo = try Duo()
        duo.pair.link.cut()
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.advance(by: .seconds(86_400 * 30))
        duo.pair.link.heal()
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1])
    }

    // MARK: - Complications

    @Test func `complication user info jumps to the front, and wakes the app`() throws {
        // R109, R110, R114
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        duo.pair.link.cut()
        duo.pair.settle()
        duo.pair.watchDevice.app = .notRunning
        for number in 1...3 { duo.pair.phone.transferUserInfo(["n": number]) }
        #expect(duo.pair.phone.transferCurrentComplicationUserInfo(["n": 4]).isCurrentComplicationInfo)
        duo.pair.link.heal()
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [4, 1, 2, 3])
        #expect(duo.pair.watchDevice.app == .background)
    }

    @Test func `a complication transfer says at its end, too, that it was the current one`() throws {
        // R111, R114
        let duo = try Duo()
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        let transfer = duo.pair.phone.transferCurrentComplicationUserInfo(["n": 1])
        let plain = duo.pair.phone.transferUserInfo(["n": 2])
        duo.pair.advance(by: .seconds(1))
        #expect(duo.phone.finishedUserInfos.count == 2)
        #expect(!transfer.isTransferring && transfer.isCurrentComplicationInfo)
        #expect(!plain.isTransferring && !plain.isCurrentComplicationInfo)
    }

    @Test func `one complication user info is the current one`() throws {
        // R111
        let duo = try Duo()
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        duo.pair.link.cut()
        duo.pair.settle()
        let first = duo.pair.phone.transferCurrentComplicationUserInfo(["n": 1])
        let second = duo.pair.phone.transferCurrentComplicationUserInfo(["n": 2])
        #expect(!first.isCurrentComplicationInfo && second.isCurrentComplicationInfo)
        #expect(duo.pair.phone.outstandingUserInfoTransfers.count == 2)
        duo.pair.link.heal()
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [2, 1])
    }

    @Test(arguments: [false, true])
    func `of three that wait the newest goes first, the others in the order of the calls`(isRestarted: Bool) throws {
        // R90, R110, R111
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        duo.pair.link.cut()
        duo.pair.settle()
        func queue(_ numbers: ClosedRange<Int>) {
            for number in numbers {
                if number % 2 == 1 {
                    duo.pair.phone.transferCurrentComplicationUserInfo(["n": number])
                } else {
                    duo.pair.phone.transferUserInfo(["n": number])
                }
            }
        }
        func restart() {
            guard isRestarted else { return }
            duo.pair.phoneDevice.powerOff()
            duo.pair.phoneDevice.powerOn()
            duo.pair.phoneDevice.app = .foreground
            duo.pair.settle()
        }
        queue(1...3)
        restart()
        queue(4...5)
        restart()
        #expect(
            duo.pair.phone.outstandingUserInfoTransfers.map(\.isCurrentComplicationInfo) == [
                false, false, false, false, true,
            ])
        duo.pair.link.heal()
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [5, 1, 2, 3, 4])
        #expect(duo.phone.finishedUserInfos.count == 5)
    }

    @Test func `fifty a day go with priority, and midnight brings another fifty`() throws {
        // R112, R115
        let duo = try Duo()
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 0)
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 50)
        for number in 1...51 { duo.pair.phone.transferCurrentComplicationUserInfo(["n": number]) }
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 0)
        duo.pair.settle()
        #expect(duo.watch.userInfos.count == 51)
        // Apart, the devices have nothing to say in these hours.
        duo.pair.link.cut()
        duo.pair.advance(by: .seconds(12 * 3600))
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 50)
    }

    @Test func `a calendar that is turned past midnight brings another fifty at once`() throws {
        // R115
        let duo = try Duo()
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        duo.pair.phone.transferCurrentComplicationUserInfo(["n": 1])
        duo.pair.settle()
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 49)
        duo.pair.turnCalendar(by: .seconds(13 * 3600))
        duo.pair.settle()
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 50)
    }

    @Test func `without the complication it goes as ordinary user info, or fails if that is wanted`() throws {
        // R113
        for isRefused in [false, true] {
            var behaviour = SessionBehaviour()
            behaviour.refusesComplicationWithoutFace = isRefused
            let duo = try Duo(behaviour: behaviour)
            #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 0)
            duo.pair.phone.transferCurrentComplicationUserInfo(["n": 1])
            duo.pair.settle()
            #expect(numbers(duo.watch.userInfos) == (isRefused ? [] : [1]))
            #expect(duo.phone.finishedUserInfos.count == 1)
            #expect((duo.phone.finishedUserInfos.first?.error != nil) == isRefused)
        }
    }
}
