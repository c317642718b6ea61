import {describe, expect, it} from '@jest/globals'
import type {CoreState, RequestKind} from '../../../../src/plan/cluster/state/core-state.js'
import {coreLock, coreRequest, coreRevision} from '../../../../src/plan/cluster/core/read-core-object.js'
import {
  resolverObjects,
  resolverOperations,
  resolverWarnings,
} from '../../../../src/plan/cluster/core/resolver-change.js'
import {expectTags, resolverRejections} from '../../../../src/plan/cluster/core/resolver-rejections.js'
import type {Operation} from '../../../../src/plan/plan.js'
import type {XpkgSetObject} from '../../../../src/render/xpkg/xpkg-set.js'
import {asObject, asText, type JsonObject} from '../../../../src/yaml/json-value.js'

const API = 'pkg.crossplane.io/v1'
const RESOLVER = 'kubectl-crossplane-resolver'
const DEP = 'h.io/team/dep'
const APP = 'h.io/team/app'
const DIGEST = `sha256:0123456789ab${'0'.repeat(52)}`

const spec = (repository: string, skips: boolean, more: JsonObject = {}) => ({
  ...{package: `${repository}:v1.0.0`, ...more},
  ...(skips ? {skipDependencyResolution: true} : {}),
})

const PAUSED = {'crossplane.io/paused': 'true'}

function requested(
  kind: RequestKind,
  name: string,
  repository: string,
  skips: boolean,
  more?: JsonObject,
  annotations: Readonly<Record<string, string>> = {},
) {
  const status = {currentRevision: `${name}-0123456789ab`}
  const metadata = {name, uid: `of-${name}`, annotations}
  return coreRequest(kind, {apiVersion: API, kind, metadata, spec: spec(repository, skips, more), status})
}

/** The state in which a run of this program, or the core, left a revision. */
function revisionOf(
  kind: RequestKind,
  request: string,
  state: string,
  manager = 'crossplane',
  annotations: Readonly<Record<string, string>> = {},
) {
  const name = `${request}-0123456789ab`
  const labels = {'pkg.crossplane.io/package': request}
  const skip = {'f:skipDependencyResolution': {}}
  const ownState = {'f:desiredState': {}}
  const isOurs = manager === RESOLVER
  // A program that changes the state owns it from then on, and the other fields stay with us.
  const managedFields = [
    {
      ...{manager: RESOLVER, operation: 'Apply'},
      fieldsV1: {'f:spec': isOurs ? {...skip, ...ownState} : skip},
    },
    ...(isOurs ? [] : [{manager, operation: 'Update', fieldsV1: {'f:spec': ownState}}]),
  ]
  const metadata = {name, uid: `of-${name}`, labels, managedFields, annotations}
  return coreRevision(kind, {apiVersion: API, kind: `${kind}Revision`, metadata, spec: {desiredState: state}})
}

const WAIT = {action: 'wait', target: 'cluster', reason: 'because'} as const
const ENTRY = {name: 'my-app-0123456789ab', kind: 'Provider', source: APP, dependencies: [{package: DEP}]}
const OTHER = {name: 'my-dep-0123456789ab', kind: 'Provider', source: DEP, dependencies: []}

function coreWith({
  kind = 'Provider' as RequestKind,
  policy = 'Automatic',
  state = 'Active',
  manager = 'crossplane',
  skips = true,
  locked = [{...ENTRY, kind}, OTHER] as readonly JsonObject[],
  paused = undefined as 'request' | 'revision' | undefined,
}): CoreState {
  const annotated = (what: typeof paused) => (paused === what ? PAUSED : {})
  return {
    requests: [
      requested('Provider', 'my-dep', DEP, skips),
      requested(kind, 'my-app', APP, skips, {revisionActivationPolicy: policy}, annotated('request')),
    ],
    revisions: [
      revisionOf('Provider', 'my-dep', 'Active'),
      revisionOf(kind, 'my-app', state, manager, annotated('revision')),
    ],
    lock: coreLock({packages: locked.map(entry => ({...entry}))}),
  }
}

/** An operation as a line. */
function lineOf({action, object, content, precondition, risks = []}: Operation): string {
  const {desiredState} = asObject(
    asObject(content === undefined ? {} : (JSON.parse(content) as JsonObject)).spec,
  )
  const locked =
    precondition !== undefined && 'revision' in precondition
      ? [precondition.revision, precondition.locked]
      : []
  const words = [
    action,
    object?.kind,
    object?.name,
    asText(desiredState),
    ...locked,
    ...risks.map(({rule}) => rule),
  ]
  return words.filter(word => word !== '').join(' ')
}

