import {describe, expect, it} from '@jest/globals'
import {backward, forward, newHandOvers} from '../../../../src/plan/cluster/core/move-contents.js'
import {handOverOperations} from '../../../../src/plan/cluster/core/move-operations.js'
import {continueRejections} from '../../../../src/plan/cluster/core/move-continuation.js'
import {
  earlyRejections,
  type MoveCluster,
  moveRejections,
} from '../../../../src/plan/cluster/core/move-rejections.js'
import type {MovedPackage} from '../../../../src/plan/cluster/core/moved-package.js'
import {sourceRejections} from '../../../../src/plan/cluster/core/move-syncs.js'
import {isSyncing, syncSources} from '../../../../src/plan/cluster/state/git-sources.js'
import {lockProblems} from '../../../../src/plan/cluster/core/lock/lock-problems.js'
import {byHand} from '../../../../src/plan/cluster/core/lock/repair-by-hand.js'
import type {CoreRequest, CoreState} from '../../../../src/plan/cluster/state/core-state.js'
import {MOVE, unfinishedMoves} from '../../../../src/plan/cluster/state/move-state.js'
import {asObject, type JsonObject} from '../../../../src/yaml/json-value.js'
import {API, DIGEST, HEX, lines, lock, provider, revision, state} from './requests-that-move.js'

const OLD = 'h.io/market/sql'
const NEW = 'h.io/community/sql'

const handedOver = (from: CoreRequest, to: Parameters<typeof newHandOvers>[0][number]['to']) => {
  const [one] = newHandOvers([{from, to, risks: {stops: [], creates: []}}])
  if (one === undefined) throw new RangeError('nothing is handed over')
  return one
}
const begun = () => {
  const from = provider('market-sql', OLD)
  const to = {name: 'community-sql', reference: `${NEW}:v1.0.0`, digest: DIGEST, order: 0}
  return handedOver(from, to)
}
const record = (one = begun()) => ({[MOVE]: String(one.to.content.metadata.annotations?.[MOVE])})
const STOP_OLD = [
  'apply Provider market-sql Manual',
  `apply ProviderRevision market-sql-${HEX} Inactive`,
  `wait Lock -market-sql-${HEX} Inactive`,
]
const DELETE_OLD = [
  'wait Provider community-sql Inactive',
  'delete Provider market-sql',
  'wait Provider market-sql',
  `wait ProviderRevision market-sql-${HEX}`,
]
const FINISH = [`apply Provider community-sql ${NEW}:v1.0.0`, 'wait Provider community-sql']

