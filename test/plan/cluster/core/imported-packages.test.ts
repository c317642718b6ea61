import {describe, expect, it} from '@jest/globals'
import type {CoreRequest} from '../../../../src/plan/cluster/state/core-state.js'
import {
  importedEntries,
  importedPackages,
  unheldFindings,
} from '../../../../src/plan/cluster/core/imported-packages.js'
import {
  importedPins,
  needsNoResolver,
  requestPin,
} from '../../../../src/plan/cluster/core/imported-choices.js'
import {ARGOCD_DEFAULTS, FLUX_DEFAULTS} from '../../../../src/declaration/layout-settings.js'
import {ARGOCD_OPTIONS, ARGOCD_WAVE, FLUX_PRUNE} from '../../../../src/kubernetes/controller-annotations.js'
import {nameOf, objectKey} from '../../../../src/kubernetes/object-key.js'
import {coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'
import {findHandOver} from '../../../../src/plan/git/hand-over.js'
import {layOutXpkgs} from '../../../../src/plan/layout/xpkg/lay-out-xpkgs.js'
import {present} from '../../../../src/present.js'
import {asObject, type JsonObject} from '../../../../src/yaml/json-value.js'
import {readYaml} from '../../../../src/yaml/read-yaml.js'
import {writeYaml} from '../../../../src/yaml/write-yaml.js'

const DIGEST = `sha256:${'a'.repeat(64)}`
const HOST = 'r.example.org'

function request(
  name: string,
  reference: string,
  spec: JsonObject = {},
  status: JsonObject = {},
): CoreRequest {
  return coreRequest('Provider', {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name},
    spec: {package: reference, packagePullPolicy: 'IfNotPresent', revisionHistoryLimit: 1, ...spec},
    status,
  })
}

/** A request for `a` with annotations. */
function annotated(annotations: Readonly<Record<string, string>>): CoreRequest {
  const metadata = {name: 'x-a', annotations}
  const spec = {package: `${HOST}/x/a:v1.0.0`}
  return coreRequest('Provider', {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata, spec})
}

/** What a layout writes on a request. */
function rendered(name: 'flux' | 'argocd', stage: number): Readonly<Record<string, string>> {
  const settings =
    name === 'flux' ? FLUX_DEFAULTS : {...ARGOCD_DEFAULTS, repoURL: 'https://git.example.org/a'}
  const {object} = request('x-a', `${HOST}/x/a:v1.0.0`)
  const layout = {name, settings} as Parameters<typeof layOutXpkgs>[1]['layout']
  const set = {objects: [{stage, object}], warnings: []}
  const files = layOutXpkgs(set, {layout, path: 'packages', xpkgFolder: 'xpkgs'}, one => writeYaml([one]))
  return files.find(file => file.object?.kind === 'Provider')?.object?.metadata.annotations ?? {}
}

/** The annotations of the file of a request, which Flux and Argo CD apply, after the first step of a hand-over. */
function handedOver({object}: CoreRequest): Readonly<Record<string, string>> {
  const live = {
    ...object,
    metadata: {
      name: 'x-a',
      labels: {'kustomize.toolkit.fluxcd.io/name': 'apps'},
      annotations: {'argocd.argoproj.io/tracking-id': 'apps'},
    },
  }
  const files = [{path: 'a.yaml', bytes: Buffer.from(writeYaml([{...object}]))}]
  const found = findHandOver({files, unread: []}, [object], new Map([[objectKey(nameOf(object)), live]]))
  const [document] = readYaml(Buffer.from(found.files[0]?.protected ?? ''), 'a.yaml')
  return asObject(asObject(asObject(document?.value).metadata).annotations) as Readonly<
    Record<string, string>
  >
}

/** A request that a user made with this program, as a text. */
function requestedBy(user: string, name: string, reference: string): CoreRequest {
  const metadata = {
    name,
    annotations: {'kubectl-crossplane/requested-as': user},
    managedFields: [{manager: 'crossplane-packages', operation: 'Apply'}],
  }
  const spec = {package: reference}
  return coreRequest('Provider', {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata, spec})
}

/** What a package requires, and its tag. */
function content(name: string, requires: readonly string[] = [], tag?: string) {
  return {
    repository: `${HOST}/x/${name}`,
    requires: Object.fromEntries(requires.map(one => [`${HOST}/x/${one}`, ['>=v1.0.0']])),
    ...present({tag}),
  }
}

