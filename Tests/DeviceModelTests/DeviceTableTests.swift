import DeviceModel
import GronaFormats
import JOSE
import Testing

/// One envelope and what becomes of it.
struct TableCase: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var install = DeviceModelTests.install()
    var signature = SignatureCheck.holds
    var time = now
    /// Nil where it is accepted.
    var row: DeviceCheck?
    var code: RuleCode?

    var testDescription: String { name }

    static func accepted(
        _ name: String, _ bytes: [UInt8], _ install: Install = DeviceModelTests.install(),
        at time: UnixTime = now
    ) -> TableCase {
        TableCase(name: name, bytes: bytes, install: install, time: time)
    }

    static func rejected(
        _ name: String, _ bytes: [UInt8], _ row: DeviceCheck, _ code: RuleCode,
        _ install: Install = DeviceModelTests.install(), signature: SignatureCheck = .holds,
        at time: UnixTime = now
    ) -> TableCase {
        TableCase(
            name: name, bytes: bytes, install: install, signature: signature, time: time,
            row: row, code: code)
    }
}

@Suite("What an SDK checks, row by row and on both sides of each boundary")
struct DeviceTableTests {
    private static func payload(_ name: String, _ json: String?) -> [UInt8] {
        EnvelopeDraft(PayloadDraft().with(name, json)).bytes
    }

    private static func envelope(_ change: (inout EnvelopeDraft) -> Void) -> [UInt8] {
        var draft = EnvelopeDraft()
        change(&draft)
        return draft.bytes
    }

    private static func header(_ text: String) -> [UInt8] {
        EnvelopeDraft(header: text).bytes
    }

    private static func text(_ text: String) -> [UInt8] {
        Array(text.utf8)
    }

