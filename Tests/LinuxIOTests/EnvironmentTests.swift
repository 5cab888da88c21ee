import Foundation
import LinuxIO
import Testing

@Suite struct EnvironmentTests {
    @Test func `A variable is read as text or bytes, one that is not set is nil`() {
        #expect(unsafe setenv("GRONA_TEST_ENVIRONMENT", "value", 1) == 0)
        #expect(Environment.value("GRONA_TEST_ENVIRONMENT") == "value")
        #expect(Environment.path("GRONA_TEST_ENVIRONMENT") == "value")
        #expect(Environment.entries().contains([UInt8]("GRONA_TEST_ENVIRONMENT=value".utf8)))
        #expect(Environment.value("GRONA_TEST_NOT_SET") == nil)
        #expect(Environment.bytes("GRONA_TEST_NOT_SET") == nil)
    }

    @Test func `Random bytes fill what is asked for and differ`() {
        #expect(SystemRandom.bytes(0) == [])
        let first = SystemRandom.bytes(1000)
        #expect(first.count == 1000)
        #expect(first != SystemRandom.bytes(1000))
        #expect(Set(first).count > 200)
        #expect(SystemRandom.hexadecimal(12).count == 24)
    }

    @Test func `The clocks agree with Foundation and do not go back`() {
        #expect(abs(Double(SystemClock.unixTime()) - Date().timeIntervalSince1970) < 2)
        let first = SystemClock.monotonicNanoseconds()
        SystemClock.sleep(nanoseconds: 2_000_000)
        #expect(SystemClock.monotonicNanoseconds() >= first + 2_000_000)
        #expect(SystemClock.deadline(after: .max) == .max)
    }
}
