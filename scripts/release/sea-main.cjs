// What a single executable runs first: the bundle, which is inside of it, with its compiled code if that is, too.
const {Buffer} = require('node:buffer')
const {createRequire, wrap} = require('node:module')
const {getRawAsset} = require('node:sea')
const {Script} = require('node:vm')

/** @param {string} name */
function asset(name) {
  try {
    return Buffer.from(/** @type {ArrayBuffer} */ (getRawAsset(name)))
  } catch {
    return undefined
  }
}

// The bundle is ASCII: V8 takes its bytes as they are, where UTF-8 would be decoded at each start.
const source = asset('bundle')?.toString('latin1') ?? ''
const script = new Script(wrap(source), {filename: 'kubectl-crossplane.cjs', cachedData: asset('code-cache')})
const path = process.execPath
/** @type {{exports: any}} */
const bundle = {exports: {}}
script.runInThisContext()(bundle.exports, createRequire(path), bundle, path, '')
void run()

async function run() {
  process.exitCode = await bundle.exports.main(process.argv.slice(2))
}
