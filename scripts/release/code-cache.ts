import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {inNewFolder, runIn} from './executable.js'

/** V8 takes hashes from it, and thereby the order of what it writes; other flags that fix these void the result. */
const SEED = '--random-seed=1'

/**
 * Returns the code that V8 compiled of a bundle while it printed its version. It depends on the bundle and on `host`, the
 * path of the Node that will use it, alone.
 */
export function codeCacheOf(host: string, bundle: string): Uint8Array {
  return inNewFolder(folder => {
    writeFileSync(join(folder, 'bundle.cjs'), bundle, 'latin1')
    runIn(folder, host, SEED, join(import.meta.dirname, 'write-code-cache.cjs'), 'version')
    return readFileSync(join(folder, 'code-cache'))
  })
}
