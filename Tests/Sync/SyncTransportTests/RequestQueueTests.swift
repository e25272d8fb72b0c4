import Platform
import Testing

@testable import SyncTransport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Requests to a polling thread: none is left in the queue, and the wake pipe is written only for a waiting thread.
@Suite
struct RequestQueueTests {
    private let mailbox = RequestQueue<Int>()

    private var isRinging: Bool {
        var descriptor = pollfd(fd: mailbox.wakePipe.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, 0) == 1
    }

    @Test
    func `a thread that rests is woken for once`() {
        #expect(mailbox.rest())
        #expect(!isRinging)
        mailbox.post(1)
        mailbox.post(2)
        #expect(isRinging)
        #expect(mailbox.takeAll(woken: true) == [1, 2])
        #expect(!isRinging)
    }

    @Test
    func `several letters are woken for once, and not behind those that were`() {
        mailbox.post([1, 2, 3])
        #expect(isRinging)
        mailbox.wakePipe.lower()
        mailbox.post([4, 5])
        #expect(!isRinging)
        #expect(mailbox.takeAll(woken: false) == [1, 2, 3, 4, 5])
        mailbox.post([6, 7])
        #expect(!isRinging)
        #expect(!mailbox.rest())
    }

    @Test
    func `a thread that is awake finds what was posted when it is about to rest, without a wakePipe`() {
        #expect(mailbox.takeAll(woken: false) == [])
        mailbox.post(1)
        #expect(!isRinging)
        #expect(!mailbox.rest())
        #expect(mailbox.takeAll(woken: false) == [1])
        #expect(mailbox.rest())
        mailbox.post(2)
        #expect(isRinging)
    }

    @Test
    func `what comes between the last look and the rest is not lost`() {
        #expect(mailbox.takeAll(woken: false) == [])
        mailbox.post(1)
        // The thread must not wait now, because no wake-up follows for the second request either.
        #expect(!mailbox.rest())
        mailbox.post(2)
        #expect(mailbox.takeAll(woken: isRinging) == [1, 2])
    }

    @Test
    func `a thread that never says when it rests is woken for each time`() {
        mailbox.post(1)
        #expect(isRinging)
        #expect(mailbox.takeAll() == [1])
        mailbox.post(2)
        #expect(isRinging)
    }

    @Test
    func `a full mailbox keeps the newest in place of an older one, awake or not`() {
        for isAwake in [false, true] {
            let mailbox = RequestQueue<Int>()
            if isAwake { _ = mailbox.takeAll(woken: false) }
            for number in [1, 11, 2] { mailbox.post(number, limit: 3) { $0 % 10 == number % 10 } }
            #expect(mailbox.post(12, limit: 3) { $0 % 10 == 2 })
            #expect(!mailbox.post(13, limit: 3) { $0 % 10 == 3 })
            #expect(mailbox.takeAll() == [1, 11, 12, 13])
        }
    }
}
