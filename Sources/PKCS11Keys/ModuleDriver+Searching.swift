import CPKCS11
import LinuxIO
import SigningKeys

// Searching for objects, by asking the token or by what is known of it.
extension ModuleDriver {
    func search(
        _ wanted: SearchedObject, on token: TokenState, limit: Int
    ) throws(TokenProblem) -> [CK_OBJECT_HANDLE] {
        if let known = token.directory.find(wanted, login: token.login) {
            return Array(known.prefix(limit))
        }
        let session = try work(of: token)
        let start = SystemClock.monotonicNanoseconds()
        let found = try cryptoki.find(wanted.template, in: session, limit: limit)
        token.directory.searched(
            SystemClock.monotonicNanoseconds() - start, login: token.login,
            clock: SystemClock.monotonicNanoseconds,
            list: { try? cryptoki.handles(in: session, until: $0) },
            read: { entry(of: $0, in: session) })
        return found
    }

    private func entry(
        of object: CK_OBJECT_HANDLE, in session: CK_SESSION_HANDLE
    ) -> ObjectDirectory.Entry? {
        guard let kind = cryptoki.number(CKA_CLASS, of: object, in: session),
            [CKO_PRIVATE_KEY, CKO_PUBLIC_KEY, CKO_CERTIFICATE].contains(kind)
        else { return nil }
        return ObjectDirectory.Entry(
            kind: kind, label: cryptoki.bytes(CKA_LABEL, of: object, in: session) ?? [],
            id: cryptoki.bytes(CKA_ID, of: object, in: session) ?? [], handle: object)
    }
}
