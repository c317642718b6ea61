import {describe, expect, it} from '@jest/globals'
import {lockPackages} from '../../src/package/stack/lock.js'
import {outdated} from '../../src/package/stack/outdated.js'
import type {PackagePorts} from '../../src/locate/located-package.js'
import type {RenderChoices} from '../../src/render/render-part.js'
import {renderRequested} from '../../src/package/stack/render-resolved.js'
import type {ResolutionPolicy} from '../../src/resolve/packages/resolution-policy.js'
import {tree} from '../../src/package/stack/tree.js'
import {why} from '../../src/package/stack/why.js'
import {ERAS} from '../../src/render/era.js'
import type {TreeNode} from '../../src/resolve/dependency-tree.js'
import {outcome} from '../outcome.js'
import {version} from '../resolve/world.js'
import {digestOf} from '../fetch/image-parts.js'
import {
  indexedPackages,
  keeping,
  memoryPackages,
  POLICY,
  request,
  withoutPackages,
} from './memory-packages.js'

const APP = version('x/app:v1.0.0', {requires: ['databases.sql.org/v1', 'x/cache']})
const CACHE = version('x/cache:v1.0.0', {requires: ['databases.sql.org']})
const SQL = version('x/sql:v1.0.0', {owns: ['databases.sql.org/v1']})
const SQL_1_1 = version('x/sql:v1.1.0', {owns: ['databases.sql.org/v1']})
const SQL_2 = version('x/sql:v2.0.0', {owns: ['databases.sql.org/v2']})
const WORLD = [APP, CACHE, SQL]

const CHOICES: RenderChoices = {
  era: ERAS.packages,
  base: false,
  pin: false,
  createNamespace: false,
  includeRequest: false,
  // As the packages have them: these CRDs have no schema.
  crds: {apiVersion: 'v1beta1', nonStructural: 'refuse'},
  allowCorePermissions: false,
  allowFullDeployment: false,
}

/** A tree as nested texts: what is required, and the package or the rule. */
function shown({need, met, mark, needs}: TreeNode): unknown {
  const by = met.by === 'package' ? `${met.package}:${met.tag}` : met.by === 'nothing' ? met.rule : met.origin
  const text = `${need} = ${by}${mark === undefined ? '' : ` (${mark})`}`
  return needs.length === 0 ? text : [text, ...needs.map(shown)]
}

describe('tree', () => {
  it.each([
    {
      name: 'a package with dependencies',
      roots: ['x/app'],
      depth: undefined,
      packages: WORLD,
      want: [
        [
          'x/app = x/app:v1.0.0',
          'databases.sql.org/v1 = x/sql:v1.0.0',
          ['x/cache = x/cache:v1.0.0', 'databases.sql.org = x/sql:v1.0.0'],
        ],
      ],
    },
    {
      name: 'one level of it',
      roots: ['x/app'],
      depth: 1,
      packages: WORLD,
      want: [
        ['x/app = x/app:v1.0.0', 'databases.sql.org/v1 = x/sql:v1.0.0', 'x/cache = x/cache:v1.0.0 (depth)'],
      ],
    },
    {
      name: 'a package that was shown before',
      roots: ['x/cache', 'x/app'],
      depth: undefined,
      packages: WORLD,
      want: [
        ['x/cache = x/cache:v1.0.0', 'databases.sql.org = x/sql:v1.0.0'],
        ['x/app = x/app:v1.0.0', 'databases.sql.org/v1 = x/sql:v1.0.0', 'x/cache = x/cache:v1.0.0 (repeat)'],
      ],
    },
    {
      name: 'a requested CRD',
      roots: ['crd:databases.sql.org'],
      depth: undefined,
      packages: [SQL, SQL_2],
      want: ['databases.sql.org = x/sql:v2.0.0'],
    },
    {
      name: 'an incomplete answer',
      roots: ['x/app'],
      depth: undefined,
      packages: [APP, CACHE],
      want: [
        [
          'x/app = x/app:v1.0.0',
          'databases.sql.org/v1 = missing-group',
          ['x/cache = x/cache:v1.0.0', 'databases.sql.org = missing-group'],
        ],
      ],
    },
  ])('shows $name', async ({roots, depth, packages, want}) => {
    const report = await tree(
      roots.map(each => request(each)),
      POLICY,
      depth,
      memoryPackages(packages),
    )
    expect(report.roots.map(shown)).toEqual(want)
    expect(report.isComplete).toBe(report.rejection === undefined)
  })
})

