// ProjectFiles
