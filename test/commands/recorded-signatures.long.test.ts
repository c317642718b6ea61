import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {cpSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {runCli} from '../run-cli.js'
import {newKeys} from '../signatures/signed-images.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
const at = (...path: readonly string[]) => join(folder, ...path)
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
const {privateKey, pem} = newKeys()
let registry: RegistryServer

beforeAll(async () => {
  registry = await startRegistry()
  writeTree(folder, {'key.pem': privateKey.export({type: 'pkcs8', format: 'pem'}).toString(), 'key.pub': pem})
})
afterAll(() => registry.close())

const FORMATS = [
  {
    name: 'of Crossplane v0.12',
    path: 'team/counter',
    tag: '0.3.0',
    prepare: (to: string, title: string) => {
      cpSync('test/testdata/packages/image-counter', to, {recursive: true})
      const app = join(to, '.registry/app.yaml')
      writeFileSync(app, readFileSync(app, 'utf8').replace('title: Counter', `title: ${title}`))
    },
  },
  {
    name: 'for a current Crossplane',
    path: 'team/app',
    tag: 'v1.0.0',
    prepare: (to: string, title: string) => {
      cpSync('examples/xpkg/configuration-database', to, {recursive: true})
      const meta = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata: {name: app, annotations: {title: ${title}}}
spec: {}
`
      if (title === 'unsigned') rmSync(join(to, 'apis'), {recursive: true})
      writeFileSync(join(to, 'crossplane.yaml'), meta)
    },
  },
]

describe.each(FORMATS)('the signatures in a lock, of a package $name', ({path, tag, prepare}) => {
  const home = () => at(path.replace('/', '-'))
  const lockFile = () => join(home(), 'crossplane-packages.lock')
  const lockText = () => readFileSync(lockFile(), 'utf8')
  const declare = (policy: boolean) => {
    const reference = `${registry.host}/${path}:${tag}`
    const place = path === 'team/app' ? '' : ', namespace: a'
    const entry = `packages:\n- {package: "${reference}"${place}}\n`
    writeTree(home(), {
      'crossplane-packages.yaml': `${API}kind: PackageDeclaration\n${policy ? 'policy: policy.yaml\n' : ''}${entry}`,
      'policy.yaml': `${API}kind: Policy\nsignatures:\n- repositories: ["${registry.host}"]\n  signers: [{keyFile: ${at('key.pub')}}]\n`,
    })
  }
  const run = (verb: string, ...flags: readonly string[]) =>
    runCli(
      ...['package', verb, '--declaration', join(home(), 'crossplane-packages.yaml')],
      ...['--cache-dir', join(home(), 'cache'), ...flags],
    )
  const push = async (title: string, ...flags: readonly string[]) => {
    const source = join(home(), title)
    prepare(source, title)
    const pushed = await runCli(
      ...['package', 'push', `${registry.host}/${path}:${tag}`, source, '--no-lint', '--force', ...flags],
    )
    expect(pushed).toMatchObject({status: 0})
    return (/@(sha256:\w+)/.exec(pushed.stdout) ?? [])[1] ?? ''
  }
  /** The lock of a signed package, and that of an unsigned one under the same tag. */
  let [signed, unsigned, digest] = ['', '', '']
  beforeAll(async () => {
    digest = await push('signed', '--sign-key', at('key.pem'))
    declare(true)
    expect(await run('lock')).toMatchObject({status: 0})
    signed = lockText()
    expect(await run('render', '--output-dir', join(home(), 'packages'), '--locked')).toMatchObject({
      status: 0,
    })
    await push('unsigned')
    declare(false)
    writeFileSync(lockFile(), '')
    const other = await runCli(
      ...['package', 'lock', '--declaration', join(home(), 'crossplane-packages.yaml')],
      ...['--cache-dir', join(home(), 'cache'), '--lock-file', join(home(), 'other.lock')],
    )
    expect(other).toMatchObject({status: 0})
    unsigned = readFileSync(join(home(), 'other.lock'), 'utf8')
    declare(true)
  })

  const SIGNATURES = /^ {4}signatures:\n(?: {4}- .*\n| {6}.*\n)+/m
  const signaturesOf = (text: string) => (SIGNATURES.exec(text) ?? [''])[0]
  const at4 = (text: string) => ({status: 4, stderr: expect.stringContaining(text)})
  /** Runs every command that keeps to the lock alone, one after the other. */
  const results = async (...flags: readonly string[]) => [
    await run('render', '--locked', ...flags),
    await run('tree', '--locked', ...flags),
    await run('check', ...flags),
  ]

  it('name the digest that they are about', () => {
    expect(signaturesOf(signed)).toContain(`digest: ${digest}`)
  })

  it('are read by default, so that the lock is what the registry has', async () => {
    writeFileSync(lockFile(), signed)
    for (const result of await results()) expect(result).toMatchObject({status: 0})
  })

  it('alone are not enough: without a network they need --trust-lock', async () => {
    writeFileSync(lockFile(), signed)
    for (const result of await results('--offline'))
      expect(result).toMatchObject({...at4('--trust-lock'), stdout: ''})
    for (const result of await results('--offline', '--trust-lock')) expect(result).toMatchObject({status: 0})
    expect(await run('render', '--locked', '--trust-lock', '--verify')).toMatchObject({status: 2})
  })

  it('that were copied beside another digest are not those of its package', async () => {
    const forged = unsigned.replace(/(\n {4}summaryHash: \S+\n)/, `$1${signaturesOf(signed)}`)
    expect(forged).toContain('signatures:')
    writeFileSync(lockFile(), forged)
    for (const result of await results())
      expect(result).toMatchObject(at4('has no signature of a trusted signer'))
    for (const result of await results('--trust-lock'))
      expect(result).toMatchObject(at4('has no signature of a trusted signer'))
    for (const result of await results('--trust-lock', '--offline'))
      expect(result).toMatchObject(at4('the lock records none of this digest'))
  })

  it('that name the other digest as well need --trust-lock', async () => {
    const other = (/digest: (sha256:\w+)/.exec(unsigned) ?? [])[1] ?? ''
    const own = signaturesOf(signed).replaceAll(digest, other)
    writeFileSync(lockFile(), unsigned.replace(/(\n {4}summaryHash: \S+\n)/, `$1${own}`))
    for (const result of await results())
      expect(result).toMatchObject(at4('has no signature of a trusted signer'))
  })

  it('are verified by the policy of the declaration, also with --key', async () => {
    writeFileSync(lockFile(), signed)
    const key = ['--key', at('key.pub')]
    expect(await run('verify', ...key)).toMatchObject({status: 0})
    writeTree(home(), {'other.pub': newKeys().pem})
    const other = `${API}kind: Policy\nsignatures:\n- repositories: ["${registry.host}"]\n  signers: [{keyFile: other.pub}]\n`
    writeTree(home(), {'other.yaml': other})
    expect(await run('verify', ...key, '--policy', join(home(), 'other.yaml'))).toMatchObject({status: 4})
    expect(await run('verify', '--key', join(home(), 'other.pub'))).toMatchObject({status: 4})
    const policy = readFileSync(join(home(), 'policy.yaml'), 'utf8')
    writeTree(home(), {'policy.yaml': other})
    expect(await run('verify', ...key)).toMatchObject({status: 4})
    writeTree(home(), {'policy.yaml': policy})
  })

  it('of another package with its digest are rejected as any other lock', async () => {
    const other = (/digest: (sha256:\w+)/.exec(unsigned) ?? [])[1] ?? ''
    declare(false)
    writeFileSync(lockFile(), signed.replace(`    digest: ${digest}`, `    digest: ${other}`))
    for (const result of await results()) {
      const {status, stderr} = result
      expect(stderr).not.toContain('bug')
      expect([3, 4]).toContain(status)
    }
    declare(true)
  })
})
