#!/usr/bin/env node
// kubectl runs this as kubectl_complete-crossplane, with the words after `kubectl crossplane`.
process.argv.splice(2, 0, '__complete')
require('./run.js')
