import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {existsSync, mkdtempSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {restorableObject} from '../../../src/backup/instance-files.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {programCommand} from '../../built-program.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {listener} from '../../listening.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runProgram, smallEnvironment} from '../../run-program.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {objectsIn, runIn} from './installing.js'
import {releaseLease} from './interrupted-lives.js'
import {gated, interrupted} from './interrupted-run.js'
import type {Write} from './write-gate.js'

const all = temporaryFolder()
const GROUP = 'demo.example.org'

const crd = (scope: string, plural: string, kind: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${GROUP}}
spec:
  group: ${GROUP}
  scope: ${scope}
  names: {plural: ${plural}, kind: ${kind}, listKind: ${kind}List}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

/** A folder of one package with a namespaced CRD and one that is not. */
function packages(): string {
  const at = 'demo/sql@v1.0.0/.registry'
  return writeTree(mkdtempSync(join(all, 'packages-')), {
    [`${at}/app.yaml`]: 'title: sql\nversion: v1.0.0\npermissionScope: Cluster\n',
    [`${at}/resources/dbs.crd.yaml`]: crd('Namespaced', 'dbs', 'Db'),
    [`${at}/resources/zones.crd.yaml`]: crd('Cluster', 'zones', 'Zone'),
  })
}

const apiVersion = `${GROUP}/v1`
const db = (namespace: string, name: string): KubernetesObject => ({
  apiVersion,
  kind: 'Db',
  metadata: {
    namespace,
    name,
    labels: {app: name},
    annotations: {'crossplane.io/external-name': `external-${name}`},
  },
  spec: {
    size: 9007199254740993n,
    note: 'a: b\n# c\n',
    writeConnectionSecretToRef: {name: `conn-${namespace}`},
  },
  status: {id: 9007199254740995n, note: 'line\nkind: Evil\n'},
})

/** That of the name `main.status`, whose file would be that of the status of `main`. */
const HASH = '9b47ec4ff3e22f47'

const MANY = 150
const INSTANCES: readonly KubernetesObject[] = [
  db('team', 'main'),
  db('team', 'main.status'),
  db('other', 'main'),
  {apiVersion, kind: 'Zone', metadata: {name: 'eu'}, spec: {region: 'eu-1'}},
  ...Array.from({length: MANY}, (_, index) => db('bulk', `db-${index}`)),
]

describeReal('uninstall with a backup', missingTool('kubectl'), () => {
  describeCluster('current', 'on a current server', cluster => {
    const listen = listener()
    const folder = packages()
    const install = () =>
      runIn(
        cluster(),
        ...['package', 'install', 'demo/sql:v1.0.0', 'sql', '--namespace', 'system', '--packages', folder],
        ...['--with-package-api', '--create-namespace', '--yes'],
      )
    const removal = (...args: string[]) => [
      ...['package', 'uninstall', 'system/sql', '--yes', '--custom-resources', 'delete'],
      ...['--confirm-delete', String(INSTANCES.length), ...args],
    ]
    const restorable = async () => {
      const api = openApi(cluster())
      const found: unknown[] = []
      for (const kind of ['Db', 'Zone'])
        for await (const each of api.list({apiVersion, kind})) found.push(restorableObject(each))
      return found
    }
    let before: readonly unknown[] = []
    beforeAll(async () => {
      programCommand()
      expect(await install()).toMatchObject({status: 0})
      for (const name of ['team', 'other', 'bulk'])
        accepted(await cluster().kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name}}))
      const api = openApi(cluster())
      for (const each of INSTANCES) await api.create(each, {manager: 'kubectl-create'})
      before = await restorable()
      expect(before).toHaveLength(INSTANCES.length)
    }, 180_000)

    it('changes nothing if it is killed in the middle, and a retry works with another folder', async () => {
      const target = join(all, 'killed')
      const objects = await objectsIn(cluster())
      const child = spawn(...programCommand(...removal('--backup', target)), {
        env: {...smallEnvironment(), KUBECONFIG: cluster().kubeconfig},
        stdio: 'ignore',
      })
      const ended = new Promise(resolve => child.once('exit', resolve))
      while (!existsSync(join(target, `dbs.${GROUP}`)) && child.exitCode === null) await setTimeout(2)
      child.kill('SIGKILL')
      await ended
      expect(child.signalCode).toBe('SIGKILL')
      expect(existsSync(join(target, 'README.md'))).toBe(false)
      expect(await objectsIn(cluster())).toEqual(objects)
      await releaseLease(cluster())

      const again = await runIn(cluster(), ...removal('--backup', target))
      expect(again).toMatchObject({status: 5, stdout: ''})
      expect(again.stderr).toContain('the folder is not empty')
      expect(again.stderr).toContain('delete the folder')
      expect(await objectsIn(cluster())).toEqual(objects)
    }, 120_000)

    describe('that is complete', () => {
      const target = join(all, 'complete')
      const written = () => statSync(join(target, 'README.md')).mtimeMs
      beforeAll(async () => {
        const run = await gated(cluster(), listen)
        const at = ({line}: Write) => /^DELETE .*[/]dbs[/]/.test(line)
        const kill = {signal: 'SIGKILL', at, isAnswered: true} as const
        const first = await interrupted(run, removal('--backup', target), kill)
        expect({...first, writes: []}).toMatchObject({
          signal: 'SIGKILL',
          stderr: expect.stringContaining(`Backed up ${INSTANCES.length} custom resources to ${target}\n`),
        })
        await releaseLease(cluster(), 'system')
        const time = written()
        const {status, stderr} = await runIn(cluster(), ...removal('--backup', target))
        expect({status, stderr, time: written()}).toEqual({
          status: 0,
          stderr: expect.stringContaining(
            `The backup in ${target} is complete: ${INSTANCES.length} custom resources\n`,
          ),
          time,
        })
      }, 180_000)

      it('has a file for each instance and its status, for the owner alone', () => {
        const files = readdirSync(target, {recursive: true, encoding: 'utf8'})
        const shown = files.filter(path => /\.(?:yaml|md)$/.test(path) && !path.includes('bulk/')).sort()
        expect(shown).toEqual([
          'README.md',
          `crds/dbs.${GROUP}.yaml`,
          `crds/zones.${GROUP}.yaml`,
          `dbs.${GROUP}/other/main.status.yaml`,
          `dbs.${GROUP}/other/main.yaml`,
          `dbs.${GROUP}/team/main.status.yaml`,
          `dbs.${GROUP}/team/main.status~${HASH}.status.yaml`,
          `dbs.${GROUP}/team/main.status~${HASH}.yaml`,
          `dbs.${GROUP}/team/main.yaml`,
          'inventory/system.crossplane-package.sql.yaml',
          `zones.${GROUP}/eu.yaml`,
        ])
        const modes = files.map(path => statSync(join(target, path))).map(each => each.mode & 0o777)
        expect(new Set(modes)).toEqual(new Set([0o700, 0o600]))
        expect(readFileSync(join(target, `dbs.${GROUP}/team/main.yaml`), 'utf8')).toContain(
          'size: 9007199254740993\n',
        )
      })

      it('gives the instances back by the commands of its README', async () => {
        const readme = readFileSync(join(target, 'README.md'), 'utf8')
        expect(readme).toContain('   - `bulk/conn-bulk`\n   - `other/conn-other`\n   - `team/conn-team`\n')
        expect(readme).toContain(
          'kubectl crossplane package install demo/sql:v1.0.0 sql --namespace system --packages DIR\n',
        )
        expect(await install()).toMatchObject({status: 0})
        const [command = ''] = /^kubectl create --recursive .*$/m.exec(readme) ?? []
        const {status, stderr} = await runProgram('sh', ['-c', `cd '${target}' && ${command}`], {
          env: {KUBECONFIG: cluster().kubeconfig},
        })
        expect({status, stderr}).toEqual({status: 0, stderr: ''})
        expect(await restorable()).toEqual(before)
      }, 120_000)

      it('is not that of the install after it was installed again', async () => {
        const {status, stderr} = await runIn(cluster(), ...removal('--backup', target))
        expect({status, stderr}).toEqual({
          status: 5,
          stderr: expect.stringContaining('it has a backup of an earlier install system/sql'),
        })
        expect(stderr).toContain('Try: Pass --backup with an empty or new folder.')
        expect(await restorable()).toEqual(before)
      }, 60_000)
    })
  })
})
