import {afterAll, expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {type Behavior, CrossplaneError} from 'kubectl-crossplane/plugin'
import {findServer, missingPrograms} from '../../../test/cluster/find-server.js'
import {templateOracles} from '../../../test/cluster/servers.js'
import {describeReal} from '../../../test/real-parts.js'
import {runProgram} from '../../../test/run-program.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {readCustomResources} from '../src/custom-resource.js'
import type {Engine, HelmRequest, KustomizeRequest, RenderRequest} from '../src/engines/engine.js'
import {startEngine} from '../src/engines/start-engine.js'
import {kustomizeRequest} from '../src/kustomize/kustomize-request.js'
import {scopesOf} from '../src/objects/object-scopes.js'
import {renderResource} from '../src/render-resource.js'
import {watchedKind} from '../src/watched-kind.js'
import {TEMPLATE_TREES, type TemplateTree} from './oracles/template-trees.js'
import {RECORDED, type RecordedCase, recordedCases} from './recorded-cases.js'

/** What a release of this Helm takes for the version of Kubernetes; a build from its module alone has another. */
const RELEASED = 'v1.37.0'
/** Cases in which the engine does more or less than Helm, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'probe-h12-notes-fail': 'NOTES.txt, which no package shows, is not rendered',
  'probe-h20-invalid-yaml': 'text that is no YAML is rejected later, with its line',
  'probe-h51-genca': 'functions whose results are random are rejected',
  'probe-h56-scalar-document': 'documents that are no objects are rejected later, with their line',
}

const engine = startEngine({timeLimit: 120_000})
const root = temporaryFolder()

afterAll(async () => {
  await engine.close()
})

/** Documents with the files that they are from, sorted; undefined for templates that were rejected. */
type Documents = readonly string[] | undefined

/** What a program printed, unless it failed. */
async function printed(oracle: number, args: readonly string[], env = {}): Promise<string | undefined> {
  const {status, stdout} = await runProgram(findServer(templateOracles[oracle]!)!, args, {env})
  return status === 0 ? stdout : undefined
}

function written(files: ReadonlyMap<string, Uint8Array>): string {
  const folder = mkdtempSync(join(root, 'tree-'))
  writeTree(folder, Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes)])))
  return folder
}

async function byHelm({files, release, values}: HelmRequest): Promise<Documents> {
  const folder = written(files)
  const place = written(new Map([['values.json', Buffer.from(values)]]))
  const namespace = release.namespace === '' ? [] : ['--namespace', release.namespace]
  const text = await printed(
    0,
    [
      'template',
      release.name,
      folder,
      ...namespace,
      '--values',
      join(place, 'values.json'),
      '--kube-version',
      RELEASED,
    ],
    // It has no settings of a user.
    {HOME: place},
  )
  // The header has the name of the chart before the path.
  return text
    ?.split(/^---\n# Source: [^/\n]*\//m)
    .slice(1)
    .map(document => document.trimEnd())
    .sort()
}

async function byEngine(request: HelmRequest): Promise<Documents> {
  const output = await engine.render(request).catch(rejected)
  return output?.templates
    .flatMap(({path, documents}) => documents.map(({text}) => `${path}\n${text.trim()}`.trimEnd()))
    .sort()
}

async function builtByKustomize({files, folder}: KustomizeRequest): Promise<string | undefined> {
  return await printed(1, ['build', join(written(files), folder)])
}

async function builtByEngine(request: KustomizeRequest): Promise<string | undefined> {
  return (await engine.render(request).catch(rejected))?.text
}

function rejected(error: unknown): undefined {
  if (error instanceof CrossplaneError) return undefined
  throw error
}

/** The request that rendering a recorded case makes of the engine, if it gets so far. */
async function requestOf({behavior, resource, files}: RecordedCase): Promise<RenderRequest | undefined> {
  const requests: RenderRequest[] = []
  const watching: Engine = {
    ...engine,
    render: request => {
      requests.push(request)
      return Promise.reject(new CrossplaneError('unsupported', 'cannot render: only the request is wanted'))
    },
  }
  const sets = {sets: [], partials: [], errors: []}
  const templates = {behavior: behavior!, files, sets, scope: 'Cluster', scopeOf: scopesOf([])} as const
  try {
    const file = {name: 'cr.yaml', bytes: resource}
    const {resources} = readCustomResources([file], [watchedKind(behavior!.crd, [])])
    await renderResource({...templates, capabilities: {}, live: []}, resources[0]!, watching)
  } catch (error) {
    rejected(error)
  }
  return requests[0]
}

function treeRequest({engine: kind, files, spec}: TemplateTree): HelmRequest | KustomizeRequest {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))
  if (kind === 'helm3') {
    const release = {name: 'demo', namespace: 'team'}
    return {engine: 'helm3', files: bytes, release, values: JSON.stringify(spec)}
  }
  const behavior = {source: {path: 'templates'}, engine: {type: 'kustomize'}} as unknown as Behavior
  return kustomizeRequest({behavior, files: bytes, name: 'demo', patches: []})
}

/** What the engine and the program make of a request. */
async function bothOf(request: HelmRequest | KustomizeRequest): Promise<readonly [unknown, unknown]> {
  if (request.engine === 'helm3') return [await byEngine(request), await byHelm(request)]
  return [await builtByEngine(request), await builtByKustomize(request)]
}

const cases = recordedCases().filter(({behavior}) => behavior !== undefined)
const missing =
  missingPrograms(templateOracles) ?? (cases.length === 0 ? `no recorded cases in ${RECORDED}` : undefined)

describeReal('the engines and the programs of helm and kustomize', missing, () => {
  it.each(TEMPLATE_TREES)('make the same of $name', async tree => {
    const [ours, theirs] = await bothOf(treeRequest(tree))
    expect(theirs).toBeDefined()
    expect(ours).toEqual(theirs)
  })

  it('have recorded cases to compare, and those that differ', () => {
    const names = cases.map(({name}) => name)
    expect(names).toEqual(expect.arrayContaining(Object.keys(DIFFERENT)))
  })

  it.each(cases)('make the same of the recorded case $name, or differ as is named', async recorded => {
    const request = await requestOf(recorded)
    if (request === undefined || request.engine === 'gotemplate') return
    const [ours, theirs] = await bothOf(request)
    if (DIFFERENT[recorded.name] === undefined) expect(ours).toEqual(theirs)
    else expect(ours).not.toEqual(theirs)
  })
})
