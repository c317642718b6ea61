import {describe, expect, it} from '@jest/globals'
import {cpSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {DATABASE, fixture} from './fixtures.js'
import {objectsIn} from './printed-objects.js'
import {rendered} from './rendered.js'

const packages = temporaryFolder()
/** The cache that all suites share holds packages with similar names, whichever ran before. */
const emptyCache = temporaryFolder()

/** The database at a place of the folder of packages, with a version of its own. */
function place(path: string, version: string): void {
  cpSync(fixture('cli-database'), join(packages, path), {recursive: true})
  const app = join(packages, path, '.registry/app.yaml')
  writeFileSync(app, readFileSync(app, 'utf8').replace('version: 0.2.0', `version: ${version}`))
}
place('example/cli-database@v0.2.0', '0.2.0')
place('example/cli-database@v0.9.0', '0.9.0')
place('example/cli-database/v0.10.0', '0.10.0')
place('example/cli-database/v1.0.0-rc.1', '1.0.0-rc.1')
place('example/cli-database@latest', '0.1.0')

const PULL = expect.stringContaining('package pull example/')

const imageOf = (stream: string) => {
  const deployment = objectsIn(stream).find(({kind}) => kind === 'Deployment') as unknown as {
    spec: {template: {spec: {containers: {image: string}[]}}}
  }
  return deployment.spec.template.spec.containers[0]?.image
}

describe('--packages', () => {
  it.each([
    {
      name: 'a tag beside',
      reason: 'PATH@VERSION',
      in: 'example/cli-database:v0.2.0',
      want: 'example/cli-database:v0.2.0',
    },
    {
      name: 'a tag within',
      reason: 'PATH/VERSION',
      in: 'example/cli-database:v0.10.0',
      want: 'example/cli-database:v0.10.0',
    },
    {
      name: 'no tag',
      reason: 'the newest stable version, by number: neither a candidate, nor latest, nor v0.9.0',
      in: 'example/cli-database',
      want: 'example/cli-database:v0.10.0',
    },
    {
      name: 'a candidate',
      reason: 'by its name',
      in: 'example/cli-database:v1.0.0-rc.1',
      want: 'example/cli-database:v1.0.0-rc.1',
    },
    {
      name: 'a registry',
      reason: 'it names the registry, not the local folder',
      in: 'registry.example.org/example/cli-database:v0.9.0',
      want: 'registry.example.org/example/cli-database:v0.9.0',
    },
  ])('$name: $reason', async ({in: reference, want}) => {
    expect(imageOf(await rendered(reference, '--packages', packages, '--no-dependencies'))).toBe(want)
  })

  it('gives the same as the path of the package folder', async () => {
    const reference = 'example/cli-database:v0.2.0'
    expect(await rendered(reference, '--packages', packages, '--no-dependencies')).toBe(
      await rendered(...DATABASE),
    )
  })

  it('can be set by the environment', async () => {
    process.env.CROSSPLANE_PACKAGES = packages
    try {
      expect(imageOf(await rendered('example/cli-database', '--no-dependencies'))).toBe(
        'example/cli-database:v0.10.0',
      )
    } finally {
      delete process.env.CROSSPLANE_PACKAGES
    }
  })

  it.each([
    {
      name: 'a missing version',
      reason: 'lists those that are',
      in: ['example/cli-database:v0.3.0', '--packages', packages],
      want: [PULL, expect.stringMatching(/v1\.0\.0-rc\.1, v0\.10\.0, v0\.9\.0, v0\.2\.0(?:,| and) latest/)],
    },
    {
      name: 'a missing package',
      reason: 'it would have to be pulled',
      in: ['example/other:v1', '--packages', packages, '--cache-dir', emptyCache],
      want: [PULL, expect.stringContaining('the folder given with --packages has no example/other')],
    },
    {
      name: 'a misspelled package with a registry',
      reason: 'the folder has it without one',
      in: ['localhost:1/example/cli-databse:v0.2.0', '--packages', packages],
      want: [
        expect.stringContaining('package pull localhost:1/'),
        'Check the name: the local packages have example/cli-database.',
      ],
    },
    {
      name: 'no folder',
      reason: 'it would have to be pulled',
      in: ['example/cli-database:v0.2.0'],
      want: [PULL],
    },
    {
      name: 'another platform',
      reason: 'a package pulled for one platform is missing for another',
      in: [`example/cli-database@sha256:${'0'.repeat(64)}`, '--platform', 'linux/arm64'],
      want: [expect.stringMatching(/ package pull .* --platform linux\/arm64$/)],
    },
  ])('$name: $reason', async ({in: args, want}) => {
    const {status, stdout, stderr} = await runCli('package', 'render', ...args, '--offline', '-o', 'json')
    const {code, suggestions} = JSON.parse(stderr) as {code: string; suggestions: string[]}
    expect({status, stdout, code, suggestions}).toEqual({
      status: 1,
      stdout: '',
      code: 'offline',
      suggestions: want,
    })
  })
})
