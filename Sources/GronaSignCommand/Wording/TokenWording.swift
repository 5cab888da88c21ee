import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import SigningKeys

/// The words, the next step and the status for modules, tokens and PINs.
enum TokenWording {
    static func failure(_ fault: PINFault, kid: KeyID) -> Failure {
        let what =
            switch fault {
            case .empty: "it is empty"
            case .zeroByte: "it has a zero byte"
            }
        return make(
            .keyPINUnusable, "what was given for \(kid) is no PIN: \(what)",
            "put the PIN into the file that pin-source names, with at most one newline behind it",
            .notAllowed)
    }

    static func failure(_ error: TokenError, kid: KeyID) -> Failure {
        let place = place(error)
        return switch error.problem {
        case .unsafeModule, .moduleUnreadable, .notLoadable, .missingFunction, .otherInitString,
            .forked, .noThread, .noAnswer, .call:
            module(error.problem, kid, place, error.module)
        case .noToken, .severalTokens, .noMechanism, .tokenGone:
            token(error, kid, place)
        case .wrongPIN, .lockedPIN, .pinNeeded, .pinRemembered, .lastTry, .pinNotSet,
            .pinToBeChanged, .pinLength, .otherUser, .pinMemory, .pinMemoryMalformed:
            pin(error.problem, kid, place, error.pin)
        case .noKey, .ambiguousKeys, .otherKeyType, .otherCurve, .cannotSign, .badPoint,
            .noPublicHalf, .otherKey, .noLabel, .emptyID, .unnamedKey, .exists, .unsafeAttribute,
            .derSignature,
            .signatureLength:
            key(error.problem, kid, place)
        }
    }

    // MARK: Module

    private static func module(
        _ problem: TokenProblem, _ kid: KeyID, _ place: String, _ path: FilePath
    ) -> Failure {
        switch problem {
        case .unsafeModule(let violation):
            return Failure(Ownership.diagnostic(violation, of: path))
        case .moduleUnreadable(let error):
            return make(
                .keyModule, "the module of \(kid) cannot be opened: \(error.number.text)",
                "module-path of the signer URI names the module's library", .unavailable, path)
        case .notLoadable(let words):
            return make(
                .keyModule, "the module of \(kid) is not loaded: \(words)",
                "module-path of the signer URI names a PKCS#11 module for this machine",
                .unavailable, path)
        case .missingFunction(let name):
            return make(
                .keyModule, "the module of \(kid) is no whole PKCS#11 module: it has no \(name)",
                "look for a newer version of the module", .unavailable, path)
        case .otherInitString:
            return make(
                .keySigner,
                "the signer of \(kid) gives this module another x-grona-init than that of a key"
                    + " before it: a module takes one in a run",
                "give the same one in every signer URI with this module, or use the keys in runs of"
                    + " their own", .configuration, path)
        case .forked:
            return make(
                .keyFailed, "this process is a copy of the one that opened the module",
                "sign in the process that has opened it", .fault, path)
        case .noThread(let error):
            return make(
                .keyFailed, "there is no thread for the module: \(error.number.text)",
                "raise the limit of threads", .unavailable, path)
        case .noAnswer(let function, let seconds):
            return make(
                .keyTimeout,
                "\(place) did not answer within \(seconds) s: \(function) for \(kid); it is not"
                    + " asked again",
                "look at the token, its daemon and the network; --signer-timeout says how long to"
                    + " wait", .unavailable, path)
        case .call(let function, let code):
            return call(function, code, kid, place, path)
        default: return unexpected(kid, path)
        }
    }

    /// A failed call that has no problem of its own, by what the standard says of its code.
    private static func call(
        _ function: String, _ code: TokenCode, _ kid: KeyID, _ place: String, _ path: FilePath
    ) -> Failure {
        let (exit, help): (ExitStatus, String) =
            switch TokenCode.Cause(code, in: function) {
            case .ours: (.fault, "report it with this line and the module's version")
            case .settings:
                (.configuration, "look at the key's attributes and at what the token supports")
            case .initialising:
                (
                    .unavailable,
                    "look at the module's own configuration and data, such as SOFTHSM2_CONF or"
                        + " TPM2_PKCS11_STORE; NSS wants x-grona-init in the signer URI"
                )
            case .device:
                (
                    .unavailable,
                    "look at the token, its daemon and who may reach it; a TPM without a resource"
                        + " manager runs out of memory for objects"
                )
            case .vendor: (.unavailable, "the vendor's manual has the code")
            }
        return make(
            .keyFailed, "\(function) for \(kid) at \(place): \(code.text)", help, exit, path)
    }

