import {afterEach, beforeEach, describe, expect, it} from '@jest/globals'
import {get} from 'node:http'
import {text} from 'node:stream/consumers'
import {serveHealth} from '../../../src/adapters/http/health-server.js'
import {prometheusMetrics} from '../../../src/adapters/prometheus.js'
import type {HealthServer} from '../../../src/reconcile/health-server.js'

let server: HealthServer
let reason: string | undefined
beforeEach(async () => {
  const metrics = prometheusMetrics()
  metrics.reconciled('test', 'error', 0.2)
  metrics.reconciled('test', 'success', 0.2)
  metrics.queued('test', 3)
  server = await serveHealth(
    {host: '127.0.0.1', port: 0},
    {notReady: () => reason, metrics: () => metrics.text()},
  )
})
afterEach(() => server.close())

async function answer(path: string): Promise<{readonly status?: number; readonly body: string}> {
  return await new Promise((resolve, reject) => {
    get(`http://${server.address}${path}`, response => {
      text(response).then(body => resolve({status: response.statusCode ?? 0, body}), reject)
    }).on('error', reject)
  })
}

describe('the server of a controller', () => {
  it('reports that the process runs, and whether it is ready', async () => {
    reason = 'the CRD is not served'
    const before = await answer('/readyz')
    reason = undefined
    const all = [await answer('/healthz'), await answer('/readyz'), await answer('/other')]
    expect([before, ...all]).toEqual([
      {status: 503, body: 'the CRD is not served\n'},
      {status: 200, body: 'ok\n'},
      {status: 200, body: 'ok\n'},
      {status: 404, body: 'not found\n'},
    ])
  })

  it('has metrics with the names of controller-runtime', async () => {
    const {body} = await answer('/metrics')
    expect(body.split('\n')).toEqual(
      expect.arrayContaining([
        'controller_runtime_reconcile_total{controller="test",result="error"} 1',
        'controller_runtime_reconcile_total{controller="test",result="success"} 1',
        'controller_runtime_reconcile_errors_total{controller="test"} 1',
        'controller_runtime_reconcile_time_seconds_count{controller="test"} 2',
        'workqueue_depth{name="test"} 3',
      ]),
    )
  })

  it('rejects an address that is in use', async () => {
    const port = Number(server.address.split(':')[1])
    const second = serveHealth(
      {host: '127.0.0.1', port},
      {notReady: () => undefined, metrics: () => Promise.reject(new Error('none'))},
    )
    await expect(second).rejects.toMatchObject({code: 'EADDRINUSE'})
  })
})
