import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

/** The files of the engines: the module, compressed, and the code of the worker that runs it. */
export type EngineFile = 'engines.wasm.gz' | 'worker.cjs'

/** Reads a file of the engines. In a bundle, another module is in the place of this one: scripts/bundle/replaced-modules.mjs. */
export function readEngineFile(name: EngineFile): Uint8Array {
  return readFileSync(fileURLToPath(new URL(`../../engines/${name}`, import.meta.url)))
}
