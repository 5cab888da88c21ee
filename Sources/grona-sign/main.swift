import GronaCommand
import GronaSignCommand

GronaProgram.run(GronaSignProgram.program)
