package import StrictJSON

/// Which campaigns of a payload may be off, and which may be on; ids as bytes.
///
/// A campaign whose `enabled` is not plainly one of both stands in both.
package struct SwitchPositions: Hashable, Sendable {
    package private(set) var off: Set<[UInt8]> = []
    package private(set) var on: Set<[UInt8]> = []

    package init(_ payload: JSONElement) {
        guard let campaigns = payload["campaigns"], campaigns.kind == .array else { return }
        for campaign in campaigns.elements {
            guard let id = campaign["id"]?.utf8 else { continue }
            let enabled = campaign["enabled"]?.boolean
            if enabled != true { off.insert(id) }
            if enabled != false { on.insert(id) }
        }
    }

    /// What is on without doubt.
    package var plainlyOn: Set<[UInt8]> { on.subtracting(off) }
    /// What is off without doubt.
    package var plainlyOff: Set<[UInt8]> { off.subtracting(on) }
}

/// What a signature adds to the switches that the signer remembers as off, and what it takes away;
/// ids of campaigns, sorted.
package struct SwitchRecord: Sendable, Equatable {
    /// Newly off.
    package var off: [String]
    /// Remembered as off before, and on by this very act.
    package var on: [String]

    package init(off: [String] = [], on: [String] = []) {
        self.off = Set(off).sorted()
        self.on = Set(on).sorted()
    }

    /// What changes against the switches that are remembered as off.
    init(_ positions: SwitchPositions, remembered: Set<[UInt8]>) {
        self.init(
            off: positions.off.subtracting(remembered).map(Self.text),
            on: positions.plainlyOn.intersection(remembered).map(Self.text))
    }

    static func text(_ id: [UInt8]) -> String { String(decoding: id, as: UTF8.self) }
}
