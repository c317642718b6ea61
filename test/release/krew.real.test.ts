import {beforeAll, expect, it} from '@jest/globals'
import {appendFileSync, cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {archiveName, platformName, thisPlatform} from '../../scripts/release/platforms.js'
import {findServer, missingPrograms} from '../cluster/find-server.js'
import {krew} from '../cluster/servers.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {type ProgramResult, runProgram} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'
import {makeReleaseOf, ROOT} from './made-release.js'
import {expectAsFromSources, pathWith} from './through-kubectl.js'

const platform = thisPlatform()
const missing =
  platform?.os === 'linux'
    ? (missingTool('kubectl') ?? missingPrograms([krew]))
    : 'no Linux for which there are releases'

describeReal('the release for this platform, installed by krew', missing, () => {
  const folder = temporaryFolder()
  const release = join(folder, 'release')
  const programs = join(folder, 'programs')
  const archive = join(release, archiveName(platform!))

  beforeAll(() => {
    makeReleaseOf(ROOT, ['--platform', platformName(platform!), '--no-image'], release)
    mkdirSync(programs)
    symlinkSync(findServer(krew)!, join(programs, 'kubectl-krew'))
  }, 300_000)

  /** The environment of a user whose krew has installed nothing yet. */
  function userOf(name: string): {readonly KREW_ROOT: string; readonly PATH: string; readonly HOME: string} {
    const root = join(folder, name)
    const PATH = pathWith(join(root, 'bin'), programs)
    return {KREW_ROOT: root, PATH, HOME: folder}
  }

  async function install(file: string, env: ReturnType<typeof userOf>): Promise<ProgramResult> {
    const manifest = `--manifest=${join(release, 'krew-manifest.yaml')}`
    const args = ['krew', 'install', manifest, `--archive=${file}`]
    return await runProgram('kubectl', args, {env: {...env, KREW_NO_UPGRADE_CHECK: '1'}})
  }

  it('prints its version, renders and fails as from sources', async () => {
    const env = userOf('root')
    expect(await install(archive, env)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('Installed plugin: crossplane\n'),
    })
    expect(readdirSync(join(env.KREW_ROOT, 'bin'))).toEqual(['kubectl-crossplane'])
    expect(realpathSync(join(env.KREW_ROOT, 'bin/kubectl-crossplane'))).toMatch(
      /\/root\/store\/crossplane\/v[^/]+\/kubectl-crossplane$/,
    )
    await expectAsFromSources(env)
  }, 180_000)

  it('is rejected if its archive differs from the manifest', async () => {
    const other = join(folder, 'other.tar.gz')
    cpSync(archive, other)
    appendFileSync(other, 'a')
    const env = userOf('other-root')
    expect(await install(other, env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('checksum does not match'),
    })
    expect(readdirSync(join(env.KREW_ROOT, 'bin'))).toEqual([])
  }, 60_000)
})
