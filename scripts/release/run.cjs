// What the script of the archives for macOS runs: the bundle beside it.
const {join} = require('node:path')
const {loadBundle} = require('../../bin/load-bundle.js')

// The program that doctor looks for on PATH is the script.
process.argv[1] = join(module.path, '../kubectl-crossplane')
void run()

async function run() {
  process.exitCode = await loadBundle(join(module.path, 'kubectl-crossplane.cjs')).main(process.argv.slice(2))
}
