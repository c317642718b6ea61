import {describe, expect, it} from '@jest/globals'
import {usageReason, usageRisks} from '../../../../src/plan/cluster/crds/crd-usage.js'
import {NO_USAGE, withUsage} from '../../../../src/plan/cluster/state/instance-usage.js'
import type {UsageFinding} from '../../../../src/usage/objects/compare-usage.js'
import type {Verdict} from '../../../../src/usage/objects/verdict.js'

const CRD = 'queues.example.org'

function effect(name: string, verdict: Verdict, path = 'spec.size'): UsageFinding {
  const object = {apiVersion: 'example.org/v1', kind: 'Queue', name}
  return {verdict, object, file: 'the cluster', path, message: `it is ${verdict}`}
}

/** The effects on instances, of which each has one. */
function usageOf(numbers: Partial<Record<Verdict, number>>) {
  const findings = Object.entries(numbers).flatMap(([verdict, total]) =>
    Array.from({length: total}, (_, i) => [effect(`${verdict}-${i}`, verdict as Verdict)]),
  )
  return findings.reduce(withUsage, NO_USAGE)
}

const MANY = usageOf({lost: 25, breaks: 5, convert: 25, unread: 5, meaning: 30})

describe('the rejection of a change with effects on many custom resources', () => {
  it('counts each verdict, and names an effect of each', () => {
    const message = usageReason(CRD, MANY)?.message ?? ''
    expect(message).toContain('effects on 30 custom resources (5 breaking, 25 losing fields): ')
    expect(message).toContain('Queue breaks-0 spec.size: breaks: it is breaks')
    expect(message).toContain('Queue lost-0 spec.size: lost: it is lost')
    expect(message).toMatch(/; and more$/)
  })

  it('names each verdict, however many effects are worse', () => {
    const {message = ''} = usageReason(CRD, usageOf({unserved: 1, lost: 30, breaks: 30})) ?? {}
    expect(message).toContain('(30 breaking, 30 losing fields, 1 no longer served)')
    expect(message).toContain('Queue unserved-0 spec.size: unserved')
  })

  it('does not count the effects on one custom resource', () => {
    const usage = withUsage(NO_USAGE, [effect('a', 'breaks'), effect('a', 'lost')])
    expect(usageReason(CRD, usage)?.message).toBe(
      `CustomResourceDefinition ${CRD}: the change has effects on 1 custom resource: Queue a spec.size: breaks, lost: it is breaks; it is lost`,
    )
    expect(usageReason(CRD, usageOf({unread: 3, meaning: 2}))).toBeUndefined()
  })
})

describe('the risks of accepted effects', () => {
  it('tells of each verdict, however many effects precede it', () => {
    const messages = usageRisks(CRD, MANY).map(({message}) => message.slice(0, message.indexOf(':')))
    expect(messages).toEqual([
      `5 custom resources of ${CRD} are rejected if written again, which is accepted`,
      `30 custom resources of ${CRD} are treated in another way`,
      `25 custom resources of ${CRD} are converted by a webhook`,
      `5 custom resources of ${CRD} are not judged`,
    ])
  })

  it('tells of what breaks for one object where another object loses the same field', () => {
    const both = [effect('a', 'breaks'), effect('a', 'lost')]
    const usage = [both, [effect('b', 'breaks')]].reduce(withUsage, NO_USAGE)
    expect(usageRisks(CRD, usage).map(({message}) => message)).toEqual([
      `1 custom resource of ${CRD} is rejected if written again, which is accepted: Queue b spec.size: breaks: it is breaks`,
    ])
    expect(usageRisks(CRD, withUsage(NO_USAGE, both))).toEqual([])
  })

  it('are others for another effect, also for one that is not named', () => {
    const messages = (last: UsageFinding) =>
      usageRisks(CRD, withUsage(usageOf({meaning: 30}), [last])).map(({message}) => message)
    const [one] = messages(effect('z', 'meaning'))
    expect(messages(effect('z', 'meaning'))).toEqual([one])
    expect(messages(effect('z', 'meaning', 'spec.mode'))).not.toEqual([one])
    expect(messages(effect('y', 'meaning'))).not.toEqual([one])
    expect(one).toMatch(/; and more \(all effects: sha256:[0-9a-f]{12}\)$/)
  })
})
