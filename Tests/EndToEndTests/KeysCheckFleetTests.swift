import TestSupport
import Testing

/// `grona-sign keys check` without a workspace: all of them, before the night shift.
@Suite struct KeysCheckFleetTests {
    @Test func `Keys that lie in files are told once, by name, and are no fault but with --strict`()
        throws
    {
        let setting = try RefreshSetting(["aa-shop", "bb-shop", "cc-shop"], served: false)
        func check(_ words: [String]) throws -> Program.Answer {
            try setting.signing.run(["keys", "check"] + words)
        }
        let all = try check([])
        #expect(all.isSuccess, "\(all.errors)")
        let told = all.errors.split(separator: "\n").filter {
            $0.contains("key.file-in-production")
        }
        #expect(told.count == 1, "\(all.errors)")
        for name in setting.names {
            #expect(told.first?.contains("\(name)-1") == true, "\(told)")
            #expect(all.output.contains("\(name)-1"), "\(all.output)")
        }
        let one = try check(["--workspace", "bb-shop"])
        #expect(
            one.isSuccess && one.errors.contains("bb-shop-1 is the key of a production workspace"),
            "\(one.errors)")
        let strict = try check(["--strict"])
        #expect(!strict.isSuccess && strict.errors.contains("error[key.file-in-production]"))
    }
}