describe('a package is handed over', () => {
  const [old, next] = [
    provider('market-sql', OLD),
    () => provider('community-sql', NEW, {annotations: record()}),
  ]

  it('step by step: the second request comes first, and the former one goes last', () => {
    const core = state([old], [revision('market-sql')], lock(['market-sql', OLD]))
    expect(lines(handOverOperations([begun()], core))).toEqual([
      `apply Provider community-sql ${NEW}:v1.0.0 marked`,
      `wait Lock +community-sql-${HEX}`,
      ...STOP_OLD,
      ...DELETE_OLD,
      ...FINISH,
    ])
  })

  it.each([
    {
      name: 'both exist',
      core: () =>
        state(
          [old, next()],
          [revision('market-sql'), revision('community-sql')],
          lock(['market-sql', OLD], ['community-sql', NEW]),
        ),
      want: [...STOP_OLD, ...DELETE_OLD, ...FINISH],
    },
    {
      name: 'the former one is stopped',
      core: () =>
        state(
          [provider('market-sql', OLD, {spec: {revisionActivationPolicy: 'Manual'}}), next()],
          [revision('market-sql', 'Inactive'), revision('community-sql')],
          lock(['community-sql', NEW]),
        ),
      want: [...DELETE_OLD, ...FINISH],
    },
    {
      name: 'the former one is being deleted',
      core: () =>
        state(
          [provider('market-sql', OLD, {deleted: true}), next()],
          [revision('community-sql')],
          lock(['community-sql', NEW]),
        ),
      want: ['wait Provider community-sql', 'wait Provider market-sql', ...FINISH],
    },
    {
      name: 'the former one is gone',
      core: () => state([next()], [revision('community-sql')], lock(['community-sql', NEW])),
      want: FINISH,
    },
  ])('and a run that finds that $name does what is left', ({core, want}) => {
    const current = core()
    const rest = forward(unfinishedMoves(current), current)
    expect(lines(handOverOperations(rest, current))).toEqual(want)
    expect(continueRejections(rest, current, 'continue', [])).toEqual([])
  })

  it.each([
    {
      name: 'the former one still runs',
      core: () =>
        state(
          [old, next()],
          [revision('market-sql'), revision('community-sql')],
          lock(['market-sql', OLD], ['community-sql', NEW]),
        ),
      want: [],
    },
    {
      name: 'the former one is stopped',
      core: () =>
        state(
          [
            provider('market-sql', OLD, {
              ...{spec: {revisionActivationPolicy: 'Manual'}, holder: 'crossplane-packages-move'},
            }),
            next(),
          ],
          [revision('market-sql', 'Inactive'), revision('community-sql')],
          lock(['community-sql', NEW]),
        ),
      want: [
        'apply Provider market-sql',
        `apply ProviderRevision market-sql-${HEX} Active`,
        `wait Lock +market-sql-${HEX}`,
      ],
    },
    {
      name: 'the former one is gone',
      core: () => state([next()], [revision('community-sql')], lock(['community-sql', NEW])),
      want: [`apply Provider market-sql ${OLD}:v1.0.0`, `wait Lock +market-sql-${HEX}`],
    },
  ])('and goes back where $name', ({core, want}) => {
    const current = core()
    const back = backward(unfinishedMoves(current), current)
    expect(lines(handOverOperations(back, current))).toEqual([
      ...want,
      'apply Provider community-sql Manual',
      `apply ProviderRevision community-sql-${HEX} Inactive`,
      `wait Lock -community-sql-${HEX} Inactive`,
      'wait Provider market-sql Inactive',
      'delete Provider community-sql',
      'wait Provider community-sql',
      `wait ProviderRevision community-sql-${HEX}`,
      'wait Provider market-sql',
    ])
  })

  it('keeps a policy that a user set, and the settings of the former request', () => {
    const spec = {revisionActivationPolicy: 'Manual', packagePullPolicy: 'Always', revisionHistoryLimit: 1}
    const from = provider('market-sql', OLD, {spec})
    const to = {name: 'n', reference: `${NEW}:v1.0.0`, digest: DIGEST, order: 0}
    const {to: end} = handedOver(from, to)
    expect(end.content.spec).toEqual({packagePullPolicy: 'Always', package: `${NEW}:v1.0.0`})
    expect(end.final?.spec).toEqual({...asObject(end.content.spec), revisionActivationPolicy: 'Manual'})
  })

  it('is reported by doctor until it is finished, in place of the repository that the Lock has twice', () => {
    const to = {name: 'new', reference: `${OLD}:v1.0.0`, digest: DIGEST, order: 0}
    const renamed = provider('new', OLD, {annotations: record(handedOver(old, to))})
    const core = state(
      [old, renamed],
      [revision('market-sql'), revision('new')],
      lock(['market-sql', OLD], ['new', OLD]),
    )
    const problems = lockProblems({...core, lock: {...core.lock, problem: 'it is there twice'}}, [])
    expect(problems.map(({kind}) => kind)).toEqual(['move'])
    expect(problems.flatMap(byHand)).toEqual([
      'kubectl crossplane package move --continue',
      'kubectl crossplane package move --back',
    ])
  })
})

