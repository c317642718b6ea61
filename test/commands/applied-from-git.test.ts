import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, type JsonObject} from '../../src/yaml/json-value.js'
import {API, objects, servedRequests} from './served-requests.js'

const FLUX = 'kustomize.toolkit.fluxcd.io'
const AUTOMATED = {syncPolicy: {automated: {selfHeal: true}}}

/** What marks a request that Argo CD has applied on the client, so that it owns no field of the spec. */
function trackedByArgo(own: string): void {
  marked(own, 'argocd-controller', {
    annotations: {'argocd.argoproj.io/tracking-id': `apps:pkg.crossplane.io/Provider:/${own}`},
  })
}

function marked(own: string, manager: string, metadata: Readonly<Record<string, JsonObject>>): void {
  const object = objects.get(`providers/${own}`) ?? {}
  const former = asObject(object.metadata)
  objects.set(`providers/${own}`, {
    ...object,
    // Without what it has by default.
    spec: {package: asObject(object.spec).package ?? ''},
    metadata: {
      ...former,
      ...metadata,
      annotations: {...asObject(former.annotations), ...metadata.annotations},
      managedFields: [...asObjects(former.managedFields), {manager, operation: 'Update', fieldsV1: {}}],
    },
  })
}

function application(spec: JsonObject, ...names: readonly string[]): void {
  const resources = names.map(name => ({group: 'pkg.crossplane.io', kind: 'Provider', name}))
  objects.set('applications/apps', {
    ...{
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {name: 'apps', namespace: 'argocd'},
    },
    ...{spec, status: {resources}},
  })
}

function kustomization(spec: JsonObject, ...names: readonly string[]): void {
  const entries = names.map(name => ({id: `_${name}_pkg.crossplane.io_Provider`, v: 'v1'}))
  objects.set('kustomizations/apps', {
    ...{apiVersion: `${FLUX}/v1`, kind: 'Kustomization', metadata: {name: 'apps', namespace: 'flux-system'}},
    ...{spec, status: {inventory: {entries}}},
  })
}

describe('a package that this program adopted, and that Git applies since', () => {
  const served = servedRequests()

  function adopted() {
    const cluster = served()
    cluster.publish('base', 'v1.1.0')
    const own = cluster.request('base', cluster.name('base:v1.0.0'), {
      digest: cluster.digests.base,
      skips: false,
    })
    return {...cluster, own, next: cluster.name('base:v1.1.0')}
  }

  it('is not upgraded while Argo CD syncs it, and its files stay', async () => {
    const {own, next, name, apply, declare, run, root} = adopted()
    trackedByArgo(own)
    application(AUTOMATED, own)
    declare([{package: name('base:v1.0.0')}], {xpkg: {pin: 'tag'}})
    expect(await run('lock')).toMatchObject({status: 0})
    const files = ['yaml', 'lock'].map(end => join(root, `crossplane-packages.${end}`))
    const before = files.map(file => readFileSync(file, 'utf8'))
    for (const flags of [[], ['--declaration', files[0]!], ['--adopt', '--force-conflicts']]) {
      const {status, stderr} = await apply(next, ...flags, '--yes')
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining(
          `Application argocd/apps of Argo CD applies Provider ${own} from Git, and would undo a change in the cluster`,
        ),
      })
      expect(stderr).toContain(`kubectl crossplane package upgrade ${next} --git .`)
      expect(stderr).toContain('kubectl patch applications.argoproj.io apps --namespace argocd')
    }
    expect(files.map(file => readFileSync(file, 'utf8'))).toEqual(before)
  })

  it('is changed in the cluster on purpose where nothing syncs it at present', async () => {
    const {own, next, upgrade} = adopted()
    trackedByArgo(own)
    const refusal = {status: 5, stderr: expect.stringContaining('Pass --force-conflicts to change it')}
    // A user syncs the Application; its automated syncs are off; it is in another cluster.
    const off: JsonObject = {syncPolicy: {automated: {enabled: false}}}
    for (const spec of [{}, off, undefined]) {
      objects.delete('applications/apps')
      if (spec !== undefined) application(spec, own)
      expect(await upgrade(next)).toMatchObject(refusal)
      expect(await upgrade(next, '--force-conflicts')).toMatchObject({status: 0})
    }
  })

  it('is changed by commands once Git no longer has it', async () => {
    const {own, next, upgrade} = adopted()
    trackedByArgo(own)
    application(AUTOMATED)
    expect(await upgrade(next)).toMatchObject({status: 0})
  })

  it('is as it is for a command that changes nothing of what Flux applies', async () => {
    const {own, name, next, upgrade} = adopted()
    marked(own, 'kustomize-controller', {
      labels: {[`${FLUX}/name`]: 'apps', [`${FLUX}/namespace`]: 'flux-system'},
    })
    kustomization({}, own)
    expect(await upgrade(name('base:v1.0.0'))).toMatchObject({status: 0})
    expect(await upgrade(next)).toMatchObject({
      status: 5,
      stderr: expect.stringContaining(
        `Kustomization flux-system/apps of Flux applies Provider ${own} from Git`,
      ),
    })
  })

  it('does not change its resolver, and names the command for Git', async () => {
    const {own, upgrade} = adopted()
    marked(own, 'kustomize-controller', {
      labels: {[`${FLUX}/name`]: 'apps', [`${FLUX}/namespace`]: 'flux-system'},
    })
    kustomization({}, own)
    const {status, stderr} = await upgrade('--resolver=off')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining('Kustomization flux-system/apps'),
    })
    expect(stderr).toContain('kubectl crossplane package upgrade --resolver=off --git . --change-settings')
  })

  it('is not rolled back', async () => {
    const {own, name, next, digests, request, inCluster} = adopted()
    request('base', next, {digest: digests.base, skips: false})
    trackedByArgo(own)
    application(AUTOMATED, own)
    const labels = {'pkg.crossplane.io/package': own}
    for (const [number, version] of [
      [1, 'v1.0.0'],
      [2, 'v1.1.0'],
    ] as const)
      objects.set(`providerrevisions/${own}-${number}`, {
        ...{
          apiVersion: API,
          kind: 'ProviderRevision',
          metadata: {name: `${own}-${number}`, uid: `${number}`, labels},
        },
        spec: {
          desiredState: number === 2 ? 'Active' : 'Inactive',
          image: name(`base:${version}`),
          revision: number,
        },
      })
    const {status, stderr} = await inCluster('rollback', own, '--dry-run=client')
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining('Application argocd/apps')})
    expect(stderr).toContain(`kubectl crossplane package upgrade ${name('base:v1.0.0')} --git .`)
  })

  it('is uninstalled by a commit', async () => {
    const {own, inCluster} = adopted()
    trackedByArgo(own)
    application(AUTOMATED, own)
    const uninstall = ['uninstall', own, '--dry-run=client']
    const {status, stderr} = await inCluster(...uninstall)
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining('Application argocd/apps')})
    expect(stderr).toContain(`kubectl crossplane package uninstall provider.pkg.crossplane.io/${own} --git .`)
    application(AUTOMATED)
    expect(await inCluster(...uninstall)).toMatchObject({status: 0})
  })
})
