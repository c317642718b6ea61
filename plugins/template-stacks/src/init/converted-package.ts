import {
  asObject,
  behaviorOfStackYaml,
  CrossplaneError,
  type Diagnostic,
  examinePackage,
  type FileToWrite,
  invalidPackage,
  type JsonObject,
  type PackageFile,
  readYaml,
  versionOf,
  writeYaml,
} from 'kubectl-crossplane/plugin'
import type {Engine, Files} from '../engines/engine.js'
import {type WatchedKind, watchedKind} from '../watched-kind.js'
import {exampleSpec} from './example-spec.js'
import type {NewPackageFiles} from './new-template-package.js'
import {exampleResource} from './package-files.js'
import {renderExamples} from './rendered-examples.js'
import {withDependencies} from './with-dependencies.js'

const REGISTRY = '.registry/'
const BEHAVIOR = /^\.registry\/(?:.*\/)?behavior\.yaml$/
const STACK = /^\.registry\/(?:.*\/)?stack\.yaml$/
const HELM2 = /^(\s*type:\s*)(["']?)helm2\2(?=\s*(?:#.*)?$)/m
const APP = `${REGISTRY}app.yaml`

/**
 * Converts a package of early 2020, with a stack.yaml or the engine helm2, into one whose templates can be rendered: all
 * files but stack.yaml, with a behavior.yaml, the dependencies that the templates require, and a golden test. Throws `usage`
 * for a package that needs no conversion, and `package-invalid`.
 */
export async function convertedPackage(
  files: Files,
  folder: string,
  engine: Engine,
): Promise<NewPackageFiles> {
  const converted = new Map([...files].filter(([path]) => !STACK.test(path) && !path.startsWith('.git/')))
  const behavior = behaviorFile(files, folder)
  converted.set(behavior.path, behavior.bytes)
  const {package: read, errors} = examinePackage(registryOf(converted))
  if (read?.behavior === undefined) throw invalidPackage(folder, errors)
  const {path} = read.behavior.source
  const templates = new Map(
    [...converted].flatMap(([file, bytes]) =>
      file.startsWith(`${path}/`) ? [[file.slice(path.length + 1), bytes] as const] : [],
    ),
  )
  if (templates.size === 0) throw noTemplates(folder, path)
  const kind = watchedKind(read.behavior.crd, read.crds)
  const example = {test: 'tests/example', resource: writeYaml([exampleOf(kind)])}
  const rendered = await renderExamples([example], {name: folder, read, files: templates}, engine)
  const app = converted.get(APP)
  const edited = app && withDependencies(new TextDecoder().decode(app), rendered.dependsOn)
  if (edited !== undefined) converted.set(APP, Buffer.from(edited))
  const tests: readonly FileToWrite[] = [
    {path: 'tests/example/cr.yaml', text: example.resource},
    ...rendered.want,
  ]
  return {
    files: [
      ...[...converted].map(([file, bytes]) => ({path: file, text: bytes})),
      ...tests.filter(test => !converted.has(test.path)),
    ],
    notes: [...rendered.notes, ...(edited === undefined ? missingDependencies(rendered.dependsOn) : [])],
  }
}

function registryOf(files: Files): readonly PackageFile[] {
  return [...files].flatMap(([path, bytes]) =>
    path.startsWith(REGISTRY) ? [{path: path.slice(REGISTRY.length), bytes}] : [],
  )
}

function behaviorFile(files: Files, folder: string): {readonly path: string; readonly bytes: Uint8Array} {
  const paths = [...files.keys()]
  const behavior = paths.find(path => BEHAVIOR.test(path))
  const stack = paths.find(path => STACK.test(path))
  if (behavior === undefined && stack !== undefined) {
    const [document] = readYaml(files.get(stack) ?? new Uint8Array(), stack)
    const {crds} = examinePackage(registryOf(files))
    const meaning = document && behaviorOfStackYaml(document.value, crds)
    if (meaning !== undefined)
      return {path: `${REGISTRY}behavior.yaml`, bytes: Buffer.from(writeYaml([meaning]))}
  }
  const text = new TextDecoder().decode(files.get(behavior ?? ''))
  if (behavior !== undefined && HELM2.test(text))
    return {path: behavior, bytes: Buffer.from(text.replace(HELM2, '$1$2helm3$2'))}
  throw new CrossplaneError(
    'usage',
    `cannot convert ${folder}: it has neither a stack.yaml that names a CRD nor the engine helm2`,
    {suggestions: ['Pass the folder of a package of early 2020, with .registry/.']},
  )
}

function noTemplates(folder: string, path: string): CrossplaneError {
  return new CrossplaneError(
    'not-found',
    `cannot convert ${folder}: the folder ${path} of its templates: no such file or directory`,
    {
      suggestions: ['Pass the folder that contains .registry/ and the templates.'],
    },
  )
}

function exampleOf({apiVersion, kind, group, scope, schema}: WatchedKind): JsonObject {
  const spec = exampleSpec(asObject(asObject(schema?.properties).spec))
  return exampleResource({kind, group, version: versionOf(apiVersion), scope}, spec)
}

function missingDependencies(crds: readonly string[]): readonly Diagnostic[] {
  if (crds.length === 0) return []
  const message = `add to dependsOn, which is not a list of lines: ${crds.join(', ')}`
  return [{severity: 'note', rule: 'init-depends-on', message, file: APP}]
}
