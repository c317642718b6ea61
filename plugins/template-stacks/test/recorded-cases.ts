import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {CORPUS_ROOT, registryFilesIn} from '../../../test/corpus.js'
import {examinePackage} from 'kubectl-crossplane/plugin'
import {readYaml} from 'kubectl-crossplane/plugin'
import type {JsonValue} from 'kubectl-crossplane/plugin'
import type {Behavior} from 'kubectl-crossplane/plugin'

export const RECORDED = join(CORPUS_ROOT, 'reference/templating-controller')

/** A custom resource and a package, and what templating-controller v0.4.0 made of them. */
export interface RecordedCase {
  readonly name: string
  readonly resource: Uint8Array
  /** Undefined for a package that cannot be read. */
  readonly behavior?: Behavior
  readonly problem?: string
  readonly files: ReadonlyMap<string, Uint8Array>
  /** The objects in their order; undefined if it rejected them. */
  readonly want?: readonly JsonValue[]
}

/** The recorded cases, with the packages that the corpus has the templates of. */
export function recordedCases(): readonly RecordedCase[] {
  if (!existsSync(RECORDED)) return []
  return readdirSync(RECORDED, {withFileTypes: true})
    .filter(entry => entry.isDirectory())
    .map(({name}) => name)
    .sort()
    .flatMap(readCase)
}

/** The names of cases whose package has no templates folder here. */
export function casesWithoutTemplates(): readonly string[] {
  if (!existsSync(RECORDED)) return []
  const read = new Set(recordedCases().map(({name}) => name))
  const all = readdirSync(RECORDED, {withFileTypes: true}).filter(entry => entry.isDirectory())
  return all.map(({name}) => name).filter(name => !read.has(name))
}

function readCase(name: string): RecordedCase[] {
  const folder = join(RECORDED, name)
  const tree = treeOf(name, folder)
  if (!existsSync(join(tree, '.registry'))) return []
  const {behavior, errors} = examinePackage(registryFilesIn(join(tree, '.registry')))
  const files = templatesIn(tree, behavior)
  if (files === undefined && !name.startsWith('probe-')) return []
  const problem = errors.find(({file}) => file === '.registry/behavior.yaml')?.message
  return [
    {
      name,
      resource: readFileSync(join(folder, 'cr.yaml')),
      problem,
      behavior: files === undefined ? undefined : behavior,
      files: files ?? new Map<string, Uint8Array>(),
      want: wantedIn(folder),
    },
  ]
}

function templatesIn(tree: string, behavior: Behavior | undefined): RecordedCase['files'] | undefined {
  const path = behavior === undefined ? undefined : join(tree, behavior.source.path)
  if (path === undefined || !existsSync(path)) return undefined
  return new Map(registryFilesIn(path).map(file => [file.path, file.bytes]))
}

function wantedIn(folder: string): readonly JsonValue[] | undefined {
  const path = join(folder, 'want.yaml')
  return existsSync(path) ? readYaml(readFileSync(path), path).map(({value}) => value) : undefined
}

/** A probe has its package; others have the tree of a real one. */
function treeOf(name: string, folder: string): string {
  const own = join(folder, 'package')
  const real = /^(?:corpus|variant)-(.*?)(?:--.*)?$/.exec(name)?.[1] ?? ''
  return existsSync(own) ? own : join(CORPUS_ROOT, 'corpus', real)
}
