import PublishProtocol

/// 128 bits that stand for a state; two states with the same bits are taken for one.
///
/// What only tells things apart, a content or a signature, is numbered in the order in which it is
/// met, so that states which differ in such names alone are one. Each step is a bijection of both
/// halves, so only the spread of 128 bits decides: among n states a pair that is wrongly taken for
/// one is expected n²/2^129 times.
struct Fingerprint {
    private var low: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var high: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    /// Digests in the order in which they were met.
    private(set) var names: [UInt64]

    init(names: [UInt64] = []) {
        self.names = names
    }

    /// Forgets everything but the room for names.
    mutating func reset() {
        low = 0x9E37_79B9_7F4A_7C15
        high = 0xC2B2_AE3D_27D4_EB4F
        names.removeAll(keepingCapacity: true)
    }

    var value: UInt128 {
        UInt128(Self.finish(low ^ high &* 0xFF51_AFD7_ED55_8CCD)) << 64
            | UInt128(Self.finish(high))
    }

    mutating func add(_ token: UInt64) {
        low = (low ^ token) &* 0x87C3_7B91_1142_53D5
        low = low << 31 | low >> 33
        high = (high &+ token) &* 0x4CF5_AD43_2745_937F
        high = (high << 29 | high >> 35) ^ low
    }

    mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }
    mutating func add(_ number: Int) { add(UInt64(truncatingIfNeeded: number)) }
    mutating func add(_ flag: Bool) { add(flag ? 1 as UInt64 : 0) }

    mutating func add(name number: UInt64) {
        for index in names.indices where names[index] == number { return add(index) }
        names.append(number)
        add(names.count - 1)
    }

    mutating func add(_ digest: ContentDigest) { add(name: digest.number) }

    private static func finish(_ value: UInt64) -> UInt64 {
        var value = value ^ value >> 33
        value = value &* 0xFF51_AFD7_ED55_8CCD
        value ^= value >> 33
        value = value &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}

extension Fingerprint {
    mutating func add(_ document: DocumentFacts) {
        add(document.version)
        add(document.payload)
        add(document.envelope)
    }

    mutating func add(_ document: DocumentFacts?) {
        add(document != nil)
        if let document { add(document) }
    }

    mutating func add(_ found: FoundDocument) {
        switch found {
        case .genuine(let facts, let defect):
            add(defect == nil ? 1 as UInt64 : 2)
            add(facts)
        case .distrusted(let facts, _):
            add(3 as UInt64)
            add(facts)
        case .junk(let envelope, let code):
            add(code.utf8.count == FoundDocument.notAFile.utf8.count ? 4 as UInt64 : 5)
            add(envelope)
        }
    }

    mutating func add(_ found: FoundDocument?) {
        add(found != nil)
        if let found { add(found) }
    }

    mutating func add(_ reading: ServedReading) {
        switch reading {
        case .absent: add(0 as UInt64)
        case .present(let found, _): add(found)
        }
    }

    mutating func add(_ tag: EntityTag) { add(name: UInt64(tag.text) ?? .max) }

    mutating func add(_ condition: SwapCondition) {
        switch condition {
        case .absent: add(false)
        case .matches(let tag):
            add(true)
            add(tag)
        }
    }

    /// Few, and of unknown order: first those that have a name, then by what tells them apart.
    mutating func add(_ digests: Set<ContentDigest>) {
        add(digests.count)
        if digests.count == 1, let only = digests.first { return add(only) }
        var numbers = digests.map(\.number)
        numbers.sort { (place($0), $0) < (place($1), $1) }
        for number in numbers { add(name: number) }
    }

    private func place(_ number: UInt64) -> Int { names.firstIndex(of: number) ?? .max }

    mutating func add(_ view: LedgerView) {
        add(view.highestClaim ?? 0)
        add(view.highestServed ?? 0)
        add(view.highestBundle ?? 0)
        add(view.newestServed)
        if let last = view.lastServed { add(last) }
        add(view.payloads.count)
        for version in view.payloads.keys.sorted() {
            add(version)
            add(view.payloads[version] ?? [])
        }
        add(view.highestBundlePayloads)
        add(view.bundles)
    }

    mutating func add(_ history: History) {
        add(history.claims.count)
        for claim in history.claims { add(claim) }
        add(history.junkClaims.count)
        for number in history.junkClaims { add(number) }
        add(history.highestBundle ?? 0)
        add(history.highestBundlePayloads)
        add(history.junkBundles.count)
    }

    mutating func add(_ region: Region) {
        add(region.served)
        add(region.claims.count)
        for slot in region.claims {
            add(slot.name.version)
            add(slot.found)
        }
        add(region.bundles.count)
        for slot in region.bundles {
            add(slot.name.version)
            add(slot.name.payload)
            add(slot.found)
        }
    }
}
