import SystemPackage
import Testing

@testable import MQTT

@Suite struct ConnectionNotesTests {
    private func end(
        _ result: ResultCode, isSocketOpen: Bool = false, isEncrypted: Bool = false,
        _ change: (inout ConnectionNotes) -> Void = { _ in }
    ) -> Client.EndReason? {
        var notes = ConnectionNotes()
        change(&notes)
        return notes.endReason(after: result, isSocketOpen: isSocketOpen, isEncrypted: isEncrypted)
    }

    @Test func `a connection goes on while all is well`() {
        #expect(end(.success, isSocketOpen: true) == nil)
    }

    @Test func `what the broker said weighs more than how libmosquitto took it`() {
        let refusal = ConnectProblem(protocolVersion: .v5, number: 0x87)

        #expect(end(.protocolError) { $0.refusal = refusal } == .refused(refusal))
        #expect(end(.connectionLost) { $0.disconnectReason = .sessionTakenOver } == .disconnected(.sessionTakenOver))
        let violation = end(.success, isSocketOpen: true) { $0.violation = .protocolError }
        #expect(violation == .protocolViolated(.protocolError))
    }

    @Test func `a goodbye without a reason is one too`() {
        #expect(end(.success) { $0.isConnected = true } == .disconnected(.success))
    }

    @Test func `a silent broker is another thing before and after its answer`() {
        #expect(end(.keepAlive) == .timedOut(.awaitingAcknowledgement))
        #expect(end(.keepAlive) { $0.isConnected = true } == .keepAliveExpired)
    }

    @Test func `a connection that breaks in the handshake is a failure of TLS`() {
        #expect(
            end(.connectionLost, isEncrypted: true)
                == .tlsFailed(.notSpoken, words: "the broker broke off the handshake"))
        #expect(end(.connectionLost, isEncrypted: true) { $0.isConnected = true } == .connectionLost(nil))
        #expect(end(.connectionLost) == .connectionLost(nil))
    }

    @Test func `the error of the system is kept where it says something`() {
        let end = { (error: Errno, isEncrypted: Bool) in
            self.end(.systemError, isEncrypted: isEncrypted) { notes in
                notes.isConnected = true
                notes.systemError = error
            }
        }

        #expect(end(.connectionReset, false) == .connectionLost(.connectionReset))
        #expect(end(.connectionReset, true) == .connectionLost(.connectionReset))
        #expect(end(.protocolError, true) == .connectionLost(nil))
    }

    @Test func `errorTexts are shortened to their words, each said once, and bounded`() {
        var notes = ConnectionNotes()
        notes.add(errorText: "Error: host name verification failed.")
        for _ in 0..<2 {
            notes.add(errorText: "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed")
        }

        #expect(
            notes.tlsFailure
                == .tlsFailed(
                    .wrongHost, words: "host name verification failed; certificate verify failed (OpenSSL 0A000086)"))
        for number in 0..<100 { notes.add(errorText: "complaint \(number)") }
        #expect(notes.errorTexts.count == 8)
    }

    @Test(
        arguments: [
            (20, true, "certificate verify failed", .unknownAuthority),
            (18, true, "certificate verify failed", .unknownAuthority),
            (10, true, "certificate verify failed", .expired), (9, true, "certificate verify failed", .notYetValid),
            (0, false, "wrong version number", .notSpoken), (0, false, "unexpected eof while reading", .notSpoken),
            (0, true, "tlsv13 alert certificate required", .clientCertificate),
            (0, false, "tlsv1 alert protocol version", .other), (0, true, "bad signature", .other),
        ] as [(Int, Bool, String, TLSProblem)])
    func `what OpenSSL knew tells one failure of TLS from another`(
        verification: Int, isSpoken: Bool, errorText: String, fault: TLSProblem
    ) {
        let evidence = TLSEvidence(verification: verification, isSpoken: isSpoken)
        #expect(TLSProblem(evidence, errorTexts: [errorText]) == fault)
        let others = TLSProblem.allCases.filter { $0 != fault }
        #expect(others.allSatisfy { $0.description != fault.description })
    }

    @Test func `a broker that was seen to speak TLS stays one, though it broke off at the next step`() {
        var notes = ConnectionNotes()
        notes.update(TLSEvidence(verification: 0, isSpoken: true))
        notes.add(errorText: "unexpected eof while reading", TLSEvidence(verification: 0, isSpoken: false))
        notes.update(nil)
        #expect(notes.tlsFailure == .tlsFailed(.other, words: "unexpected eof while reading"))
    }

    @Test func `what libmosquitto calls broken is the broker's fault, all else its own`() {
        #expect(end(.malformedPacket) == .protocolViolated(.malformedPacket))
        #expect(end(.outOfMemory) == .failed(.outOfMemory))
    }
}
