import {cpSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {describe, expect, it} from '@jest/globals'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {fixture} from './fixtures.js'

const temporary = temporaryFolder()
const at = (path: string) => join(temporary, path)
const build = (...args: readonly string[]) => runCli('package', 'build', ...args)

/** A copy of a fixture outside of any repository: what git says is part of an image. */
function copyOf(name: Parameters<typeof fixture>[0], to: string = name): string {
  cpSync(fixture(name), at(to), {recursive: true})
  return at(to)
}

interface Report {
  readonly target: string
  readonly tag?: string
  readonly digest: string
  readonly images: number
  readonly warnings: readonly {readonly rule: string}[]
}

async function report(...args: readonly string[]): Promise<Report> {
  const {status, stdout, stderr} = await build(...args, '-o', 'json')
  expect({status, stderr: stderr.replace(/^Warning: .*\n/gm, '')}).toEqual({status: 0, stderr: ''})
  return JSON.parse(stdout) as Report
}

const codeOf = async (...args: readonly string[]) => {
  const {status, stderr} = await build(...args, '-o', 'json')
  return {status, code: (JSON.parse(stderr) as {code: string}).code}
}

describe('package build', () => {
  const folder = copyOf('cli-database')

  it('prints the digest, and the written files on stderr', async () => {
    const {status, stdout, stderr} = await build(`oci:${at('printed')}:v0.2.0`, folder)
    expect({status, stdout, stderr}).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^sha256:[0-9a-f]{64}\n$/),
      stderr: expect.stringMatching(/printed:v0\.2\.0: \d+ files of the package, \d+ bytes\n$/),
    })
  })

  it.each([
    {name: 'a layout', target: `oci:${at('layout')}`},
    {name: 'an archive', target: `oci-archive:${at('archive.tar')}`},
  ])('the package in $name renders like the folder', async ({target}) => {
    const args = ['--as-package', 'example/cli-database:v0.2.0', '--no-pin-image']
    const {target: written} = await report(`${target}:v0.2.0`, folder)
    const want = await runCli('package', 'render', folder, ...args)
    expect(want.status).toBe(0)
    expect(await runCli('package', 'render', written, ...args)).toEqual(want)
  })

  it.each([
    {name: "the target's", target: 'oci:tagged:v0.2.0', want: 'v0.2.0'},
    {name: 'the version', target: 'oci:untagged', want: undefined},
  ])('the tag is $name', async ({target, want}) => {
    const version = /^version: (.*)$/m.exec(readFileSync(join(folder, '.registry/app.yaml'), 'utf8'))?.[1]
    const {tag} = await report(target.replace('oci:', `oci:${temporary}/`), folder)
    expect(tag).toBe(want ?? version)
  })

  it('does not use the network with --offline, and does not require it without', async () => {
    const from = ['--from', 'registry.example.org/controller:v1']
    expect(await codeOf(`oci:${at('offline')}`, folder, ...from, '--offline')).toEqual({
      status: 1,
      code: 'offline',
    })
    const pushed = await runCli(
      'package',
      'push',
      'registry.example.org/a',
      folder,
      '--offline',
      '-o',
      'json',
    )
    expect(pushed).toMatchObject({status: 1, stdout: '', stderr: expect.stringContaining('"offline"')})
    expect(await report(`oci:${at('offline')}`, folder, '--offline')).toMatchObject({images: 1})
  })

  it('copies folders into the image, each as a layer', async () => {
    const app = writeTree(at('app'), {'main.mjs': '1\n', 'parts/a.mjs': '2\n'})
    const args = ['--copy', `${app}:/opt/app`, '--copy', `${app}/parts:/parts/`]
    const {target, digest} = await report(`oci:${at('copied')}`, folder, ...args)
    expect((await report(`oci:${at('copied-again')}`, folder, ...args)).digest).toBe(digest)
    const blob = (name: string) =>
      readFileSync(join(at('copied'), 'blobs/sha256', name.replace('sha256:', '')))
    const {layers} = JSON.parse(blob(digest).toString()) as {layers: readonly {digest: string}[]}
    const tars = layers.map(layer => gunzipSync(blob(layer.digest)))
    const hasFile = (path: string) => tars.map(tar => tar.includes(`${path}\0`))
    expect([hasFile('opt/app/main.mjs'), hasFile('parts/a.mjs')]).toEqual([
      [true, false, false],
      [true, true, false],
    ])
    expect(await runCli('package', 'render', target, '--as-package', 'example/a:v1')).toMatchObject({
      status: 0,
    })
    expect(await runCli('package', 'push', '127.0.0.1:9/a/b:v1', target, ...args)).toEqual({
      status: 2,
      stdout: '',
      stderr: `Error: --copy does not apply to ${target}, which was built before
Try: Pass --copy to package build, or push the folder of the package
`,
    })
  })

  it('is rejected with the errors of lint', async () => {
    const odd = writeTree(at('odd'), {'.registry/app.yaml': 'Title: Odd\npermissionScope: Cluster\n'})
    const {status, stderr} = await build(`oci:${at('never')}`, odd)
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('.registry/app.yaml:1: Title is read as title'),
    })
    expect(await report(`oci:${at('unlinted')}`, odd, '--no-lint')).toMatchObject({images: 1})
    expect(readdirSync(temporary)).not.toContain('never')
  })

  it('reports that lint has diagnostics', async () => {
    const odd = writeTree(at('warned'), {'.registry/app.yaml': 'permissionScope: Cluster\n'})
    const {warnings} = await report(`oci:${at('warned-image')}`, odd)
    expect(warnings.map(({rule}) => rule)).toEqual(['lint'])
  })

  it.each([
    {
      name: 'a package that cannot be read',
      in: ['oci:x', fixture('cli-broken'), '--no-lint'],
      want: {status: 1, code: 'package-invalid'},
    },
    {name: 'no package', in: ['oci:x', temporary], want: {status: 1, code: 'not-found'}},
    {name: 'a tag of another version', in: ['oci:x:v9', folder], want: {status: 2, code: 'usage'}},
    {name: 'an invalid tag', in: ['oci:x:a/b', folder], want: {status: 2, code: 'usage'}},
    {name: 'a registry as target', in: ['example/x:v1', folder], want: {status: 2, code: 'usage'}},
    {name: 'a folder as target', in: ['./x', folder], want: {status: 2, code: 'usage'}},
    {name: 'a docker-archive as target', in: ['docker-archive:x', folder], want: {status: 2, code: 'usage'}},
    {name: 'a folder as base', in: ['oci:x', folder, '--from', './x'], want: {status: 2, code: 'usage'}},
    {
      name: 'a copy without a path',
      in: ['oci:x', folder, '--copy', folder],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'a copy over the package',
      in: ['oci:x', folder, '--copy', `${folder}:/.registry/a`],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'a copy to a path with dots',
      in: ['oci:x', folder, '--copy', `${folder}:/a/../b`],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'a copy of a missing folder',
      in: ['oci:x', folder, '--copy', 'nowhere:/app'],
      want: {status: 1, code: 'not-found'},
    },
    {
      name: 'a missing base',
      in: ['oci:x', folder, '--from', 'oci:nowhere'],
      want: {status: 1, code: 'not-found'},
    },
    {
      name: 'a folder of something else',
      in: [`oci:${fixture('cli-blog')}`, folder],
      want: {status: 5, code: 'output-refused'},
    },
    {
      name: 'a file of something else',
      in: [`oci-archive:${fixture('cli-blog')}/.registry/app.yaml`, folder],
      want: {status: 5, code: 'output-refused'},
    },
  ])('rejects $name', async ({in: argv, want}) => {
    expect(await codeOf(...argv)).toEqual(want)
  })

  it('adds a package to an image, and another version to the result', async () => {
    const {target} = await report(`oci:${at('base')}`, copyOf('cli-blog'))
    const over = await report(`oci:${at('over')}:v0.2.0`, folder, '--from', target)
    const args = ['--as-package', 'example/cli-database:v0.2.0', '--no-pin-image']
    const rendered = await runCli('package', 'render', over.target, ...args)
    expect(rendered).toEqual(await runCli('package', 'render', folder, ...args))
  })

  it.each(['cli-database', 'cli-blog'] as const)(
    '%s: has the same meaning with baked metadata',
    async name => {
      const {target} = await report(`oci:${at(`baked-${name}`)}`, copyOf(name), '--bake-metadata')
      const args = ['--as-package', `example/${name}:v0.2.0`, '--no-pin-image', '-n', 'team-a']
      expect(await runCli('package', 'render', target, ...args)).toEqual(
        await runCli('package', 'render', at(name), ...args),
      )
    },
  )
})
