import TestSupport
import Testing

/// A module of which the same is expected as of the others.
enum TokenModule: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case softHSM = "SoftHSM"
    case nss = "NSS"
    case remote = "p11-kit server"
    case tpm = "TPM"

    /// What is gated on, everywhere.
    static let usual: [TokenModule] = [.softHSM, .nss]

    var testDescription: String { rawValue }

    /// A token without keys; it is there as long as the first value.
    func make() throws -> (owner: AnyObject, access: TokenAccess) {
        switch self {
        case .softHSM:
            let token = try SoftHSMToken()
            return (token, token.access)
        case .nss:
            let token = try NSSToken()
            return (token, token.access)
        case .remote:
            let token = try P11KitServer()
            return (token, token.access)
        case .tpm:
            let token = try SoftwareTPM()
            return (token, token.access)
        }
    }
}
