import GronaFormats
import Testing

@Suite("States of keys")
struct KeyStateTests {
    @Test(
        "a key steps from state to state as told, and can be compromised from any",
        arguments: [
            (KeyState.generated, [KeyState.announced]),
            (.announced, [.standby]),
            (.standby, [.current]),
            (.current, [.retiring, .standby]),
            (.retiring, [.current, .retired]),
            (.retired, [.destroyed]),
            (.destroyed, []),
        ])
    func successors(state: KeyState, next: [KeyState]) {
        #expect(state.successors == Set(next + [.compromised]))
    }

    @Test("a compromised key stays compromised")
    func end() {
        #expect(KeyState.compromised.successors.isEmpty)
    }

    @Test("a key begins as generated, or as current where it is the first of its use")
    func beginnings() {
        #expect(KeyState.allCases.filter(\.canBeFirst) == [.generated, .current])
        #expect(KeyState.allCases.filter(\.isUpcoming) == [.generated, .announced, .standby])
    }
}
