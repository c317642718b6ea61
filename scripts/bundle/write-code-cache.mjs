// Writes the code caches of a bundle for the running Node.js: of what starting, help, completion and reading packages
// execute.
// scripts/bundle/code-cache.mjs starts it.
import {join} from 'node:path'
import {setFlagsFromString} from 'node:v8'
import {writeOwnCaches} from '../../bin/load-bundle.js'
import {SPACE_FLAGS} from './code-cache.mjs'

const [path = ''] = process.argv.slice(2)
const example = join(import.meta.dirname, '../../examples/platform')
const packages = join(example, 'packages')
const provider = join(packages, 'example/provider-cloud@v0.11.0')

const RUNS = [
  ['version'],
  ['--help'],
  ['package', 'render', '--help'],
  ['package', 'render', 'example/stack-starter', '--packages', packages],
  ['package', 'lint', provider],
  ['package', 'inspect', provider, '--as-package', 'example/provider-cloud:v0.11.0'],
  ['package', 'tree', '--declaration', join(example, 'crossplane-packages.yaml'), '--packages', packages],
  ['__complete', 'package', 'ren'],
]

/** @param {{readonly main: (argv: readonly string[]) => Promise<number>}} bundle */
async function useBundle({main}) {
  for (const argv of RUNS)
    if ((await main(argv)) !== 0)
      throw new Error(`cannot run ${argv.slice(0, 2).join(' ')} for the code cache`)
}

// V8 rejects a cache that was written with other flags: the size of the heap no longer matters.
for (const flag of SPACE_FLAGS) setFlagsFromString(`${flag}=0`)
await writeOwnCaches(path, useBundle)