    // MARK: Token

    private static func token(_ error: TokenError, _ kid: KeyID, _ place: String) -> Failure {
        switch error.problem {
        case .noToken(let labels, let uninitialised, let unreadable):
            var seen: [String] = []
            if !labels.isEmpty {
                seen.append(labels.map { "\"\($0)\"" }.joined(separator: ", "))
            }
            if uninitialised > 0 { seen.append("\(uninitialised) without a token of their own") }
            if unreadable > 0 { seen.append("\(unreadable) that answer with an error") }
            let slots = seen.isEmpty ? "no token at all" : seen.joined(separator: ", ")
            let token =
                error.wanted.map { "the token \"\($0)\" of \(kid)" } ?? "the token of \(kid)"
            return make(
                .keyToken, "\(token) is not there: \(place) has \(slots)",
                whereToLook(error.module), .unavailable)
        case .severalTokens(let names):
            let list = names.map { "\"\($0.label)\" serial \($0.serial)" }
            return make(
                .keyAmbiguous,
                "\(names.count) tokens fit the signer of \(kid): \(list.joined(separator: ", "))",
                "add serial=… to the signer URI", .configuration)
        case .noMechanism:
            return make(
                .keyMalformed, "\(place) does not sign with CKM_ECDSA on 256 bits",
                "use another token for \(kid)", .configuration)
        case .tokenGone(let function, let code):
            return make(
                .keyToken,
                "\(place) went away under \(kid) and did not come back: \(function)"
                    + " said \(code.text)",
                "bring the token or its daemon back, and run the same command again", .unavailable)
        default: return unexpected(kid, nil)
        }
    }

    private static func whereToLook(_ module: FilePath) -> String {
        let name = module.lastComponent?.description ?? ""
        guard name.utf8.starts(with: "p11-kit-client".utf8) else {
            return "check that the token is plugged in or its server runs, who may read its files,"
                + " and the module's configuration, such as SOFTHSM2_CONF"
        }
        return "look at the tunnel and at 'p11-kit server' on the other host;"
            + " P11_KIT_SERVER_ADDRESS names the socket on this one"
    }

    // MARK: PIN

    private static func pin(
        _ problem: TokenProblem, _ kid: KeyID, _ place: String, _ origin: PINOrigin?
    ) -> Failure {
        switch problem {
        case .wrongPIN(let code):
            make(
                .keyPINWrong, "not the PIN of \(place), for \(kid): \(code.text)",
                "nothing was signed, and no PIN is tried there again in this run; "
                    + rightPIN(origin), .notAllowed)
        case .lockedPIN:
            make(
                .keyPINLocked, "the PIN of \(place) is locked, so \(kid) cannot sign",
                "the security officer of the token unlocks it, or sets a new PIN", .notAllowed)
        case .pinNeeded:
            make(
                .keyPINNeeded, "\(place) wants a PIN for \(kid), and nobody can be asked for it",
                "name a file with the PIN as pin-source in the signer URI, or run it on a terminal"
                    + " without --no-input", .notAllowed)
        case .pinRemembered(let time, let answer, _):
            make(
                .keyPINRemembered,
                answer == .refused
                    ? "\(place) refused this PIN at \(TimeWording.text(UnixTime(time))), so it was not"
                        + " tried for \(kid)"
                    : "a log-in at \(place) with this PIN, at \(TimeWording.text(UnixTime(time))),"
                        + " ended without an answer, so it was not tried again for \(kid)",
                rememberedHelp(origin), .notAllowed, file(of: origin))
        case .lastTry:
            make(
                .keyPINLastTry,
                "\(place) says that one more wrong PIN locks it, so none was tried for \(kid)",
                "make sure of the PIN, then --retry-pin tries it", .notAllowed)
        case .pinNotSet:
            make(
                .keyPINUnusable, "\(place) has no user PIN yet, so \(kid) cannot sign",
                "the security officer of the token sets one", .notAllowed)
        case .pinToBeChanged:
            make(
                .keyPINUnusable, "\(place) wants its PIN changed before \(kid) can sign",
                "change it with the tools of the token", .notAllowed)
        case .pinLength(let minimum, let maximum):
            make(
                .keyPINUnusable,
                "the PIN for \(kid) is not as long as \(place) takes: \(minimum) to \(maximum)"
                    + " bytes", rightPIN(origin), .notAllowed)
        case .otherUser(let code):
            make(
                .keyPINUnusable, "somebody else is logged in at \(place): \(code.text)",
                "end what has logged in there, such as the security officer's session",
                .notAllowed)
        case .pinMemory(let error):
            Failure(writing: error)
        case .pinMemoryMalformed(let path):
            make(
                .keyPINMemory, "the memory of a refused PIN is not of the form that we write",
                "look at it, then remove it", .configuration, path)
        default: unexpected(kid, nil)
        }
    }

