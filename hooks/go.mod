module isdlc-hooks/hooks

go 1.26

require isdlc-hooks/lib v0.0.0

replace isdlc-hooks/lib => ../lib
