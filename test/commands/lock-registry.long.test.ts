import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {lines, owner} from './locked-world.js'

const folder = temporaryFolder()
let server: RegistryServer | undefined
beforeAll(async () => {
  server = await startRegistry()
})
afterAll(async () => {
  await server?.close()
})

const reference = () => `${present(server).host}/x/as`

async function publish(tag: string, version: string): Promise<void> {
  const source = writeTree(join(folder, `${tag}-${version}`), owner(tag, 'as', version))
  const {status, stderr} = await runCli(
    ...['package', 'push', `${reference()}:${tag}`, join(source, `x/as@${tag}`), '--no-lint', '--force'],
  )
  expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
}

const run = (command: string, ...args: readonly string[]) =>
  runCli(...['package', command, reference(), '--lock-file', join(folder, 'a.lock'), '--no-cache', ...args])

describe('a lock of packages in a registry', () => {
  it('keeps the version of a reference without a tag, and the digest when the tag moves', async () => {
    await publish('v1.0.0', 'v1')
    expect(await run('lock')).toMatchObject({status: 0})
    expect(readFileSync(join(folder, 'a.lock'), 'utf8')).toMatch(/^ {4}digest: sha256:[0-9a-f]{64}$/m)
    const before = await run('render', '--locked')
    expect(before.status).toBe(0)

    await publish('v2.0.0', 'v2')
    expect(await run('render', '--locked')).toMatchObject({status: 0, stdout: before.stdout})
    expect(await run('lock')).toMatchObject({status: 0, stdout: '1 package unchanged.\n'})

    await publish('v1.0.0', 'v3')
    expect(await run('render', '--locked')).toMatchObject({status: 0, stdout: before.stdout})
    expect(await run('render')).toMatchObject({status: 0, stdout: before.stdout})

    expect((await run('outdated')).status).toBe(1)
    const upgraded = await run('lock', '--upgrade', reference())
    expect(lines(upgraded.stdout).slice(1)).toEqual([
      `${reference()} v1.0.0 v2.0.0 upgraded`,
      '0 packages unchanged.',
    ])
  })
})
