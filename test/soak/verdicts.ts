import {expect} from '@jest/globals'
import {asText, type JsonObject} from '../../src/yaml/json-value.js'
import type {Answer} from '../cluster/kube.js'
import {abreast} from '../crd/abreast.js'
import {campaign} from './campaign.js'
import {type FaultyObject, faultyObjects} from './faulty-objects.js'

/** A difference that is right, by what the server answers and lint reports. */
export interface KnownDifference {
  readonly reason: string
  /** Whether Crossplane rejects it before it asks the server. */
  readonly isEarlier?: boolean
  readonly isIt: (verdicts: Verdicts) => boolean
}

interface Verdicts {
  readonly answer: string | undefined
  readonly errors: readonly string[]
}

/** What two judges of faulty objects are given, and where they may differ. */
export interface Judges {
  /** Complete objects, in which faults are made. */
  readonly bases: readonly string[]
  /** Returns why the server rejects an object, if it does. */
  readonly refusal: (object: JsonObject) => Promise<string | undefined>
  /** Returns the errors of lint. */
  readonly lint: (object: JsonObject) => readonly string[]
  readonly known: readonly KnownDifference[]
}

/** A campaign: lint and a server have the same verdict about faulty objects but for at most 2 % of them, for known reasons. */
export function compareVerdicts({bases, refusal, lint, known}: Judges): void {
  campaign('have the verdict of an API server', {short: 1, long: 5}, async ({random, number}) => {
    const cases = bases.flatMap(base => faultyObjects(base, random))
    const answers = await abreast(cases, async ({object}) => await refusal(object))
    const differences = cases.flatMap((one, index) => differenceOf(one, answers[index], lint, known))
    for (const difference of differences) process.stderr.write(`${JSON.stringify(difference)}\n`)
    const rejected = answers.filter(answer => answer !== undefined).length
    process.stderr.write(`round ${number}: ${cases.length} objects, ${rejected} rejected\n`)
    expect(differences.filter(({reason}) => reason === undefined)).toEqual([])
    const judged = differences.filter(({isEarlier}) => !isEarlier)
    expect(judged.length).toBeLessThanOrEqual(cases.length * 0.02)
    expect(rejected).toBeGreaterThan(cases.length / 3)
  })
}

function differenceOf(
  {kind, change, object}: FaultyObject,
  answer: string | undefined,
  lint: Judges['lint'],
  known: Judges['known'],
) {
  const errors = lint(object)
  if (errors.length > 0 === (answer !== undefined)) return []
  const {reason, isEarlier = false} = known.find(({isIt}) => isIt({answer, errors})) ?? {}
  return [{kind, change, reason, isEarlier, answer, errors}]
}

/** Returns why a server rejects an object, from its answer. */
export function refused({code, body}: Answer): string | undefined {
  return code < 400 ? undefined : asText(body.message)
}