/** What can be wrong with a cluster before a move, and the rule that stops it. */
const DEFECTS: Readonly<Record<string, (seed: number) => Partial<Broken>>> = {
  'core-lock': seed => ({
    core: {
      ...(seed % 4 === 3
        ? {
            requests: [provider('market-sql', OLD), provider('other', 'h.io/other')],
            revisions: [revision('market-sql'), revision('other')],
          }
        : {}),
      lock: [
        {entries: lock(['market-sql', OLD], ['a', 'h.io/x'], ['b', 'h.io/x']).entries},
        {...lock(['market-sql', OLD]), problem: 'cannot resolve'},
        lock(['a', 'h.io/x']),
        lock(['market-sql', OLD]),
      ][seed % 4]!,
    },
  }),
  'xpkg-paused': seed => {
    const annotations = {'crossplane.io/paused': 'true'}
    return seed % 2 === 0
      ? {from: provider('market-sql', OLD, {annotations})}
      : {core: {revisions: [revision('market-sql', 'Active', annotations)]}}
  },
  'xpkg-terminating': seed =>
    seed % 2 === 0
      ? {from: provider('market-sql', OLD, {deleted: true})}
      : {core: {revisions: [{...revision('market-sql'), isTerminating: true}]}},
  'xpkg-not-healthy': seed =>
    seed % 2 === 0
      ? {cluster: {problemOf: () => 'it is not healthy'}}
      : {core: {revisions: [revision('market-sql', 'Inactive')]}},
  'xpkg-move-unsupported': seed =>
    [
      {cluster: {coreVersion: 'v2.2.1'}},
      {from: provider('market-sql', OLD, {}, 'Configuration')},
      {from: provider('market-sql', OLD, {spec: {package: `${OLD}@${DIGEST}`}})},
      {from: provider('market-sql', OLD, {spec: {skipDependencyResolution: true}})},
      {to: {kind: 'Function'}},
    ][seed % 5] ?? {},
  'xpkg-required': () => ({
    core: {lock: lock(['market-sql', OLD], ['app', 'h.io/app', OLD])},
  }),
  'xpkg-move-requires': () => ({to: {requires: ['h.io/absent']}}),
  'xpkg-move-exists': seed => ({
    core: {
      requests: [
        provider('market-sql', OLD),
        [provider('community-sql', 'h.io/x'), provider('other', NEW), provider('other', OLD)][seed % 3]!,
      ],
    },
  }),
  'xpkg-other-name': seed =>
    seed % 2 === 0
      ? {to: {name: 'my_sql'}}
      : {to: {name: 'my-sql'}, core: {lock: lock(['market-sql', OLD], ['app', 'h.io/app', NEW])}},
  'xpkg-move-owner': seed => {
    const crd = {kind: 'CustomResourceDefinition', name: 'crd', uid: 'u'}
    const owners = [`of-market-sql-${HEX}`, 'other']
    return {
      cluster: {
        owned: [seed % 2 === 0 ? {...crd, owners: ['other']} : {...crd, owners, controller: 'other'}],
      },
    }
  },
  'usage-exists': () => ({
    cluster: {
      usages: [
        {
          ...{apiVersion: 'protection.crossplane.io/v1beta1', kind: 'ClusterUsage', metadata: {name: 'u'}},
          spec: {of: {apiVersion: API, kind: 'Provider', resourceRef: {name: 'market-sql'}}},
        },
      ],
    },
  }),
}

/** The rules about names. */
const OF_NAMES: readonly string[] = ['xpkg-other-name', 'xpkg-move-exists']

interface Broken {
  readonly from: ReturnType<typeof provider>
  readonly to: Partial<MovedPackage['to']>
  readonly core: Partial<CoreState>
  readonly cluster: Partial<MoveCluster>
}

/** The rules that stop the move of a cluster that has defects. */
function rulesOf(broken: Partial<Broken>) {
  return rejectionsOf(broken).map(({rule}) => rule)
}

function rejectionsOf({
  from = provider('market-sql', OLD),
  to = {},
  core = {},
  cluster = {},
}: Partial<Broken>) {
  const own = state([from], [revision('market-sql')], lock(['market-sql', OLD]))
  const whole: MoveCluster = {
    ...{core: {...own, ...core}, coreVersion: 'v2.3.4', owned: [], usages: [], problemOf: () => undefined},
    ...cluster,
  }
  const moved = {
    from,
    to: {
      ...{name: 'community-sql', repository: NEW, kind: 'Provider', requires: []},
      objects: ['CustomResourceDefinition/crd'],
      ...to,
    },
  }
  return [...earlyRejections([from], whole), ...moveRejections([moved], whole)]
}

/** Random clusters: more of them in a soak. */
const CLUSTERS = process.env.SOAK_MINUTES === undefined ? 10 : 200
const SEED = Number(process.env.SOAK_SEED ?? 1)

