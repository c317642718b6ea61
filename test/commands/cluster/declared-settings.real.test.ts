import {beforeAll, expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {openApi} from '../../cluster/open-api.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {declarationWith} from '../settings-as-flags.js'
import {ownEntries, runIn} from './installing.js'
import {DemoPackages, ownedBy} from './some-world.js'

const temporary = temporaryFolder()

describeCluster('current', 'a declaration with settings of rendering', cluster => {
  const world = new DemoPackages()
  let release = ''

  const declared = (settings: Readonly<Record<string, string>>) => {
    const fields = Object.entries(settings).map(([name, value]) => ({
      field: `render.${name}`,
      value,
      flags: [],
    }))
    const root = writeTree(mkdtempSync(join(temporary, 'declared-')), {
      'wanted.yaml': declarationWith(fields, '- package: demo/app\n'),
    })
    return ['--declaration', join(root, 'wanted.yaml'), '--packages', world.folder, ...ownedBy('sql')]
  }

  async function writes(...args: readonly string[]) {
    const audit = auditOf(cluster())
    const mark = await audit.mark()
    const result = await runIn(cluster(), 'package', ...args)
    return {...result, writes: ownEntries(await audit.since(mark)).filter(isWrite).length}
  }

  beforeAll(async () => {
    world.publish('sql', 'v1.0.0').publish('app', 'v1.0.0', 'sqls')
    const {major, minor} = await openApi(cluster()).version()
    release = `${major}.${minor}`
  })

  it.each<{name: string; settings: Record<string, string>; want: string}>([
    {name: 'another Kubernetes', settings: {kubeVersion: '"1.20"'}, want: 'wanted.yaml is 1.20, but'},
    {name: 'CRDs of another version', settings: {crdVersion: 'v1beta1'}, want: 'wanted.yaml is v1beta1, but'},
  ])('is rejected before any change: $name', async ({settings, want}) => {
    const place = declared(settings)
    for (const [command = '', ...flags] of [['install', '--yes'], ['upgrade', '--yes'], ['diff']]) {
      const result = await writes(command, ...place, ...flags)
      expect(result).toMatchObject({status: 5, writes: 0})
      expect(result.stderr).toContain(want)
      expect(result.stderr).toContain(`the cluster has Kubernetes v${release}`)
    }
  })

  it('is installed and upgraded as its flags are', async () => {
    const place = declared({base: 'true', createNamespace: 'true', kubeVersion: `v${release}`})
    const install = ['install', ...place, '--no-wait', '--yes']
    expect(await writes(...install)).toMatchObject({status: 0})
    expect(await writes('diff', ...place)).toMatchObject({status: 0, stdout: ''})
    expect(await writes('upgrade', ...place, '--no-wait', '--yes')).toMatchObject({status: 0, writes: 0})
    expect(await writes(...install, '--with-package-api')).toMatchObject({status: 0})
    const both = await writes(...install, '--with-package-api=false')
    expect(both).toMatchObject({status: 2, writes: 0})
    expect(both.stderr).toMatch(
      /--with-package-api and render\.base in .*wanted\.yaml are mutually exclusive/,
    )
  })
})
