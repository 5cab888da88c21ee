/// How many arguments an operand takes.
package enum Arity: Sendable, Hashable {
    case one
    case optional
    /// As many as are left, at least `minimum`; only the last operand of a command.
    case many(minimum: Int)
}

/// What every operand tells the parser, the help, the completions and the manual.
package struct OperandFacts: Sendable {
    package let name: String
    package let help: String
    package let arity: Arity
    /// Long names of options with which the operand is neither needed nor taken.
    package let absentWith: [String]
    package let completion: Completion
    let check: @Sendable ([UInt8]) throws(ValueRefusal) -> Void
}

/// An operand of any type, as a command lists it.
package protocol OperandDeclaration: Sendable {
    var operandFacts: OperandFacts { get }
}

/// An argument that is told by its place.
package struct Operand<Value: Sendable>: OperandDeclaration {
    package let operandFacts: OperandFacts
    package let reader: ValueReader<Value>

    /// - Parameter absentWith: long names of options, such as `batch`, that stand for the operand.
    package init(
        _ reader: ValueReader<Value>, _ arity: Arity = .one, absentWith: [String] = [],
        help: String
    ) {
        self.reader = reader
        operandFacts = OperandFacts(
            name: reader.valueName, help: help, arity: arity, absentWith: absentWith,
            completion: reader.completion,
            check: { bytes throws(ValueRefusal) in _ = try reader.read(bytes) })
    }
}
