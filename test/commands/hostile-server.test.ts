import {beforeAll, describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {listener} from '../listening.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()
const listen = listener()
const kubeconfig = join(folder, 'kubeconfig')

/** A title of the window, a cleared screen, commands of a CI system, a text from right to left, and C1. */
const BAD = 'x\u001B]0;pwned\u0007\u001B[2J\n::error::injected\r\n::add-mask::x\u202E\u009B31m'

const resource = (name: string, kind: string, scope: string) => ({
  ...{
    resource: name,
    responseKind: {kind},
    scope,
    verbs: ['list', 'get'],
    shortNames: [],
    singularResource: '',
  },
})
const group = (name: string, version: string, ...resources: readonly object[]) => ({
  metadata: {name},
  versions: [{version, resources, freshness: 'Current'}],
})
const KINDS = {
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  items: [
    group(
      'pkg.crossplane.io',
      'v1',
      resource('providers', 'Provider', 'Cluster'),
      resource('providerrevisions', 'ProviderRevision', 'Cluster'),
    ),
    group('packages.crossplane.io', 'v1alpha1', resource('packages', 'Package', 'Namespaced')),
  ],
}
const CORE = {
  ...{kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2'},
  items: [group('', 'v1', resource('configmaps', 'ConfigMap', 'Namespaced'))],
}

const metadata = (name: string, more: object = {}) => ({
  ...{name, uid: BAD, resourceVersion: '1', creationTimestamp: BAD},
  ...{labels: {[BAD]: BAD}, annotations: {[BAD]: BAD}, managedFields: [{manager: BAD, operation: 'Apply'}]},
  ...more,
})
const conditions = ['Installed', 'Healthy'].map(type => ({type, status: 'False', reason: BAD, message: BAD}))

const LISTS: Readonly<Record<string, readonly object[]>> = {
  providers: ['sql', BAD].map(name => ({
    metadata: metadata(name),
    spec: {package: `xpkg.example.org/team/${name}:${BAD}`},
    status: {currentRevision: BAD, currentIdentifier: BAD, resolvedPackage: BAD, conditions},
  })),
  providerrevisions: [
    {
      metadata: metadata('sql-1', {labels: {'pkg.crossplane.io/package': 'sql', [BAD]: BAD}}),
      spec: {image: `xpkg.example.org/team/sql:${BAD}`, desiredState: 'Active', revision: 1},
      status: {conditions, objectRefs: [{apiVersion: BAD, kind: BAD, name: BAD}]},
    },
  ],
  packages: ['sql', BAD].map(name => ({
    metadata: metadata(name, {namespace: BAD}),
    spec: {
      title: BAD,
      version: BAD,
      controller: {deployment: {name: BAD}},
      customresourcedefinitions: [{kind: BAD}],
    },
    status: {conditionedStatus: {conditions}},
  })),
  configmaps: [
    {
      metadata: metadata(BAD, {namespace: BAD, labels: {'kubectl-crossplane/inventory': 'first'}}),
      data: {[BAD]: BAD, inventory: BAD},
    },
  ],
}

function answer(url: string): readonly [number, object] {
  const {pathname} = new URL(url, 'http://x')
  if (pathname === '/apis') return [200, KINDS]
  if (pathname === '/api') return [200, CORE]
  const items = LISTS[pathname.split('/').at(-1) ?? '']
  const status = {kind: 'Status', apiVersion: 'v1', status: 'Failure'}
  if (items !== undefined) return [200, {kind: 'List', apiVersion: 'v1', metadata: {}, items}]
  return pathname.includes('/events')
    ? [403, {...status, code: 403, reason: 'Forbidden', message: BAD}]
    : [404, {...status, code: 404, reason: 'NotFound', message: BAD}]
}

/** What a terminal or a CI system obeys, or shows in another order. */
const OBEYED =
  // eslint-disable-next-line no-control-regex -- these are searched for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]|^::.*/gm

describe('texts of a hostile API server', () => {
  beforeAll(async () => {
    const server = createServer(({url = ''}, response) => {
      const [status, body] = answer(url)
      const type =
        url.startsWith('/api') && status === 200 && !url.includes('/v1')
          ? ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
          : ''
      response.writeHead(status, {'content-type': `application/json${type}`})
      response.end(JSON.stringify(body))
    })
    const address = `http://127.0.0.1:${await listen(server)}`
    const config = {
      ...{apiVersion: 'v1', kind: 'Config', 'current-context': 'a'},
      contexts: [{name: 'a', context: {cluster: 'a', user: 'a'}}],
      clusters: [{name: 'a', cluster: {server: address}}],
      users: [{name: 'a', user: {}}],
    }
    writeFileSync(kubeconfig, JSON.stringify(config), {mode: 0o600})
  })

  it.each([
    ...['text', 'wide', 'json', 'yaml', 'name'].flatMap(output => [
      {argv: ['list', '--all-namespaces', '-o', output]},
      {argv: ['status', '--all-namespaces', '-o', output]},
    ]),
    {argv: ['status', 'provider.pkg.crossplane.io/sql']},
    {argv: ['history', 'provider.pkg.crossplane.io/sql']},
    {argv: ['history', 'provider.pkg.crossplane.io/sql', '-o', 'yaml']},
    {argv: ['rollback', 'provider.pkg.crossplane.io/sql', '--dry-run=client']},
    {argv: ['uninstall', 'provider.pkg.crossplane.io/sql', '--dry-run=client']},
    {argv: ['upgrade', 'xpkg.example.org/team/sql', '--dry-run=client']},
    {argv: ['why', 'xpkg.example.org/team/sql', '--installed']},
    {argv: ['tree', '--installed']},
    {argv: ['uninstall', 'sqk', '--dry-run=client']},
  ])('give no commands: $argv', async ({argv}) => {
    const {stdout, stderr} = await runCli('package', ...argv, '--kubeconfig', kubeconfig)
    expect((stdout + stderr).match(OBEYED) ?? []).toEqual([])
    expect(stdout + stderr).not.toContain('this is a bug')
  })

  it('reach the output, without what is obeyed', async () => {
    const {stdout} = await runCli('package', 'status', '--all-namespaces', '--kubeconfig', kubeconfig)
    expect(stdout).toContain('pwned')
  })
})
