import {beforeAll, describe, expect, it} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {inventoryConfigMaps} from '../../../src/cluster/inventory/inventory-config-maps.js'
import {heldLease} from '../../../src/cluster/lease/lease-object.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {ownEntries, runIn} from './installing.js'
import {grantManager} from './manager-rights.js'

interface Seen {
  readonly check: string
  readonly state: string
  readonly message: string
  readonly suggestion?: string
}

const HOUR = 3_600_000

describe('doctor', () => {
  describeCluster('current', 'on a current server', cluster => {
    const doctor = async (...args: string[]) => {
      const {status, stdout} = await runIn(cluster(), 'doctor', '--offline', ...args, '-o', 'json')
      const {checks} = JSON.parse(stdout) as {readonly checks: readonly Seen[]}
      return {status, of: (check: string) => checks.filter(each => each.check === check)}
    }

    it('finds nothing wrong with a new cluster', async () => {
      const {of} = await doctor()
      expect(of('context')).toEqual([expect.objectContaining({state: 'OK'})])
      expect(of('server')).toEqual([
        {check: 'server', state: 'OK', message: expect.stringMatching(/^Kubernetes v1\.\d+/)},
      ])
      expect(of('permissions')).toEqual([expect.objectContaining({state: 'OK'})])
      expect(of('package-api')).toEqual([expect.objectContaining({state: 'Warning'})])
      expect(of('manager')).toEqual([expect.objectContaining({state: 'OK'})])
      expect(of('lease')).toEqual([{check: 'lease', state: 'OK', message: 'no Lease is held'}])
      expect(of('install')).toEqual([
        {check: 'install', state: 'OK', message: '0 installs, none interrupted'},
      ])
    })

    it('skips checks without permission, and names the permissions that an install lacks', async () => {
      const {status, of} = await doctor('--as', 'jane', '-n', 'kube-public')
      expect(status).toBe(1)
      const [permissions] = of('permissions')
      expect(permissions).toMatchObject({state: 'Broken'})
      expect(permissions?.message).toMatch(
        /^missing \d+ permissions that an install in namespace "kube-public" requires: /,
      )
      for (const check of ['manager', 'lease', 'install'])
        expect(of(check)).toEqual([expect.objectContaining({state: 'Skipped'})])
    })

    describe('after interrupted runs', () => {
      beforeAll(async () => {
        const holders = [
          {namespace: 'default', holder: 'me@here, process 1', age: 0},
          {namespace: 'kube-public', holder: 'me@there, process 2', age: HOUR},
        ]
        for (const {namespace, holder, age} of holders) {
          const held = {holder, duration: 20, now: Date.now() - age}
          accepted(await cluster().kube.create(heldLease(namespace, held)))
          const install = {
            namespace,
            name: 'half',
            era: 'packages',
            scope: 'Namespaced',
            mode: 'requested',
            for: {},
          } as const
          const inventory = {install, phase: 'changing', toolVersion: '1', objects: []} as const
          for (const each of inventoryConfigMaps(inventory)) accepted(await cluster().kube.create(each))
        }
        await grantManager(cluster(), 'default')
        const labels = {app: 'manager'}
        const name = 'crossplane-package-manager'
        const containers = [{name: 'manager', image: 'registry.example.org/manager:v1'}]
        accepted(
          await cluster().kube.create({
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: {namespace: 'default', name},
            spec: {selector: {matchLabels: labels}, template: {metadata: {labels}, spec: {containers}}},
          }),
        )
      })

      it('names Leases, installs and the manager, and changes nothing', async () => {
        const audit = auditOf(cluster())
        const mark = await audit.mark()
        const {status, of} = await doctor()
        expect(status).toBe(1)
        const entries = ownEntries(await audit.since(mark))
        expect(entries.length).toBeGreaterThan(5)
        expect(entries.filter(isWrite)).toEqual([])
        const changes = entries.filter(({verb}) => !['get', 'list'].includes(verb))
        expect(new Set(changes.map(({resource}) => resource))).toEqual(
          new Set(['selfsubjectaccessreviews', 'subjectaccessreviews']),
        )

        expect(of('lease')).toEqual([
          expect.objectContaining({
            state: 'OK',
            message: 'the Lease of namespace "default" is held by "me@here, process 1"',
          }),
          {
            check: 'lease',
            state: 'Warning',
            message: 'the Lease of namespace "kube-public" has expired; last holder: "me@there, process 2"',
            suggestion: 'Run the interrupted command again to take over the Lease.',
          },
        ])
        // An install without a role has no witness; that of a Lease that is held is being changed.
        expect(of('witness')).toEqual([
          {
            check: 'witness',
            state: 'Warning',
            message:
              'the inventory of kube-public/half has no witness and is ignored: its first install was interrupted, or another program wrote it',
            suggestion: 'kubectl crossplane package status kube-public/half',
          },
        ])
        expect(of('manager')).toEqual([
          expect.objectContaining({
            state: 'Warning',
            suggestion:
              'kubectl scale deployment crossplane-package-manager --namespace default --replicas 0',
          }),
        ])
      })

      it('suggests a command that explains the interrupted install', async () => {
        const {stdout} = await runIn(cluster(), 'package', 'status', 'kube-public/half')
        expect(stdout).toMatch(
          /^kube-public\/half: inventory-unwitnessed: .*\nTry: Run the interrupted command again/m,
        )
      })
    })

    it.each([
      {
        name: 'rejects the credentials',
        edit: (text: string) => text.replace(cluster().tokens.admin, 'wrong'),
        want: 'authentication failed',
      },
      {
        name: 'does not respond',
        edit: (text: string) => text.replace(cluster().url, 'https://127.0.0.1:1'),
        want: 'cannot',
      },
    ])(
      'reports a server that $name',
      async ({edit, want}) => {
        const file = join(cluster().folder, 'edited-kubeconfig')
        writeFileSync(file, edit(readFileSync(cluster().kubeconfig, 'utf8')))
        const {status, of} = await doctor('--kubeconfig', file)
        expect(status).toBe(1)
        const failures = [...of('server'), ...of('permissions')].filter(({state}) => state === 'Broken')
        expect(failures).toEqual([expect.objectContaining({message: expect.stringContaining(want)})])
      },
      60_000,
    )
  })
})
