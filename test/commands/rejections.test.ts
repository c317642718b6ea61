import {describe, expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {IndexedWorlds} from './indexed-world.js'
import {APP_YAML, owner} from './locked-world.js'

const folder = temporaryFolder()
const worlds = new IndexedWorlds()

/** A folder of packages in which an app has these requirements. */
function packages(dependsOn: string): string {
  return writeTree(mkdtempSync(join(folder, 'packages-')), {
    'x/app@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: ${dependsOn}\n`,
    ...owner('v1.0.0', 'as', 'v1'),
    ...Object.fromEntries(
      Object.entries(owner('v1.0.0', 'as', 'v1')).map(([path, text]) => [
        path.replace('x/as', 'x/rival'),
        text,
      ]),
    ),
  })
}

describe('a request that cannot be resolved', () => {
  it.each(['lock', 'render', 'tree'])(
    '%s reports all missing and ambiguous requirements together',
    async command => {
      const root = packages(
        '[{crd: zs.z.example.org}, {crd: as.x.example.org}, {package: x/gone}, {crd: ys.y.example.org}]',
      )
      const {status, stderr} = await runCli(
        ...['package', command, 'x/app', '--packages', root, '-o', 'json'],
        ...(command === 'lock' ? ['--lock-file', join(root, 'a.lock')] : []),
      )
      const {faults} = JSON.parse(stderr) as {faults: {message: string}[]}
      const text = faults.map(({message}) => message).join('\n')
      expect(status).toBe(3)
      for (const name of ['zs.z.example.org', 'as.x.example.org', 'x/gone', 'ys.y.example.org']) {
        expect(text).toContain(name)
      }
    },
  )

  it('suggests --default-source for a requirement without a registry, and the suggestion works', async () => {
    const world = await worlds.empty()
    const flags = ['--index', world.root]
    await world.publish('gears', 'v1.0.0', {plural: 'gears'}, ...flags)
    await world.publish(
      'wheels',
      'v1.0.0',
      {plural: 'wheels', app: 'dependsOn: [{package: team/gears}]\n'},
      ...flags,
    )
    const given = ['package', 'tree', world.reference('wheels', 'v1.0.0'), ...flags, '--no-cache']
    const {status, stderr} = await runCli(...given)
    const [, source = ''] = /Pass (--default-source \S+):/.exec(stderr) ?? []
    expect({status, source}).toEqual({status: 3, source: `--default-source ${world.server.host}`})
    expect(await runCli(...given, ...source.split(' '))).toMatchObject({status: 0})
  })
})

describe('a CRD of Crossplane itself', () => {
  const crd = 'kubernetesapplications.workload.crossplane.io'

  it('is explained by why', async () => {
    const root = packages(`[{crd: ${crd}}]`)
    const {status, stderr} = await runCli('package', 'why', crd, 'x/app', '--packages', root)
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('is provided by Crossplane v0.12 itself'),
    })
  })

  it('is listed by provides', async () => {
    const {status, stderr} = await runCli('package', 'provides', crd, '--packages', packages('[]'))
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('is provided by Crossplane v0.12 itself'),
    })
  })
})
