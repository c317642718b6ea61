import {describe, expect, it} from '@jest/globals'
import {acquireLease} from '../../../src/cluster/lease/acquire-lease.js'
import {configMapLeases} from '../../../src/cluster/lease/config-map-lease.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {steadyClock} from '../../http/steady-clock.js'

const LEADER = 'control-plane.alpha.kubernetes.io/leader'

/** Elects a leader where a ConfigMap exists; returns what was written, and who holds it then. */
async function elected(content: JsonObject, annotations: Readonly<Record<string, string>> = {}) {
  const metadata = {name: 'leader', namespace: 'team', uid: 'u1', resourceVersion: '1', annotations}
  const live: KubernetesObject = {apiVersion: 'v1', kind: 'ConfigMap', metadata, ...content}
  const written: KubernetesObject[] = []
  const write = (object: KubernetesObject) => {
    written.push(object)
    return Promise.resolve({object, created: false, warnings: []})
  }
  const api = configMapLeases({
    get: () => Promise.resolve(live),
    create: write,
    update: write,
    delete: () => Promise.resolve('deleted' as const),
    now: () => 0,
  })
  const options = {api, clock: steadyClock(), holder: 'own', name: 'leader', patience: Infinity}
  const outcome = await acquireLease('team', options).then(
    ({holder}) => holder,
    (error: unknown) => error,
  )
  return {outcome, written}
}

describe('configMapLeases', () => {
  it.each<{name: string; content: JsonObject}>([
    {name: 'has data', content: {data: {key: 'value'}}},
    {name: 'has binary data', content: {binaryData: {key: 'AA=='}}},
  ])('leaves a ConfigMap as it is that $name of another program', async ({content}) => {
    const {outcome, written} = await elected(content)
    expect(written).toEqual([])
    expect(outcome).toMatchObject({
      code: 'conflict',
      message: 'cannot elect a leader: ConfigMap team/leader has data of another program',
    })
  })

  it.each([
    {name: 'an empty ConfigMap', text: undefined},
    {name: 'a record that is not JSON', text: '{'},
    {name: 'a record that is no object', text: '[1]'},
    {name: 'a holder that is no text', text: '{"holderIdentity": {"a": 1}}'},
    {name: 'a duration below zero', text: '{"holderIdentity": "x", "leaseDurationSeconds": -5}'},
    {name: 'a duration of years', text: '{"holderIdentity": "x", "leaseDurationSeconds": 1e9}'},
    {name: 'transitions that are no number', text: '{"leaderTransitions": "many"}'},
  ])('takes over $name', async ({text}) => {
    const {outcome, written} = await elected({}, text === undefined ? {} : {[LEADER]: text})
    expect(outcome).toBe('own')
    const record: unknown = JSON.parse(asText(written[0]?.metadata.annotations?.[LEADER]))
    expect(record).toMatchObject({holderIdentity: 'own', leaderTransitions: expect.any(Number)})
  })
})