describe('lock', () => {
  it('writes each selected package with its installs', async () => {
    const {lock, changes} = await lockPackages([request('x/app')], POLICY, memoryPackages(WORLD))
    const app = 'crossplane-system/x-app'
    const cache = 'crossplane-system/x-cache'
    expect(lock.packages.map(({identity, tag, installs}) => ({identity, tag, installs}))).toEqual([
      {
        identity: 'x/app',
        tag: 'v1.0.0',
        installs: [
          {
            namespace: 'crossplane-system',
            name: 'x-app',
            mode: 'requested',
            requestedFor: [],
            for: {},
            more: {},
          },
        ],
      },
      {
        identity: 'x/cache',
        tag: 'v1.0.0',
        installs: [
          {
            namespace: 'crossplane-system',
            name: 'x-cache',
            mode: 'auto',
            requestedFor: [],
            for: {[app]: ['x/cache']},
            more: {},
          },
        ],
      },
      {
        identity: 'x/sql',
        tag: 'v1.0.0',
        installs: [
          {
            namespace: 'crossplane-system',
            name: 'x-sql',
            mode: 'auto',
            requestedFor: [],
            for: {[app]: ['databases.sql.org/v1'], [cache]: ['databases.sql.org']},
            more: {},
          },
        ],
      },
    ])
    expect(changes.packages.map(({package: name, change}) => `${change} ${name}`)).toEqual([
      'added x/app',
      'added x/cache',
      'added x/sql',
    ])
  })

  it.each([
    {name: 'keeps a locked version', upgraded: [], want: ['x/app:v1.0.0', 'x/cache:v1.0.0', 'x/sql:v1.0.0']},
    {
      name: 'upgrades a package',
      upgraded: ['x/sql'],
      want: ['x/app:v1.0.0', 'x/cache:v1.0.0', 'x/sql:v1.1.0'],
    },
    {
      name: 'upgrades everything',
      upgraded: 'all' as const,
      want: ['x/app:v1.0.0', 'x/cache:v1.0.0', 'x/sql:v1.1.0'],
    },
    {
      name: 'upgrades a package that is not affected',
      upgraded: ['x/app'],
      want: ['x/app:v1.0.0', 'x/cache:v1.0.0', 'x/sql:v1.0.0'],
    },
    {name: 'rejects an upgrade of a package that is not locked', upgraded: ['x/other'], want: 'not-found'},
  ])('$name', async ({upgraded, want}) => {
    const lock = await locked()
    const next = await outcome(async () => {
      const policy = keeping(lock, {upgraded, otherwise: 'take'})
      const report = await lockPackages(
        [request('x/app')],
        policy,
        memoryPackages([...WORLD, SQL_1_1, SQL_2]),
      )
      return report.lock.packages.map(({identity, tag}) => `${identity}:${tag}`)
    })
    expect(next).toEqual(want)
  })
})

