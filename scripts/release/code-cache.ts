import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {writeCodeCache} from '../bundle/code-cache.mjs'
import {inNewFolder} from './executable.js'

/**
 * Returns the code that V8 compiled of a bundle while it ran typical commands. It depends on the bundle and on `host`, the
 * path of the Node that will use it, alone.
 */
export function codeCacheOf(host: string, bundle: string): Uint8Array {
  return inNewFolder(folder => {
    const path = join(folder, 'bundle.cjs')
    writeFileSync(path, bundle, 'latin1')
    writeCodeCache(host, path)
    const name = readdirSync(folder).find(each => each.endsWith('.code-cache'))
    return readFileSync(join(folder, name ?? ''))
  })
}
