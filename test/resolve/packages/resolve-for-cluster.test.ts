import {describe, expect, it} from '@jest/globals'
import {listedSummaries} from '../../../src/index/summaries.js'
import type {PackageSummary} from '../../../src/index/package-summary.js'
import type {PackagePorts} from '../../../src/locate/located-package.js'
import {resolveForCluster} from '../../../src/resolve/packages/resolve-for-cluster.js'
import type {InstalledPackage} from '../../../src/resolve/requested/installed-package.js'
import type {RequestedRoot} from '../../../src/resolve/requested/requested-roots.js'
import {parseInstallTarget} from '../../../src/reference/install-target.js'
import {root, version} from '../world.js'
import {published, registryOf} from './published-packages.js'

const NSP = ['v1.0.0', 'v2.0.0', 'v3.0.0'].map(tag =>
  version(`legit/nsp:${tag}`, {
    owns: [`ns.nsp.org/${tag === 'v3.0.0' ? 'v2' : 'v1,v2'}`],
    scope: 'Namespaced',
  }),
)
const STORE = version('legit/store:v1.0.0', {owns: ['stores.store.org']})
const QUEUE = [
  version('legit/queue:v1.0.0', {owns: ['queues.queue.org/v1']}),
  version('legit/queue:v2.0.0', {owns: ['queues.queue.org/v2']}),
]
const APP = [
  version('legit/app:v1.0.0', {owns: ['apps.app.org'], requires: ['queues.queue.org/v1']}),
  version('legit/app:v2.0.0', {owns: ['apps.app.org'], requires: ['queues.queue.org/v2']}),
]
const WEB = version('legit/web:v1.0.0', {requires: ['queues.queue.org/v1']})
const BROKEN = version('legit/broken:v1.0.0', {requires: ['nothing.here.org', 'gone/package']})
const ALL = [...NSP, STORE, ...QUEUE, ...APP, WEB, BROKEN].map(published)

type Made = Partial<InstalledPackage> & {readonly isOther?: boolean}

const INVENTORY: InstalledPackage['inventory'] = {
  settings: {scope: 'Cluster', imagePullSecrets: [], serviceAccountAnnotations: {}, requestFields: {}},
  hasRequest: false,
}

/** An install as `PACKAGE:TAG NAMESPACE`. */
function installed(text: string, {isOther = false, ...more}: Made = {}): InstalledPackage {
  const [reference, namespace] = text.split(' ') as [string, string]
  const [identity, tag] = reference.split(':') as [string, string]
  const summary = ALL.find(each => each.identity === identity && each.tag === tag)
  if (summary === undefined) throw new Error(`${reference} is not published`)
  const {digest, permissionScope, crds} = summary
  return {
    identity,
    tag,
    namespace,
    name: identity.replace('/', '-'),
    ...(digest === undefined ? {} : {digest}),
    era: 'packages',
    scope: permissionScope,
    crds: crds.map(({plural, group}) => `${plural}.${group}`),
    mode: 'requested',
    for: {},
    ...(isOther ? {} : {inventory: INVENTORY}),
    ...more,
  }
}

interface Cluster {
  readonly installed: readonly InstalledPackage[]
  readonly yanked?: readonly string[]
  readonly upgraded?: readonly string[]
  readonly available?: readonly PackageSummary[]
  readonly namespace?: string
}

const SYSTEM = 'crossplane-system'

/** Resolves a request, and returns the installs that change, or the rules and suggestions of a refusal, and the notes. */
async function outcome(request: string, cluster: Cluster) {
  const {available = ALL, yanked = [], upgraded = [], namespace} = cluster
  const {summaries, ...registry} = {
    ...registryOf(ALL),
    summaries: listedSummaries({
      summaries: available,
      unreadable: [],
      yanked: available.flatMap(each =>
        yanked.includes(`${each.identity}:${each.tag}`)
          ? [
              {
                identity: each.identity,
                tag: each.tag,
                version: each.version,
                digest: each.digest ?? '',
                reason: 'it leaks',
              },
            ]
          : [],
      ),
    }),
  }
  const catalog = {
    ...registry,
    summaries,
    tagsOf: () => Promise.resolve([]),
    yankedOf: () => Promise.resolve([]),
    carrierOf: () => undefined,
  }
  const requested: RequestedRoot[] = request
    .split(' ')
    .map(text => ({target: parseInstallTarget(text), ...(namespace === undefined ? {} : {namespace})}))
  const roots = request.split(' ').map(text => root(text, {namespace}))
  const served = cluster.installed.flatMap(({crds}) =>
    crds.map(crd => ({
      origin: 'cluster' as const,
      group: crd.slice(crd.indexOf('.') + 1),
      plural: crd.slice(0, crd.indexOf('.')),
      served: ['v1', 'v2'],
    })),
  )
  const result = await resolveForCluster(
    requested,
    {roots, opened: new Map()},
    {
      facts: [],
      crossplane: {version: 'none', provided: []},
      owners: [],
      allowVersionMismatch: false,
      systemNamespace: SYSTEM,
      contextNamespace: 'default',
      budget: {isSpent: () => false},
      installed: {served, packages: cluster.installed, upgraded: new Set(upgraded)},
    },
    {nameOf: ({path}) => path, catalog, ports: {folder: {}} as PackagePorts},
  )
  if (result.kind === 'rejected') {
    return {rules: result.diagnostics.map(({rule}) => rule), suggestions: result.suggestions}
  }
  const {installs, notes} = result.resolution
  return {
    changed: installs.map(({summary, namespace: place}) => `${summary.identity}:${summary.tag} ${place}`),
    notes: notes.map(({rule}) => rule),
  }
}

