// What a single executable runs first: the bundle, which is inside of it, with its code caches if those are, too.
const {Buffer} = require('node:buffer')
const {getRawAsset} = require('node:sea')
const {endProcess} = require('../../bin/end-process.js')
const {loadContained} = require('../../bin/load-bundle.js')

/** @param {string} name */
function asset(name) {
  return Buffer.from(/** @type {ArrayBuffer} */ (getRawAsset(name)))
}

/** @param {string} name */
function ownCache(name) {
  try {
    return asset(name)
  } catch {
    return undefined
  }
}

void run()

async function run() {
  const bundle = loadContained({path: process.execPath, bundle: asset('bundle'), ownCache, readFile: asset})
  await endProcess(await bundle.main(process.argv.slice(2)))
}
