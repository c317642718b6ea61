import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {asText} from '../../../src/yaml/json-value.js'
import {crossplane} from '../../cluster/servers.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {closedWorld} from './closed-world.js'
import {describeCore, TIMEOUT} from './describe-core.js'
import {fail, listed, succeed} from './package-commands.js'
import {publish} from './published-packages.js'

const CORE = ['--core-version', `v${crossplane.version}`]
const YES = ['--yes', '--timeout', '120s']

const temporary = temporaryFolder()

describeCore('packages that Crossplane does not resolve', core => {
  const at = (name: string, tag = '') => `${core().host}/world/${name}${tag && `:${tag}`}`
  const before = process.env.KUBECONFIG

  beforeAll(async () => {
    await publish(temporary, closedWorld(`${core().host}/world`))
    process.env.KUBECONFIG = core().cluster.kubeconfig
  }, TIMEOUT)
  afterAll(() => {
    process.env.KUBECONFIG = before
  })

  it(
    'knows what requires which where Crossplane does not resolve it',
    async () => {
      await succeed('install', at('app', 'v0.1.0'), ...CORE, ...YES, '--pin=digest')
      expect((await core().state()).lock).toEqual([])
      expect((await listed()).map(({name, requiredBy}) => ({name, requiredBy}))).toEqual([
        {name: 'world-base', requiredBy: [at('inner'), at('net')]},
        {name: 'world-net', requiredBy: [at('app')]},
        {name: 'world-template', requiredBy: [at('app')]},
        {name: 'world-app', requiredBy: []},
        {name: 'world-inner', requiredBy: [at('app')]},
      ])
      const required = await fail('uninstall', 'world-net', ...YES)
      expect(required).toEqual({
        status: 5,
        errors: [
          `Error: ${at('app')} requires ${at('net')} v1.0.0: Crossplane would not install it again`,
          'Try: kubectl crossplane package uninstall configuration.pkg.crossplane.io/world-app',
        ],
      })
      const history = await succeed('history', 'world-net', '--output', 'wide')
      expect(history.stdout).toMatch(
        /^REVISION .*\n1 +Active +True +\S+ +\S+world\/net@sha256:\S+ +world-net-\S+ +sha256:\S+\n$/,
      )
      expect(await fail('rollback', 'world-net', ...YES)).toEqual({
        status: 1,
        errors: [
          'Error: cannot roll back provider.pkg.crossplane.io/world-net: Crossplane has no other revision of it',
          'Try: kubectl crossplane package history provider.pkg.crossplane.io/world-net',
          `Try: List the versions to install: kubectl crossplane package versions ${at('net')}`,
        ],
      })
      // net v1.1.0 requires base v1.1.0, which inner excludes.
      expect(await fail('upgrade', at('net', 'v1.1.0'), ...CORE, ...YES)).toMatchObject({status: 3})
      const again = await succeed('install', at('app', 'v0.1.0'), ...CORE, ...YES)
      expect(again.stderr).toContain('5 unchanged')

      // What is requested by its digest keeps no tag: its annotation names the digest from then on.
      const file = join(temporary, 'crossplane-packages.yaml')
      await succeed('import', '--declaration', file, ...CORE)
      const [app] = (await listed()).filter(({name}) => name === 'world-app')
      expect(readFileSync(file, 'utf8').split('\n').slice(3)).toEqual([
        'packages:',
        `- package: ${asText(app?.package)}`,
        '',
      ])
      const imported = await succeed('install', '--declaration', file, ...YES)
      expect(imported.stderr).toContain('1 configured, 4 unchanged')
      const twice = await succeed('install', '--declaration', file, ...YES)
      expect(twice.stderr).toContain('5 unchanged')
      await succeed('uninstall', 'world-app', ...YES, '--with-unused-dependencies')
      expect(await listed()).toEqual([])
    },
    TIMEOUT,
  )
})
