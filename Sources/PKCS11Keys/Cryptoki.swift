import CPKCS11
import LinuxIO
import SigningKeys
import Synchronization

/// The function table of a module (PKCS#11 v2.40, 5.2), checked for what is called here.
///
/// Its calls are made on the module's own thread only; what runs at the moment may be asked from
/// any thread.
@safe final class Cryptoki: @unchecked Sendable {
    enum Function: Int, CaseIterable {
        case none
        case initialize, finalize, getInfo, getSlotList, getSlotInfo, getTokenInfo
        case getMechanismInfo, openSession, closeSession, getSessionInfo, login, logout
        case findObjectsInit, findObjects, findObjectsFinal, getAttributeValue
        case signInit, sign, generateKeyPair, destroyObject, getFunctionList, setAttributeValue

        var name: String { Self.names[rawValue] }

        private static let names = [
            "dlopen",
            "C_Initialize", "C_Finalize", "C_GetInfo", "C_GetSlotList", "C_GetSlotInfo",
            "C_GetTokenInfo", "C_GetMechanismInfo", "C_OpenSession", "C_CloseSession",
            "C_GetSessionInfo", "C_Login", "C_Logout", "C_FindObjectsInit", "C_FindObjects",
            "C_FindObjectsFinal", "C_GetAttributeValue", "C_SignInit", "C_Sign",
            "C_GenerateKeyPair", "C_DestroyObject", "C_GetFunctionList",
            "C_SetAttributeValue",
        ]
    }

    let table: UnsafeMutablePointer<CK_FUNCTION_LIST>
    private let calling: CallMark

    /// - Parameter mark: is told which call runs.
    init(_ library: DynamicLibrary, mark: CallMark) throws(TokenProblem) {
        calling = mark
        let address: UnsafeMutableRawPointer
        do {
            unsafe address = try library.symbol(Function.getFunctionList.name)
        } catch {
            throw .notLoadable(error.words)
        }
        let getFunctionList = unsafe unsafeBitCast(address, to: CK_C_GetFunctionList.self)
        var found: UnsafeMutablePointer<CK_FUNCTION_LIST>?
        mark.begin(.getFunctionList)
        let code = unsafe TokenCode(rawValue: getFunctionList(&found))
        mark.end()
        guard code == .ok else {
            throw .call(function: Function.getFunctionList.name, code)
        }
        guard let found = unsafe found else { throw .missingFunction("function list") }
        if let missing = unsafe Self.missing(found.pointee) {
            throw .missingFunction(missing.name)
        }
        unsafe table = unsafe found
    }

    /// The first function without which nothing goes.
    private static func missing(_ list: CK_FUNCTION_LIST) -> Function? {
        let there: [(Function, Bool)] = unsafe [
            (.initialize, list.C_Initialize != nil), (.finalize, list.C_Finalize != nil),
            (.getSlotList, list.C_GetSlotList != nil), (.getSlotInfo, list.C_GetSlotInfo != nil),
            (.getTokenInfo, list.C_GetTokenInfo != nil),
            (.getMechanismInfo, list.C_GetMechanismInfo != nil),
            (.openSession, list.C_OpenSession != nil),
            (.closeSession, list.C_CloseSession != nil), (.login, list.C_Login != nil),
            (.logout, list.C_Logout != nil), (.findObjectsInit, list.C_FindObjectsInit != nil),
            (.findObjects, list.C_FindObjects != nil),
            (.findObjectsFinal, list.C_FindObjectsFinal != nil),
            (.getAttributeValue, list.C_GetAttributeValue != nil),
            (.signInit, list.C_SignInit != nil), (.sign, list.C_Sign != nil),
        ]
        return there.first { !$0.1 }?.0
    }

    /// Makes a call and throws what is not `CKR_OK`.
    func call(_ function: Function, _ body: () -> CK_RV) throws(TokenProblem) {
        try check(function, code(of: function, body))
    }

    func check(_ function: Function, _ code: TokenCode) throws(TokenProblem) {
        guard code == .ok else { throw .call(function: function.name, code) }
    }

    /// Makes a call for which another answer than `CKR_OK` may be fine.
    func code(of function: Function, _ body: () -> CK_RV) -> TokenCode {
        calling.begin(function)
        defer { calling.end() }
        return TokenCode(rawValue: body())
    }
}

/// Which call of a module runs.
final class CallMark: Sendable {
    private let function = Atomic<Int>(0)

    func begin(_ function: Cryptoki.Function) {
        self.function.store(function.rawValue, ordering: .relaxed)
    }

    func end() {
        function.store(0, ordering: .relaxed)
    }

    /// The call that runs, or the loading of the module.
    var current: Cryptoki.Function {
        Cryptoki.Function(rawValue: function.load(ordering: .relaxed)) ?? .none
    }
}