    /// An envelope whose payload has exactly so many bytes.
    private static func payload(ofSize count: Int) -> [UInt8] {
        let base = PayloadDraft().with("filler", #""""#).bytes.count
        let filler = String(repeating: "x", count: count - base)
        return EnvelopeDraft(PayloadDraft().with("filler", "\"\(filler)\"")).bytes
    }

    private static func payload(ofDepth depth: Int) -> [UInt8] {
        let inner = depth - 1
        return payload(
            "deep", String(repeating: "[", count: inner) + String(repeating: "]", count: inner))
    }

    private static let start = 1_793_264_400
    private static let longest = 34_560_000

    static let beforeSignature: [TableCase] = [
        .accepted("the draft", EnvelopeDraft().bytes),
        .accepted("786,432 bytes", EnvelopeDraft().padded(to: 786_432)),
        .rejected(
            "786,433 bytes", EnvelopeDraft().padded(to: 786_433), .size, .envelopeTooLarge),

        .rejected("nothing", [], .envelope, .envelopeMalformed),
        .rejected("an array", text("[]"), .envelope, .envelopeMalformed),
        .rejected("a string", text(#""x""#), .envelope, .envelopeMalformed),
        .rejected(
            "no signature", text(#"{"protected":"","payload":""}"#), .envelope,
            .envelopeMalformed),
        .rejected(
            "a fourth member",
            EnvelopeDraft().bytes.dropLast() + text(#","header":{}}"#), .envelope,
            .envelopeMalformed),
        .rejected(
            "a member twice",
            EnvelopeDraft().bytes.dropLast() + text(#","payload":""}"#), .envelope,
            .envelopeMalformed),
        .rejected(
            "a member that is no string",
            text(#"{"protected":"","payload":"","signature":1}"#), .envelope,
            .envelopeMalformed),
        .rejected(
            "general serialization", text(#"{"payload":"","signatures":[],"x":""}"#), .envelope,
            .envelopeMalformed),
        .rejected(
            "a byte order mark", [0xEF, 0xBB, 0xBF] + EnvelopeDraft().bytes, .envelope,
            .envelopeMalformed),
        .rejected(
            "data after the envelope", EnvelopeDraft().bytes + text("{}"), .envelope,
            .envelopeMalformed),
        .accepted("blanks around the envelope", text(" \n") + EnvelopeDraft().bytes + text("\r\n")),

        .rejected(
            "a header with padding", envelope { $0.protected += "=" }, .header,
            .headerMalformed),
        .rejected(
            "a header with a blank", envelope { $0.protected = " " + $0.protected }, .header,
            .headerMalformed),
        .rejected(
            "a header of no bytes", envelope { $0.protected = "" }, .header, .headerMalformed),
        .rejected("a header that is no JSON", header("{"), .header, .headerMalformed),
        .rejected(
            "a header with a member twice",
            header(#"{"alg":"ES256","alg":"ES256","kid":"k1"}"#), .header, .headerMalformed),
        .rejected("a header that is no object", header("[1,2,3]"), .header, .headerMalformed),
        .rejected(
            "two header members", header(#"{"alg":"ES256","kid":"k1"}"#), .header,
            .headerMembers),
        .rejected(
            "four header members",
            header(#"{"alg":"ES256","kid":"k1","typ":"grona-config+jws","crit":["b64"]}"#),
            .header, .headerMembers),
        .rejected(
            "three header members of other names",
            header(#"{"alg":"ES256","kid":"k1","cty":"grona-config+jws"}"#), .header,
            .headerMembers),
        .accepted(
            "header members in another order, with blanks",
            header(#" { "typ" : "grona-config+jws", "kid": "k1", "alg": "ES256" } "#)),
        .accepted(
            "header members spelled with escapes",
            header(#"{"\u0061lg":"ES256","kid":"k\u0031","typ":"grona-config\u002bjws"}"#)),

        .rejected(
            "alg none", header(#"{"alg":"none","kid":"k1","typ":"grona-config+jws"}"#), .kid,
            .headerAlgorithm),
        .rejected(
            "alg in lower case", header(#"{"alg":"es256","kid":"k1","typ":"grona-config+jws"}"#),
            .kid, .headerAlgorithm),
        .rejected(
            "alg of another curve",
            header(#"{"alg":"ES384","kid":"k1","typ":"grona-config+jws"}"#), .kid,
            .headerAlgorithm),
        .rejected(
            "alg that is no string", header(#"{"alg":1,"kid":"k1","typ":"grona-config+jws"}"#),
            .kid, .headerAlgorithm),
        .rejected(
            "typ of a grant", header(#"{"alg":"ES256","kid":"k1","typ":"grona-grant+jwt"}"#),
            .kid, .headerType),
        .rejected(
            "typ of a preview pin",
            header(#"{"alg":"ES256","kid":"k1","typ":"grona-preview+jwt"}"#), .kid, .headerType),
        .rejected(
            "typ in upper case", header(#"{"alg":"ES256","kid":"k1","typ":"GRONA-CONFIG+JWS"}"#),
            .kid, .headerType),
        .rejected(
            "typ that is no string", header(#"{"alg":"ES256","kid":"k1","typ":null}"#), .kid,
            .headerType),
        .rejected(
            "a kid that is not pinned",
            header(#"{"alg":"ES256","kid":"k2","typ":"grona-config+jws"}"#), .kid,
            .headerUnknownKid),
        .rejected(
            "a kid that is no string",
            header(#"{"alg":"ES256","kid":["k1"],"typ":"grona-config+jws"}"#), .kid,
            .headerUnknownKid),
        .rejected(
            "a kid that looks the same, with the Kelvin sign",
            header(#"{"alg":"ES256","kid":"\u212a1","typ":"grona-config+jws"}"#), .kid,
            .headerUnknownKid,
            Install(workspace: "acme-market", sdkVersion: sdk("1.4.0"), pins: kid("K1"))),
        .accepted(
            "a kid with a capital K",
            header(#"{"alg":"ES256","kid":"K1","typ":"grona-config+jws"}"#),
            Install(workspace: "acme-market", sdkVersion: sdk("1.4.0"), pins: kid("K1"))),

        .rejected(
            "a signature of 63 bytes",
            envelope { $0.signature = Base64URL.encodedString([UInt8](repeating: 7, count: 63)) },
            .signature, .signatureMalformed),
        .rejected(
            "a signature of 65 bytes",
            envelope { $0.signature = Base64URL.encodedString([UInt8](repeating: 7, count: 65)) },
            .signature, .signatureMalformed),
        .rejected(
            "a signature with padding", envelope { $0.signature += "==" }, .signature,
            .signatureMalformed),
        .rejected(
            "a signature with a stray bit",
            envelope { $0.signature = String($0.signature.dropLast()) + "x" }, .signature,
            .signatureMalformed),
        .rejected(
            "a signature that fails", EnvelopeDraft().bytes, .signature, .signatureInvalid,
            signature: .fails),
        .rejected(
            "a signature that nobody checked", EnvelopeDraft().bytes, .signature,
            .signatureInvalid, signature: .notChecked),
    ]

    static let payloadForm: [TableCase] = [
        .rejected(
            "a payload with padding", envelope { $0.payload += "=" }, .payload,
            .payloadMalformed),
        .accepted("a payload of 524,288 bytes", payload(ofSize: 524_288)),
        .rejected(
            "a payload of 524,289 bytes", payload(ofSize: 524_289), .payload, .payloadTooLarge),
        .accepted("a depth of 32", payload(ofDepth: 32)),
        .rejected("a depth of 33", payload(ofDepth: 33), .payload, .payloadTooDeep),
        .rejected(
            "a payload that is no JSON", EnvelopeDraft(payloadBytes: text("{]")).bytes, .payload,
            .payloadMalformed),
        .rejected(
            "a payload of no bytes", EnvelopeDraft(payloadBytes: []).bytes, .payload,
            .payloadMalformed),
        .rejected(
            "a payload that is no object", EnvelopeDraft(payloadBytes: text("[]")).bytes,
            .payload, .payloadMalformed),
        .rejected(
            "a member twice",
            EnvelopeDraft(
                payloadBytes: PayloadDraft().bytes.dropLast() + text(#","version":8}"#)
            ).bytes, .payload, .payloadMalformed),
        .rejected("no schema", payload("schema", nil), .payload, .payloadMalformed),
        .rejected(
            "a schema that is a text", payload("schema", #""1""#), .payload, .payloadMalformed),
        .rejected("schema 1.0", payload("schema", "1.0"), .payload, .payloadMalformed),
        .rejected("no version", payload("version", nil), .payload, .payloadMalformed),
        .rejected("version 0", payload("version", "0"), .payload, .payloadMalformed),
        .rejected("version -1", payload("version", "-1"), .payload, .payloadMalformed),
        .accepted("version 1", payload("version", "1")),
        .accepted("version 2^53−1", payload("version", "9007199254740991")),
        .rejected(
            "version 2^53", payload("version", "9007199254740992"), .payload, .payloadMalformed),
        .rejected(
            "a version that is a text", payload("version", #""1""#), .payload, .payloadMalformed),
        .rejected("version 1.0", payload("version", "1.0"), .payload, .payloadMalformed),
        .rejected("version 1e0", payload("version", "1e0"), .payload, .payloadMalformed),
        .rejected("no workspace", payload("workspace", nil), .payload, .payloadMalformed),
        .rejected(
            "a workspace that is no text", payload("workspace", "1"), .payload,
            .payloadMalformed),
        .rejected(
            "settings that are no object", payload("settings", "[]"), .payload,
            .payloadMalformed),
        .accepted("empty settings", payload("settings", "{}")),
        .rejected(
            "campaigns that are no array", payload("campaigns", "{}"), .payload,
            .payloadMalformed),
        .rejected(
            "a campaign that is no object", payload("campaigns", "[1]"), .payload,
            .payloadMalformed),
        .accepted("no campaign at all", payload("campaigns", "[]")),
        .accepted("unknown members", payload("future", #"{"anything":[1,"2",null]}"#)),
    ]

    static let payloadContents: [TableCase] = [
        .rejected(
            "another workspace", payload("workspace", #""acme-staging""#), .workspace,
            .payloadWrongWorkspace),
        .rejected(
            "a workspace in capitals", payload("workspace", #""Acme-market""#), .workspace,
            .payloadWrongWorkspace),

        .rejected("schema 0", payload("schema", "0"), .schema, .payloadUnknownSchema),
        .rejected("schema 2", payload("schema", "2"), .schema, .payloadUnknownSchema),

        .accepted(
            "a version equal to the highest", EnvelopeDraft().bytes,
            install(highest: .accepted(version(7)))),
        .rejected(
            "a version below the highest", EnvelopeDraft().bytes, .version, .payloadRollback,
            install(highest: .accepted(version(8)))),
        .accepted("the highest not asked", EnvelopeDraft().bytes, install(highest: .notAsked)),

        .rejected(
            "issued a second before 2020",
            EnvelopeDraft(
                PayloadDraft().with("issued_at", "1577836799").with("expires_at", "1577836900")
            ).bytes, .times, .payloadIssuedAt),
        .accepted(
            "issued in the first second of 2020",
            EnvelopeDraft(
                PayloadDraft().with("issued_at", "1577836800").with("expires_at", "1577836900")
            ).bytes, at: UnixTime(1_577_836_899)),
        .accepted(
            "issued in the first second of 2100",
            EnvelopeDraft(
                PayloadDraft().with("issued_at", "4102444800").with("expires_at", "4102444801")
            ).bytes),
        .rejected(
            "issued a second after that",
            EnvelopeDraft(
                PayloadDraft().with("issued_at", "4102444801").with("expires_at", "4102444802")
            ).bytes, .times, .payloadIssuedAt),
        .rejected(
            "expires when issued", payload("expires_at", "\(start)"), .times, .payloadLifetime,
            at: UnixTime(Int64(start - 10))),
        .accepted(
            "expires a second later", payload("expires_at", "\(start + 1)"),
            at: UnixTime(Int64(start))),
        .accepted("expires 400 days later", payload("expires_at", "\(start + longest)")),
        .rejected(
            "expires 400 days and a second later",
            payload("expires_at", "\(start + longest + 1)"), .times, .payloadLifetime),
        .rejected("no issued_at", payload("issued_at", nil), .times, .payloadMalformed),
        .rejected(
            "issued_at with a fraction", payload("issued_at", "\(start).0"), .times,
            .payloadMalformed),
        .rejected(
            "issued_at as text", payload("issued_at", #""2026-10-29T09:00:00Z""#), .times,
            .payloadMalformed),
        .rejected("no expires_at", payload("expires_at", nil), .times, .payloadMalformed),
        .rejected(
            "expires_at that is null", payload("expires_at", "null"), .times, .payloadMalformed),
        .accepted(
            "issued in the device's future", EnvelopeDraft().bytes,
            at: UnixTime(Int64(start - 100_000))),

        .accepted(
            "a second before it expires", EnvelopeDraft().bytes, at: UnixTime(1_795_856_399)),
        .rejected(
            "the second in which it expires", EnvelopeDraft().bytes, .expired, .payloadExpired,
            at: UnixTime(1_795_856_400)),

        .rejected("ttl -1", payload("ttl_seconds", "-1"), .ttl, .payloadTTL),
        .accepted("ttl 0, which is clamped", payload("ttl_seconds", "0")),
        .accepted("ttl -0", payload("ttl_seconds", "-0")),
        .accepted("a ttl above a day, which is clamped", payload("ttl_seconds", "86401")),
        .rejected("no ttl", payload("ttl_seconds", nil), .ttl, .payloadMalformed),
        .rejected("ttl 300.0", payload("ttl_seconds", "300.0"), .ttl, .payloadMalformed),

        .accepted("min_sdk equal to the SDK's", payload("min_sdk", #""1.4.0""#)),
        .rejected(
            "min_sdk a patch above", payload("min_sdk", #""1.4.1""#), .minSDK,
            .payloadNeedsNewerSDK),
        .accepted("min_sdk compared as numbers", payload("min_sdk", #""1.3.99""#)),
        .rejected("no min_sdk", payload("min_sdk", nil), .minSDK, .payloadMalformed),
        .rejected(
            "min_sdk of two parts", payload("min_sdk", #""1.4""#), .minSDK, .payloadMalformed),
        .rejected(
            "min_sdk with a leading zero", payload("min_sdk", #""01.4.0""#), .minSDK,
            .payloadMalformed),
        .rejected("min_sdk as a number", payload("min_sdk", "1"), .minSDK, .payloadMalformed),
        .accepted(
            "min_sdk without an SDK's version", payload("min_sdk", #""999.0.0""#),
            install(sdk: nil)),
        .rejected(
            "min_sdk of another form without an SDK's version", payload("min_sdk", #""1.4""#),
            .minSDK, .payloadMalformed, install(sdk: nil)),
    ]

    @Test("before the signature", arguments: beforeSignature)
    func checkBeforeSignature(_ row: TableCase) {
        check(row)
    }

    @Test("the form of the payload", arguments: payloadForm)
    func checkPayloadForm(_ row: TableCase) {
        check(row)
    }

    @Test("what the payload says", arguments: payloadContents)
    func checkPayloadContents(_ row: TableCase) {
        check(row)
    }

    private func check(_ row: TableCase) {
        let outcome = run(row.bytes, row.install, signature: row.signature, at: row.time)
        #expect(outcome.rows.map(\.check) == DeviceCheck.allCases)
        #expect(outcome.code == row.code)
        let first = outcome.rows.first { $0.result.violation != nil }
        #expect(first?.check == row.row)
        #expect(outcome.accepted == (row.code == nil))
        if let row = row.row {
            // The rows before the first failure stand on their own.
            let before = outcome.rows.prefix { $0.check != row }.compactMap(\.result.violation)
            #expect(before.isEmpty)
        }
    }
}