    private static func rightPIN(_ origin: PINOrigin?) -> String {
        switch origin {
        case .source(.credential(let name)):
            "put the right one into the credential \(name) of the unit"
        case .terminal: "run the same command again and type the right one"
        case .source(.file(let path)): "put the right one into \(path)"
        case nil: "put the right one into the file that pin-source names"
        }
    }

    private static func rememberedHelp(_ origin: PINOrigin?) -> String {
        if case .source(.credential(let name)) = origin {
            return "make sure of the credential \(name), then --retry-pin tries it; one of another"
                + " length is tried by itself, one of the same length cannot be told from this one"
        }
        let place = file(of: origin).map { "\($0)" } ?? "the file that pin-source names"
        return
            "put the right PIN into \(place), which is then tried by itself; --retry-pin tries this"
            + " one once more"
    }

    private static func file(of origin: PINOrigin?) -> FilePath? {
        guard case .source(.file(let path)) = origin else { return nil }
        return path
    }

    // MARK: Key

    private static func key(_ problem: TokenProblem, _ kid: KeyID, _ place: String) -> Failure {
        switch problem {
        case .noKey(let isPublicOnly, let idLooksHexadecimal):
            make(
                .keyMissing,
                isPublicOnly
                    ? "\(place) has only a public key that fits \(kid)"
                    : "\(place) has no private key that fits \(kid)",
                idLooksHexadecimal
                    ? "id= takes percent-encoded bytes, such as id=%01%a2 for 01a2"
                    : "compare object= and id= of the signer URI with what the token has",
                .configuration)
        case .ambiguousKeys(let keys):
            make(
                .keyAmbiguous,
                "\(keys.count) keys of \(place) fit \(kid): "
                    + keys.map(words).joined(separator: "; "),
                "id=… in the signer URI says which one is meant", .configuration)
        case .otherKeyType(let type):
            make(
                .keyMalformed,
                "\(kid) is no EC key: CKA_KEY_TYPE is 0x\(String(type, radix: 16))",
                "make a key on P-256", .refused)
        case .otherCurve(let parameters):
            make(
                .keyMalformed, "\(kid) is not on P-256: CKA_EC_PARAMS is \(hex(parameters))",
                "make a key on P-256, which is 06082a8648ce3d030107", .refused)
        case .cannotSign:
            make(
                .keyMalformed, "\(kid) may not sign: CKA_SIGN is false",
                "make a key that may sign", .configuration)
        case .badPoint(let count, let start):
            make(
                .keyMalformed,
                "the public half of \(kid) is no uncompressed point of P-256: CKA_EC_POINT has"
                    + " \(count) bytes, first \(hex(start))", "make the key anew", .refused)
        case .noPublicHalf:
            make(
                .keyMissing, "\(place) does not tell the public half of \(kid)",
                "put it there as a public key object with the same CKA_ID, such as with"
                    + " 'pkcs11-tool --write-object FILE --type pubkey --id …', and import again",
                .configuration)
        case .otherKey:
            make(
                .keyMismatch,
                "another key answers for \(kid): its signature is not by the key on"
                    + " record", "put the right key back; a kid never changes its key",
                .configuration)
        case .noLabel:
            make(
                .keySigner, "the signer URI does not say how \(kid) is to be called on the token",
                "add object=\(kid)", .usage)
        case .emptyID:
            make(
                .keySigner, "the signer URI gives \(kid) an empty id on the token",
                "leave id= out, and one is made; or give it bytes, such as id=%01", .usage)
        case .unnamedKey(let key):
            make(
                .keySigner,
                "the signer URI of \(kid) names \(place) alone, and the next key there makes it"
                    + " ambiguous: there is \(words(key))",
                key.id.isEmpty
                    ? "add object= with its label" : "add id=\(percent(key.id)) before the ?",
                .usage)
        case .exists:
            make(
                .keyExists,
                "\(place) has an object of that label or id already, so no key was made",
                "'grona-sign keys import' records the key that is there; a new one takes a new"
                    + " label", .cannotCreate)
        case .unsafeAttribute(let name):
            make(
                .keyMalformed, "\(place) made a key whose \(name) is not as it was asked for",
                "remove the key; this token cannot keep it as safe as it has to be",
                .configuration)
        case .derSignature:
            make(
                .signatureInvalid, "\(place) answers with DER where 64 bytes are due",
                "look for a newer version of the module; old ones of tpm2-pkcs11 did this", .fault)
        case .signatureLength(let count):
            make(
                .signatureInvalid, "\(kid) made a signature of \(count) bytes where 64 are due",
                "nothing was written; look at the token and its module", .fault)
        default: unexpected(kid, nil)
        }
    }

