import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// A token that goes in the middle of a batch: no line is lost, none is answered twice.
@Suite("tokens: lost and back")
struct LostTokenTests {
    private func misbehaving() throws -> (MisbehavingToken, TokenSetting) {
        let token = try MisbehavingToken()
        try token.makeKey(TokenSetting.config, id: "01a2")
        try token.makeKey("other", id: "01a3")
        let setting = try TokenSetting(token.access)
        try setting.addKey("import", token.access.signer(TokenSetting.config))
        return (token, setting)
    }

    @Test(
        "a token that is back after a while costs no line",
        arguments: [
            ["lose C_Sign 60 0x32 2"], ["lose C_SignInit 60 0x30 1"],
            ["lose C_Sign 60 0xe0 0", "swap"],
            ["fail C_Sign 60 1 0xb3"], ["fail C_SignInit 60 1 0x82"],
            ["fail C_SignInit 60 1 0x101"], ["lose C_Sign 60 0x5 0"],
        ])
    func back(control: [String]) throws {
        let (token, setting) = try misbehaving()
        let served = try setting.configFile(1)
        try token.forgetCalls()
        try token.behave(control)
        let requests = try setting.requests(served, from: 2, count: 120).joined()
        let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
        #expect(answer.isSuccess, "\(answer.errors)")
        try setting.expectAll(answer.output, from: 2, count: 120)
        #expect(try token.calls("C_Login") <= 3)
        #expect(try token.answers("C_Login").allSatisfy { $0 == 0 || $0 == 0x100 })
    }

    @Test("a fault that lasts a little longer costs the lines of that time, and no other")
    func longer() throws {
        let (token, setting) = try misbehaving()
        let served = try setting.configFile(1)
        try token.behave(["fail C_Sign 20 2 0x32"])
        let requests = try setting.requests(served, from: 2, count: 150).joined()
        let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
        #expect(answer.exit == .exited(65))
        let found = try TokenSetting.answers(answer.output)
        #expect(found.map { $0["id"]?.integer } == (2..<152).map { Int64($0) })
        let failed = found.filter { $0["envelope"] == nil }
        #expect((1..<100).contains(failed.count), "\(failed.count)")
        #expect(found.last?["envelope"] != nil)
        #expect(failed.allSatisfy { $0["error"]?["code"]?.string == "key.token" })
    }

    @Test("a token that stays away: each line has its answer, and nothing is signed twice")
    func away() throws {
        let (token, setting) = try misbehaving()
        let served = try setting.configFile(1)
        try token.behave(["lose C_Sign 4 0x32 1000000"])
        let requests = try setting.requests(served, from: 2, count: 8).joined()
        let answer = try setting.run(
            ["renew", "--batch", "--signer-timeout", "1s"], input: Array(requests.utf8))
        #expect(answer.exit != .exited(0))
        let found = try TokenSetting.answers(answer.output)
        #expect(found.map { $0["id"]?.integer } == (2..<10).map { Int64($0) })
        #expect(found.first?["envelope"] != nil)
        let last = try #require(found.last)
        #expect(last["error"]?["code"]?.string == "key.token", "\(last.canonicalText)")
        // It is there again: the same lines, those that were answered with the version after.
        try token.behave([])
        let left = try setting.requests(served, from: 10, count: 8).joined()
        let again = try setting.run(["renew", "--batch"], input: Array(left.utf8))
        try setting.expectAll(again.output, from: 10, count: 8)
    }

    @Test("SoftHSM's files moved away and back in the middle of a batch")
    func softHSM() throws {
        let token = try SoftHSMToken()
        let setting = try TokenSetting(token.access)
        try setting.addKey("generate", token.access.signer(TokenSetting.config))
        let served = try setting.configFile(1)
        let lines = try setting.requests(served, from: 2, count: 60)

        let process = Process()
        process.executableURL = URL(fileURLWithPath: setting.sign.program)
        process.arguments = ["renew", "--batch", "--signer-timeout", "20s"]
        process.environment = setting.sign.environment(token.access.environment)
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var answered = Data()
        func answer(_ count: Int) throws {
            while answered.count(where: { $0 == 0x0A }) < count {
                let more = output.fileHandleForReading.availableData
                try #require(!more.isEmpty, "it ended early")
                answered += more
            }
        }
        input.fileHandleForWriting.write(Data(lines[..<20].joined().utf8))
        try answer(20)
        try token.takeAway()
        input.fileHandleForWriting.write(Data(lines[20..<40].joined().utf8))
        Thread.sleep(forTimeInterval: 1)
        try token.bringBack()
        try answer(40)
        input.fileHandleForWriting.write(Data(lines[40...].joined().utf8))
        try answer(60)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        try setting.expectAll(String(decoding: answered, as: UTF8.self), from: 2, count: 60)
    }
}
