import {beforeAll, describe, expect, it} from '@jest/globals'
import {cpSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {createServed} from '../../cluster/kube.js'
import {FULL_RUNTIME} from '../../declaration/runtime/runtimes.js'
import {asObjects, type JsonObject} from '../../../src/yaml/json-value.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const temporary = temporaryFolder()
const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {namespace: 'crossplane-system', name: 'demo-sql-controller'},
}

describe('the runtime and the history of an install', () => {
  describeCluster('current', 'of a package with a controller', cluster => {
    const world = new DemoPackages()
    const runtime = join(writeTree(mkdtempSync(join(temporary, 'a-')), {'a.yaml': FULL_RUNTIME}), 'a.yaml')
    const flags = () => ['--packages', world.folder, '--no-wait', '--yes']
    const run = (command: string, ...args: string[]) =>
      runIn(cluster(), 'package', command, ...args, ...flags())
    const install = [
      'demo/sql:v1.0.0',
      '--with-package-api',
      '--create-namespace',
      '--runtime',
      runtime,
      '--replicas',
      '3',
    ]
    const controller = async () => (await cluster().kube.get(DEPLOYMENT)).body

    beforeAll(async () => {
      world.publish('sql', 'v1.0.0').publish('sql', 'v2.0.0')
      expect(await run('install', ...install)).toMatchObject({status: 0})
    }, 60_000)

    it('is accepted by the API server, with every field', async () => {
      expect(await controller()).toMatchObject({
        spec: {
          replicas: 3,
          template: {
            spec: {
              nodeSelector: {'kubernetes.io/os': 'linux'},
              securityContext: {fsGroup: 65532, runAsNonRoot: true},
              containers: [{resources: {limits: {cpu: '500m'}}, securityContext: {privileged: false}}],
            },
          },
        },
      })
    })

    it('is applied once, and is no drift', async () => {
      const {status, stderr} = await run('install', ...install)
      expect({status, stderr}).toMatchObject({status: 0, stderr: expect.stringContaining('unchanged')})
      const {stdout} = await runIn(cluster(), 'package', 'status', '--all-namespaces', '-o', 'json')
      expect(JSON.parse(stdout)).toMatchObject({installs: [{name: 'demo-sql', drift: []}]})
    })

    it('stays on an upgrade', async () => {
      expect(await run('upgrade', 'demo/sql:v2.0.0')).toMatchObject({status: 0})
      expect(await controller()).toMatchObject({
        spec: {
          replicas: 3,
          template: {spec: {containers: [{image: 'registry.example.org/demo/sql:v2.0.0'}]}},
        },
      })
    })

    const revisions = async () => {
      const {stdout} = await runIn(
        cluster(),
        ...['package', 'history', 'demo-sql', '-n', 'crossplane-system', '-o', 'json'],
      )
      const document = JSON.parse(stdout) as {revisions: readonly JsonObject[]}
      expect(schemaViolations(schemaOf('revision-list'), document)).toEqual([])
      return document.revisions
    }
    const place = ['--namespace', 'crossplane-system']
    const state = async () => {
      const {spec} = (await controller()) as {spec: {replicas: number; template: {spec: JsonObject}}}
      const [container] = asObjects(spec.template.spec.containers)
      return {replicas: spec.replicas, image: container?.image}
    }
    const [V1, V2] = ['v1.0.0', 'v2.0.0'].map(tag => `registry.example.org/demo/sql:${tag}`)

    it('has a revision for each change, with its time and user', async () => {
      const [first, second, ...others] = await revisions()
      const author = {
        time: expect.stringMatching(/^20\d\d-.*Z$/),
        user: expect.stringMatching(/./),
        request: {runtime: {replicas: 3}},
      }
      expect(first).toMatchObject({number: 1, package: {tag: 'v1.0.0'}, ...author})
      expect(second).toMatchObject({number: 2, package: {tag: 'v2.0.0'}, ...author})
      expect(others).toEqual([])
    })

    it('returns to the revision before, once', async () => {
      const planned = await runIn(
        cluster(),
        ...['package', 'rollback', 'demo-sql', ...place, '--packages', world.folder, '--dry-run=client'],
      )
      expect(planned).toMatchObject({status: 0, stdout: expect.stringContaining('demo-sql-controller')})
      expect(await state()).toEqual({replicas: 3, image: V2})
      expect(await run('rollback', 'demo-sql', ...place)).toMatchObject({status: 0})
      expect(await state()).toEqual({replicas: 3, image: V1})
      expect(await revisions()).toMatchObject([
        {number: 1},
        {number: 2},
        {number: 3, package: {tag: 'v1.0.0'}},
      ])
      const again = await run('rollback', 'demo-sql', '3', ...place)
      expect(again).toMatchObject({status: 0, stderr: expect.stringContaining('unchanged')})
      expect(await revisions()).toHaveLength(3)
    })

    it('restores the pin and the runtime of a revision', async () => {
      expect(await run('install', 'demo/sql:v2.0.0', '--replicas', '1')).toMatchObject({status: 0})
      expect(await state()).toEqual({replicas: 1, image: V2})
      const saved = join(temporary, 'plan.json')
      const flags = ['--packages', world.folder, '--plan-out', saved]
      const command = ['package', 'rollback', 'crossplane-system/demo-sql', '1']
      expect(await runIn(cluster(), ...command, ...flags)).toMatchObject({status: 0})
      expect(await state()).toEqual({replicas: 1, image: V2})
      const carried = await runIn(cluster(), 'package', 'rollback', '--plan', saved, '--no-wait')
      expect(carried).toMatchObject({status: 0})
      expect(await state()).toEqual({replicas: 3, image: V1})
      const all = await revisions()
      const {number: _number, time: _time, user: _user, ...content} = all.at(-1) ?? {}
      expect(all[0]).toMatchObject(content)
      expect(all).toHaveLength(5)
    })

    it.each([
      [
        'a revision that does not exist',
        ['demo-sql', '9'],
        1,
        /revision 9 not found; its revisions are 1, 2/,
      ],
      ['an install that does not exist', ['demo-sq'], 1, /Did you mean crossplane-system\/demo-sql/],
      ['no number', ['demo-sql', 'one'], 2, /invalid REVISION "one"/],
    ] as const)('rejects %s', async (_, args, status, message) => {
      const result = await run('rollback', ...args, ...place)
      expect(result.status).toBe(status)
      expect(result.stderr).toMatch(message)
    })

    it('rejects a return that takes the controller from custom resources', async () => {
      const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: extras.demo.example.org}
spec:
  group: demo.example.org
  scope: Cluster
  names: {plural: extras, kind: Extra}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
      world.publish('sql', 'v3.0.0')
      writeTree(world.folder, {'demo/sql@v3.0.0/.registry/resources/extra.crd.yaml': crd})
      expect(await run('upgrade', 'demo/sql:v3.0.0')).toMatchObject({status: 0})
      const extra = {apiVersion: 'demo.example.org/v1', kind: 'Extra', metadata: {name: 'mine'}}
      await createServed(cluster().kube, extra)
      const {status, stderr} = await run('rollback', 'demo-sql', ...place)
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining('extras.demo.example.org'),
      })
      expect(await state()).toMatchObject({image: 'registry.example.org/demo/sql:v3.0.0'})
      expect(await run('rollback', 'demo-sql', ...place, '--custom-resources=keep')).toMatchObject({
        status: 0,
      })
      expect(await state()).toEqual({replicas: 3, image: V1})
    })

    it('does not look for a package from a path in a registry', async () => {
      world.publish('path', 'v1.0.0')
      const path = join(world.folder, 'demo/path@v1.0.0')
      const identity = ['by-path', '--as-package', 'elsewhere/by-path:v1.0.0']
      expect(await run('install', path, ...identity)).toMatchObject({status: 0})
      expect(await run('install', path, ...identity, '--replicas', '2')).toMatchObject({status: 0})
      const {status, stderr} = await run('rollback', 'by-path', ...place)
      expect({status, stderr}).toEqual({
        status: 1,
        stderr: expect.stringContaining('as DIR/elsewhere/by-path@v1.0.0'),
      })
      cpSync(path, join(world.folder, 'elsewhere/by-path@v1.0.0'), {recursive: true})
      expect(await run('rollback', 'by-path', ...place)).toMatchObject({status: 0})
    })

    it('returns to a package from a layout, which no registry has', async () => {
      world.publish('image', 'v1.0.0').publish('image', 'v2.0.0')
      const identityOf = (tag: string) => ['by-image', '--as-package', `elsewhere/image:${tag}`, '--offline']
      for (const tag of ['v1.0.0', 'v2.0.0']) {
        const layout = `oci:${join(world.folder, `elsewhere/image@${tag}`)}:${tag}`
        const built = await runIn(
          cluster(),
          ...['package', 'build', layout, join(world.folder, `demo/image@${tag}`)],
        )
        expect(built).toMatchObject({status: 0})
        expect(await run('install', layout, ...identityOf(tag))).toMatchObject({status: 0})
      }
      const back = ['rollback', 'by-image', ...place, '--offline'] as const
      const {stderr} = await runIn(cluster(), 'package', ...back, '--yes')
      expect(stderr).toContain('pass --packages DIR with a folder that has it as DIR/elsewhere/image@v1.0.0')
      expect(await run(...back)).toMatchObject({status: 0})
    })

    it('rejects a package in a folder that has changed since', async () => {
      const file = join(world.folder, 'elsewhere/by-path@v1.0.0/.registry/install.yaml')
      writeFileSync(file, readFileSync(file, 'utf8').replace('demo/path:', 'demo/other:'))
      const {status, stderr} = await run('rollback', 'by-path', '2', ...place)
      expect({status, stderr}).toEqual({
        status: 4,
        stderr: expect.stringContaining('elsewhere/by-path:v1.0.0 is not the package that was installed'),
      })
    })
  })
})
