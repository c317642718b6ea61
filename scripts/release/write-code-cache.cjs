// Runs bundle.cjs in the working folder with the words after this file, and writes the compiled code into code-cache.
const {readFileSync, writeFileSync} = require('node:fs')
const {createRequire, wrap} = require('node:module')
const {join} = require('node:path')
const {Script} = require('node:vm')

const path = join(process.cwd(), 'bundle.cjs')
const script = new Script(wrap(readFileSync(path, 'latin1')), {filename: 'kubectl-crossplane.cjs'})
/** @type {{exports: any}} */
const bundle = {exports: {}}
process.on('exit', () => writeFileSync('code-cache', script.createCachedData()))
script.runInThisContext()(bundle.exports, createRequire(path), bundle, path, process.cwd())
void run()

async function run() {
  process.exitCode = await bundle.exports.main(process.argv.slice(2))
}