const STOPPED = 'apply ProviderRevision my-app-0123456789ab Inactive'
const STARTED = 'apply ProviderRevision my-app-0123456789ab Active'
const GONE = 'wait Lock lock Inactive my-app-0123456789ab false'
const HEALTHY = 'wait Provider my-app'

describe('packages that begin to skip the resolver', () => {
  it('leave the Lock before what they require, which Crossplane would request again otherwise', () => {
    const NET = 'h.io/team/net'
    const core = coreWith({})
    const chain: CoreState = {
      requests: [...core.requests, requested('Configuration', 'my-net', NET, true)],
      revisions: [...core.revisions, revisionOf('Configuration', 'my-net', 'Active')],
      lock: coreLock({
        packages: [
          {...ENTRY, dependencies: [{package: DEP}]},
          OTHER,
          {
            ...{name: 'my-net-0123456789ab', kind: 'Configuration', source: NET},
            dependencies: [{package: APP}, {package: DEP}],
          },
        ],
      }),
    }
    const stopped = resolverOperations([], chain, 'off').filter(({action}) => action === 'apply')
    expect(stopped.map(({object}) => object?.name)).toEqual(['my-net-0123456789ab', 'my-app-0123456789ab'])
  })

  it.each([
    {name: 'a Provider that requires another', core: {}, want: [`${STOPPED} xpkg-restart`, GONE, HEALTHY]},
    {
      name: 'a Configuration, which has no Deployment',
      core: {kind: 'Configuration' as const},
      want: [STOPPED, GONE, HEALTHY].map(line => line.replace(/Provider/, 'Configuration')),
    },
    {
      name: 'one that the core does not activate again',
      core: {policy: 'Manual'},
      want: [`${STOPPED} xpkg-restart`, GONE, STARTED, HEALTHY],
    },
    {
      name: 'one that an interrupted run did not activate again',
      core: {policy: 'Manual', state: 'Inactive', manager: RESOLVER, locked: [OTHER]},
      want: [STARTED, HEALTHY],
    },
    {
      name: 'one that Crossplane did not activate again after an interrupted run',
      core: {state: 'Inactive', manager: RESOLVER, locked: [OTHER]},
      want: [STARTED, HEALTHY],
    },
    {
      name: 'one that a user deactivated after an earlier run',
      core: {policy: 'Manual', state: 'Inactive', manager: 'kubectl-patch', locked: [OTHER]},
      want: [],
    },
    {name: 'one that left the Lock before', core: {locked: [OTHER]}, want: []},
    {
      name: 'one whose revision is gone',
      core: {locked: [{...ENTRY, name: 'my-app-ffffffffffff'}]},
      want: [],
    },
  ])('take out of the Lock: $name', ({core, want}) => {
    expect(resolverOperations([], coreWith(core), 'off').map(lineOf)).toEqual(want)
  })

  it('name each one whose image gets a digest, and the dependent once', () => {
    const operations = ['ImageConfig', 'Provider'].flatMap(kind =>
      [DEP, APP].map(repository => {
        const object = {apiVersion: API, kind, name: repository.replace(/.*\//, 'my-')}
        return {...WAIT, action: 'apply' as const, object, content: `{"prefix": "${repository}:v1.0.0"}`}
      }),
    )
    const requests = coreWith({}).requests.map(one => ({...one, resolved: `${one.repository}@${DIGEST}`}))
    const restarting = [coreWith({}), {...coreWith({}), requests}].map(core =>
      resolverOperations(operations, core, 'off').flatMap(({risks = []}) => risks.map(one => one.message)),
    )
    const deleted = 'provider/my-app restarts: Crossplane deletes its Deployment and creates it again'
    const updated = expect.stringContaining('my-dep restarts: its Deployment gets the image by digest')
    expect(restarting).toEqual([[updated, deleted], [deleted]])
  })

  it('are activated before all waits, where an interrupted run did not', () => {
    const wait = {...WAIT, object: {apiVersion: API, kind: 'Provider', name: 'my-app'}}
    const left = {
      policy: 'Manual',
      state: 'Inactive',
      manager: RESOLVER,
      locked: [OTHER],
    }
    const lines = resolverOperations([wait], coreWith(left), 'off').map(lineOf)
    expect(lines).toEqual([STARTED, HEALTHY, HEALTHY])
  })

  it('keep the content that is installed', () => {
    const object = (kind: string, name: string, repository: string) => ({
      ...{apiVersion: API, kind, metadata: {name}},
      spec: spec(repository, true),
    })
    const dep = object('Provider', 'my-dep', DEP)
    const rules = (one: typeof dep, digest: string, core = coreWith({})) =>
      resolverRejections([one], [{repository: DEP, digest}], core, 'off').map(({rule}) => rule)
    expect(rules(dep, DIGEST)).toEqual([])
    expect(rules(dep, DIGEST.replace('0123', 'ffff'))).toEqual(['xpkg-resolver-version'])
    expect(rules({...dep, metadata: {name: 'team-dep'}}, DIGEST)).toEqual(['xpkg-other-name'])
    expect(rules({...dep, spec: {...dep.spec, package: `${DEP}:v2.0.0`}}, DIGEST)).toEqual([
      'xpkg-resolver-version',
    ])
    expect(rules(object('Provider', 'other', 'h.io/team/other'), DIGEST)).toEqual(['xpkg-resolver-version'])
    const byDigest = coreWith({})
    const requests = byDigest.requests.map(one =>
      one.repository === DEP ? {...one, reference: `${DEP}@${DIGEST}`, digest: DIGEST} : one,
    )
    expect(rules(dep, DIGEST, {...byDigest, requests})).toEqual([])
    const twice = coreWith({locked: [ENTRY, OTHER, {...OTHER, name: 'team-dep-0123456789ab'}]})
    expect(rules(dep, DIGEST, twice)).toEqual(['core-lock'])
  })

  it.each([
    {
      name: 'a paused request',
      core: {paused: 'request' as const},
      text: 'provider/my-app is paused',
      want: 'kubectl annotate provider.pkg.crossplane.io/my-app crossplane.io/paused-',
    },
    {
      name: 'a paused request that does not skip yet, and requires nothing',
      core: {paused: 'request' as const, skips: false, locked: [OTHER]},
      text: 'provider/my-app is paused',
      want: 'kubectl annotate provider.pkg.crossplane.io/my-app crossplane.io/paused-',
    },
    {
      name: 'a paused revision',
      core: {paused: 'revision' as const},
      text: 'providerrevision/my-app-0123456789ab is paused',
      want: 'kubectl annotate providerrevision.pkg.crossplane.io/my-app-0123456789ab crossplane.io/paused-',
    },
    {
      name: 'a paused request whose revision an interrupted run left inactive',
      core: {paused: 'request' as const, state: 'Inactive', manager: RESOLVER, locked: [OTHER]},
      text: 'provider/my-app is paused',
      want: 'kubectl annotate provider.pkg.crossplane.io/my-app crossplane.io/paused-',
    },
    {
      name: 'an entry whose revision is gone',
      core: {locked: [{...ENTRY, name: 'my-app-ffffffffffff'}]},
      text: `my-app-ffffffffffff, which does not exist any more, and which requires ${DEP}`,
      want: 'Remove this entry of the Lock: kubectl edit locks.pkg.crossplane.io lock',
    },
  ])('are not deactivated beside $name', ({core, text, want}) => {
    expect(resolverRejections([], [], coreWith(core), 'off')).toMatchObject([
      {severity: 'error', message: expect.stringContaining(text), suggestions: [want]},
    ])
  })

  it('name an entry of the Lock that nothing requests any more', () => {
    const core = coreWith({})
    const requests = core.requests.filter(({repository}) => repository === DEP)
    expect(resolverRejections([], [], {...core, requests}, 'off')).toMatchObject([
      {
        message: expect.stringContaining('my-app-0123456789ab, which nothing requests any more'),
        suggestions: [
          `kubectl patch providerrevision.pkg.crossplane.io/my-app-0123456789ab --type merge --patch '{"spec":{"desiredState":"Inactive"}}'`,
        ],
      },
    ])
    expect(resolverRejections([], [], {...core, requests}, 'on')).toEqual([])
  })

  it('do not wait for paused ones that changed before', () => {
    const done = coreWith({paused: 'request', locked: [OTHER]})
    expect(resolverRejections([], [], done, 'off')).toEqual([])
    for (const paused of ['request', 'revision'] as const) {
      const core = coreWith({paused, locked: [OTHER]})
      expect(resolverRejections([], [], core, 'on')).toMatchObject([{rule: 'xpkg-paused'}])
    }
  })
})

describe('packages that are left to the resolver again', () => {
  it('are requested by tag, if others require them by version', () => {
    const core = (reference: string, constraint: string): CoreState => {
      const {lock} = coreWith({
        locked: [{...ENTRY, dependencies: [{package: DEP, constraints: constraint}]}],
      })
      const dep = requested('Provider', 'my-dep', DEP, true, {package: reference})
      return {...coreWith({}), requests: [dep], lock}
    }
    const expected = (reference: string, constraint: string) => () => {
      expectTags(core(reference, constraint))
    }
    expect(expected(`${DEP}@${DIGEST}`, '>=v1.0.0')).toThrow(`others require ${DEP} by version`)
    expect(expected(`${DEP}@${DIGEST}`, DIGEST)).not.toThrow()
    expect(expected(`${DEP}:v1.0.0`, '>=v1.0.0')).not.toThrow()
  })

  const set: readonly XpkgSetObject[] = [
    {
      stage: 0,
      object: {apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'ImageConfig', metadata: {name: 'pin'}},
    },
    {stage: 1, object: {apiVersion: 'v1', kind: 'ManagedResourceActivationPolicy', metadata: {name: 'all'}}},
    {
      stage: 1,
      object: {apiVersion: API, kind: 'Provider', metadata: {name: 'my-dep'}, spec: spec(DEP, false)},
    },
    {
      stage: 1,
      object: {apiVersion: API, kind: 'Provider', metadata: {name: 'my-app'}, spec: spec(APP, false)},
    },
  ]

  it('are requested one after the other, and nothing else', () => {
    const objects = resolverObjects(set, coreWith({}), 'on')
    expect(objects.map(({stage, object}) => `${object.kind} ${object.metadata.name} ${stage}`)).toEqual([
      'ImageConfig pin 0',
      'Provider my-dep 2',
      'Provider my-app 3',
    ])
    expect(asObject(objects[1]?.object.spec).skipDependencyResolution).toBe(false)
    expect(resolverObjects(set, coreWith({}), 'off')).toHaveLength(3)
  })

  it('are awaited in the Lock, also those of an interrupted run', () => {
    const wait = {action: 'wait', target: 'cluster', reason: 'because'} as const
    const operations = ['my-dep', 'my-app'].map(name => ({
      ...wait,
      object: {apiVersion: API, kind: 'Provider', name},
    }))
    const [dep, app] = ['my-dep', 'my-app'].map(name => `wait Lock lock ${name}-0123456789ab true`)
    const lines = (core: CoreState, all = operations) => resolverOperations(all, core, 'on').map(lineOf)
    expect(lines(coreWith({locked: []}))).toEqual(['wait Provider my-dep', dep, 'wait Provider my-app', app])
    expect(lines(coreWith({skips: false, locked: [OTHER]}), [])).toEqual([app])
  })
})

describe('a package in the Lock that requires one which skips the resolver', () => {
  const OFF = 'kubectl crossplane package upgrade --resolver=off'
  const unskipped = (core: CoreState): CoreState => {
    const [dep] = core.requests
    return {...core, requests: [...(dep ? [dep] : []), requested('Provider', 'my-app', APP, false)]}
  }

  it.each([
    {
      name: 'uses the resolver',
      core: unskipped(coreWith({})),
      text: 'uses the resolver of Crossplane, which requests it a second time',
      want: [`${OFF} --adopt --force-conflicts`],
    },
    {
      name: 'is still there',
      core: coreWith({}),
      text: 'is still in the Lock of Crossplane, which requests it a second time if its version changes',
      want: [OFF],
    },
    {name: 'is gone', core: coreWith({locked: [OTHER]}), text: undefined, want: undefined},
  ])('is named if it $name', ({core, text, want}) => {
    const [warning] = resolverWarnings(core)
    expect(warning?.message).toEqual(
      text && `provider/my-app requires ${DEP}, which skips the resolver, and ${text}`,
    )
    expect(warning?.suggestions).toEqual(want)
  })

  it('is named if its revision is gone', () => {
    const [warning, ...others] = resolverWarnings(coreWith({locked: [{...ENTRY, name: 'my-app-gone'}]}))
    expect(others).toEqual([])
    expect(warning).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining(
        'the Lock of Crossplane has my-app-gone, which does not exist any more',
      ),
      suggestions: ['Remove this entry of the Lock: kubectl edit locks.pkg.crossplane.io lock'],
    })
  })

  it('leaves the Lock before the second request is deleted', () => {
    const core = unskipped(coreWith({}))
    const copy = {...requested('Provider', 'team-dep', DEP, false), isByCore: true}
    const [warning] = resolverWarnings({...core, requests: [...core.requests, copy]})
    const patch = (name: string, field: string) =>
      `kubectl patch ${name} --type merge --patch '{"spec":{${field}}}'`
    expect(warning?.suggestions).toEqual([
      patch('provider.pkg.crossplane.io/my-app', '"skipDependencyResolution":true'),
      patch('providerrevision.pkg.crossplane.io/my-app-0123456789ab', '"desiredState":"Inactive"'),
      'kubectl delete provider.pkg.crossplane.io/team-dep',
    ])
  })
})
