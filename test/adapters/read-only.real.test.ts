import {spawnSync} from 'node:child_process'
import {mkdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, expect, it} from '@jest/globals'
import {fixture} from '../commands/fixtures.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = join(temporaryFolder(), 'read-only')
mkdirSync(folder)
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder]).status === 0

describeReal('a read-only file system', mounted ? undefined : 'no permission to mount one', () => {
  afterAll(() => {
    expect(spawnSync('umount', [folder]).status).toBe(0)
    rmSync(folder, {recursive: true})
  })

  const database = fixture('cli-database')
  it.each([
    {
      name: 'an output folder',
      in: ['package', 'render', database, '--as-package', 'x/a:v1', '--output-dir', folder],
    },
    {name: 'a layout', in: ['package', 'build', `oci:${folder}/layout`, database]},
    {name: 'an archive', in: ['package', 'build', `oci-archive:${folder}/a.tar`, database]},
    {name: 'a new package', in: ['package', 'init', join(folder, 'new')]},
  ])('is named as the cause where $name cannot be written', async ({in: argv}) => {
    const {status, stderr} = await runCli(...argv)
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Error: cannot .*: read-only file system$/m),
    })
    expect(stderr).not.toContain('lock is held')
  })
})
