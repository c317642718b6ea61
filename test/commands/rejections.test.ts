import {describe, expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {listener} from '../listening.js'
import {runCli} from '../run-cli.js'
import {runBuilt} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {IndexedWorlds} from './indexed-world.js'
import {APP_YAML, codeOf, locked, owner} from './locked-world.js'

const folder = temporaryFolder()
const listen = listener()
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

it('a repository that does not answer at once is named without its credentials', async () => {
  const server = createServer((_request, response) => setTimeout(() => response.writeHead(404).end(), 500))
  const host = `127.0.0.1:${await listen(server)}`
  const url = `http://me:s3cret@${host}/x.git?private_token=t0ken`
  const root = packages('[{crd: bs.x.example.org}]')
  const {status, stdout, stderr} = await runBuilt(
    ['package', 'install', 'x/app', '--packages', root, '--git', url, '--yes', '--debug'],
    {env: {CROSSPLANE_WAIT_NOTICE: '0'}},
  )
  expect(status).toBe(1)
  expect(stderr).toContain(`Opening http://${host}/x.git?***`)
  expect(`${stdout}${stderr}`).not.toMatch(/s3cret|t0ken/)
}, 180_000)

describe('a lock that cannot be kept', () => {
  it.each([
    {name: '--locked alone', in: ['x/bs', '--locked'], want: {status: 2, code: 'usage'}},
    {
      name: '--locked without its lock',
      in: ['--declaration', 'DIR/wanted.yaml', '--locked', '--lock-file', 'none'],
      want: {status: 3, code: 'lock-outdated'},
    },
    {
      name: 'a reference without its lock',
      in: ['x/bs', '--locked', '--lock-file', 'none'],
      want: {status: 3, code: 'lock-outdated'},
    },
    {
      name: 'a reference that its lock lacks',
      in: ['x/rival', '--locked', '--lock-file', 'DIR/wanted.lock'],
      want: {status: 3, code: 'lock-outdated'},
    },
    {
      name: 'a reference to another version than its lock',
      in: ['x/bs:v2.0.0', '--locked', '--lock-file', 'DIR/wanted.lock'],
      want: {status: 3, code: 'lock-outdated'},
    },
    {
      name: 'a lock without choosing',
      in: ['x/bs', '--no-dependencies', '--lock-file', 'DIR/wanted.lock'],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'a lock and -f',
      in: ['-f', 'DIR/wanted.yaml', '--lock-file', 'DIR/wanted.lock'],
      want: {status: 2, code: 'usage'},
    },
  ])('is rejected: $name', async ({in: args, want}) => {
    const world = await locked()
    world.publish()
    const given = args.map(each => each.replace('DIR', world.root))
    const {status, stderr} = await runCli(
      'package',
      'render',
      ...given,
      '--packages',
      world.at('packages'),
      '-o',
      'json',
    )
    expect({status, code: codeOf(stderr)}).toEqual(want)
  })
})
