// What the script of the archives for macOS runs: the bundle beside it.
const {join} = require('node:path')
const {endProcess} = require('../../bin/end-process.js')
const {loadBundle} = require('../../bin/load-bundle.js')

// The program that doctor looks for on PATH is the script.
process.argv[1] = join(__dirname, '../kubectl-crossplane')
void run()

async function run() {
  const {main} = loadBundle(join(__dirname, 'kubectl-crossplane.cjs'))
  await endProcess(await main(process.argv.slice(2)))
}
