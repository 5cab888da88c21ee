import CPKCS11

/// The names of a token's objects, read bit by bit while searches on the token go on.
///
/// A module may walk through all objects for each search, as SoftHSM does: with a key a workspace,
/// the cost of a fleet grows with its square. Reading every name once costs about as much as a few of
/// such searches; on a token that finds by an index of its own it may cost far more than all searches
/// together. So after each search names are read for as long as it took, and no longer: whichever kind
/// of token it is, the whole is at most about twice what the better way would have cost.
///
/// What is found here is a hint: handles may be void and objects may have been added since. Whoever
/// uses it proves the key by a signature, and searches where nothing is found.
struct ObjectDirectory {
    /// An object as far as searches ask for it.
    struct Entry: Equatable {
        let kind: CK_OBJECT_CLASS
        let label: [UInt8]
        let id: [UInt8]
        let handle: CK_OBJECT_HANDLE
    }

    /// Searches that a command makes, rather than a worker with many keys: before as many nothing is
    /// read.
    static let firstSearches = 16

    private var searches = 0
    /// Whether listing was not worth its time, so that nothing is ever read.
    private var isGivenUp = false
    /// Objects whose names are still to be read; `nil` before they are listed.
    private var unread: [CK_OBJECT_HANDLE]?
    private var byLabel: [[UInt8]: [Entry]] = [:]
    private var byID: [[UInt8]: [Entry]] = [:]
    /// The log-in that the handles are of.
    private var login = 0

    /// The objects that fit; `nil` where the token has to be asked.
    func find(_ wanted: SearchedObject, login: Int) -> [CK_OBJECT_HANDLE]? {
        guard unread?.isEmpty == true, login == self.login else { return nil }
        let near: [Entry]? =
            if let label = wanted.label { byLabel[label] } else { wanted.id.flatMap { byID[$0] } }
        let found = near?.filter {
            $0.kind == wanted.kind && (wanted.id == nil || wanted.id == $0.id)
        }
        return found?.isEmpty == false ? found?.map(\.handle) : nil
    }

    /// Counts a search of the token, and reads names for as long as it took.
    ///
    /// - Parameters:
    ///   - spent: nanoseconds.
    ///   - login: names of another log-in are forgotten.
    ///   - clock: monotonic nanoseconds.
    ///   - list: gives the handles of all objects; `nil` where the time that it is given did not do.
    ///   - read: gives what an object is called; `nil` for kinds that nobody searches.
    mutating func searched(
        _ spent: UInt64, login: Int, clock: () -> UInt64,
        list: (_ deadline: UInt64) -> [CK_OBJECT_HANDLE]?,
        read: (CK_OBJECT_HANDLE) -> Entry?
    ) {
        searches += 1
        if login != self.login { forget(login) }
        guard searches >= Self.firstSearches, !isGivenUp else { return }
        let start = clock()
        let time = min(spent, Self.longestReading)
        if unread == nil {
            unread = list(start + Self.listing * time)
            isGivenUp = unread == nil
        } else {
            while clock() - start < time, let handle = unread?.popLast() {
                guard let entry = read(handle) else { continue }
                byLabel[entry.label, default: []].append(entry)
                byID[entry.id, default: []].append(entry)
            }
        }
    }

    /// In nanoseconds: who waits for a key is not kept for long.
    private static let longestReading: UInt64 = 1_000_000_000
    /// A list has more objects than a search that ends at the first: how many times as long it may
    /// take.
    private static let listing: UInt64 = 8

    private mutating func forget(_ login: Int) {
        self.login = login
        unread = nil
        byLabel = [:]
        byID = [:]
    }
}
