// Lets `node --import ./test/cluster/typescript.mjs FILE.ts` run what the suites import: Node 20 cannot by itself.
import {transform} from '@swc/core'
import {readFile} from 'node:fs/promises'
import {register} from 'node:module'
import {join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {isMainThread} from 'node:worker_threads'

// The file is its own hooks: `register` loads it again, in the thread where they run.
if (isMainThread) register(import.meta.url)

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  // As for jest: plugins import the sources of the program, which a build can be older than.
  if (specifier === 'kubectl-crossplane/plugin' && context.parentURL?.endsWith('.ts') === true)
    return next(pathToFileURL(join(import.meta.dirname, '../../src/plugin.ts')).href, context)
  const fromTypeScript = context.parentURL?.endsWith('.ts') === true && specifier.startsWith('.')
  return next(fromTypeScript ? specifier.replace(/\.js$/, '.ts') : specifier, context)
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const {code} = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    filename: fileURLToPath(url),
    sourceMaps: 'inline',
    jsc: {target: 'es2022', parser: {syntax: 'typescript'}},
    module: {type: 'es6'},
  })
  return {format: 'module', source: code, shortCircuit: true}
}
