import {
  type Diagnostic,
  examinePackage,
  type FileToWrite,
  invalidPackage,
  listAll,
  type NewFile,
  type Package,
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
  /** Whether the user named the scope of the kind, which is then that of the package. */
  readonly isScopeGiven: boolean
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
  const {source, path, areTemplatesThere, isScopeGiven} = query
  const examples = source.kinds.map(({kind, example}, _index, {length}) => ({
    test: length === 1 ? 'tests/example' : `tests/${kind.kind.toLowerCase()}`,
    resource: writeYaml([exampleResource(kind, example)]),
  }))
  const {package: read, errors} = examinePackage(registry(query, {dependsOn: []}).map(packageFile))
  if (read === undefined) throw invalidPackage(query.name, errors)
  const scoped: Package = isScopeGiven ? read : {...read, permissionScope: 'Cluster'}
  const rendered = await renderExamples(
    examples,
    {name: query.name, read: scoped, files: source.files},
    engine,
  )
  const clusterKinds = isScopeGiven ? [] : rendered.clusterKinds
  const templates = [...source.files].map(([file, bytes]) => ({path: `${path}/${file}`, text: bytes}))
  return {
    files: [
      ...registry(query, {dependsOn: rendered.dependsOn, isCluster: clusterKinds.length > 0}),
      ...(areTemplatesThere ? [] : templates),
      ...examples.map(({test, resource}) => ({path: `${test}/cr.yaml`, text: resource})),
      ...rendered.want,
    ],
    notes: [...scopeNote(clusterKinds), ...rendered.notes],
  }
}

function scopeNote(kinds: readonly string[]): readonly Diagnostic[] {
  if (kinds.length === 0) return []
  const message = `permissionScope is Cluster because the templates create cluster-scoped objects: ${listAll(kinds)}`
  return [{severity: 'note', rule: 'init-scope', message}]
}

/** What only the objects of the templates tell. */
interface RenderedFacts {
  readonly dependsOn: readonly string[]
  readonly isCluster?: boolean
}

function registry(query: NewPackageQuery, facts: RenderedFacts): readonly NewFile[] {
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
    ...facts,
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
