import {buildSync} from 'esbuild'
import {join} from 'node:path'
import {COMPILER_OPTIONS} from '../bundle/compiler-options.mjs'

/** Returns what starts a bundle: a script of this folder and bin/load-bundle.js as one file. */
export function startScript(name: 'run.cjs' | 'sea-main.cjs'): Uint8Array {
  const {outputFiles} = buildSync({
    entryPoints: [join(import.meta.dirname, name)],
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node22',
    minifyWhitespace: true,
    tsconfigRaw: COMPILER_OPTIONS,
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error(`cannot bundle ${name}`)
  return file.contents
}
