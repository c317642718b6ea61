import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {accepted, until} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {random} from '../../shuffled.js'
import {below, pick} from '../../soak/campaign.js'
import {setVariable} from '../../set-variable.js'
import {DEFECTS} from './broken-moves.js'
import {deploymentOf} from './core-state.js'
import {type Core, TIMEOUT} from './describe-core.js'
import {FrozenEdits} from './frozen-edits.js'
import {type Defect, type GoodMove, providerPath} from './move-defect.js'
import {run} from './package-commands.js'
import {type AuthoredPackage, publish} from './published-packages.js'

const PREFIX = 'r-'
const SEED = Number(process.env.SOAK_SEED ?? 1)
const [PKG, BETA] = ['/apis/pkg.crossplane.io/v1', '/apis/pkg.crossplane.io/v1beta1']
/** What a move may change. */
const LISTS = [
  ...['providers', 'configurations', 'providerrevisions', 'configurationrevisions'].map(
    one => `${PKG}/${one}`,
  ),
  ...['locks', 'imageconfigs'].map(one => `${BETA}/${one}`),
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  ...['bases', 'nets', 'ones', 'twos', 'threes'].map(one => `/apis/core.example.org/v1/${one}`),
]

/** Defines the test of moves that are rejected before the first change, in random clusters that Crossplane has made and stands still in. */
export function testRefusedMoves(core: () => Core, temporary: string, rounds: number): void {
  const at = (path: string) => `${core().host}/${PREFIX}${path}`
  const kube = () => core().cluster.kube

  describe('a move in a cluster with something wrong', () => {
    let before: string | undefined
    beforeAll(async () => {
      before = process.env.KUBECONFIG
      process.env.KUBECONFIG = core().cluster.kubeconfig
      await publish(temporary, packagesIn(at))
    }, TIMEOUT)
    afterAll(() => {
      setVariable('KUBECONFIG', before)
    })

    it(
      `is rejected before the first change (seed ${SEED})`,
      async () => {
        await core().apply(deploymentOf(`v${crossplane.version}`))
        await installed()
        for (const kind of ['Base', 'Net', 'One']) await createInstance(kind)
        const [seen, faults]: [Set<string>, string[]] = [new Set(), []]
        await core().frozen(async () => {
          for (let number = 0; number < rounds; number += 1)
            await round(number).then(
              name => seen.add(name),
              (error: unknown) => faults.push(error instanceof Error ? error.message : String(error)),
            )
        })
        // The next tests have no Deployment, also after a failure.
        await kube().send('DELETE', '/apis/apps/v1/namespaces/default/deployments/crossplane')
        expect(faults).toEqual([])
        process.stderr.write(`${rounds} clusters rejected, for ${seen.size} of ${NAMES.length} reasons\n`)
      },
      TIMEOUT + rounds * 10_000,
    )
  })

  const installed = async () => {
    const request = (kind: string, name: string, path: string) => ({
      ...{apiVersion: 'pkg.crossplane.io/v1', kind, metadata: {name}},
      spec: {package: at(`${path}:v1.0.0`)},
    })
    // What others require comes first, under its own name.
    await core().apply(request('Provider', 'my-net', 'a/net'))
    await core().settled(({healthy}) => healthy.length === 1)
    const others = [
      request('Provider', 'r-a-sql', 'a/sql'),
      ...['app', 'web'].map(name => request('Configuration', `r-a-${name}`, `a/${name}`)),
      ...['family', 'one', 'two', 'three'].map(name => request('Provider', `r-old-${name}`, `old/${name}`)),
    ]
    for (const one of others) await core().apply(one)
    const isDone = (state: {healthy: readonly string[]; others: readonly string[]}) =>
      state.healthy.length === others.length + 1 && state.others.length === 0
    const state = await core().settled(isDone)
    expect(state.others).toEqual([])
  }
  const createInstance = async (kind: string) => {
    const metadata = {name: 'mine'}
    await until(
      () => kube().create({apiVersion: 'core.example.org/v1', kind, metadata}),
      ({code}) => code < 300 || code === 409,
    )
  }

  /** Breaks the cluster in one way or two, and heals it. */
  const round = async (number: number): Promise<string> => {
    const next = random(SEED * 1_000_003 + number)
    const name = NAMES[(number * STEP + SEED) % NAMES.length]!
    const move = pick(
      next,
      goodMoves(at).filter(one => canBreak(DEFECTS[name]!, one)),
    )
    const names = reasonsIn(move, name, next)
    const edits = new FrozenEdits(kube())
    try {
      await vary(edits, next)
      const flags = ['--context', 'test']
      const accepts = await run(...move.args, ...flags, '--dry-run=client')
      expect(accepts).toMatchObject({status: 0})
      const broken = {edits, move, one: pick(next, move.packages), random: next, at}
      for (const one of names) await DEFECTS[one]?.breaks?.(broken)
      const args = DEFECTS[name]?.args?.(move.args, at) ?? move.args
      await expectRejected(names, [...args, ...flags])
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      throw new Error(`round ${number}: ${names.join(' and ')}, ${move.name}: ${cause}`, {cause: error})
    } finally {
      await edits.restore()
      await sweep()
    }
    return name
  }

  /** A move that was not rejected has created objects, and then waited for Crossplane. */
  const sweep = async () => {
    const created = [`${PKG}/providers`, `${BETA}/imageconfigs`].map(async path => {
      for (const {metadata} of asObjects(accepted(await kube().send('GET', path)).items)) {
        const {name, managedFields} = asObject(metadata)
        if (asObjects(managedFields).some(({manager}) => manager === 'crossplane-packages'))
          await kube().send('DELETE', `${path}/${asText(name)}`)
      }
    })
    await Promise.all(created)
  }

  const expectRejected = async (names: readonly string[], args: readonly string[]) => {
    const audit = auditOf(core().cluster)
    const [versions, mark] = [await versionsOf(), await audit.mark()]
    const {status, stderr} = await run(...args, '--yes', '--timeout', '5s')
    const writes = (await audit.since(mark)).filter(
      entry =>
        isWrite(entry) &&
        (entry.userAgent.startsWith('kubectl-crossplane') || entry.group === 'pkg.crossplane.io'),
    )
    const reasons = names.flatMap(one => DEFECTS[one] ?? [])
    const isSaid = reasons.some(({says, status: code = 5}) => [code, 5].includes(status) && says.test(stderr))
    expect({names, args: args.slice(1), stderr: isSaid ? '' : `${status}: ${stderr}`, writes}).toMatchObject({
      stderr: '',
      writes: [],
    })
    expect(await versionsOf()).toEqual(versions)
  }

  const versionsOf = async () => {
    // A server that begins to serve a kind answers 429 for a moment.
    const read = async (path: string) =>
      await until(
        () => kube().send('GET', path),
        ({code}) => code !== 429,
      )
    const lists = await Promise.all(LISTS.map(async path => accepted(await read(path)).items))
    return lists.flatMap(asObjects).map(({metadata}) => {
      const {name, uid, resourceVersion} = asObject(metadata)
      return [name, uid, resourceVersion].map(asText).join(' ')
    })
  }

  /** What does not matter to a move. */
  const vary = async (edits: FrozenEdits, next: () => number) => {
    const other = (name: string): JsonObject => ({
      ...{apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: {name}},
      spec: {package: at(`${name}/elsewhere:v1.0.0`)},
    })
    const variations: readonly (() => Promise<void>)[] = [
      async () => await edits.add(`${PKG}/providers`, other('unread')),
      async () => {
        await edits.add(`${PKG}/providers`, other('leaving'))
        await edits.terminate(providerPath('leaving'))
      },
      async () =>
        await edits.change(providerPath('r-a-sql'), object => ({
          ...object,
          metadata: {...asObject(object.metadata), labels: {team: 'some'}},
          spec: {...asObject(object.spec), packagePullPolicy: 'Always'},
        })),
    ]
    for (const variation of variations) if (below(next, 3) === 0) await variation()
  }
}

