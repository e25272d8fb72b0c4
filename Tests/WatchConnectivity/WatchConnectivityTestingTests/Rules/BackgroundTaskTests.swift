import Foundation
import Platform
import Testing
import WatchConnectivity

@testable import WatchConnectivityTesting

/// Rules R134 and R135 with two sessions.
@Suite struct BackgroundTaskTests {
    // Unchecked: the tasks are used on one thread at a time.
    private final class Tasks: @unchecked Sendable {
        var open: [WKRefreshBackgroundTask] = []
        /// What is done with a new one.
        var traits: (WKRefreshBackgroundTask) -> Void = { _ in }
    }

    /// A pair whose watch app was woken by user info and holds its task; tasks have 15 s, or another time.
    private func woken(_ tasks: Tasks, time: Duration = .seconds(15)) throws -> Duo {
        var behaviour = SessionBehaviour()
        behaviour.backgroundTaskTime = time
        let duo = try Duo(behaviour: behaviour)
        let watch = duo.watch
        duo.pair.watchDevice.onLaunch = { session, _ in
            session.backgroundTaskHandler = { given in
                for task in given {
                    tasks.open.append(task)
                    tasks.traits(task)
                }
            }
            session.delegate = watch
            session.activate()
        }
        duo.pair.watchDevice.app = .notRunning
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .background)
        #expect(tasks.open.count == 1 && numbers(duo.watch.userInfos) == [1])
        return duo
    }

    @Test func `an app that leaves its task open is ended`() throws {
        let tasks = Tasks()
        let duo = try woken(tasks)
        duo.pair.advance(by: .seconds(14))
        #expect(duo.pair.watchDevice.app == .background)
        duo.pair.advance(by: .seconds(2))
        #expect(duo.pair.watchDevice.app == .notRunning)
        #expect(duo.pair.warnings.contains { $0.contains("the system ends the app") })

        // The next content starts another process; the old one's task belongs to nobody any more.
        duo.pair.phone.transferUserInfo(["n": 2])
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .background && tasks.open.count == 2)
        tasks.open[0].setTaskCompletedWithSnapshot(false)
        duo.pair.advance(by: .seconds(16))
        #expect(duo.pair.watchDevice.app == .notRunning)
    }

    @Test func `an hour for a task is an hour, though it is skipped`() throws {
        // R135
        let tasks = Tasks()
        let duo = try woken(tasks, time: .seconds(3600))
        // Nothing but heartbeats is due meanwhile: a thousand each.
        #expect(duo.pair.stage.turn(limit: 300, for: .seconds(3590)))
        #expect(duo.pair.watchDevice.app == .background)
        #expect(duo.pair.stage.turn(limit: 300, for: .seconds(20)))
        #expect(duo.pair.watchDevice.app == .notRunning)
    }

    @Test func `an app that completes its task lives on`() throws {
        let tasks = Tasks()
        let duo = try woken(tasks)
        tasks.open[0].setTaskCompletedWithSnapshot(false)
        duo.pair.advance(by: .seconds(60))
        #expect(duo.pair.watchDevice.app == .suspended)
        #expect(!duo.pair.warnings.contains { $0.contains("ends the app") })
    }

    @Test func `an app whose tasks are completed is suspended, and gets another one for what comes next`() throws {
        // R134
        let tasks = Tasks()
        tasks.traits = { $0.setTaskCompletedWithSnapshot(false) }
        let duo = try Duo()
        let watch = duo.watch
        duo.pair.watchDevice.onLaunch = { session, _ in
            session.backgroundTaskHandler = { given in
                for task in given {
                    tasks.open.append(task)
                    tasks.traits(task)
                }
            }
            session.delegate = watch
            session.activate()
        }
        duo.pair.watchDevice.app = .notRunning
        for number in 1...5 {
            duo.pair.phone.transferUserInfo(["n": number])
            duo.pair.settle()
            #expect(tasks.open.count == number)
            #expect(duo.pair.watchDevice.app == .suspended)
            duo.pair.advance(by: .seconds(3600))
        }
        #expect(numbers(duo.watch.userInfos) == [1, 2, 3, 4, 5])
    }

    @Test func `an app with an open task is awake, and what comes when it is suspended wakes it again`() throws {
        let tasks = Tasks()
        let duo = try woken(tasks, time: .seconds(3600))
        duo.pair.advance(by: .seconds(60))
        #expect(duo.pair.watchDevice.app == .background)
        duo.pair.phone.transferUserInfo(["n": 2])
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1, 2] && tasks.open.count == 1)
        tasks.open[0].setTaskCompletedWithSnapshot(false)
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .suspended)
        duo.pair.phone.transferUserInfo(["n": 3])
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .background)
        #expect(numbers(duo.watch.userInfos) == [1, 2, 3] && tasks.open.count == 2)
    }

    @Test func `an app that takes no tasks is suspended after a while`() throws {
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.app = .notRunning
        for number in 1...3 {
            duo.pair.phone.transferUserInfo(["n": number])
            duo.pair.settle()
            #expect(duo.pair.watchDevice.app == .background)
            duo.pair.advance(by: .seconds(16))
            #expect(duo.pair.watchDevice.app == .suspended)
        }
        #expect(numbers(duo.watch.userInfos) == [1, 2, 3])
    }

    @Test func `an app that the wearer opens is not suspended`() throws {
        let tasks = Tasks()
        let duo = try woken(tasks)
        duo.pair.watchDevice.app = .foreground
        tasks.open[0].setTaskCompletedWithSnapshot(false)
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .foreground)
        duo.pair.watchDevice.app = .background
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .background)
    }

    @Test func `a task that is completed twice ends the app`() throws {
        let tasks = Tasks()
        let duo = try woken(tasks)
        duo.pair.watchDevice.app = .foreground
        tasks.open[0].setTaskCompletedWithSnapshot(false)
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .foreground)
        tasks.open[0].setTaskCompletedWithSnapshot(false)
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .notRunning)
        #expect(duo.pair.warnings.contains { $0.contains("a background task was completed twice") })
        // The process that had the task is gone: a third time concerns nobody.
        duo.pair.watchDevice.app = .foreground
        tasks.open[0].setTaskCompletedWithSnapshot(false)
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .foreground)
    }

    @Test func `what a suspended app calls is done, with a warning`() throws {
        let duo = try Duo()
        duo.pair.watchDevice.app = .suspended
        duo.pair.watch.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(numbers(duo.phone.userInfos) == [1])
        #expect(duo.pair.warnings.count == 1)
        #expect(duo.pair.warnings.allSatisfy { $0.contains("transferUserInfo by an app that is suspended") })
    }

    @Test func `the expiration handler is the last chance`() throws {
        let tasks = Tasks()
        let count = Lock(0)
        tasks.traits = { task in
            task.expirationHandler = { [weak task] in
                count.withLock { $0 += 1 }
                task?.setTaskCompletedWithSnapshot(false)
            }
        }
        let duo = try woken(tasks)
        duo.pair.advance(by: .seconds(60))
        #expect(count.withLock { $0 } == 1)
        #expect(duo.pair.watchDevice.app == .suspended)
    }

    @Test func `the expiration handler that is called is one of the process that runs`() throws {
        let tasks = Tasks()
        let expired = Lock<[Int]>([])
        tasks.traits = { [unowned tasks] task in
            let number = tasks.open.count
            task.expirationHandler = { expired.withLock { $0.append(number) } }
        }
        let duo = try woken(tasks)
        duo.pair.advance(by: .seconds(16))
        #expect(duo.pair.watchDevice.app == .notRunning)
        duo.pair.phone.transferUserInfo(["n": 2])
        duo.pair.advance(by: .seconds(16))
        #expect(expired.withLock(\.self) == [1, 2])
    }
}
