import {describe, expect, it} from '@jest/globals'
import {desiredPackages} from '../../../../src/plan/cluster/core/desired-set.js'
import {coreLock, coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'
import {REQUIRES, requirementsOf} from '../../../../src/plan/cluster/core/recorded-requires.js'

const HOST = 'h.io'
const NO_LOCK = coreLock(undefined)
const DIGEST = `sha256:${'a'.repeat(64)}`

function rendered(skips: boolean) {
  const spec = {package: `${HOST}/app@${DIGEST}`, ...(skips ? {skipDependencyResolution: true} : {})}
  return {apiVersion: 'pkg.crossplane.io/v1', kind: 'Configuration', metadata: {name: 'app'}, spec}
}

/** The annotation that an install gives to the request for app. */
function recordedFor(requires: readonly string[], skips = true): string | undefined {
  const dependencies = requires.map(text => {
    const [name = '', version = ''] = text.split(/ (.*)/)
    return {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', package: name, version}
  })
  const packages = [{repository: `${HOST}/app`, dependencies}]
  const {objects} = desiredPackages(
    [{stage: 1, object: rendered(skips)}],
    {requests: [], lock: NO_LOCK},
    {roots: new Map(), configured: new Set(), packages},
  )
  return objects[0]?.object.metadata.annotations?.[REQUIRES]
}

function requestWith(annotation: string | undefined, manager = 'crossplane-packages') {
  const object = rendered(true)
  const annotations: Readonly<Record<string, string>> =
    annotation === undefined ? {} : {[REQUIRES]: annotation}
  const managedFields = [{manager, operation: 'Apply'}]
  return coreRequest('Configuration', {...object, metadata: {name: 'app', annotations, managedFields}})
}

describe('what requests record of the packages that they are for', () => {
  it('is read as it was written', () => {
    const text = recordedFor(['h.io/net >=v1.0.0, <v2.0.0', `h.io/base ${DIGEST}`])
    const {requirers, unknown} = requirementsOf({requests: [requestWith(text)], lock: NO_LOCK})
    expect(unknown).toEqual([])
    expect(requirers).toEqual([
      {
        repository: 'h.io/app',
        dependencies: [
          {repository: 'h.io/net', constraint: '>=v1.0.0, <v2.0.0'},
          {repository: 'h.io/base', constraint: DIGEST},
        ],
      },
    ])
  })

  it('is only written where the core does not resolve it, and if it is not too long', () => {
    expect(recordedFor(['h.io/net v1'], false)).toBeUndefined()
    expect(recordedFor([])).toBeDefined()
    const many = Array.from({length: 1000}, (_, at) => `h.io/net-${at} >=v1.0.0`)
    expect(recordedFor(many)!.length).toBeLessThan(32 * 1024)
    expect(recordedFor([...many, `h.io/net ${'|| v1 '.repeat(3000)}`])?.length).toBeUndefined()
  })

  it('replaces the entry that a package left in the Lock', () => {
    const lock = coreLock({packages: [{source: 'h.io/app', dependencies: [{package: 'h.io/old'}]}]})
    const {requirers} = requirementsOf({requests: [requestWith(recordedFor([]))], lock})
    expect(requirers).toEqual([{repository: 'h.io/app', dependencies: []}])
    const without = requirementsOf({requests: [requestWith(undefined)], lock})
    expect(without).toMatchObject({requirers: lock.entries, unknown: []})
  })

  const ofOther = recordedFor(['h.io/net v1'])!.replace('aaa', 'bbb')
  it.each([
    {name: 'nothing', text: undefined},
    {name: 'no JSON', text: '{'},
    {name: 'another type', text: '["h.io/net v1"]'},
    {name: 'another version of the package', text: ofOther},
    {name: 'no list', text: `{"package":"h.io/app@${DIGEST}","requires":{"h.io/net":"v1"}}`},
    {name: 'no text', text: `{"package":"h.io/app@${DIGEST}","requires":[{"package":"h.io/net"}]}`},
    {name: 'no repository', text: `{"package":"h.io/app@${DIGEST}","requires":[" v1"]}`},
    {name: 'too much', text: `{"package":"h.io/app@${DIGEST}","requires":[]}${' '.repeat(40_000)}`},
  ])('is unknown for $name', ({text}) => {
    const request = requestWith(text)
    expect(requirementsOf({requests: [request], lock: NO_LOCK})).toEqual({requirers: [], unknown: [request]})
  })

  it('is unknown for requests of other programs', () => {
    const request = requestWith(recordedFor(['h.io/net v1']), 'flux')
    expect(requirementsOf({requests: [request], lock: NO_LOCK}).unknown).toEqual([request])
  })
})
