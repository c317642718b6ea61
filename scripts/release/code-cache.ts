import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {writeCodeCaches} from '../bundle/code-cache.mjs'
import {inNewFolder} from './executable.js'

/**
 * Returns the code that V8 compiled of a bundle while it ran typical commands, by the names that bin/load-bundle.js looks
 * for. It depends on the bundle and on `host`, the path of the Node that will use it, alone.
 */
export function codeCachesOf(host: string, bundle: string): ReadonlyMap<string, Uint8Array> {
  return inNewFolder(folder => {
    const path = join(folder, 'bundle.cjs')
    writeFileSync(path, bundle, 'latin1')
    writeCodeCaches(host, path)
    const names = readdirSync(folder).filter(name => name.endsWith('.code-cache'))
    return new Map(names.sort().map(name => [name, readFileSync(join(folder, name))]))
  })
}
