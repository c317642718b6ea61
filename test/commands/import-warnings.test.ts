import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {loadAll} from 'js-yaml'
import {installedPackage} from '../fakes/core-answers.js'
import {coreServer} from '../fakes/core-server.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {setVariable} from '../set-variable.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()
const before = process.env.KUBECONFIG
const MEMBERS = ['cache', 'net', 'queue', 'sql']

type Served = Parameters<typeof coreServer>[0][number]

let registry: RegistryServer | undefined
const digests = new Map<string, string>()
const at = (name: string) => `${present(registry).host}/team/${name}`
beforeAll(async () => {
  registry = await startRegistry()
  const add = (name: string, requires: readonly string[]) => {
    const spec = {dependsOn: requires.map(one => ({provider: at(one), version: '>=v1.0.0'}))}
    const meta = {apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: {name}, spec}
    digests.set(name, addXpkg(present(registry), `team/${name}`, 'v1.0.0', JSON.stringify(meta)))
  }
  add('family', [])
  for (const name of MEMBERS) add(name, ['family'])
})
afterAll(async () => {
  setVariable('KUBECONFIG', before)
  await registry?.close()
})

/** A package with the name of its repository, as a field manager requested it. */
function requested(name: string, manager: string, operation: string, spec: object = {}): readonly Served[] {
  const [request, revision] = installedPackage('Provider', at(name), 'v1.0.0')
  const fieldsV1 = {'f:spec': {'f:package': {}}}
  const managedFields = [{manager, operation, apiVersion: 'pkg.crossplane.io/v1', fieldsV1}]
  const active = `${name}-${present(digests.get(name)).slice('sha256:'.length, 'sha256:'.length + 12)}`
  const label = {labels: {'pkg.crossplane.io/package': name}}
  const status = {...(present(request).status as object), currentRevision: active}
  return [
    {
      ...present(request),
      metadata: {...present(request).metadata, name, managedFields},
      spec: {...(present(request).spec as object), ...spec},
      status,
    },
    {...present(revision), metadata: {...present(revision).metadata, name: active, ...label}},
  ]
}

/** A cluster with a family of providers, under names that nobody derives. */
function family(manager: string, operation: string, spec: object = {}): readonly Served[] {
  return ['family', ...MEMBERS].flatMap(name => requested(name, manager, operation, spec))
}

/** Selects a cluster with these objects, and an empty folder for its home. */
async function home(objects: readonly Served[]): Promise<readonly string[]> {
  const path = mkdtempSync(join(folder, 'home-'))
  process.env.KUBECONFIG = join(path, 'kubeconfig')
  writeFileSync(process.env.KUBECONFIG, await coreServer(objects))
  return ['--declaration', join(path, 'crossplane-packages.yaml')]
}

async function imported(objects: readonly Served[], ...more: readonly string[]) {
  const file = await home(objects)
  const {status, stderr} = await runCli('package', 'import', ...file, '--core-version', 'v2.3.4', ...more)
  expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
  return {file, stderr}
}

/** The warning of a rule and what it suggests, in lines. */
function warningOf(rule: string, stderr: string): readonly string[] {
  const lines = stderr.split('\n')
  const all = lines.flatMap((line, index) => (line.endsWith(`[${rule}]`) ? [index] : []))
  expect(all).toHaveLength(1)
  const [at = 0] = all
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('Try: '))
  return lines.slice(at, end)
}

describe('a warning about several packages', () => {
  it('is printed once, with their names and a command that works', async () => {
    const {stderr} = await imported(family('kubectl-client-side-apply', 'Update'))
    const [warning, ...tries] = warningOf('import-resolver', stderr)
    expect(warning).toContain('provider/family')
    for (const name of MEMBERS) expect(warning).toContain(`provider/${name}`)
    expect(tries[0]).toBe('Try: kubectl crossplane package upgrade --resolver=off --adopt --force-conflicts')
  })

  it('waits for the controller that applies the requests', async () => {
    const {stderr} = await imported(family('kustomize-controller', 'Apply'))
    expect(warningOf('import-resolver', stderr)[1]).toBe(
      'Try: Once Flux has applied the rendered tree: kubectl crossplane package upgrade --resolver=off',
    )
  })

  it('has no further flags for requests of this program', async () => {
    const {stderr} = await imported(family('crossplane-packages', 'Apply'))
    expect(warningOf('import-resolver', stderr)[1]).toBe(
      'Try: kubectl crossplane package upgrade --resolver=off',
    )
  })

  it.each([
    {rule: 'import-unpinned', spec: {skipDependencyResolution: true}},
    {rule: 'import-setting', spec: {commonLabels: {team: 'a'}}},
  ])('is printed once: $rule', async ({rule, spec}) => {
    const {stderr} = await imported(family('kubectl-client-side-apply', 'Update', spec))
    const [warning] = warningOf(rule, stderr)
    for (const name of ['family', ...MEMBERS]) expect(warning).toContain(`provider/${name}`)
  })

  it('is printed once for packages that are paused', async () => {
    const paused = family('kubectl-client-side-apply', 'Update').map(object => ({
      ...object,
      metadata:
        object.kind === 'Provider'
          ? {...object.metadata, annotations: {'crossplane.io/paused': 'true'}}
          : object.metadata,
    }))
    const {stderr} = await imported(paused)
    const [warning] = warningOf('import-paused', stderr)
    for (const name of ['family', ...MEMBERS]) expect(warning).toContain(`provider/${name}`)
  })
})

