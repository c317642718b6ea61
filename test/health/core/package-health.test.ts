import {describe, expect, it} from '@jest/globals'
import {packageHealth} from '../../../src/health/core/package-health.js'
import type {RequestKind} from '../../../src/plan/cluster/state/core-state.js'
import {coreLock, coreRequest} from '../../../src/plan/cluster/core/read-core-object.js'
import {REQUIRES} from '../../../src/plan/cluster/core/recorded-requires.js'
import {REQUESTED_AS} from '../../../src/plan/cluster/core/requested-as.js'

const HOST = 'registry.example.org/x'

interface Made {
  readonly kind?: RequestKind
  readonly tag?: string
  readonly as?: string
  readonly manager?: string
  readonly status?: Readonly<Record<string, string>>
  readonly message?: string
}

function request(name: string, made: Made = {}) {
  const {kind = 'Provider', tag = 'v1.0.0', as, manager = 'kubectl', message = '', status} = made
  const reference = `${HOST}/${name.replace('other-', '')}:${tag}`
  const conditions = Object.entries(status ?? {Installed: 'True', Healthy: 'True'})
  return coreRequest(kind, {
    apiVersion: 'pkg.crossplane.io/v1',
    kind,
    metadata: {
      name,
      ...(as === undefined ? {} : {annotations: {[REQUESTED_AS]: as}}),
      managedFields: [{manager, operation: manager === 'crossplane-packages' ? 'Apply' : 'Update'}],
    },
    spec: {package: reference},
    status: {
      currentIdentifier: reference,
      conditions: conditions.map(([type, value]) => ({type, status: value, message})),
    },
  })
}

function entry(name: string, requires: Readonly<Record<string, string>> = {}) {
  const dependencies = Object.entries(requires).map(([to, constraints]) => ({
    package: `${HOST}/${to}`,
    type: 'Provider',
    constraints,
  }))
  return {name: `${name}-1`, source: `${HOST}/${name}`, type: 'Provider', version: 'v1.0.0', dependencies}
}

function judged(
  requests: readonly ReturnType<typeof request>[],
  entries: readonly ReturnType<typeof entry>[],
) {
  const lock = coreLock({packages: [...entries]})
  return packageHealth({requests, revisions: [], lock}).map(one => ({
    name: one.request.name,
    state: one.readiness.state,
    waits: one.waits.map(({repository, constraint}) => `${repository} ${constraint}`),
    duplicates: one.duplicates.map(({name}) => name),
    requiredBy: one.requiredBy,
    isUnused: one.isUnused,
  }))
}

const FINE = {state: 'healthy', waits: [], duplicates: [], requiredBy: [], isUnused: false}

describe('the health of packages', () => {
  it('names what a package waits for, missing or not healthy', () => {
    const starting = request('base', {status: {Installed: 'True', Healthy: 'Unknown'}})
    const app = entry('app', {base: '>=v1.0.0', gone: 'v2.0.0'})
    expect(judged([request('app'), starting], [app, entry('base')])).toEqual([
      {...FINE, name: 'app', waits: [`${HOST}/base >=v1.0.0`, `${HOST}/gone v2.0.0`]},
      {...FINE, name: 'base', state: 'starting', requiredBy: [`${HOST}/app`]},
    ])
  })

  it('names other requests for a repository', () => {
    expect(judged([request('base'), request('other-base')], [entry('base')])).toEqual([
      {...FINE, name: 'base', duplicates: ['other-base']},
      {...FINE, name: 'other-base', duplicates: ['base']},
    ])
  })

  it.each<[string, Made, boolean]>([
    ['a dependency that this program installed', {manager: 'crossplane-packages'}, true],
    ['a dependency that Crossplane requested', {manager: 'crossplane'}, true],
    ['a package that a user requested', {manager: 'crossplane-packages', as: ''}, false],
    ['a request of another program', {manager: 'kubectl'}, false],
  ])('judges whether %s is unused', (_what, made, isUnused) => {
    expect(judged([request('base', made)], [entry('base')])).toEqual([{...FINE, name: 'base', isUnused}])
  })

  it('knows from requests what requires which, where Crossplane does not resolve it', () => {
    const skipping = (name: string, requires?: readonly string[]) => {
      const {object} = request(name, {manager: 'crossplane-packages'})
      const text = JSON.stringify({package: `${HOST}/${name}:v1.0.0`, requires})
      const annotations: Readonly<Record<string, string>> = requires === undefined ? {} : {[REQUIRES]: text}
      return coreRequest('Provider', {
        ...object,
        metadata: {...object.metadata, annotations},
        spec: {package: `${HOST}/${name}:v1.0.0`, skipDependencyResolution: true},
      })
    }
    const requiring = skipping('app', [`${HOST}/base v1`])
    expect(judged([requiring, skipping('base', [])], [])).toEqual([
      {...FINE, name: 'app', isUnused: true},
      {...FINE, name: 'base', requiredBy: [`${HOST}/app`]},
    ])
    expect(judged([skipping('app'), skipping('base', [])], [])).toEqual([
      {...FINE, name: 'app', isUnused: true},
      {...FINE, name: 'base'},
    ])
  })

  it.each<[string, Made, string]>([
    [
      'a condition',
      {status: {Installed: 'False'}, message: 'no such tag'},
      'it is not installed: no such tag',
    ],
    ['another condition', {status: {Installed: 'True', Healthy: 'False'}}, 'it is not healthy'],
  ])('reports %s of a broken package', (_what, made, reason) => {
    const [one] = packageHealth({requests: [request('a', made)], revisions: [], lock: coreLock(undefined)})
    expect(one?.readiness).toEqual({state: 'broken', reason})
  })

  it('does not trust conditions of an earlier package', () => {
    const {object, ...changed} = request('a')
    const after = {...object, spec: {package: `${HOST}/a:v2.0.0`}}
    const requests = [{...changed, object: after}]
    const [one] = packageHealth({requests, revisions: [], lock: coreLock(undefined)})
    expect(one?.readiness).toEqual({state: 'starting', reason: 'Crossplane has not read it yet'})
  })
})