describe('a move is rejected before its first change', () => {
  it('where something is wrong, and nowhere else', () => {
    expect(rulesOf({})).toEqual([])
  })

  it.each(Object.keys(DEFECTS))('by %s', rule => {
    for (let seed = 0; seed < 5; seed += 1) expect(rulesOf(DEFECTS[rule]?.(seed) ?? {})).toContain(rule)
  })

  it.each([
    {problem: "it is not healthy: 'helm' not found", want: "market-sql is not healthy: 'helm' not found"},
    {problem: 'it is not healthy', want: 'market-sql is not healthy'},
    {problem: 'it is not installed yet', want: 'market-sql is not healthy: it is not installed yet'},
  ])('with the reason $problem, once', ({problem, want}) => {
    const [rejected] = rejectionsOf({cluster: {problemOf: () => problem}})
    expect(rejected?.message).toMatch(new RegExp(`${want}$`))
  })

  it('by the rule of what is wrong with a random cluster', () => {
    let random = SEED
    const next = (below: number) => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((random / 2_147_483_648) * below)
    }
    const all = Object.keys(DEFECTS)
    for (let round = 0; round < CLUSTERS; round += 1) {
      const [first = '', second = ''] = [all[next(all.length)], all[next(all.length)]]
      const [a, b] = [DEFECTS[first]?.(next(10)) ?? {}, DEFECTS[second]?.(next(10)) ?? {}]
      // Of two defects in one place, the first one stays; it is about this request.
      const both = {
        ...a,
        core: {...b.core, ...a.core},
        to: {...b.to, ...a.to},
        cluster: {...b.cluster, ...a.cluster},
      }
      const rules = rulesOf(both)
      // Of two reasons why a name cannot be used, one is reported.
      const enough = [first, second].every(rule => OF_NAMES.includes(rule)) ? OF_NAMES : [first]
      expect({first, second, rules, has: enough.some(rule => rules.includes(rule))}).toMatchObject({
        has: true,
      })
    }
  })

  it.each([
    {
      name: 'Flux',
      request: provider('p', OLD, {
        labels: {'kustomize.toolkit.fluxcd.io/name': 'k', 'kustomize.toolkit.fluxcd.io/namespace': 'flux'},
      }),
      source: {kind: 'Kustomization', name: 'k', namespace: 'flux'},
      running: {} as JsonObject,
      paused: {suspend: true} as JsonObject,
    },
    {
      name: 'Flux, by a chart,',
      request: provider('p', OLD, {labels: {'helm.toolkit.fluxcd.io/name': 'h'}}),
      source: {apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', namespace: 'flux-system'},
      running: {} as JsonObject,
      paused: {suspend: true} as JsonObject,
    },
    {
      name: 'Argo CD, which tracks by a label,',
      request: provider('p', OLD, {labels: {'app.kubernetes.io/instance': 'a'}}),
      source: {kind: 'Application', name: 'a'},
      running: {syncPolicy: {automated: {}}} as JsonObject,
      paused: {} as JsonObject,
    },
    {
      name: 'Argo CD',
      request: provider('p', OLD, {
        annotations: {'argocd.argoproj.io/tracking-id': 'apps_a:pkg.crossplane.io/Provider:/p'},
      }),
      source: {kind: 'Application', name: 'a', namespace: 'apps'},
      running: {syncPolicy: {automated: {prune: true}}} as JsonObject,
      paused: {syncPolicy: {}} as JsonObject,
    },
  ])('while $name applies the former request', ({request, source, running, paused}) => {
    expect(syncSources(request)).toMatchObject([source])
    const object = (spec: JsonObject) => ({apiVersion: 'v1', kind: source.kind, metadata: {name: 'k'}, spec})
    expect([running, paused].map(spec => isSyncing(object(spec), request))).toEqual([true, false])
  })

  it('while its controller may be in another cluster, unless the mark can be that of a chart', () => {
    const texts = [
      provider('p', OLD, {
        annotations: {'argocd.argoproj.io/tracking-id': 'a:pkg.crossplane.io/Provider:/p'},
      }),
      provider('p', OLD, {labels: {'kustomize.toolkit.fluxcd.io/name': 'k'}}),
      provider('p', OLD, {labels: {'app.kubernetes.io/instance': 'a'}}),
    ].map(request => syncSources(request).flatMap(source => sourceRejections(request, source, [])))
    const command = (text: string) => [{suggestions: [expect.stringContaining(text)]}]
    expect(texts).toMatchObject([
      command('kubectl annotate provider.pkg.crossplane.io/p argocd.argoproj.io/tracking-id-'),
      command('kubectl label provider.pkg.crossplane.io/p kustomize.toolkit.fluxcd.io/name-'),
      [],
    ])
  })
})
