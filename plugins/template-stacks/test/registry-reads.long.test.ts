import {afterEach, beforeEach, describe, expect, it, jest} from '@jest/globals'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../../../test/fakes/registry-server.js'
import {type CliResult, runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const SRC = join(import.meta.dirname, '../src')
const PACKAGE = join(import.meta.dirname, '../../../examples/template-stacks/hello-world')
const CR = join(PACKAGE, 'tests/greets/cr.yaml')
const cache = temporaryFolder()

let server: RegistryServer
let reference: string
beforeEach(async () => {
  server = await startRegistry()
  reference = `${server.host}/team/hello-world:v0.1.0`
  await succeed('package', 'push', reference, PACKAGE)
  server.seen.length = 0
})
afterEach(() => server.close())

async function succeed(...args: readonly string[]): Promise<CliResult> {
  const result = await runCliWith(SRC, ...args)
  expect(result).toMatchObject({status: 0})
  return result
}

async function render(...more: readonly string[]): Promise<string> {
  return (await succeed('template', 'render', reference, '-f', CR, '--quiet', ...more)).stdout
}

/** How often the document or blob was requested that was requested most often. */
function most(): number {
  const counts = new Map<string, number>()
  for (const {method, path} of server.seen)
    if (method === 'GET' && /\/(?:blobs|manifests)\//.test(path))
      counts.set(path, (counts.get(path) ?? 0) + 1)
  return Math.max(...counts.values())
}

describe('a package in a registry', () => {
  it('is rendered with one read of its manifest and each of its layers', async () => {
    const printed = await render('--no-cache')
    const local = await succeed('template', 'render', PACKAGE, '-f', CR, '--quiet')
    expect(printed).toBe(local.stdout)
    expect(most()).toBe(1)
  })

  it('is rendered with one read where the cache has the package without its templates', async () => {
    const first = await render('--cache-dir', cache)
    server.seen.length = 0
    expect(await render('--cache-dir', cache)).toBe(first)
    expect(most()).toBe(1)
  })

  it('has no tests, as packages are pushed without them', async () => {
    const {status, stderr} = await runCliWith(SRC, 'template', 'test', reference, '--no-cache', '--quiet')
    expect({status, stderr}).toEqual({
      status: 7,
      stderr: `Error: ${reference} has no tests: "package build" and "package push" leave out tests/
Try: Run the tests of a folder: kubectl crossplane template test ${reference} --tests-from ./DIR
`,
    })
    const folder = await runCliWith(SRC, 'template', 'test', PACKAGE, '--tests-dir', 'none', '--quiet')
    expect(folder).toMatchObject({
      status: 7,
      stderr: `Error: ${PACKAGE} has no tests
Try: Add a test as none/NAME/cr.yaml, and pass --update to write what it renders.
`,
    })
  })

  it('is tested with the tests of a folder', async () => {
    const test = async (folder: string) =>
      await runCliWith(SRC, 'template', 'test', reference, '--tests-from', folder, '--no-cache', '--quiet')
    const own = await test(join(PACKAGE, 'tests'))
    expect({status: own.status, stderr: own.stderr}).toEqual({status: 0, stderr: ''})
    expect(own.stdout).toContain('0 failed')
    expect(await test(join(PACKAGE, 'none'))).toMatchObject({
      status: 7,
      stderr: `Error: cannot read the folder "${join(PACKAGE, 'none')}": no such file or directory\n`,
    })
  })

  it.each(['template', 'package'])('is read once by %s lint', async topic => {
    await succeed(topic, 'lint', reference, '--no-cache')
    expect(most()).toBe(1)
  })
})
