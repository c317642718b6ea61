import {spawnSync} from 'node:child_process'
import {join} from 'node:path'

/** Flags of V8 whose value is reset before V8 writes. */
export const SPACE_FLAGS = ['--min-semi-space-size', '--max-semi-space-size']

/**
 * What makes V8 write the same bytes for the same bundle: a fixed seed of hashes, and thereby of their order; memory for
 * all objects, since those that are written after a garbage collection contain remains of others; one thread, so that
 * files are read in one order.
 */
const FLAGS = ['--random-seed=1', ...SPACE_FLAGS.map(flag => `${flag}=128`)]
const ENV = {UV_THREADPOOL_SIZE: '1', NODE_OPTIONS: '', NODE_EXTRA_CA_CERTS: undefined}

/**
 * Writes the code cache of a bundle beside it.
 *
 * @param {string} node the path of the Node.js that will use it
 * @param {string} bundle
 */
export function writeCodeCache(node, bundle) {
  const args = [...FLAGS, join(import.meta.dirname, 'write-code-cache.mjs'), bundle]
  const {status, error, stderr} = spawnSync(node, args, {
    env: {...process.env, ...ENV},
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`cannot write the code cache of ${bundle}: ${error?.message ?? stderr}`)
}
