// ProjectFilesTests
