import {expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText} from '../../../src/yaml/json-value.js'
import {runIn} from '../../commands/cluster/installing.js'
import {accepted} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {type Core, TIMEOUT} from './describe-core.js'

/** No server has this name: its packages are only in the registry of the suite. */
const ORIGINAL = 'packages.crossplane.invalid'
const CONFIGS = '/apis/pkg.crossplane.io/v1beta1/imageconfigs'
const OPTIONS = ['--core-version', `v${crossplane.version}`, '--yes', '--timeout', '120s']

/** Defines the test of a cluster whose ImageConfigs rewrite the packages of a closed world, which the registry has. */
export function testMirrors(core: () => Core, temporary: string): void {
  const at = (name: string, tag: string) => `${ORIGINAL}/team/${name}:${tag}`
  const run = (...args: readonly string[]) => runIn(core().cluster, 'package', ...args)
  const imageConfig = (name: string, from: string, to: string) => ({
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: {name},
    spec: {matchImages: [{prefix: from}], rewriteImage: {prefix: to}},
  })
  const pins = async () =>
    asObjects(accepted(await core().cluster.kube.send('GET', CONFIGS)).items)
      .map(({spec}) => asText(asObject(asObject(spec).rewriteImage).prefix).split('@')[0])
      .sort()

  /** A flag comes before the ImageConfigs of the cluster and the declaration, and is in no file. */
  const expectFlagObeyed = async (declared: string) => {
    const {host} = core()
    const through = (path: string) => ['--mirror', `${ORIGINAL}/team=${host}/${path}`, '--no-cache']
    const file = join(mkdtempSync(join(temporary, 'through-')), 'platform.yaml')
    expect(await run('import', '--declaration', file, ...through('world'))).toMatchObject({status: 0})
    expect(readFileSync(file, 'utf8')).toBe(declared)
    const drift = ['drift', '--declaration', file, '--context', 'test']
    const elsewhere = {stderr: expect.stringContaining(`${host}/nothing/net`)}
    expect(await run(...drift, ...through('nothing'))).toMatchObject({...elsewhere, status: 3})
    const {status, stdout} = await run(...drift)
    expect(await run(...drift, ...through('world'))).toMatchObject({status, stdout})
    const rollback = ['rollback', 'team-net', ...OPTIONS]
    const unread = await run(...rollback, ...through('nothing'))
    expect({...unread, failed: unread.status !== 0}).toMatchObject({...elsewhere, failed: true})
    expect(await run(...rollback, ...through('world'))).toMatchObject({status: 0})
    const {healthy} = await core().settled(
      ({others, healthy: own}) => others.length === 0 && own.length === 2,
    )
    expect(healthy).toContain(`Provider team-net ${at('net', 'v1.0.0')}`)
  }

  it(
    'reads, installs, upgrades and imports packages from where ImageConfigs rewrite them to',
    async () => {
      const {host} = core()
      await core().apply(imageConfig('mirror', `${ORIGINAL}/`, `${host}/nothing/`))
      const missing = await run('install', at('net', 'v1.0.0'), ...OPTIONS)
      const reason = `read from the mirror ${host}/nothing/team/net, as ImageConfig mirror of the cluster says of`
      expect(missing).toMatchObject({status: 1, stderr: expect.stringContaining(reason)})

      await core().apply(imageConfig('mirror', `${ORIGINAL}/team/`, `${host}/world/`))
      await core().apply(imageConfig('shorter', ORIGINAL, `${host}/elsewhere`))

      const installed = await run('install', at('net', 'v1.0.0'), ...OPTIONS)
      expect({...installed, stdout: ''}).toMatchObject({status: 0})
      const note = `Crossplane reads ${ORIGINAL}/team/net from ${host}/world/net, as ImageConfig mirror says`
      expect(installed.stderr).toContain(note)
      const mirrored = ['base', 'net'].map(name => `${host}/world/${name}`)
      expect(await pins()).toEqual([`${host}/elsewhere`, `${host}/world/`, ...mirrored].sort())
      const state = await core().settled(({others, healthy}) => others.length === 0 && healthy.length === 2)
      expect(state.healthy).toContain(`Provider team-net ${at('net', 'v1.0.0')}`)
      expect(await run('diff', at('net', 'v1.0.0'), ...OPTIONS.slice(0, 2))).toMatchObject({status: 0})

      const upgraded = await run('upgrade', at('net', 'v1.1.0'), ...OPTIONS)
      expect({...upgraded, stdout: ''}).toMatchObject({status: 0})
      const {healthy} = await core().settled(
        ({others, healthy: own}) => others.length === 0 && own.length === 2,
      )
      expect(healthy).toContain(`Provider team-net ${at('net', 'v1.1.0')}`)

      const declaration = join(mkdtempSync(join(temporary, 'mirrored-')), 'platform.yaml')
      const imported = await run('import', '--declaration', declaration)
      expect({...imported, stderr: ''}).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/team\/net +- +v1\.1\.0 +added\n/),
      })
      const text = readFileSync(declaration, 'utf8')
      expect(text).toContain(`- package: ${at('net', 'v1.1.0')}`)
      // The cluster has a mirror of its own for them, which keeps its name.
      const names = 'imageConfigs:\n    mirror-packages-crossplane-invalid-team: mirror\n'
      expect(text).toContain(
        `registries:\n  ${ORIGINAL}/team: ${host}/world\nxpkg:\n  ${names}  mirrors: true\n  pin: config\n`,
      )
      const {status, stdout} = await run('diff', '--declaration', declaration)
      expect({status, stdout}).toMatchObject({
        status: 0,
        stdout: expect.not.stringMatching(/^(?:create|update) /m),
      })
      await expectFlagObeyed(text)
    },
    TIMEOUT,
  )
}
