import {describe, expect, it} from '@jest/globals'
import {systemClock} from '../../../src/adapters/system-clock.js'
import {acquireLease, type LeaseOptions, type LeaseWaiting} from '../../../src/cluster/lease/acquire-lease.js'
import {configMapLeases} from '../../../src/cluster/lease/config-map-lease.js'
import {holdLeases} from '../../../src/cluster/lease/hold-leases.js'
import {leaseName} from '../../../src/cluster/lease/lease-object.js'
import {CrossplaneError} from '../../../src/errors.js'
import {asObject, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {auditOf, isWrite} from '../audit.js'
import {describeCluster} from '../describe-cluster.js'
import {until} from '../kube.js'
import {openApi} from '../open-api.js'

describe.each(['current', '1.20'] as const)('Leases of Kubernetes %s', version => {
  describeCluster(version, `Leases of ${version}`, cluster => {
    const run = (holder: string, changed: Partial<LeaseOptions> = {}): LeaseOptions => {
      return {api: openApi(cluster()), clock: systemClock, holder, patience: 20_000, duration: 4, ...changed}
    }
    const held = async (namespace: string) => {
      const found = await openApi(cluster()).get(leaseName(namespace))
      return asObject(found?.spec).holderIdentity
    }

    it('are created in the order of the namespaces, and deleted on release', async () => {
      const audit = auditOf(cluster())
      const mark = await audit.mark()
      const leases = await holdLeases(['kube-system', 'default', 'kube-system'], run('first'))
      expect([await held('default'), await held('kube-system'), leases.lost.aborted]).toEqual([
        'first',
        'first',
        false,
      ])
      await leases.release()
      await leases.release()
      expect([await held('default'), await held('kube-system')]).toEqual([undefined, undefined])
      const writes = (await audit.since(mark)).filter(
        entry => isWrite(entry) && entry.userAgent === 'suite' && entry.verb === 'create',
      )
      expect(writes.map(({resource, namespace}) => [resource, namespace])).toEqual([
        ['leases', 'default'],
        ['leases', 'kube-system'],
      ])
    })

    it('can be ConfigMaps, which are taken over and deleted as well', async () => {
      const api = configMapLeases(openApi(cluster()))
      const name = 'in-config-map'
      const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace: 'default', name}}
      const leader = async () => {
        const {annotations} = asObject((await cluster().kube.get(object)).body.metadata)
        return JSON.parse(
          asText(asObject(annotations)['control-plane.alpha.kubernetes.io/leader']) || '{}',
        ) as JsonObject
      }
      const killed = await acquireLease('default', run('killed', {api, name}))
      expect([killed.holder, await leader()]).toEqual([
        'killed',
        expect.objectContaining({holderIdentity: 'killed', leaseDurationSeconds: 4, leaderTransitions: 0}),
      ])
      const leases = await holdLeases(['default'], run('second', {api, name, duration: 10}))
      expect(await leader()).toMatchObject({holderIdentity: 'second', leaderTransitions: 1})
      await leases.release()
      expect(await leader()).toEqual({})
    }, 60_000)

    it('are renewed while they are held, and waited for', async () => {
      // Renewed in time also where a busy machine stalls for seconds.
      const duration = 10
      const first = await holdLeases(['default'], run('first', {duration}))
      const waiting: LeaseWaiting[] = []
      const second = holdLeases(['default'], run('second', {duration, report: each => waiting.push(each)}))
      // Longer than a Lease lasts without renewal.
      await systemClock.sleep(12_000)
      expect([await held('default'), first.lost.aborted]).toEqual(['first', false])
      await first.release()
      const leases = await second
      expect(await held('default')).toBe('second')
      expect(waiting[0]).toEqual({namespace: 'default', holder: 'first'})
      await leases.release()
    }, 60_000)

    it('fail when another run holds one for too long, and leave none behind', async () => {
      const first = await holdLeases(['kube-system'], run('first'))
      const second = holdLeases(['default', 'kube-system'], run('second', {patience: 100}))
      const error = await second.catch((caught: unknown) => caught)
      expect([(error as CrossplaneError).code, (error as CrossplaneError).message]).toEqual([
        'timeout',
        expect.stringContaining('"first"'),
      ])
      expect([await held('default'), await held('kube-system')]).toEqual([undefined, 'first'])
      await first.release()
    })

    it('stop waiting on a signal', async () => {
      const first = await holdLeases(['default'], run('first'))
      const stop = new AbortController()
      const second = holdLeases(['default'], run('second', {signal: stop.signal}))
      stop.abort(new Error('interrupted'))
      await expect(second).rejects.toThrow('interrupted')
      await first.release()
    })

    it('are taken over from a run that ended without release', async () => {
      const dead = {...run('dead'), clock: {...systemClock, sleep: () => new Promise<void>(() => undefined)}}
      await holdLeases(['default'], dead)
      const second = await holdLeases(['default'], run('second'))
      const {holderIdentity, leaseTransitions} = asObject(
        (await openApi(cluster()).get(leaseName('default')))?.spec,
      )
      expect([holderIdentity, leaseTransitions]).toEqual(['second', 1])
      await second.release()
    }, 30_000)

    it('are acquired by one of many waiting runs', async () => {
      const holders = ['a', 'b', 'c', 'd']
      let inside = 0
      await Promise.all(
        holders.map(async holder => {
          const leases = await holdLeases(['default'], run(holder, {patience: 60_000}))
          inside++
          expect([inside, await held('default')]).toEqual([1, holder])
          inside--
          await leases.release()
        }),
      )
    }, 60_000)

    it('report that they were lost', async () => {
      const first = await holdLeases(['default'], run('first'))
      await openApi(cluster()).delete(leaseName('default'))
      const thief = await holdLeases(['default'], run('thief'))
      await until(
        () => Promise.resolve(first.lost.aborted),
        lost => lost,
      )
      expect(first.lost.reason).toBeInstanceOf(CrossplaneError)
      await first.release()
      expect(await held('default')).toBe('thief')
      await thief.release()
    }, 30_000)
  })
})
