import Testing

@testable import Transitions

@Suite("VersionStep")
struct VersionStepTests {
    @Test(
        "a version is at most 1,000 above the highest one known",
        arguments: [
            (1, 0, false), (1_000, 0, false), (1_001, 0, true),
            (1_041, 41, false), (1_042, 41, true), (40, 41, false),
            (Int64.max, Int64.min, true),
        ])
    func step(version: Int64, known: Int64, isJump: Bool) {
        #expect(VersionStep.isJump(version, above: known) == isJump)
    }

    @Test("a jump is allowed by repeating its number, and by no other")
    func allowed() {
        #expect(!VersionStep.isJump(5_000, above: 1, allowed: 5_000))
        #expect(VersionStep.isJump(5_000, above: 1, allowed: 5_001))
        #expect(VersionStep.isJump(5_000, above: 1, allowed: 4_999))
    }
}
