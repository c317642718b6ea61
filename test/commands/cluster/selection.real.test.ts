import {beforeAll, describe, expect, it} from '@jest/globals'
import {baseObjects} from '../../../src/render/base.js'
import {ERAS} from '../../../src/render/era.js'
import {recordLabels} from '../../../src/render/labels.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {allow} from './allow.js'
import {runIn, signaledIn} from './installing.js'

const LONG = `provider-${'x'.repeat(60)}`
const {packages, stacks} = ERAS

describe('the installs that list and status find', () => {
  describeCluster('current', 'on a current server', cluster => {
    const run = (...args: string[]) => runIn(cluster(), 'package', ...args)
    const namesOf = async (...args: string[]) => {
      const {stdout} = await run(
        'list',
        '-o',
        'jsonpath={range .installs[*]}{.name} {.source}{"\n"}{end}',
        ...args,
      )
      return stdout.trim().split('\n')
    }
    const create = async (object: JsonObject) => accepted(await cluster().kube.create(object))
    const record = (era: typeof packages, name: string, labels: JsonObject = {}): JsonObject => ({
      apiVersion: era.apiVersion,
      kind: era.kinds.record,
      metadata: {name, namespace: 'default', labels},
      spec: {permissionScope: 'Cluster', version: 'v1'},
    })
    const request = (era: typeof packages, name: string, labels: JsonObject = {}): JsonObject => ({
      apiVersion: era.apiVersion,
      kind: era.kinds.clusterRequest,
      metadata: {name, namespace: 'default', labels},
      spec: {package: `x/${name}:v1`},
    })

    beforeAll(async () => {
      for (const era of [packages, stacks]) {
        for (const {object} of baseObjects(era)) await cluster().kube.create(object)
      }
      await until(
        () => cluster().kube.create(record(stacks, 'old', {team: 'a'})),
        ({code}) => code === 201,
        60,
      )
      await until(
        () => cluster().kube.create(request(packages, 'new', {team: 'b'})),
        ({code}) => code === 201,
        60,
      )
      await create(record(packages, 'new', {team: 'c', tier: 'one'}))
      const metadata = {
        name: LONG,
        namespace: 'default',
        labels: recordLabels(packages, {name: LONG, namespace: 'default'}),
      }
      await create({apiVersion: 'v1', kind: 'ServiceAccount', metadata})
      // The label of another install does not make the account its own.
      const labels = recordLabels(packages, {name: 'new', namespace: 'elsewhere'})
      await create({apiVersion: 'v1', kind: 'ServiceAccount', metadata: {...metadata, name: 'stray', labels}})
    }, 120_000)

    it('are those of both eras, once each, and those of which only labels are left', async () => {
      expect(await namesOf('-A')).toEqual(['new record', 'old record', `${LONG} labels`])
      await create(record(stacks, 'new'))
      // The other era has a record of the same name, which is left over.
      const {stdout} = await run('status', 'new', '-o', 'json')
      expect(JSON.parse(stdout)).toMatchObject({installs: [{name: 'new', package: 'x/new:v1'}]})
      expect((await namesOf()).filter(each => each.startsWith('new '))).toEqual(['new record'])
    })

    it('name all kinds that may be left, with the labels that truncate a long name', async () => {
      const {status, stdout} = await run('status', LONG)
      expect({status, stdout}).toEqual({
        status: 1,
        stdout: expect.stringMatching(
          /Try: kubectl get deployments,serviceaccounts,.* --selector '?core.crossplane.io\/parent-namespace=default,core.crossplane.io\/parent-name=provider-x{48}-[a-z2-7]{5}/,
        ),
      })
    })

    it('are selected by the labels of record and request', async () => {
      expect(await namesOf('-l', 'team=a')).toEqual(['old record'])
      // Those of the request win.
      expect(await namesOf('-l', 'team=b')).toEqual(['new record'])
      expect(await namesOf('-l', 'team in (b,c),tier')).toEqual(['new record'])
      expect((await run('list', '-l', 'team=z')).stderr).toBe('No installs found in namespace default\n')
      expect((await run('status', '-l', 'team=a', '-o', 'name')).stdout).toBe('default/old\n')
    })

    it('print commands for the cluster and the user that were selected', async () => {
      const {kubeconfig} = cluster()
      const {stdout} = await run(
        'status',
        'new',
        '--kubeconfig',
        kubeconfig,
        '--as',
        'admin',
        '--as-group',
        'system:masters',
      )
      expect(stdout).toContain(` --kubeconfig ${kubeconfig} --as admin --as-group system:masters\n`)
      const denied = await run('list', '--as', 'nobody')
      expect(denied.stderr).toMatch(/Try: .*kubectl auth can-i list configmaps .* --as nobody\n/)
    })

    it('are incomplete without a permission, which is named', async () => {
      await allow(cluster(), 'partial', [
        {apiGroups: [''], resources: ['configmaps', 'serviceaccounts', 'namespaces', 'pods']},
        {apiGroups: ['apps'], resources: ['deployments', 'replicasets']},
        {apiGroups: ['rbac.authorization.k8s.io', 'apiextensions.k8s.io'], resources: ['*']},
        {apiGroups: [packages.group], resources: ['*']},
      ])
      const warning = /Warning: cannot list stacks.*user "partial" cannot list stacks.stacks.crossplane.io/
      const listed = await run('list', '-A', '--as', 'partial')
      expect(listed).toEqual({
        status: 0,
        stdout: expect.not.stringContaining('old'),
        stderr: expect.stringMatching(warning),
      })
      // Something is broken: that is certain. Otherwise, what is not found may be.
      expect(await run('status', '-A', '--as', 'partial')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(warning),
      })
      expect(await run('status', '-A', '-l', 'team=z', '--as', 'partial')).toMatchObject({
        status: 7,
        stderr: expect.stringMatching(/Error: .*\n(?:.*\n)*Try: .*kubectl auth can-i list/),
      })
      expect(await run('status', 'old', '--as', 'partial')).toMatchObject({
        status: 7,
        stderr: expect.stringContaining('cannot list stacks.stacks.crossplane.io'),
      })
      const watched = await signaledIn(
        cluster(),
        {at: /Warning: cannot list/, signal: 'SIGINT'},
        ...['package', 'status', '-A', '--watch', '--as', 'partial'],
      )
      expect(watched).toMatchObject({status: 130, stderr: expect.stringMatching(warning)})
    })
  })
})