const NAMES = Object.keys(DEFECTS)
/** Consecutive rounds have reasons that have nothing to do with each other. */
const STEP = 7

const canBreak = ({moves}: Defect, {name}: GoodMove) => moves?.includes(name) ?? true

/** One reason, or two of which one is said. */
function reasonsIn(move: GoodMove, first: string, next: () => number): readonly string[] {
  const others = otherReasons(move, first)
  return others.length > 0 && below(next, 3) === 0 ? [first, pick(next, others)] : [first]
}

function otherReasons(move: GoodMove, first: string): readonly string[] {
  if (ALONE.includes(first)) return []
  const isSecond = ([name, defect]: readonly [string, Defect]) =>
    defect.breaks !== undefined && defect.status === undefined && name !== first && !ALONE.includes(name)
  return Object.entries(DEFECTS)
    .filter(entry => isSecond(entry) && canBreak(entry[1], move))
    .map(([name]) => name)
}

/** They change what another one changes, so that one of both is gone. */
const ALONE = [
  'a member whose request is gone',
  'no Lock',
  'a request that is being deleted',
  'a revision that is being deleted',
  'two active revisions',
]

function goodMoves(at: (path: string) => string): readonly GoodMove[] {
  const moved = (from: string, to: string, paths: readonly [string, string], plural: string) => ({
    ...{from, to, repository: at(paths[0]), place: at(paths[1])},
    crd: `${plural}.core.example.org`,
  })
  const member = (name: string, plural: string) =>
    moved(`r-old-${name}`, `r-new-${name}`, [`old/${name}`, `new/${name}`], plural)
  return [
    {
      ...{name: 'same', args: ['move', 'r-a-sql', at('b/sql')]},
      packages: [moved('r-a-sql', 'r-b-sql', ['a/sql', 'b/sql'], 'bases')],
    },
    {
      ...{name: 'build', args: ['move', 'r-a-sql', at('c/sql:v1.1.0')]},
      packages: [moved('r-a-sql', 'r-c-sql', ['a/sql', 'c/sql'], 'bases')],
    },
    {
      ...{name: 'name', args: ['move', 'my-net', at('a/net')]},
      packages: [moved('my-net', 'r-a-net', ['a/net', 'a/net'], 'nets')],
    },
    {
      ...{name: 'family', args: ['move', 'r-old-family', at('new/family'), '--family']},
      packages: [member('one', 'ones'), member('two', 'twos'), member('three', 'threes')],
    },
  ]
}