describe('an index', () => {
  it('gives the same tree and install set as a folder', async () => {
    const [folder, index] = [memoryPackages(WORLD), await indexedPackages(WORLD)]
    const treeOf = async (ports: PackagePorts) =>
      (await tree([request('x/app')], POLICY, undefined, ports)).roots
    expect((await treeOf(index)).map(shown)).toEqual((await treeOf(folder)).map(shown))
    const rendered = async (ports: PackagePorts) =>
      (await renderRequested({requested: [request('x/app')], policy: POLICY}, CHOICES, ports)).objects
    expect(await rendered(index)).toEqual(await rendered(folder))
  })

  it('is locked by digest, and rendered from the lock without the index', async () => {
    const {indexes, ...ports} = await indexedPackages(WORLD)
    const {lock} = await lockPackages([request('x/app')], POLICY, {...ports, indexes})
    expect(lock.packages.map(({digest}) => digest)).toEqual(
      WORLD.map(() => expect.stringMatching(/^sha256:/)),
    )
    const binding = {
      requested: [request('x/app')],
      policy: keeping(lock, {otherwise: 'reject'}),
    } as const
    expect((await renderRequested(binding, CHOICES, ports)).installs).toHaveLength(WORLD.length)
  })

  it('with an entry that its registry contradicts selects another version, with a note', async () => {
    const wrong = {...SQL_1_1, tag: 'v1.0.0', digest: digestOf(Buffer.from('other'))}
    const {lock, notes} = await lockPackages(
      [request('x/app')],
      POLICY,
      await indexedPackages(WORLD, [wrong]),
    )
    expect(lock.packages.map(({identity, tag}) => `${identity}:${tag}`)).toContain('x/sql:v1.0.0')
    expect(notes.map(({rule}) => rule)).toContain('lying-version')
  })
})

async function locked(...roots: Parameters<typeof request>[]) {
  const requested = roots.length === 0 ? [request('x/app')] : roots.map(each => request(...each))
  return (await lockPackages(requested, POLICY, memoryPackages(WORLD))).lock
}

const HELD_BACK = {
  package: 'x/sql',
  locked: 'v1.0.0',
  newest: 'v2.0.0',
  reason: 'x/app:v1.0.0 requires databases.sql.org/v1, which only other versions satisfy',
  heldBackBy: {requiredBy: 'x/app:v1.0.0', requirement: 'databases.sql.org/v1'},
}

describe('outdated', () => {
  it.each([
    {name: 'nothing newer', published: [], want: []},
    {
      name: 'a newer version that fits',
      published: [SQL_1_1],
      want: [{package: 'x/sql', locked: 'v1.0.0', fits: 'v1.1.0', newest: 'v1.1.0', status: 'outdated'}],
    },
    {
      name: 'a newer version that does not fit',
      published: [SQL_2],
      want: [{...HELD_BACK, fits: 'v1.0.0', status: 'held-back'}],
    },
    {
      name: 'one of each',
      published: [SQL_1_1, SQL_2],
      want: [{...HELD_BACK, fits: 'v1.1.0', status: 'outdated'}],
    },
    {
      name: 'a pre-release',
      published: [version('x/sql:v3.0.0-rc.1', {owns: ['databases.sql.org/v1']})],
      want: [],
    },
  ])('lists $name', async ({published, want}) => {
    const policy = keeping(await locked())
    const report = await outdated([request('x/app')], policy, memoryPackages([...WORLD, ...published]))
    expect({packages: report.packages, current: report.current}).toEqual({
      packages: want,
      current: WORLD.length - want.length,
    })
  })

  it.each<{name: string; root: Parameters<typeof request>; requirement: string; reason: string}>([
    {
      name: 'a tag',
      root: ['x/app:v1.0.0'],
      requirement: 'x/app:v1.0.0',
      reason: 'x/app:v1.0.0 is requested',
    },
    {
      name: 'a range',
      root: ['x/app', {range: '~1.0'}],
      requirement: 'x/app ~1.0',
      reason: 'x/app is requested within ~1.0',
    },
  ])('lists a newer version outside of $name', async ({root, requirement, reason}) => {
    const ports = memoryPackages([...WORLD, version('x/app:v2.0.0', {requires: ['x/cache']})])
    const report = await outdated([request(...root)], keeping(await locked(root)), ports)
    const own = {package: 'x/app', locked: 'v1.0.0', fits: 'v1.0.0', newest: 'v2.0.0'}
    expect(report.packages).toEqual([{...own, status: 'pinned', reason, heldBackBy: {requirement}}])
  })
})

