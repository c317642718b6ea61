import {beforeAll, describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {type JsonSchema, schemaViolations} from '../../json-schema.js'
import {BREAKS, crdWithKindOf} from './broken-installs.js'
import {NAMESPACE} from './install-paths.js'
import {installPlanned, runIn} from './installing.js'
import {allow} from './allow.js'
import {DemoPackages} from './some-world.js'

const STAGES = readFileSync(join(import.meta.dirname, 'broken-pods.yaml'), 'utf8')

/** Installs that are not broken, with their states. */
const OTHERS: Readonly<Record<string, string>> = {
  app: 'Healthy',
  working: 'Healthy',
  creating: 'Starting',
  unready: 'Starting',
}

interface Listed {
  readonly name: string
  readonly state: string
  readonly firstBreak?: string
  readonly drift: readonly {readonly message: string}[]
}

describe('package status', () => {
  describeCluster({version: 'current', pods: true, stages: STAGES}, 'of broken installs', cluster => {
    const status = (...args: string[]) => runIn(cluster(), 'package', 'status', ...args)
    const statusOf = (name: string, ...args: string[]) => status(`${NAMESPACE}/demo-${name}`, ...args)
    const all = async () => {
      const {stdout} = await status('-A', '-o', 'json')
      return (JSON.parse(stdout) as {installs: Listed[]}).installs
    }
    const summary = (installs: readonly Listed[]) =>
      Object.fromEntries(
        installs.map(({name, state, firstBreak}) => [name.replace('demo-', ''), firstBreak ?? state]),
      )
    const want = {...OTHERS, ...Object.fromEntries(Object.entries(BREAKS).map(([name, {id}]) => [name, id]))}

    beforeAll(async () => {
      const world = new DemoPackages()
      const names = Object.keys(want).filter(name => name !== 'app')
      for (const name of names) world.publish(name, 'v1.0.0')
      const required = names.filter(name => name !== 'conflicting')
      world.publish('app', 'v1.0.0', ...required.map(name => `${name}s`))
      const flags = ['--packages', world.folder, '--with-package-api', '--create-namespace']
      const install = (name: string) =>
        installPlanned(cluster(), world.folder, `demo/${name}:v1.0.0`, ...flags)
      expect(await install('app')).toMatchObject({status: 0})
      accepted(await cluster().kube.create(crdWithKindOf('conflicting')))
      expect(await install('conflicting')).toMatchObject({status: 0})
      // Before anything is broken: what an API server adds to objects is no drift.
      await until(all, installs => summary(installs).app === 'Healthy', 60)
      expect((await all()).flatMap(({drift}) => drift)).toEqual([])
      for (const [name, each] of Object.entries(BREAKS)) await each.with(name, cluster())
    }, 240_000)

    it('names the first broken link of each, and reports none of them as healthy', async () => {
      const found = await until(
        all,
        installs => {
          const states = summary(installs)
          return Object.entries(want).every(([name, state]) => states[name] === state)
        },
        60,
      ).catch(() => all())
      expect(summary(found)).toEqual(want)
    }, 90_000)

    it('exits with 1 for broken installs, and with 0 for those that work or start', async () => {
      expect(await statusOf('crashing')).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(
          /container-crash: .*exits with 2: "unknown flag --sync"\nTry: kubectl logs /,
        ),
      })
      expect(await statusOf('working')).toMatchObject({status: 0, stdout: expect.stringContaining('Healthy')})
      expect(await statusOf('creating', '-o', 'wide')).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/Starting +pods +v1.0.0 +inventory/),
      })
      expect(await status('-A', '-o', 'name', '-l', 'kubectl-crossplane/install in (demo-working)')).toEqual({
        status: 0,
        stdout: `${NAMESPACE}/demo-working\n`,
        stderr: '',
      })
    })

    it('reports what was changed by others as drift', async () => {
      const installs = await all()
      const driftOf = (name: string) => installs.find(each => each.name === `demo-${name}`)?.drift ?? []
      expect(driftOf('working')).toEqual([])
      expect(driftOf('weakened')[0]?.message).toMatch(/^ClusterRole package:.*:system was changed by /)
      expect(driftOf('misbound')[0]?.message).toBe(
        'ClusterRoleBinding demo-misbound was deleted and created again',
      )
    })

    it('exits with 1 for an install that does not exist, and names a similar one', async () => {
      const {status: code, stderr} = await statusOf('workin')
      expect({code, stderr}).toEqual({
        code: 1,
        stderr: expect.stringContaining(`Did you mean ${NAMESPACE}/demo-working?`),
      })
    })

    it('exits with 7 and names the permission without which health is unknown', async () => {
      const groups = ['packages.crossplane.io', 'rbac.authorization.k8s.io', 'apiextensions.k8s.io']
      const rules = [
        {apiGroups: [''], resources: ['configmaps', 'serviceaccounts', 'namespaces']},
        {apiGroups: ['apps'], resources: ['deployments']},
        {apiGroups: groups, resources: ['*']},
      ]
      await allow(cluster(), 'stranger', rules.slice(1))
      await allow(cluster(), 'viewer', rules)
      const pods = [
        {apiGroups: ['apps'], resources: ['replicasets']},
        {apiGroups: [''], resources: ['pods']},
      ]
      await allow(cluster(), 'reader', [...rules, ...pods])

      const {status: code, stdout, stderr} = await statusOf('working', '--as', 'viewer')
      expect({code, stdout, stderr}).toEqual({
        code: 7,
        stdout: expect.stringMatching(/Unknown +permission-denied/),
        stderr: expect.stringMatching(
          /user "viewer" cannot list pods .*\n.*user "viewer" cannot list replicasets.apps .*\n(.*\n)*Try: .*kubectl auth can-i list/,
        ),
      })
      expect(await statusOf('working', '--as', 'reader')).toMatchObject({status: 0})
      expect(await statusOf('creating', '--as', 'reader')).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/is not available: .*: user "reader" cannot list events in/),
      })
      expect(await statusOf('working', '--as', 'stranger')).toMatchObject({
        status: 7,
        stderr: expect.stringContaining('cannot list configmaps'),
      })
    })

    it('prints documents as the schema says', async () => {
      const schema = JSON.parse(
        readFileSync('docs/schemas/install-status-list.v1alpha1.json', 'utf8'),
      ) as JsonSchema
      expect(schemaViolations(schema, JSON.parse((await status('-A', '-o', 'json')).stdout))).toEqual([])
    })
  })
})
