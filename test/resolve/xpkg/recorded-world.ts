import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {load} from 'js-yaml'
import {CrossplaneError} from '../../../src/errors.js'
import type {XpkgCatalog, XpkgContent, XpkgRoot} from '../../../src/resolve/xpkg/xpkg-catalog.js'
import type {DiagnosticCollector} from '../../../src/unpack/diagnostics.js'
import {readDependencies} from '../../../src/xpkg/content/dependencies.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'
import {CORPUS_ROOT, corpusText} from '../../corpus.js'

/** A recorded case: the packages of its registry, what is applied, and what the core made of it. */
export interface RecordedCase {
  readonly roots: readonly XpkgRoot[]
  readonly catalog: XpkgCatalog
  /** The Lock of the core after the last step, as `REPOSITORY:VERSION`, sorted. */
  readonly lock: readonly string[]
  /** Whether every package was healthy then. */
  readonly isHealthy: boolean
}

/** Reads a case; undefined if its steps do more than apply packages. */
export function recordedCase(folder: readonly string[], name: string): RecordedCase | undefined {
  if (!existsSync(join(CORPUS_ROOT, ...folder, name, 'in.yaml'))) return undefined
  const recorded = asObject(load(corpusText(...folder, name, 'in.yaml')) as JsonValue)
  const steps = asObjects(recorded.steps)
  const applied = steps.flatMap(({apply}): JsonValue[] => (isJsonArray(apply) ? [...apply] : [null]))
  if (steps.some(isOther) || !applied.every(isPlainRequest)) return undefined
  const want = asObjects(asObject(load(corpusText(...folder, name, 'want.yaml')) as JsonValue).afterEachStep)
  const {lock, packages} = want.at(-1) ?? {}
  return {
    roots: requestsOf(applied as readonly string[]),
    catalog: catalogOf(recorded),
    lock: asObjects(asObject(lock).packages)
      .map(({source, version}) => `${asText(source)}:${asText(version)}`)
      .sort(),
    isHealthy: asObjects(packages).every(({conditions}) =>
      JSON.stringify(conditions).includes('"Healthy=True'),
    ),
  }
}

function isOther(step: JsonObject): boolean {
  return Object.keys(step).some(key => !['apply', 'settle', 'quiet', 'record'].includes(key))
}

/** `KIND NAME PACKAGE` without settings. */
function isPlainRequest(text: JsonValue): boolean {
  return typeof text === 'string' && /^\w+ \S+ \S+$/.test(text)
}

/** A request of the same name replaces an earlier one. */
function requestsOf(applied: readonly string[]): readonly XpkgRoot[] {
  const packages = new Map(applied.map(text => [text.split(' ', 2).join(' '), text.split(' ')[2] ?? '']))
  return [...packages.values()].map(reference => {
    const [, repository = '', version = ''] = /^(.+?)(?::(?!.*\/)|@)(.+)$/.exec(reference) ?? []
    return {repository, version}
  })
}

/** The packages of the registry of a case, by repository and tag. */
export function recordedContents({
  registry,
}: JsonObject): ReadonlyMap<string, ReadonlyMap<string, XpkgContent>> {
  return new Map(
    Object.entries(asObject(registry)).map(([name, entry]) => [name, versionsOf(asObject(entry))]),
  )
}

function catalogOf(recorded: JsonObject): XpkgCatalog {
  const contents = recordedContents(recorded)
  const find = (repository: string) => {
    const versions = contents.get(repository)
    if (versions === undefined) throw new CrossplaneError('not-found', `no repository ${repository}`)
    return versions
  }
  return {
    tags: repository => Promise.resolve().then(() => [...find(repository).keys()]),
    read: (repository, version) =>
      Promise.resolve().then(() => {
        const content = find(repository).get(version)
        if (content === undefined) throw new CrossplaneError('not-found', `no ${repository}:${version}`)
        if (content.kind === 'incomplete') throw new CrossplaneError('package-invalid', 'it names no package')
        return content
      }),
    digestOf: () => Promise.resolve(undefined),
  }
}

function versionsOf(entry: JsonObject): ReadonlyMap<string, XpkgContent> {
  if (typeof entry.tags === 'string')
    return new Map(entry.tags.split(' ').map(tag => [tag, contentOf(entry)]))
  return new Map(
    Object.entries(entry).flatMap(([tag, content]) =>
      isJsonObject(content) || content === null ? [[tag, contentOf(asObject(content))] as const] : [],
    ),
  )
}

/** A package with an entry of dependsOn that names none cannot be resolved. */
function contentOf(entry: JsonObject): XpkgContent {
  const yaml = {value: entry, line: 1, duplicateKeys: [], lineOf: () => 1}
  const {kind, dependsOn = []} = entry
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const dependencies = readDependencies({name: 'in.yaml', yaml}, {dependsOn}, collector)
  const isIncomplete = collector.errors.some(({rule}) => rule === 'xpkg-dependency')
  return {kind: isIncomplete ? 'incomplete' : asText(kind) || 'Configuration', dependencies}
}
