package install

// exe is the ending of programs.
const exe = ".exe"
