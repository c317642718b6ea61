import {describe, expect, it} from '@jest/globals'
import type {CoreRequest, CoreState} from '../../../../src/plan/cluster/core/core-state.js'
import {importedPackages, importedPin} from '../../../../src/plan/cluster/core/imported-packages.js'
import {coreLock, coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

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

function state(requests: readonly CoreRequest[], requires: readonly string[] = []): CoreState {
  const dependencies = requires.map(repository => ({package: repository, type: 'Provider', constraints: '*'}))
  const entry = {type: 'Provider', name: 'r', source: `${HOST}/x/r`, version: 'v1.0.0', dependencies}
  return {requests, revisions: [], lock: coreLock({packages: [entry]})}
}

const PLAIN = {imagePullSecrets: [], serviceAccountAnnotations: {}}

describe('the packages of a cluster', () => {
  it.each([
    {
      name: 'a tag',
      in: state([request('x-a', `${HOST}/x/a:v1.0.0`)]),
      entries: [{package: `${HOST}/x/a:v1.0.0`, parameters: PLAIN}],
      versions: [['v1.0.0', undefined]],
      rules: [],
    },
    {
      name: 'a tag with a digest of an ImageConfig, on a registry with a port',
      in: state([request('x-a', `${HOST}:5000/x/a:v1.0.0`, {}, {resolvedPackage: `${HOST}/x/a@${DIGEST}`})]),
      entries: [{package: `${HOST}:5000/x/a:v1.0.0`, parameters: PLAIN}],
      versions: [['v1.0.0', DIGEST]],
      rules: [],
    },
    {
      name: 'a digest',
      in: state([request('x-a', `${HOST}/x/a@${DIGEST}`)]),
      entries: [{package: `${HOST}/x/a@${DIGEST}`, parameters: PLAIN}],
      versions: [[DIGEST, undefined]],
      rules: [],
    },
    {
      name: 'a required package only in the lock',
      in: state([request('x-a', `${HOST}/x/a:v1.0.0`)], [`${HOST}/x/a`]),
      entries: [],
      versions: [['v1.0.0', undefined]],
      rules: [],
    },
    {
      name: 'a required package with a pull secret also as an entry',
      in: state([request('x-a', `${HOST}/x/a:v1.0.0`, {packagePullSecrets: [{name: 's'}]})], [`${HOST}/x/a`]),
      entries: [{package: `${HOST}/x/a:v1.0.0`, parameters: {...PLAIN, imagePullSecrets: ['s']}}],
      versions: [['v1.0.0', undefined]],
      rules: [],
    },
    {
      name: 'another name, and a runtime of its own',
      in: state([request('mine', `${HOST}/x/a:v1.0.0`, {runtimeConfigRef: {name: 'large'}})]),
      entries: [{package: `${HOST}/x/a:v1.0.0`, parameters: PLAIN}],
      versions: [['v1.0.0', undefined]],
      rules: ['import-name', 'import-setting'],
    },
  ])('has $name', ({in: cluster, entries, versions, rules}) => {
    const imported = importedPackages(cluster)
    expect(imported.entries).toEqual(entries)
    expect(imported.packages.map(({version, digest}) => [version, digest])).toEqual(versions)
    expect(imported.findings.map(({rule}) => rule)).toEqual(rules)
  })

  it('is pinned in one way, or mixed', () => {
    const tag = request('x-a', `${HOST}/x/a:v1.0.0`)
    const digest = request('x-b', `${HOST}/x/b@${DIGEST}`, {skipDependencyResolution: true})
    const config = request('x-c', `${HOST}/x/c:v1.0.0`, {}, {resolvedPackage: `${HOST}/x/c@${DIGEST}`})
    const pins = [[tag], [digest], [config], [tag, digest]].map(requests => importedPin({requests}))
    expect(pins).toEqual(['tag', 'digest', 'config', 'mixed'])
  })
})
