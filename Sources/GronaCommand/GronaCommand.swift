// GronaCommand