describe('a second import', () => {
  it.each([
    {controller: 'kustomize-controller', operation: 'Apply', layout: ['--layout', 'flux']},
    {controller: 'argocd-controller', operation: 'Update', layout: ['--layout', 'plain']},
  ])(
    'knows the ImageConfigs of its tree, which $controller applied',
    async ({controller, operation, layout}) => {
      const requests = family('kubectl-client-side-apply', 'Update')
      const {file} = await imported(requests, ...layout)
      const rendered = await runCli('package', 'render', ...file)
      expect(rendered).toMatchObject({status: 0})
      const applied = (loadAll(rendered.stdout) as readonly Served[]).map(object => {
        const live = requests.find(
          ({kind, metadata}) => kind === object.kind && metadata.name === object.metadata.name,
        )
        const managedFields = [
          {manager: controller, operation, apiVersion: object.apiVersion, fieldsV1: {'f:spec': {}}},
        ]
        const metadata = {uid: 'u', resourceVersion: '1', ...object.metadata, managedFields}
        const package_ = (object.spec as {package?: string}).package
        const digest = present(digests.get(package_?.split('/').at(-1)?.split(':')[0] ?? 'family'))
        const resolvedPackage = `${package_?.split(':v')[0]}@${digest}`
        return {...live, ...object, metadata, status: {...(live?.status as object), resolvedPackage}}
      })
      const revisions = requests.filter(({kind}) => kind === 'ProviderRevision')
      const again = await imported([...applied, ...revisions], ...layout)
      expect(applied.filter(({kind}) => kind === 'ImageConfig').length).toBeGreaterThan(0)
      expect(again.stderr).not.toContain('ImageConfig')
      const text = (path?: string) => readFileSync(present(path), 'utf8')
      expect(text(again.file[1])).toBe(text(file[1]))
    },
  )
})

describe('an import with --layout into a home that exists', () => {
  const ARGOCD = ['--layout', 'argocd', '--repo-url', 'https://git.example.org/team/cluster']
  const LINES = 'layout: argocd\nargocd:\n  repoURL: https://git.example.org/team/cluster\n'

  it('adds the layout to its declaration, keeps the rest, and prints how the tree is started', async () => {
    const {file} = await imported(family('crossplane-packages', 'Apply'))
    const path = present(file[1])
    const before = `# ours\n${readFileSync(path, 'utf8')}`
    writeFileSync(path, before)
    const again = ['package', 'import', ...file, '--core-version', 'v2.3.4']
    const {status, stderr} = await runCli(...again, ...ARGOCD)
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringContaining('packages/argocd/start.yaml') as unknown,
    })
    const after = readFileSync(path, 'utf8')
    expect(after).toContain(LINES)
    expect(after.replace(LINES, '')).toBe(before)
    // The declaration has it: the flag can be repeated, and left out.
    for (const flags of [ARGOCD, []]) expect(await runCli(...again, ...flags)).toMatchObject({status: 0})
    expect(readFileSync(path, 'utf8')).toBe(after)
  })

  it('prints the lines to add if its packages are others', async () => {
    const {file} = await imported(family('crossplane-packages', 'Apply'))
    const path = present(file[1])
    writeFileSync(path, readFileSync(path, 'utf8').replace('family:v1.0.0', 'family'))
    const {status, stderr} = await runCli(
      ...['package', 'import', ...file, '--core-version', 'v2.3.4'],
      ...ARGOCD,
    )
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining(
        `Try: Add these lines to ${path}:\n${LINES}Try: Then render`,
      ) as unknown,
    })
  })

  it('is named by a render whose declaration lacks it', async () => {
    const {file} = await imported(family('crossplane-packages', 'Apply'))
    const render = ['package', 'render', ...file, '--output-dir', `${present(file[1])}-tree`]
    const first = await runCli(...render, ...ARGOCD)
    expect(first).toMatchObject({status: 0})
    expect(first.stderr).toContain(
      `[declaration-layout]\nTry: Add these lines to ${present(file[1])}:\n${LINES}`,
    )
    expect(await runCli(...render)).toMatchObject({status: 5})
    writeFileSync(present(file[1]), readFileSync(present(file[1]), 'utf8') + LINES)
    const {status, stderr} = await runCli(...render)
    expect({status, noted: stderr.includes('declaration-layout')}).toEqual({status: 0, noted: false})
  })
})
