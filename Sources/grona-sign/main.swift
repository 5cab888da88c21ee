import GronaCommand
import GronaSignCommand

GronaProgram.run(GronaSignProgram.program, ending: GronaSignProgram.end)
