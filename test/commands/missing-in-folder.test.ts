import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {owner} from './locked-world.js'

const folder = temporaryFolder()
const XPKG = `apiVersion: meta.pkg.crossplane.io/v1
kind: Function
metadata: {name: auto}
`

describe('a package that was locked in a folder and is not there', () => {
  let server: RegistryServer
  beforeAll(async () => {
    server = await startRegistry()
  })
  afterAll(() => server.close())

  /** A declaration of one package of a registry, locked from a folder. */
  async function locked(path: string) {
    const root = writeTree(mkdtempSync(join(folder, 'w-')), {
      ...Object.fromEntries(
        Object.entries(owner('v1.0.0', 'as', 'v1')).map(([file, text]) => [`packages/${file}`, text]),
      ),
      'packages/x/auto@v1.0.0/crossplane.yaml': XPKG,
    })
    const declaration = join(root, 'crossplane-packages.yaml')
    const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
    writeFileSync(declaration, `${head}packages:\n- package: ${server.host}/x/${path}:v1.0.0\n`)
    const run = async (command: string, ...args: readonly string[]) =>
      await runCli('package', command, '--declaration', declaration, ...args)
    expect(await run('lock', '--packages', join(root, 'packages'))).toMatchObject({status: 0})
    return {run, name: `${server.host}/x/${path}`, empty: mkdtempSync(join(root, 'empty-'))}
  }

  describe.each(['as', 'auto'])('x/%s', path => {
    it.each([
      {name: 'lock', args: ['lock'], status: 1},
      {name: 'lock --split', args: ['lock', '--split'], status: 1},
      {name: 'render', args: ['render'], status: 1},
      {name: 'render --locked', args: ['render', '--locked'], status: 3},
      {name: 'tree', args: ['tree'], status: 1},
    ])('is not requested from its registry by $name', async ({args, status}) => {
      const {run, name} = await locked(path)
      const requests = server.seen.length
      const [command = '', ...others] = args
      expect(await run(command, ...others)).toMatchObject({
        status,
        stdout: '',
        stderr: expect.stringMatching(
          `${name}:v1\\.0\\.0.*locked without a digest[^]*Pass --packages DIR with a folder that has ${name}:v1\\.0\\.0`,
        ) as unknown,
      })
      expect(server.seen.slice(requests)).toEqual([])
    })

    it('is missing in a folder without it', async () => {
      const {run, name, empty} = await locked(path)
      const {stderr} = await run('lock', '--packages', empty)
      expect(stderr).toContain(`Add ${name}:v1.0.0 to the folder given with --packages`)
    })

    it('is locked anew with --upgrade, as the error suggests', async () => {
      const {run, name} = await locked(path)
      expect((await run('lock')).stderr).toContain(`--upgrade ${name}`)
      const requests = server.seen.length
      await run('lock', '--upgrade', name)
      expect(server.seen.length).toBeGreaterThan(requests)
    })

    it('is named by pull, which has nothing to pull', async () => {
      const {run} = await locked(path)
      expect(await run('pull')).toMatchObject({
        status: 0,
        stdout: '',
        stderr: expect.stringContaining('[nothing-to-pull]') as unknown,
      })
    })
  })
})