const PLAIN = {imagePullSecrets: [], serviceAccountAnnotations: {}}

describe('the packages of a cluster', () => {
  it.each([
    {
      name: 'a tag',
      in: [request('x-a', `${HOST}/x/a:v1.0.0`)],
      versions: [['v1.0.0', undefined]],
      rules: [],
    },
    {
      name: 'a tag with a digest of an ImageConfig, on a registry with a port',
      in: [request('x-a', `${HOST}:5000/x/a:v1.0.0`, {}, {resolvedPackage: `${HOST}/x/a@${DIGEST}`})],
      versions: [['v1.0.0', DIGEST]],
      rules: [],
    },
    {
      name: 'a digest',
      in: [request('x-a', `${HOST}/x/a@${DIGEST}`)],
      versions: [[DIGEST, undefined]],
      rules: [],
    },
    {
      name: 'another name, and a runtime of its own',
      in: [request('mine', `${HOST}/x/a:v1.0.0`, {runtimeConfigRef: {name: 'large'}})],
      versions: [['v1.0.0', undefined]],
      rules: [],
    },
    {
      name: 'labels for everything that is made of it',
      in: [request('x-a', `${HOST}/x/a:v1.0.0`, {commonLabels: {a: 'b'}})],
      versions: [['v1.0.0', undefined]],
      rules: ['import-setting'],
    },
    {
      name: 'an annotation of its own, and those of programs',
      in: [
        annotated({
          'example.org/owner': 'b',
          'kustomize.toolkit.fluxcd.io/checksum': 'a',
          'crossplane.io/paused': 'true',
        }),
      ],
      versions: [['v1.0.0', undefined]],
      rules: ['import-setting'],
    },
    ...[
      'helm.sh/resource-policy',
      'argocd.argoproj.io/sync-options',
      'argocd.argoproj.io/compare-options',
      'kustomize.toolkit.fluxcd.io/prune',
      'kustomize.toolkit.fluxcd.io/reconcile',
      'helm.toolkit.fluxcd.io/driftDetection',
    ].map(key => ({
      name: `what a user tells a program: ${key}`,
      in: [annotated({[key]: 'keep'})],
      versions: [['v1.0.0', undefined]],
      rules: ['import-setting'],
    })),
    {
      name: 'what programs record',
      in: [
        annotated({
          'meta.helm.sh/release-name': 'platform',
          'helm.sh/chart': 'platform-1.0.0',
          'kustomize.toolkit.fluxcd.io/checksum': 'a',
          'reconcile.fluxcd.io/requestedAt': 'now',
          'argocd.argoproj.io/tracking-id': 'a:b/c:d/e',
        }),
      ],
      versions: [['v1.0.0', undefined]],
      rules: [],
    },
    {
      name: 'annotations of programs',
      in: [
        annotated({'kubectl.kubernetes.io/last-applied-configuration': '{}', 'crossplane.io/paused': 'true'}),
      ],
      versions: [['v1.0.0', undefined]],
      rules: [],
    },
  ])('has $name', ({in: cluster, versions, rules}) => {
    const imported = importedPackages({requests: cluster}, [])
    expect(imported.map(({version, digest}) => [version, digest])).toEqual(versions)
    const findings = cluster.flatMap(unheldFindings)
    expect(findings.map(({rule}) => rule)).toEqual(rules)
  })

  it.each([
    {by: 'the layout for Flux', annotations: rendered('flux', 1), count: 1},
    {by: 'the layout for Argo CD', annotations: rendered('argocd', 12), count: 3},
    {
      by: 'the first step of a hand-over',
      annotations: handedOver(request('x-a', `${HOST}/x/a:v1.0.0`)),
      count: 2,
    },
    {by: 'a user in another order', annotations: {[ARGOCD_OPTIONS]: 'Delete=false, Prune=false'}, count: 1},
  ])('holds what is written by $by', ({annotations, count}) => {
    expect(Object.keys(annotations)).toHaveLength(count)
    expect(unheldFindings(annotated(annotations))).toEqual([])
  })

  it.each([
    {key: FLUX_PRUNE, annotations: {[FLUX_PRUNE]: 'enabled'}},
    {key: ARGOCD_WAVE, annotations: {[ARGOCD_WAVE]: '-5'}},
    {
      key: 'argocd.argoproj.io/compare-options',
      annotations: {'argocd.argoproj.io/compare-options': 'IgnoreExtraneous,ServerSideDiff=true'},
    },
    {key: ARGOCD_OPTIONS, annotations: handedOver(annotated({[ARGOCD_OPTIONS]: 'ServerSideApply=true'}))},
  ])('does not hold what a user says by $key', ({key, annotations}) => {
    expect(unheldFindings(annotated(annotations))).toMatchObject([
      {message: `provider/x-a has the annotation ${key}, which a declaration does not hold`},
    ])
  })

  it.each([
    {
      name: 'what no other one requires',
      requests: [request('x-a', `${HOST}/x/a:v1.0.0`), request('x-b', `${HOST}/x/b:v1.0.0`)],
      contents: [content('a', ['b']), content('b')],
      want: [{package: `${HOST}/x/a:v1.0.0`, parameters: PLAIN}],
    },
    {
      name: 'what is paused',
      requests: [annotated({'crossplane.io/paused': 'true'})],
      contents: [content('a')],
      want: [{package: `${HOST}/x/a:v1.0.0`, parameters: {...PLAIN, paused: true}}],
    },
    {
      name: 'what is required and has a pull secret',
      requests: [
        request('x-a', `${HOST}/x/a:v1.0.0`),
        request('x-b', `${HOST}/x/b:v1.0.0`, {packagePullSecrets: [{name: 's'}]}),
      ],
      contents: [content('a', ['b']), content('b')],
      want: [
        {package: `${HOST}/x/a:v1.0.0`, parameters: PLAIN},
        {package: `${HOST}/x/b:v1.0.0`, parameters: {...PLAIN, imagePullSecrets: ['s']}},
      ],
    },
    {
      name: 'what is required and has settings that are not the default',
      requests: [
        request('x-a', `${HOST}/x/a:v1.0.0`),
        request('x-b', `${HOST}/x/b:v1.0.0`, {
          revisionActivationPolicy: 'Manual',
          revisionHistoryLimit: 3,
          runtimeConfigRef: {name: 'large'},
        }),
        request('x-c', `${HOST}/x/c:v1.0.0`, {
          revisionActivationPolicy: 'Automatic',
          revisionHistoryLimit: 1,
          runtimeConfigRef: {name: 'default'},
        }),
      ],
      contents: [content('a', ['b', 'c']), content('b'), content('c')],
      want: [
        {package: `${HOST}/x/a:v1.0.0`, parameters: PLAIN},
        {
          package: `${HOST}/x/b:v1.0.0`,
          parameters: {
            ...PLAIN,
            revisionActivationPolicy: 'Manual',
            revisionHistoryLimit: 3,
            runtimeConfig: 'large',
          },
        },
      ],
    },
    {
      name: 'what is required and a user requested, by its tag where that is known',
      requests: [
        request('x-a', `${HOST}/x/a@${DIGEST}`),
        requestedBy('v1.0.0', 'x-b', `${HOST}/x/b@${DIGEST}`),
      ],
      contents: [content('a', ['b']), content('b', [], 'v1.0.0')],
      want: [
        {package: `${HOST}/x/a@${DIGEST}`, parameters: PLAIN},
        {package: `${HOST}/x/b:v1.0.0@${DIGEST}`, parameters: PLAIN},
      ],
    },
    {
      name: 'what was requested: the newest, a tag, a constraint, but none that does not hold',
      requests: [
        requestedBy('', 'x-a', `${HOST}/x/a:v1.0.0`),
        requestedBy('v1.0.0', 'x-b', `${HOST}/x/b:v1.0.0`),
        requestedBy('>=v0.9.0', 'x-c', `${HOST}/x/c:v1.0.0`),
        requestedBy('>=v2.0.0', 'x-d', `${HOST}/x/d:v1.0.0`),
        requestedBy('none at all', 'x-e', `${HOST}/x/e:v1.0.0`),
      ],
      contents: ['a', 'b', 'c', 'd', 'e'].map(name => content(name)),
      want: [
        {package: `${HOST}/x/a`, parameters: PLAIN},
        {package: `${HOST}/x/b:v1.0.0`, parameters: PLAIN},
        {package: `${HOST}/x/c`, version: '>=v0.9.0', parameters: PLAIN},
        {package: `${HOST}/x/d:v1.0.0`, parameters: PLAIN},
        {package: `${HOST}/x/e:v1.0.0`, parameters: PLAIN},
      ],
    },
    {
      name: 'one of those that require each other, and what requires itself',
      requests: ['a', 'b', 'c'].map(name => request(`x-${name}`, `${HOST}/x/${name}:v1.0.0`)),
      contents: [content('a', ['b']), content('b', ['a']), content('c', ['c'])],
      want: [
        {package: `${HOST}/x/a:v1.0.0`, parameters: PLAIN},
        {package: `${HOST}/x/c:v1.0.0`, parameters: PLAIN},
      ],
    },
  ])('has as entries $name', ({requests, contents, want}) => {
    const packages = importedPackages({requests}, [])
    expect(importedEntries(packages, contents, 'v2.3.4', new Map())).toEqual(want)
  })

  it('is pinned as most of its packages are', () => {
    const tag = request('x-a', `${HOST}/x/a:v1.0.0`)
    const digest = request('x-b', `${HOST}/x/b@${DIGEST}`, {skipDependencyResolution: true})
    const config = request('x-c', `${HOST}/x/c:v1.0.0`, {}, {resolvedPackage: `${HOST}/x/c@${DIGEST}`})
    const resolved = request('x-d', `${HOST}/x/d@${DIGEST}`)
    expect([tag, digest, config, resolved].map(requestPin)).toEqual(['tag', 'digest', 'config', undefined])
    const choices = {isUnresolved: false}
    const pins = [[tag], [digest, resolved], [digest, digest, tag, config], [resolved]].map(
      requests => importedPins(requests, choices).pin,
    )
    expect(pins).toEqual(['tag', 'digest', 'digest', 'config'])
    const mixed = importedPins([digest, digest, tag, resolved], choices)
    expect([...mixed.own]).toEqual([
      [tag, 'tag'],
      [resolved, 'tag'],
    ])
    expect(importedPins([tag, digest, config], {isUnresolved: true})).toEqual({
      pin: 'config',
      own: new Map([[digest, 'digest']]),
    })
  })

  it('has entries for names and pins of what is required', () => {
    const requests = [
      request('x-a', `${HOST}/x/a:v1.0.0`),
      request('mine', `${HOST}/x/b:v1.0.0`),
      request('x-c', `${HOST}/x/c:v1.0.0`),
    ]
    const packages = importedPackages({requests}, [])
    const contents = [content('a', ['b', 'c']), content('b'), content('c')]
    const entries = importedEntries(packages, contents, 'v2.3.4', new Map([[requests[2]!, 'tag']]))
    expect(entries).toEqual([
      {package: `${HOST}/x/b:v1.0.0`, name: 'mine', parameters: PLAIN},
      {package: `${HOST}/x/a:v1.0.0`, parameters: PLAIN},
      {package: `${HOST}/x/c:v1.0.0`, pin: 'tag', parameters: PLAIN},
    ])
  })

  const skips = {skipDependencyResolution: true}
  it.each([
    {name: 'everyday names that nothing requires', of: ['x-a', 'mine'], requires: [], want: false},
    {name: 'derived names', of: ['mine', 'x-b'], requires: ['b'], want: false},
    {name: 'an everyday name that is required', of: ['x-a', 'mine'], requires: ['b'], want: true},
    {name: 'one that skips and is required', of: ['x-a', 'x-b'], second: skips, requires: ['b'], want: true},
    {
      name: 'all skip, by tag',
      of: ['x-a', 'mine'],
      first: skips,
      second: skips,
      requires: ['b'],
      want: true,
    },
  ])('needs no resolver: $name', ({of: [one, other], first = {}, second = {}, requires, want}) => {
    const requests = [
      request(one!, `${HOST}/x/a:v1.0.0`, first),
      request(other!, `${HOST}/x/b:v1.0.0`, second),
    ]
    const packages = importedPackages({requests}, [])
    expect(needsNoResolver(packages, [content('a', requires), content('b')])).toBe(want)
  })
})
