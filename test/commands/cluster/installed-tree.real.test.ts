import {beforeAll, describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {type JsonSchema, schemaViolations} from '../../json-schema.js'
import {installPlanned, runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

describe('package tree and why', () => {
  describeCluster('current', 'of installed packages', cluster => {
    const run = (...args: string[]) => runIn(cluster(), 'package', ...args)
    const PLACE = 'crossplane-system'

    const world = new DemoPackages()
      .publish('app', 'v1.0.0', 'sqls', 'nets')
      .publish('sql', 'v1.0.0', 'nets')
      .publish('net', 'v1.0.0')

    beforeAll(async () => {
      const flags = ['--packages', world.folder, '--with-package-api', '--create-namespace']
      const installed = await installPlanned(cluster(), world.folder, 'demo/app:v1.0.0', ...flags)
      expect(installed).toMatchObject({status: 0})
    }, 60_000)

    it('draw the graph of the inventories', async () => {
      expect(await run('tree', '--installed')).toEqual({
        status: 0,
        stdout: [
          `demo/app:v1.0.0 in ${PLACE}/demo-app`,
          `├── nets.demo.example.org/v1: demo/net:v1.0.0 in ${PLACE}/demo-net`,
          `└── sqls.demo.example.org/v1: demo/sql:v1.0.0 in ${PLACE}/demo-sql`,
          `    └── nets.demo.example.org/v1: demo/net:v1.0.0 in ${PLACE}/demo-net`,
          '',
        ].join('\n'),
        stderr: '',
      })
      expect((await run('tree', '--installed', '--depth', '0')).stdout).toMatch(/^demo\/app.*more below/)
      expect((await run('tree', '--installed', '--namespace', 'other')).stdout).toBe('')
    })

    it('explain why a package, or the owner of a CRD, is installed', async () => {
      const {stdout} = await run('why', 'demo/net', '--installed')
      expect(stdout).toBe(
        [
          `demo/net:v1.0.0 is installed as ${PLACE}/demo-net`,
          '',
          '  requested demo/app:v1.0.0',
          '    requires nets.demo.example.org/v1: demo/net:v1.0.0',
          '',
          '  requested demo/app:v1.0.0',
          '    requires sqls.demo.example.org/v1: demo/sql:v1.0.0',
          '      requires nets.demo.example.org/v1: demo/net:v1.0.0',
          '',
        ].join('\n'),
      )
      expect((await run('why', 'crd:nets.demo.example.org', '--installed')).stdout).toBe(stdout)
      expect((await run('why', 'nets.demo.example.org/v1', '--installed')).stdout).toBe(stdout)
      expect(await run('why', 'demo/other', '--installed')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('package "demo/other" not found'),
      })
    })

    it('compare them with newer versions, and say what holds one back', async () => {
      expect(await run('outdated', '--installed', '--packages', world.folder)).toMatchObject({
        status: 0,
        stderr: expect.stringContaining('3 packages up to date'),
      })
      world.publish('net', 'v1.1.0').publish('sql', 'v2.0.0', 'others')
      const {status, stdout} = await run('outdated', '--installed', '--packages', world.folder)
      expect({status, stdout: stdout.replaceAll(/ {2,}/g, '  ')}).toEqual({
        status: 1,
        stdout: `HELD BACK  INSTALLED  SELECTED  LATEST
demo/sql  v1.0.0  v1.0.0  v2.0.0
  demo/sql:v2.0.0 requires others.demo.example.org/v1, which no package provides

CAN BE UPGRADED  INSTALLED  SELECTED  LATEST
demo/net  v1.0.0  v1.1.0  v1.1.0

1 package up to date.
`,
      })
      const elsewhere = ['--packages', world.folder, '--dependency-namespace', 'team-a']
      expect(await run('outdated', '--installed', ...elsewhere)).toMatchObject({status: 1, stdout})
      const one = await run('outdated', 'net', '--installed', '--packages', world.folder)
      expect(one).toMatchObject({status: 1, stdout: expect.not.stringContaining('HELD BACK')})
      expect(one.stdout).toMatch(/demo\/net +v1.0.0 +v1.1.0 +v1.1.0\n\n0 packages up to date/)
      expect(await run('outdated', 'demo/nit', '--installed')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('Did you mean demo/net?'),
      })
    })

    it.each([
      {name: 'dependency-tree', in: ['tree', '--installed']},
      {name: 'install-reasons', in: ['why', 'demo/net', '--installed']},
      {name: 'install-list', in: ['list', '-A']},
    ])('print documents as the schema $name says', async ({name, in: argv}) => {
      const schema = JSON.parse(readFileSync(`docs/schemas/${name}.v1alpha1.json`, 'utf8')) as JsonSchema
      expect(schemaViolations(schema, JSON.parse((await run(...argv, '-o', 'json')).stdout))).toEqual([])
    })
  })
})
