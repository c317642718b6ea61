// What a single executable runs first: the bundle, which is inside of it, with its code cache if that is, too.
const {Buffer} = require('node:buffer')
const {getRawAsset} = require('node:sea')
const {loadText} = require('../../bin/load-bundle.js')

/** @param {string} name */
function asset(name) {
  try {
    return Buffer.from(/** @type {ArrayBuffer} */ (getRawAsset(name)))
  } catch {
    return undefined
  }
}

// The bundle is ASCII: V8 takes its bytes as they are, where UTF-8 would be decoded at each start.
const text = asset('bundle')?.toString('latin1') ?? ''
void run()

async function run() {
  const bundle = loadText({path: process.execPath, text, ownCache: asset('code-cache')})
  process.exitCode = await bundle.main(process.argv.slice(2))
}
