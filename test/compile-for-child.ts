import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join, relative, resolve} from 'node:path'
import {transform} from '@swc/core'

/** A script compiled with everything it imports, and the removal of both. */
export interface CompiledScript {
  readonly path: string
  remove(): Promise<void>
}

/**
 * Compiles a TypeScript file of this project, and what it imports from here, into a temporary directory, where a plain
 * `node` can run it. Memory is measured in such a process: a jest worker has the compiler, every other suite's leftovers
 * and module registries in its own. Not `dist/`, which may be absent or old; by swc, as jest does it, which takes no time.
 */
export async function compileForChild(entry: string): Promise<CompiledScript> {
  const root = process.cwd()
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'kubectl-crossplane-child-')))
  await writeFile(join(directory, 'package.json'), '{"type": "module"}')
  const done = new Set<string>()
  const compile = async (source: string): Promise<void> => {
    if (done.has(source)) return
    done.add(source)
    const {code} = await transform(await readFile(source, 'utf8'), SWC)
    const target = compiledPath(directory, root, source)
    await mkdir(dirname(target), {recursive: true})
    await writeFile(target, code)
    for (const imported of relativeImports(code)) await compile(resolve(dirname(source), imported))
  }
  await compile(resolve(root, entry))
  return {
    path: compiledPath(directory, root, resolve(root, entry)),
    remove: () => rm(directory, {recursive: true}),
  }
}

const SWC = {
  jsc: {target: 'es2022', parser: {syntax: 'typescript'}},
  module: {type: 'es6'},
} as const

function compiledPath(directory: string, root: string, source: string): string {
  return join(directory, relative(root, source).replace(/\.ts$/, '.js'))
}

function relativeImports(code: string): readonly string[] {
  return [...code.matchAll(/from ['"](\.[^'"]+)\.js['"]/g)].map(([, path]) => `${path ?? ''}.ts`)
}
