import {expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {crossplane} from '../../cluster/servers.js'
import {withVariables} from '../../commands/git/git-world.js'
import {expectFollowed} from '../../transcripts.js'
import {deploymentOf} from './core-state.js'
import {type Core, TIMEOUT} from './describe-core.js'
import {type AuthoredPackage, publish} from './published-packages.js'

const CONTEXT = 'kind-kind'

/** Replaces what differs between clusters and runs: addresses, times, ages, commits, and the widths of columns. */
const normalize = (text: string) =>
  readable(text)
    .replaceAll(/\b(?:\d+[dhms])+\b/g, 'AGE')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b[0-9a-f]{12,40}\b/g, 'COMMIT')
    .replaceAll(/ {2,}/g, '  ')

/** Names the cluster, the registry and the author as a reader would have them. */
const readable = (text: string) =>
  text
    .replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, 'https://127.0.0.1:6443')
    .replaceAll(/127\.0\.0\.1:\d+\/example/g, 'registry.example.org/example')
    .replaceAll('by A U Thor', 'by Ada')

/** Defines the tests of pages that begin with a cluster with packages that kubectl applied. */
export function testPagesOfClusters(core: () => Core, temporary: string): void {
  it(
    'are imported and upgraded as the first page says',
    async () => {
      await followPages(core(), temporary, {
        requests: [TEMPLATE, SQL],
        // The second one in the cluster as the first one leaves it.
        pages: ['docs/start-with-cluster.md', 'docs/drift.md'],
      })
    },
    TIMEOUT,
  )

  it(
    'keep names of their own as the page on the resolver says',
    async () => {
      await followPages(core(), temporary, {
        requests: [FAMILY, TEMPLATE, SQL],
        pages: ['docs/xpkg-resolver.md'],
      })
    },
    TIMEOUT,
  )
}

interface Followed {
  /** What a team has written, in the order in which they applied it. */
  readonly requests: readonly Written[]
  readonly pages: readonly string[]
}

async function followPages(core: Core, temporary: string, {requests, pages}: Followed): Promise<void> {
  const {cluster, host} = core
  await publish(temporary, runningPackages(host))
  const folder = mkdtempSync(join(temporary, 'pages-'))
  const KUBECONFIG = join(folder, 'kubeconfig')
  writeFileSync(
    KUBECONFIG,
    readFileSync(cluster.kubeconfig, 'utf8').replaceAll('"test"', JSON.stringify(CONTEXT)),
  )
  await core.apply(deploymentOf(`v${crossplane.version}`))
  const variables = {KUBECONFIG, CROSSPLANE_CACHE_DIR: join(folder, 'cache'), NO_COLOR: '1'}
  await withVariables(variables, async () => {
    for (const request of requests) {
      const env = {...process.env}
      const input = JSON.stringify(requestOf(host, request))
      execFileSync('kubectl', ['apply', '--filename', '-'], {input, env})
      // The resolver does not request what the Lock has, whatever its name is.
      const isLocked = (line: string) => line.includes(`/${request.name} `)
      expect((await core.settled(({lock}) => lock.some(isLocked))).lock.filter(isLocked)).toHaveLength(1)
    }
    const {healthy} = await core.settled(state => state.healthy.length === 3)
    expect(healthy).toHaveLength(3)
    for (const page of pages) expectFollowed(page, {normalize, edit: readable})
  })
  // Following the pages takes long enough for the API server to close connections.
  cluster.kube.close()
  await cluster.kube.send('DELETE', '/apis/apps/v1/namespaces/default/deployments/crossplane')
}

/** A request of a team; the names are the last parts of the repositories. */
interface Written {
  readonly kind: string
  readonly name: string
  readonly tag: string
}

const TEMPLATE: Written = {kind: 'Function', name: 'function-template', tag: 'v0.3.0'}
const SQL: Written = {kind: 'Provider', name: 'provider-sql', tag: 'v1.2.0'}
/** Without it, Crossplane requests the family itself. */
const FAMILY: Written = {kind: 'Provider', name: 'provider-family', tag: 'v1.0.0'}

function requestOf(host: string, {kind, name, tag}: Written) {
  return {
    ...{apiVersion: 'pkg.crossplane.io/v1', kind, metadata: {name}},
    spec: {package: `${host}/example/${name}:${tag}`},
  }
}

function runningPackages(host: string): readonly AuthoredPackage[] {
  const versions = (
    name: string,
    kind: string,
    tags: readonly string[],
    more: Partial<AuthoredPackage> = {},
  ) => tags.map(tag => ({repository: `${host}/example/${name}`, tag, kind, requires: [], ...more}))
  const family = {kind: 'Provider', repository: `${host}/example/provider-family`, version: '>=v1.0.0'}
  return [
    ...versions('provider-family', 'Provider', ['v1.0.0', 'v1.1.0']),
    ...versions('provider-sql', 'Provider', ['v1.2.0', 'v1.5.0'], {requires: [family], defines: 'Database'}),
    ...versions('function-template', 'Function', ['v0.3.0', 'v0.4.1']),
  ]
}
