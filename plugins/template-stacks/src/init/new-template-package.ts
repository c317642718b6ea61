import {
  type Diagnostic,
  examinePackage,
  type FileToWrite,
  invalidPackage,
  type NewFile,
  type PackageFile,
  writeYaml,
} from 'kubectl-crossplane/plugin'
import type {Engine} from '../engines/engine.js'
import {exampleResource, registryFiles} from './package-files.js'
import {renderExamples} from './rendered-examples.js'
import type {TemplateSource} from './sources.js'

/** A package to create. */
export interface NewPackageQuery {
  readonly name: string
  readonly title: string
  readonly source: TemplateSource
  /** The folder of the templates within the package; their files are written unless they are there already. */
  readonly path: string
  readonly areTemplatesThere: boolean
}

/** The files of a new package, by path from its root. */
export interface NewPackageFiles {
  readonly files: readonly FileToWrite[]
  readonly notes: readonly Diagnostic[]
}

/**
 * Returns a package with one golden test for each kind: what its example renders. The kinds of these objects become its dependencies. If
 * an example cannot be rendered, for example because a value is required, a note reports it and the test has no objects yet.
 */
export async function newTemplatePackage(query: NewPackageQuery, engine: Engine): Promise<NewPackageFiles> {
  const {source, path, areTemplatesThere} = query
  const examples = source.kinds.map(({kind, example}, _index, {length}) => ({
    test: length === 1 ? 'tests/example' : `tests/${kind.kind.toLowerCase()}`,
    resource: writeYaml([exampleResource(kind, example)]),
  }))
  const {package: read, errors} = examinePackage(registry(query, []).map(packageFile))
  if (read === undefined) throw invalidPackage(query.name, errors)
  const rendered = await renderExamples(examples, {name: query.name, read, files: source.files}, engine)
  const templates = [...source.files].map(([file, bytes]) => ({path: `${path}/${file}`, text: bytes}))
  return {
    files: [
      ...registry(query, rendered.dependsOn),
      ...(areTemplatesThere ? [] : templates),
      ...examples.map(({test, resource}) => ({path: `${test}/cr.yaml`, text: resource})),
      ...rendered.want,
    ],
    notes: rendered.notes,
  }
}

function registry(query: NewPackageQuery, dependsOn: readonly string[]): readonly NewFile[] {
  const {name, title, path, source} = query
  const {kinds, crds, engine, version, overview} = source
  return registryFiles({
    name,
    title,
    version: releaseTag(version),
    ...(overview === undefined ? {} : {overview}),
    kinds,
    ...(crds === undefined ? {} : {crds}),
    engine,
    path,
    dependsOn,
  })
}

/** A chart's version as a tag; a first one for charts without a version, and for kustomizations. */
function releaseTag(version = ''): string {
  if (version === '') return 'v0.1.0'
  // A tag has no plus sign.
  const [release = ''] = version.split('+')
  return release.startsWith('v') ? release : `v${release}`
}

/** A file of `.registry/` as a package has it. */
function packageFile({path, text}: NewFile): PackageFile {
  return {path: path.replace(/^\.registry\//, ''), bytes: Buffer.from(text)}
}
