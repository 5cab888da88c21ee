// GronaSignCommand
