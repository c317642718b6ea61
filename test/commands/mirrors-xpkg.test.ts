import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()
const ORIGINAL = 'xpkg.example.org/team'
const metadata = (kind: string, more = '') =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: x}\n${more}`
const requires = (name: string) =>
  `spec: {dependsOn: [{provider: ${ORIGINAL}/${name}, version: ">=v1.0.0"}]}\n`

let mirror: RegistryServer | undefined
let digest = ''
beforeAll(async () => {
  mirror = await startRegistry()
  addXpkg(mirror, 'hub/team/app', 'v1.0.0', metadata('Configuration', requires('base')))
  addXpkg(mirror, 'hub/team/base', 'v1.0.0', metadata('Provider'))
  digest = addXpkg(mirror, 'hub/team/base', 'v1.1.0', metadata('Provider', 'spec: {}\n'))
})
afterAll(() => mirror?.close())

it('packages for a current Crossplane and what they require are read from the mirror of their registry', async () => {
  const declaration = join(folder, 'crossplane-packages.yaml')
  writeFileSync(
    declaration,
    `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
registries: {"${ORIGINAL}": "${present(mirror).host}/hub/team"}
packages:
- package: ${ORIGINAL}/app
`,
  )
  const run = (command: string, ...more: readonly string[]) =>
    runCli('package', command, '--declaration', declaration, ...more)
  expect(await run('tree')).toMatchObject({
    status: 0,
    stdout: `Configuration ${ORIGINAL}/app:v1.0.0\n└── Provider ${ORIGINAL}/base:v1.1.0 (>=v1.0.0)\n`,
  })
  expect(await run('lock')).toMatchObject({status: 0})
  const lock = readFileSync(join(folder, 'crossplane-packages.lock'), 'utf8')
  expect(lock).toContain(digest)
  expect(lock).not.toContain(present(mirror).host)
  expect(await run('render')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`prefix: ${ORIGINAL}/base@${digest}`) as unknown,
  })
})
