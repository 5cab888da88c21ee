import Foundation
import LinuxIO
import TestSupport
import Testing

/// What a power cut leaves depends on what was waited for: the order of the calls is the proof.
@Suite(.enabled(if: Program.exists("strace"), "strace is not installed"))
struct DurabilityTests {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// The names of the calls that change or order something, from the first write to a file on.
    private func calls(_ words: [String]) throws -> [String] {
        let trace = folder.file("trace")
        let traced = try Program.run(
            [
                "strace", "-f", "-qq", "-y", "-o", trace.description, "-e",
                "trace=write,pwrite64,fsync,linkat,renameat,renameat2,fchmod,utimensat",
            ] + words, input: [UInt8]("contents".utf8))
        try #require(traced.isSuccess, "\(traced.errors)")
        let lines = String(decoding: try readFile(trace, limit: 1 << 24), as: UTF8.self)
        return lines.split(separator: "\n").compactMap { line in
            let call = line.drop { !$0.isLetter }.prefix { $0 != "(" }
            // What the helper prints is not of interest.
            return line.contains("(1<") ? nil : String(call)
        }
    }

    @Test func `An output is on the disk before its name, and its name before the end`() throws {
        let words = [try Program.helper(), "output", folder.file("new").description, "new"]
        #expect(try calls(words) == ["fchmod", "write", "fsync", "renameat2", "fsync"])
        let again = [try Program.helper(), "output", folder.file("new").description, "replace"]
        #expect(try calls(again) == ["fchmod", "write", "fsync", "renameat", "fsync"])
    }

    @Test func `So are the files of a folder`() throws {
        let words = [try Program.helper(), "folder", folder.path.description]
        #expect(
            try calls(words + ["create", "claim"])
                == ["write", "fchmod", "fsync", "linkat", "fsync"])
        #expect(
            try calls(words + ["replace", "config"])
                == ["fchmod", "write", "utimensat", "fsync", "renameat", "fsync"])
    }

    @Test func `A line of a log is on the disk before the append is answered`() throws {
        let log = folder.file("log").description
        _ = try calls([try Program.helper(), "append", log, "1"])
        #expect(
            try calls([try Program.helper(), "append", log, "2", "1"])
                == ["pwrite64", "fsync", "pwrite64", "fsync"])
        #expect(
            try calls([try Program.helper(), "append", log, "64", "64"]) == ["pwrite64", "fsync"])
    }

    @Test(.enabled(if: Program.isRoot, "becoming another user needs root"))
    func `A hardened process of another user makes its files without a temporary name too`() throws
    {
        try folder.folder("own")
        try folder.own("own", by: Program.nobody)
        let words = [
            "setpriv", "--reuid", "\(Program.nobody)", "--clear-groups", try Program.helper(),
            "hardened", "folder", folder.file("own").description, "create", "claim",
        ]
        #expect(try calls(words).suffix(5) == ["write", "fchmod", "fsync", "linkat", "fsync"])
        #expect(try FileSystem.status(of: folder.file("own/claim")).permissions == 0o644)
    }
}