describe('why', () => {
  const onSql = {need: 'databases.sql.org/v1', package: 'x/sql:v1.0.0'}
  const app = {need: 'x/app', package: 'x/app:v1.0.0'}
  const paths = [
    {steps: [app, onSql]},
    {
      steps: [
        app,
        {need: 'x/cache', package: 'x/cache:v1.0.0'},
        {need: 'databases.sql.org', package: 'x/sql:v1.0.0'},
      ],
    },
  ]
  it.each([
    {name: 'a package', what: 'x/sql', tag: 'x/sql:v1.0.0', reasons: paths},
    {name: 'a CRD', what: 'databases.sql.org', tag: 'x/sql:v1.0.0', reasons: paths},
    {name: 'a CRD with a prefix', what: 'crd:databases.sql.org/v1', tag: 'x/sql:v1.0.0', reasons: paths},
    {name: 'a requested package', what: 'x/app', tag: 'x/app:v1.0.0', reasons: [{steps: [app]}]},
  ])('explains $name', async ({what, tag, reasons}) => {
    const report = await why(what, [request('x/app')], POLICY, memoryPackages(WORLD))
    expect({tag: `${report.package}:${report.tag}`, reasons: report.reasons}).toEqual({tag, reasons})
  })

  it.each([
    {name: 'a package', what: 'x/other'},
    {name: 'a CRD', what: 'crd:others.example.org'},
  ])('rejects $name that would not be installed', async ({what}) => {
    const run = why(what, [request('x/app')], POLICY, memoryPackages(WORLD))
    await expect(run).rejects.toMatchObject({
      code: 'not-found',
      message: `"${what}" not found in the resolution`,
      suggestions: [
        'Use one of crossplane-system/x-app, crossplane-system/x-cache, crossplane-system/x-sql.',
      ],
    })
  })
})

describe('render', () => {
  const render = async (policy: ResolutionPolicy, ports: PackagePorts) =>
    await renderRequested({requested: [request('x/app')], policy}, CHOICES, ports)

  it('orders installs by their dependencies', async () => {
    const {installs} = await render(POLICY, memoryPackages(WORLD))
    expect(installs).toMatchObject([
      {namespace: 'crossplane-system', name: 'x-sql', mode: 'auto', package: {identity: 'x/sql'}},
      {namespace: 'crossplane-system', name: 'x-cache', mode: 'auto', package: {identity: 'x/cache'}},
      {namespace: 'crossplane-system', name: 'x-app', mode: 'requested', for: {}},
    ])
  })

  it('renders the same from a binding lock', async () => {
    const later = memoryPackages([...WORLD, SQL_1_1])
    const binding = keeping(await locked(), {otherwise: 'reject'})
    const before = await render(POLICY, memoryPackages(WORLD))
    expect((await render(binding, later)).objects).toEqual(before.objects)
    expect((await render(POLICY, later)).objects).not.toEqual(before.objects)
  })

  it.each([
    {
      name: 'without its folder',
      ports: withoutPackages(),
      suggestions: [
        'Pass --packages DIR with a folder that has x/app:v1.0.0, x/cache:v1.0.0 and x/sql:v1.0.0: the lock has no digest to pull by.',
      ],
    },
    {
      name: 'without a package in its folder',
      ports: memoryPackages([APP, CACHE]),
      suggestions: [
        'Add x/sql:v1.0.0 to the folder given with --packages: the lock has no digest to pull by.',
        'package lock',
      ],
    },
  ])('rejects a lock of a folder $name', async ({ports, suggestions}) => {
    const run = render(keeping(await locked(), {otherwise: 'reject'}), ports)
    await expect(run).rejects.toMatchObject({code: 'lock-outdated', suggestions})
  })

  it('rejects a request that cannot be resolved', async () => {
    expect(await outcome(() => render(POLICY, memoryPackages([APP, CACHE])))).toBe('unresolvable')
  })
})
