import {spawnSync} from 'node:child_process'
import {dirname, join, parse, resolve} from 'node:path'

/** Flags of V8 whose value is reset before V8 writes. */
export const SPACE_FLAGS = ['--min-semi-space-size', '--max-semi-space-size']

/**
 * What makes V8 write the same bytes for the same bundle: a fixed seed of hashes, and thereby of their order; memory for
 * all objects, since those that are written after a garbage collection contain remains of others; one thread, so that
 * files are read in one order; no variables and files of the user, on which it depends what is executed; no notice of a
 * command that takes long.
 */
const FLAGS = ['--random-seed=1', ...SPACE_FLAGS.map(flag => `${flag}=128`)]
const ENV = {UV_THREADPOOL_SIZE: '1', CROSSPLANE_WAIT_NOTICE: '999999', SystemRoot: process.env.SystemRoot}

/**
 * Writes the code caches of a bundle beside it.
 *
 * @param {string} node the path of the Node.js that will use it
 * @param {string} bundle
 */
export function writeCodeCaches(node, bundle) {
  const args = [...FLAGS, join(import.meta.dirname, 'write-code-cache.mjs'), resolve(bundle)]
  const home = dirname(bundle)
  const {status, error, stderr} = spawnSync(node, args, {
    // What looks for a declaration in the folders above finds nothing, in one step.
    cwd: parse(resolve(bundle)).root,
    env: {...ENV, HOME: home, USERPROFILE: home},
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`cannot write the code caches of ${bundle}: ${error?.message ?? stderr}`)
}
