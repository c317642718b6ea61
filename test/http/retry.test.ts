import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {FailedAnswer} from '../../src/http/failed-answer.js'
import {retried, type RetryEvent} from '../../src/http/retry.js'
import {outcome} from '../outcome.js'
import {steadyClock} from './steady-clock.js'

const answered = (status: number, headers = {}) =>
  new CrossplaneError('cluster-failed', 'a failure', {cause: new FailedAnswer('', {status, headers})})

describe('a request that fails once', () => {
  it.each([
    {name: 'no registry', reason: 'lost', in: new CrossplaneError('registry-unreachable', ''), want: [500]},
    {name: 'no API server', reason: 'lost', in: new CrossplaneError('cluster-unreachable', ''), want: [500]},
    {
      name: 'no such host',
      reason: 'the name has no address',
      in: new CrossplaneError('registry-unreachable', '', {
        cause: Object.assign(new Error('getaddrinfo'), {code: 'ENOTFOUND'}),
      }),
      want: 'registry-unreachable',
    },
    {name: '429', reason: 'as requested', in: answered(429, {'retry-after': '7'}), want: [7500]},
    {name: '429', reason: 'for too long', in: answered(429, {'retry-after': '61'}), want: 'cluster-failed'},
    {name: '503', reason: 'overload', in: answered(503), want: [500]},
    {name: '501', reason: 'it stays so', in: answered(501), want: 'cluster-failed'},
    {name: '409', reason: 'the caller sets the limit', in: answered(409), want: [500]},
    {name: '404', reason: 'an answer', in: answered(404), want: 'cluster-failed'},
    {name: 'another', reason: 'no exchange', in: new CrossplaneError('timeout', ''), want: 'timeout'},
  ])('$name: $reason', async ({in: failure, want}) => {
    const clock = steadyClock()
    const events: RetryEvent[] = []
    let attempts = 0
    const act = () => (attempts++ === 0 ? Promise.reject(failure) : Promise.resolve('done'))
    const isTemporary = ({status}: FailedAnswer) => status === 409
    const report = (event: RetryEvent) => events.push(event)
    const end = await outcome(() => retried({clock, name: 'apply', isTemporary, report}, act))
    expect(end === 'done' ? clock.slept : end).toEqual(want)
    expect(events).toEqual(clock.slept.map(wait => ({kind: 'retry', name: 'apply', done: 1, total: 5, wait})))
  })
})

describe('a connection that is refused', () => {
  const refused = () =>
    Promise.reject(
      new CrossplaneError('cluster-unreachable', '', {
        cause: Object.assign(new Error('connect'), {code: 'ECONNREFUSED'}),
      }),
    )

  it.each([
    {reason: 'a server that answered before starts again', in: () => true, want: 4},
    {reason: 'one that never answered has another address', in: () => false, want: 0},
    {reason: 'a registry', in: undefined, want: 4},
  ])('is repeated $want times: $reason', async ({in: hasAnswered, want}) => {
    const clock = steadyClock()
    expect(await outcome(() => retried({clock, name: 'list', hasAnswered}, refused))).toBe(
      'cluster-unreachable',
    )
    expect(clock.slept).toHaveLength(want)
  })
})

describe('a request that is repeated', () => {
  it('ends with the reason of the signal, without another attempt', async () => {
    const stop = new AbortController()
    let attempts = 0
    const sleep = (_milliseconds: number, signal?: AbortSignal) => {
      stop.abort(new CrossplaneError('interrupted', ''))
      expect(signal?.aborted).toBe(true)
      return Promise.resolve()
    }
    const act = () => {
      attempts++
      return Promise.reject(new CrossplaneError('cluster-unreachable', ''))
    }
    const retrying = {clock: {...steadyClock(), sleep}, name: 'apply', signal: stop.signal}
    expect(await outcome(() => retried(retrying, act))).toBe('interrupted')
    expect(attempts).toBe(1)
  })
})
