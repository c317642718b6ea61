import {afterAll, beforeAll, describe, expect} from '@jest/globals'
import {cpSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {programCommand} from '../built-program.js'
import {owner} from '../commands/locked-world.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {type CliResult, runCli} from '../run-cli.js'
import {preloading, runBuilt} from '../run-program.js'
import {newKeys} from '../signatures/signed-images.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {below, campaign, pick, type Round} from './campaign.js'
import {mutated} from './mutated.js'

const USAGE = join(import.meta.dirname, '../commands/peak-usage.cjs')
const folder = temporaryFolder()
const at = (...path: readonly string[]) => join(folder, ...path)
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
/** What one command may take, on a machine that has much else to do. */
const LIMITS = {milliseconds: 20_000, peakKiB: 512 << 10}
/** With the campaigns of bundles, more than 10,000 inputs in `npm run soak`. */
const LENGTH = {short: 20, long: 3400}

/** Runs a command, at times as a process of its own, whose memory is looked at. It may fail, but not for a bug. */
async function judged({number}: Round, ...argv: readonly string[]): Promise<CliResult> {
  const start = performance.now()
  const result = number % 20 === 19 ? await measured(argv) : await runCli(...argv)
  expect(result.stderr).not.toContain('this is a bug')
  expect(performance.now() - start).toBeLessThan(LIMITS.milliseconds)
  expect([0, 1, 3, 4, 5]).toContain(result.status)
  return result
}

async function measured(argv: readonly string[]): Promise<CliResult> {
  const env = {...preloading(USAGE), PEAK_USAGE: at('usage.json')}
  const {status, stdout, stderr} = await runBuilt(argv, {env})
  const {peakKiB} = JSON.parse(readFileSync(at('usage.json'), 'utf8')) as {readonly peakKiB: number}
  expect(peakKiB).toBeLessThan(LIMITS.peakKiB)
  return {status: status ?? 1, stdout, stderr}
}

// Built here, so that no command waits for it.
beforeAll(() => {
  programCommand()
}, 600_000)

describe('a mutated lock under a policy that requires signatures', () => {
  const {privateKey, pem} = newKeys()
  const cache = ['--cache-dir', at('cache')]
  const declared = ['--declaration', at('crossplane-packages.yaml'), ...cache]
  const lockFile = at('crossplane-packages.lock')
  let registry: RegistryServer | undefined
  let [signed, unsigned, sound] = ['', '', '']

  const succeeded = async (...argv: readonly string[]) => {
    const result = await runCli('package', ...argv)
    expect(result).toMatchObject({status: 0})
    return result.stdout
  }

  beforeAll(async () => {
    registry = await startRegistry()
    const {host} = registry
    const policy = `signatures:\n- {repositories: ["${host}"], signers: [{keyFile: key.pub}]}\n`
    const packages = ['stack', 'xpkg'].map(name => `- {package: "${host}/team/${name}:v1.0.0"}\n`)
    writeTree(folder, {
      'key.pub': pem,
      'key.pem': privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
      'policy.yaml': `${API}kind: Policy\n${policy}`,
      'crossplane-packages.yaml': `${API}kind: PackageDeclaration\npackages:\n${packages.join('')}`,
    })
    const sources = {
      stack: join(writeTree(at('sources'), owner('v1.0.0', 'as', 'v1')), 'x/as@v1.0.0'),
      xpkg: writeTree(at('xpkg'), {
        'crossplane.yaml':
          'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: app}\nspec: {}\n',
      }),
    }
    const sign = ['--sign-key', at('key.pem'), '--no-lint']
    for (const [name, source] of Object.entries(sources))
      await succeeded('push', `${host}/team/${name}:v1.0.0`, source, ...sign)
    const judging = ['--policy', at('policy.yaml')]
    await succeeded('lock', ...declared, ...judging)
    sound = await succeeded('render', ...declared, ...judging, '--locked')
    signed = readFileSync(lockFile, 'utf8')
    const app = join(sources.stack, '.registry/app.yaml')
    writeFileSync(app, `${readFileSync(app, 'utf8')}description: unsigned\n`)
    await succeeded('push', `${host}/team/stack:v1.0.0`, sources.stack, '--no-lint', '--force')
    const meta =
      'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: evil}\nspec: {}\n'
    addXpkg(registry, 'team/xpkg', 'v1.0.0', meta)
    await succeeded('lock', ...declared, '--lock-file', at('unsigned.lock'))
    unsigned = readFileSync(at('unsigned.lock'), 'utf8')
  })
  afterAll(() => registry?.close())

  /** Puts values of one of the two locks in the place of others: what an attacker would do. */
  const forged = (random: () => number): string => {
    const HASH = /sha256:[0-9a-f]{64}/g
    const hashes = [...`${signed}${unsigned}`.matchAll(HASH)].map(([hash]) => hash)
    const text = pick(random, [signed, signed, unsigned])
    const share = pick(random, [0.1, 0.5, 1])
    return text.replace(HASH, hash => (random() < share ? pick(random, hashes) : hash))
  }

  campaign('renders nothing else than what was signed', LENGTH, async round => {
    const {random} = round
    const text = random() < 0.5 ? Buffer.from(forged(random)) : mutated(random, Buffer.from(signed))
    writeFileSync(lockFile, text)
    const policy = ['--policy', at('policy.yaml')]
    const {status, stdout} = await judged(round, 'package', 'render', ...declared, ...policy, '--locked')
    if (status === 0) expect(stdout).toBe(sound)
  })
})

describe('a mutated behavior of a template stack', () => {
  const source = join(import.meta.dirname, '../testdata/packages/cli-template')
  const target = at('template')
  const file = join(target, '.registry/behavior.yaml')
  /** Errors without which no package can be rendered. */
  const FATAL = ['behavior-engine', 'behavior-kustomization', 'behavior-path', 'field-type', 'yaml-syntax']

  beforeAll(() => {
    cpSync(source, target, {recursive: true})
  })

  campaign('is rejected by render if lint says so', LENGTH, async round => {
    writeFileSync(file, mutated(round.random, readFileSync(join(source, '.registry/behavior.yaml'))))
    const linted = await judged(round, 'package', 'lint', target, '-o', 'json')
    const rendered = await judged(round, 'package', 'render', target, '-n', 'a', '--as-package', 'x/app:v1')
    const rules = [...linted.stdout.matchAll(/"rule": "([\w-]+)"/g)].map(([, rule]) => rule ?? '')
    if (rules.some(rule => FATAL.includes(rule))) expect(rendered.status).not.toBe(0)
  })
})

describe('a mutated policy', () => {
  const packages = at('packages')
  const file = at('mutated-policy.json')
  const ALLOWED = 'docker.io/x'
  const policy = {
    apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
    kind: 'Policy',
    owners: {'x.example.org': 'x/as'},
    sources: ['registry.example.org', 'docker.io/other'],
    reject: {privilegedDeployments: true, widePermissions: ['cluster-secrets']},
    rules: [{name: 'few', expression: 'size(crds) < 100 && pkg.repository.startsWith("docker.io")'}],
    limits: {packages: 5},
  }

  beforeAll(() => {
    writeTree(packages, owner('v1.0.0', 'as', 'v1'))
  })

  /** Only of text that is still JSON it is certain what it says. */
  const isAllowed = (text: string): boolean => {
    try {
      const {sources} = JSON.parse(text) as {readonly sources?: unknown}
      return sources === undefined || JSON.stringify(sources).includes(ALLOWED)
    } catch {
      return true
    }
  }

  campaign('allows no source that it does not name', LENGTH, async round => {
    const {random} = round
    const sources = random() < 0.3 ? [ALLOWED, ...policy.sources] : policy.sources
    const text = JSON.stringify({...policy, sources}, null, below(random, 3))
    writeFileSync(file, mutated(random, Buffer.from(text)))
    const flags = ['--packages', packages, '--policy', file, '-n', 'a'] as const
    const {status} = await judged(round, 'package', 'render', 'x/as:v1.0.0', ...flags)
    if (status === 0) expect(isAllowed(readFileSync(file, 'utf8'))).toBe(true)
  })
})
