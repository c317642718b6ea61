import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdirSync, mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {startRegistry, type RegistryServer} from '../fakes/registry-server.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const XPKG = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: gate}\n'
const all = temporaryFolder()
let server: RegistryServer | undefined
beforeAll(async () => {
  server = await startRegistry()
  const source = writeTree(mkdtempSync(join(all, 'source-')), {'crossplane.yaml': XPKG})
  const reference = `${server.host}/x/gate:v1.5.0`
  expect(await runCli('package', 'push', reference, source, '--no-lint')).toMatchObject({status: 0})
})
afterAll(() => server?.close())

/** A folder of packages with the good versions, and a folder v2.0.0 without a package. */
function packages(...good: readonly string[]): string {
  const root = mkdtempSync(join(all, 'packages-'))
  mkdirSync(join(root, 'x/gate/v2.0.0'), {recursive: true})
  return writeTree(
    root,
    Object.fromEntries(good.map(tag => [`x/gate/${tag}/crossplane.yaml`, XPKG] as const)),
  )
}

const name = () => `${present(server).host}/x/gate`
const run = async (verb: string, reference: string, root: string, ...flags: readonly string[]) =>
  await runCli('package', verb, reference, '--packages', root, '--no-cache', ...flags)

describe('a folder of a version without a package', () => {
  it.each([
    {has: 'a good version', good: ['v1.0.0'], want: 'v1.0.0'},
    {has: 'none, so that the registry is asked', good: [], want: 'v1.5.0'},
  ])('is not selected where the folder has $has', async ({good, want}) => {
    const root = packages(...good)
    const inspected = await run('inspect', name(), root, '-o', 'json')
    expect(inspected).toMatchObject({status: 0, stdout: expect.stringContaining(`gate:${want}`)})
    const listed = await run('versions', name(), root, '-o', 'name')
    expect(listed).toMatchObject({status: 0, stdout: `${name()}:${want}\n`})
    const {status, stdout, stderr} = await run('render', name(), root)
    expect({status, stdout}).toEqual({status: 0, stdout: expect.stringContaining(`gate:${want}`)})
    expect(stderr).toContain(`Warning: ${name()}:v2.0.0 was passed over, and ${want} is selected: `)
  })

  it('is an error where it is requested', async () => {
    const {status, stderr} = await run('render', `${name()}:v2.0.0`, packages('v1.0.0'))
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('x/gate/v2.0.0')})
  })

  it('is not read for a digest', async () => {
    const {stdout} = await runCli('package', 'inspect', name(), '--no-cache', '-o', 'json')
    const [digest = ''] = /sha256:[\da-f]{64}/.exec(stdout) ?? []
    expect(await run('inspect', `${name()}@${digest}`, packages('v1.0.0'))).toMatchObject({status: 0})
  })
})
