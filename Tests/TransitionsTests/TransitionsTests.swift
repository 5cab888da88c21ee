// TransitionsTests