function packagesIn(at: (path: string) => string): readonly AuthoredPackage[] {
  const version = (path: string, more: Partial<AuthoredPackage> = {}): AuthoredPackage => ({
    ...{repository: at(path), tag: 'v1.0.0', kind: 'Provider', requires: []},
    ...more,
  })
  const requires = (path: string, constraint = '>=v1.0.0') => ({
    requires: [{kind: 'Provider', repository: at(path), version: constraint}],
  })
  const base = (path: string, more: Partial<AuthoredPackage> = {}) =>
    version(path, {defines: 'Base', ...more})
  const family = (path: string, members: Readonly<Record<string, string>>) => [
    version(`${path}/family`),
    ...Object.entries(members).map(([name, kind]) =>
      version(`${path}/${name}`, {defines: kind, ...requires(`${path}/family`)}),
    ),
  ]
  const strict = {required: ['spec'], properties: {spec: {type: 'object'}}}
  const all = {one: 'One', two: 'Two', three: 'Three'}
  return [
    ...[base('a/sql'), base('b/sql')],
    base('c/sql', {tag: 'v1.1.0'}),
    base('c/sql', {tag: 'v2.0.0', crdVersion: 'v2'}),
    base('c/sql', {tag: 'v3.0.0', defines: 'Another'}),
    base('c/sql', {tag: 'v4.0.0', crdSchema: strict}),
    ...[version('absent/dependency'), base('d/sql', requires('absent/dependency'))],
    version('e/sql', {kind: 'Configuration'}),
    ...['v1.0.0', 'v2.0.0'].map(tag => version('a/net', {tag, defines: 'Net'})),
    ...['app', 'web'].map(name =>
      version(`a/${name}`, {kind: 'Configuration', ...requires('a/net', '>=v1.0.0, <v2.0.0')}),
    ),
    ...[...family('old', all), ...family('new', all), ...family('half', {one: 'One', two: 'Two'})],
  ]
}
