import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join, relative, resolve, sep} from 'node:path'
import {load} from 'js-yaml'
import type {PackageFile} from '../src/unpack/package-file.js'
import {asObject, asText, type JsonValue} from '../src/yaml/json-value.js'
import {describeReal} from './real-parts.js'

/** Where real packages and the recordings of the original program lie; see CONTRIBUTING.md. */
export const CORPUS_ROOT = resolve(process.env.CROSSPLANE_CORPUS ?? '../shared')

/** A suite over the corpus, which says that it is skipped where there is none. */
export function describeCorpus(name: string, body: () => void): void {
  const missing = existsSync(join(CORPUS_ROOT, 'corpus')) ? undefined : `no corpus in ${CORPUS_ROOT}`
  describeReal(name, missing, body)
}

/** The names of what lies in a folder of the corpus, sorted; none where there is no corpus. */
export function corpusEntries(...path: string[]): string[] {
  const folder = join(CORPUS_ROOT, ...path)
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

/** The paths of all YAML files in it, sorted. */
export function corpusYaml(): string[] {
  if (!existsSync(CORPUS_ROOT)) return []
  return readdirSync(CORPUS_ROOT, {recursive: true, encoding: 'utf8'})
    .filter(path => path.startsWith('corpus') && /\.ya?ml$/.test(path))
    .sort()
}

export function corpusText(...path: string[]): string {
  return readFileSync(join(CORPUS_ROOT, ...path), 'utf8')
}

/** Every file below a `.registry` folder, as a walk of the directory finds them. */
export function registryFilesIn(folder: string): PackageFile[] {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => {
      const path = join(entry.parentPath, entry.name)
      return {path: relative(folder, path).split(sep).join('/'), bytes: readFileSync(path)}
    })
}

/** Under which tag a package of the corpus, `<name>@<ref>`, is published: a version, with the commit if that is its ref. */
export function corpusTag(folder: string, ref: string): string {
  if (ref.startsWith('v')) return ref
  const text = readFileSync(join(folder, '.registry/app.yaml'), 'utf8')
  const version = asText(asObject(load(text) as JsonValue).version)
  return version === '' ? ref : `${version}-${ref}`
}