describe('a request for a cluster with installs', () => {
  it.each([
    {
      name: 'a pin of another namespace, in a request object',
      reason: 'it decides nothing, and is reported',
      in: outcome('legit/store', {
        installed: [
          installed('legit/nsp:v1.0.0 team-a', {isOther: true, pin: {tag: 'v1.0.0'}}),
          installed('legit/nsp:v2.0.0 team-b'),
        ],
      }),
      want: {changed: [`legit/store:v1.0.0 ${SYSTEM}`], notes: ['request-ignored']},
    },
    {
      name: 'installs of one package that differ already',
      reason: 'each stays as it is',
      in: outcome('legit/store', {
        installed: [
          installed('legit/nsp:v1.0.0 team-a', {pin: {tag: 'v1.0.0'}}),
          installed('legit/nsp:v2.0.0 team-b'),
        ],
      }),
      want: {changed: [`legit/store:v1.0.0 ${SYSTEM}`], notes: ['installed-versions-differ']},
    },
    {
      name: 'an installed version that was yanked',
      reason: 'it stays, and the yank is reported',
      in: outcome('legit/store', {
        installed: [installed(`legit/queue:v1.0.0 ${SYSTEM}`)],
        yanked: ['legit/queue:v1.0.0'],
      }),
      want: {changed: [`legit/store:v1.0.0 ${SYSTEM}`], notes: expect.arrayContaining(['yanked-version'])},
    },
    {
      name: 'an installed version that the index lost',
      reason: 'its bytes are read by their digest',
      in: outcome('legit/web', {
        installed: [installed(`legit/queue:v1.0.0 ${SYSTEM}`)],
        available: ALL.filter(({identity, tag}) => identity !== 'legit/queue' || tag !== 'v1.0.0'),
      }),
      want: {changed: expect.arrayContaining([`legit/web:v1.0.0 ${SYSTEM}`]), notes: []},
    },
    {
      name: 'a requirement that an installed version does not satisfy',
      reason: 'the command that names the install is printed',
      in: outcome('legit/app:v2.0.0', {installed: [installed(`legit/queue:v1.0.0 ${SYSTEM}`)]}),
      want: {
        rules: ['installed-version'],
        suggestions: ['kubectl crossplane package upgrade legit/queue', 'Then run this command again.'],
      },
    },
    {
      name: 'a requirement that a pinned version does not satisfy',
      reason: 'a pin moves only to a tag that is named',
      in: outcome('legit/app:v2.0.0', {
        installed: [installed(`legit/queue:v1.0.0 ${SYSTEM}`, {pin: {tag: 'v1.0.0'}})],
      }),
      want: {
        rules: ['installed-version'],
        suggestions: [
          'kubectl crossplane package upgrade legit/queue:v2.0.0',
          'Then run this command again.',
        ],
      },
    },
    {
      name: 'a dependency that only the named install requires',
      reason: 'it moves with it',
      in: outcome('legit/app:v2.0.0', {
        installed: [
          installed(`legit/app:v1.0.0 ${SYSTEM}`),
          installed(`legit/queue:v1.0.0 ${SYSTEM}`, {
            mode: 'auto',
            for: {[`${SYSTEM}/legit-app`]: ['queues.queue.org/v1']},
          }),
        ],
      }),
      want: {changed: [`legit/queue:v2.0.0 ${SYSTEM}`, `legit/app:v2.0.0 ${SYSTEM}`], notes: []},
    },
    {
      name: 'a dependency that another install requires, too',
      reason: 'it stays for that one',
      in: outcome('legit/app:v2.0.0', {
        installed: [
          installed(`legit/app:v1.0.0 ${SYSTEM}`),
          installed(`legit/web:v1.0.0 ${SYSTEM}`),
          installed(`legit/queue:v1.0.0 ${SYSTEM}`, {
            mode: 'auto',
            for: {
              [`${SYSTEM}/legit-app`]: ['queues.queue.org/v1'],
              [`${SYSTEM}/legit-web`]: ['queues.queue.org/v1'],
            },
          }),
        ],
      }),
      want: {rules: expect.arrayContaining(['version-conflict']), suggestions: expect.anything()},
    },
    {
      name: 'an installed package whose requirements are not satisfied',
      reason: 'it does not stop other commands',
      in: outcome('legit/store', {installed: [installed(`legit/broken:v1.0.0 ${SYSTEM}`)]}),
      want: {changed: [`legit/store:v1.0.0 ${SYSTEM}`], notes: []},
    },
    {
      name: 'another version of a package in several namespaces',
      reason: 'a package names all its installs',
      in: outcome('legit/nsp:v2.0.0', {installed: [installed('legit/nsp:v1.0.0 team-b')]}),
      want: {changed: ['legit/nsp:v2.0.0 default', 'legit/nsp:v2.0.0 team-b'], notes: []},
    },
    {
      name: 'another version of a package in one namespace',
      reason: 'the namespace restricts what is named',
      in: outcome('legit/nsp:v2.0.0', {
        installed: [installed('legit/nsp:v1.0.0 team-b')],
        namespace: 'team-a',
      }),
      want: {
        rules: ['installed-version'],
        suggestions: ['kubectl crossplane package upgrade legit/nsp', 'Then run this command again.'],
      },
    },
  ])('$name: $reason', async ({in: run, want}) => {
    expect(await run).toEqual(want)
  })
})
