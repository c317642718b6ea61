import {expect, it} from '@jest/globals'
import {execFile} from 'node:child_process'
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {CORPUS_ROOT} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {differences} from './printed-objects.js'
import {OUR_PACKAGES, REAL_PACKAGES, type SomePackage} from './some-packages.js'

const run = promisify(execFile)

async function stdoutOf(...args: readonly string[]): Promise<string> {
  const {status, stdout} = await runCli('package', 'render', ...args)
  expect(status).toBe(0)
  return stdout
}

const missingCorpus = REAL_PACKAGES.length > 0 ? undefined : `no corpus in ${CORPUS_ROOT}`

/** The package as an image in every form that is read, by real tools: what to render, by what it is. */
async function imagesOf(
  {name, folder}: SomePackage,
  temporary: string,
): Promise<Readonly<Record<string, string>>> {
  const at = join(temporary, name.replace('@', '-'))
  mkdirSync(at)
  const layout = join(at, 'layout')
  await run('umoci', ['init', '--layout', layout])
  await run('umoci', ['new', '--image', `${layout}:v1`])
  await run('umoci', [
    'insert',
    '--rootless',
    '--image',
    `${layout}:v1`,
    join(folder, '.registry'),
    '/.registry',
  ])
  const copy = (to: string) => run('skopeo', ['--insecure-policy', 'copy', `oci:${layout}:v1`, to])
  await copy(`oci-archive:${at}/oci.tar:v1`)
  await copy(`docker-archive:${at}/docker.tar:example.org/some/package:v1`)
  return {
    'an OCI layout': `oci:${layout}:v1`,
    'an OCI archive': `oci-archive:${at}/oci.tar`,
    'a docker archive': `docker-archive:${at}/docker.tar`,
  }
}

function sameAsImages(packages: readonly SomePackage[]): void {
  const temporary = temporaryFolder()

  it.each(packages)('$name', async some => {
    const want = await stdoutOf(some.folder, ...some.flags)
    const images = Object.entries(await imagesOf(some, temporary))
    for (const [form, reference] of images)
      expect({form, stdout: await stdoutOf(reference, ...some.flags, '--no-pin-image')}).toEqual({
        form,
        stdout: want,
      })
  })

  it.each(packages)('$name: pinned, only the images that containers run differ', async some => {
    const [, asPackage = ''] = some.flags
    const {'an OCI layout': layout = ''} = await imagesOf({...some, name: `${some.name}-pinned`}, temporary)
    const plain = await stdoutOf(some.folder, ...some.flags)
    const changes = differences(plain, await stdoutOf(layout, ...some.flags))
    const what = Object.entries(changes).map(([path, pair]) => [path.split('.').at(-1), ...pair])
    expect(what.length > 0).toBe(plain.includes(`image: ${asPackage}\n`))
    const pinned = expect.stringMatching(new RegExp(`^${asPackage}@sha256:[0-9a-f]{64}$`))
    expect(what).toEqual(what.map(() => ['image', asPackage, pinned]))
  })
}

const missing = missingTool('umoci', 'skopeo')

describeReal('a folder and its images give the same bytes', missing, () => {
  sameAsImages(OUR_PACKAGES)
})

describeReal('a real package and its images give the same bytes', missing ?? missingCorpus, () => {
  sameAsImages(REAL_PACKAGES)
})
