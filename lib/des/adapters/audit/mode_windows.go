package audit

// modesCount tells whether the system keeps the mode that a file is given.
const modesCount = false