    // MARK: Words

    private static func make(
        _ code: RuleCode, _ message: String, _ help: String, _ exit: ExitStatus,
        _ file: FilePath? = nil
    ) -> Failure {
        Failure(
            Diagnostic(
                code: code.rawValue, message: message, file: file?.description, help: help,
                exit: exit))
    }

    private static func unexpected(_ kid: KeyID, _ path: FilePath?) -> Failure {
        make(.keyFailed, "\(kid) cannot be used", "look at its token", .unavailable, path)
    }

    private static func place(_ error: TokenError) -> String {
        guard let token = error.token else { return "the module \(error.module)" }
        return "token \"\(token.label)\""
    }

    private static func words(_ key: FoundKey) -> String {
        let name = "\"\(key.label)\" id \(key.id.isEmpty ? "(none)" : percent(key.id))"
        return name + (key.thumbprint.map { ", thumbprint \($0)" } ?? ", public half unknown")
    }

    /// Bytes as `id=` takes them.
    private static func percent(_ bytes: [UInt8]) -> String {
        bytes.map { "%" + pair($0) }.joined()
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.prefix(40).map(pair).joined()
    }

    private static func pair(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }

    static func words(_ error: PKCS11URIError) -> String {
        switch error {
        case .pinValue: "it has the PIN in it; pin-source names a file instead"
        case .nothingSelected: "it does not say which key is meant, such as token=…;object=…"
        case .malformedAttribute: "a part of it is no name=value"
        case .unknownAttribute(let name): "\"\(name)\" is no attribute that is known there"
        case .repeatedAttribute(let name): "\"\(name)\" stands there twice"
        case .badCharacter(let name): "a character of \"\(name)\" has to be percent-encoded"
        case .badPercent(let name): "a percent sign of \"\(name)\" has no two digits behind it"
        case .notUTF8(let name): "\"\(name)\" is no UTF-8"
        case .zeroByte(let name): "\"\(name)\" has a zero byte"
        case .tooLong(let name, let limit): "\"\(name)\" has more than \(limit) bytes"
        case .badNumber(let name): "\"\(name)\" is no decimal number"
        case .otherType: "type has to be private"
        case .noModule: "module-path is missing"
        case .relativeModule: "module-path has to be an absolute path"
        case .moduleName: "module-name is not taken; give module-path"
        case .pinSource: "pin-source is file:/absolute/path or credential:NAME"
        }
    }
}
