import {describe, expect, it} from '@jest/globals'
import {generateKeyPairSync} from 'node:crypto'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {APP_YAML, owner, prefixed} from './locked-world.js'

const folder = temporaryFolder()
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
const {publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
const KEY = publicKey.export({type: 'spki', format: 'pem'}).toString().trim().replaceAll('\n', '\n      ')

const CRD =
  owner('v1.0.0', 'bs', 'v1')['x/bs@v1.0.0/.registry/resources/a.crd.yaml']?.replaceAll(
    'x.example',
    'y.example',
  ) ?? ''

/** A package with what a policy can reject, and one that it requires. */
const FORMATS = [
  {
    format: '.registry/',
    reference: 'x/app',
    source: 'docker.io/x',
    files: {
      ...owner('v1.0.0', 'as', 'v1'),
      'x/app@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: [{crd: as.x.example.org}]\npermissions:\n  rules: [{apiGroups: ['*'], resources: [things], verbs: [get]}]\n`,
      'x/app@v1.0.0/.registry/install.yaml': `apiVersion: apps/v1
kind: Deployment
spec:
  selector: {}
  template:
    spec: {containers: [{name: main, image: "x/controller:v1"}]}
`,
      'x/app@v1.0.0/.registry/resources/b.crd.yaml': CRD,
    },
    rejects: ['policy-image-digest', 'policy-wide-permission'],
  },
  {
    format: 'xpkg',
    reference: 'registry.example.org/x/app',
    source: 'registry.example.org/x',
    files: {
      'x/as@v1.0.0/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: as}\nspec: {}\n',
      'x/app@v1.0.0/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: app}\nspec:\n  dependsOn: [{provider: registry.example.org/x/as, version: ">=v1.0.0"}]\n',
      'x/app@v1.0.0/crd.yaml': CRD,
    },
    rejects: ['policy-image-digest', 'policy-wide-permission'],
  },
]

const RULE = `rules:
- name: others
  expression: pkg.repository.startsWith("quay.io/")
  message: only packages on quay.io
`
const FIELDS = `reject: {widePermissions: [all], imagesWithoutDigest: true}
`
const SIGNED = `signatures:
- repositories: ["*"]
  signers:
  - key: |
      ${KEY}
`

/** A declaration that was locked and rendered before it had a policy. */
async function world({reference, files}: (typeof FORMATS)[number]) {
  const root = writeTree(
    mkdtempSync(join(folder, 'commands-')),
    prefixed('packages/', files as Readonly<Record<string, string>>),
  )
  const at = (path: string) => join(root, path)
  const declare = (policy: string) => {
    const packages = `packages:\n- package: ${reference}\n  version: v1.0.0\n`
    writeFileSync(at('crossplane-packages.yaml'), `${API}kind: PackageDeclaration\n${policy}${packages}`)
  }
  const declared = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('packages')]
  const source = ['--packages', at('packages'), '--policy', at('policy.yaml')]
  const locked = ['--lock-file', at('crossplane-packages.lock'), '--policy', at('policy.yaml')]
  const named = `${reference}:v1.0.0`
  declare('')
  expect(await runCli('package', 'lock', ...declared)).toMatchObject({status: 0})
  const written = await runCli('package', 'render', ...declared, '--output-dir', at('out'))
  expect(written).toMatchObject({status: 0})
  declare('policy: policy.yaml\n')
  const run = (...args: readonly string[]) => runCli('package', ...args)
  const rendering = {
    'render REF': () => run('render', named, ...source),
    'render --declaration': () => run('render', ...declared),
    'render --locked': () => run('render', ...declared, '--locked'),
    'render --output-dir': () => run('render', ...declared, '--output-dir', at('out')),
    check: () => run('check', ...declared, '--output-dir', at('out')),
  }
  return {
    set: (fields: string) => {
      writeFileSync(at('policy.yaml'), `${API}kind: Policy\ncontact: Team A\n${fields}`)
    },
    lock: () => run('lock', ...declared),
    rendering,
    judging: {
      ...rendering,
      lint: () =>
        run('lint', at('packages/x/app@v1.0.0'), '--as-package', named, '--policy', at('policy.yaml')),
    },
    resolving: {
      ...rendering,
      lock: () => run('lock', ...declared, '--dry-run'),
      outdated: () => run('outdated', ...declared),
      pull: () => run('pull', ...declared, '--offline'),
      tree: () => run('tree', ...declared),
      why: () => run('why', reference, ...declared),
      'bundle create': () => runCli('bundle', 'create', ...declared, '--dry-run'),
      'pull --lock-file': () => run('pull', ...locked, '--offline'),
      'bundle create --lock-file': () => runCli('bundle', 'create', ...locked, '--dry-run'),
    },
  }
}

/** A declaration with a package of either format, which was locked and rendered before it had a policy. */
async function bothFormats() {
  const root = writeTree(
    mkdtempSync(join(folder, 'both-')),
    prefixed('packages/', {
      ...owner('v1.0.0', 'as', 'v1'),
      'y/app@v1.0.0/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: app}\n',
    }),
  )
  const at = (path: string) => join(root, path)
  const declare = (policy: string) => {
    const packages = ['x/as', 'registry.example.org/y/app']
      .map(name => `- package: ${name}:v1.0.0\n`)
      .join('')
    writeFileSync(
      at('crossplane-packages.yaml'),
      `${API}kind: PackageDeclaration\n${policy}packages:\n${packages}`,
    )
  }
  const declared = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('packages')]
  const output = ['--output-dir', at('out')]
  declare('')
  expect(await runCli('package', 'lock', ...declared)).toMatchObject({status: 0})
  expect(await runCli('package', 'render', ...declared, ...output)).toMatchObject({status: 0})
  declare('policy: policy.yaml\n')
  return {
    limit: (packages: number) => {
      const limits = `limits: {packages: ${packages}}\n`
      writeFileSync(at('policy.yaml'), `${API}kind: Policy\ncontact: Team A\n${limits}`)
    },
    commands: {
      lock: () => runCli('package', 'lock', ...declared, '--dry-run'),
      render: () => runCli('package', 'render', ...declared),
      'render --locked': () => runCli('package', 'render', ...declared, '--locked'),
      check: () => runCli('package', 'check', ...declared, ...output),
      pull: () => runCli('package', 'pull', ...declared, '--offline'),
    },
  }
}

type Runs = Readonly<Record<string, () => ReturnType<typeof runCli>>>

/** Runs commands, and returns for each its status, the rules that are violated, and whom it names. */
async function resultsOf(commands: Runs) {
  const results: Record<string, unknown> = {}
  for (const [command, run] of Object.entries(commands)) {
    const {status, stdout, stderr} = await run()
    const text = stdout + stderr
    const rules = [...text.matchAll(/\[((?:policy|signature)[-/][a-z/-]+)\]$/gm)].map(([, rule]) => rule)
    const owner = /\bTeam A\b/.exec(text)?.[0]
    results[command] = {status, rules: [...new Set(rules)].sort(), owner}
  }
  return results
}
const expected = (commands: Runs, rules: readonly string[]) =>
  Object.fromEntries(Object.keys(commands).map(name => [name, {status: 4, rules, owner: 'Team A'}]))

describe.each(FORMATS)(
  'a policy for packages with $format rejects in every command without a cluster',
  format => {
    it('by its fields and rules', async () => {
      const {set, judging} = await world(format)
      set(FIELDS + RULE)
      expect(await resultsOf(judging)).toEqual(expected(judging, [...format.rejects, 'policy/others'].sort()))
    })

    it.each(['x/other', 'app', 'other/x/app'])(
      'CRDs of a group that it assigns to %s, whose name may end alike',
      async owner => {
        const {set, lock, judging} = await world(format)
        set(`owners: {y.example.org: ${owner}}\n`)
        expect(await lock()).toMatchObject({status: 0})
        expect(await resultsOf(judging)).toEqual(expected(judging, ['policy-owner']))
      },
    )

    it('no CRDs of a group that it assigns to the package itself', async () => {
      const {set, lock, judging} = await world(format)
      set(`owners: {y.example.org: ${format.reference}}\n`)
      expect(await lock()).toMatchObject({status: 0})
      const {lint, 'render REF': reference, 'render --locked': locked} = judging
      const allowed = {status: 0, rules: [], owner: undefined}
      expect(await resultsOf({lint, reference, locked})).toEqual({
        ...{lint: allowed, reference: allowed, locked: allowed},
      })
    })

    it.each([
      {what: 'the source of a package', sources: '[quay.io]'},
      {what: 'the source of a dependency', sources: `[${format.source}/app]`},
    ])('$what', async ({sources}) => {
      const {set, resolving} = await world(format)
      set(`sources: ${sources}\n`)
      expect(await resultsOf(resolving)).toEqual(expected(resolving, ['policy-source']))
    })

    it('too many packages', async () => {
      const {set, resolving} = await world(format)
      set('limits: {packages: 1}\n')
      expect(await resultsOf(resolving)).toEqual(expected(resolving, ['policy-limit']))
    })

    it('missing signatures', async () => {
      const {set, resolving} = await world(format)
      set(SIGNED)
      const undigested = ['pull', 'pull --lock-file', 'bundle create --lock-file']
      const verifying = Object.fromEntries(
        Object.entries(resolving).filter(([command]) => !undigested.includes(command)),
      )
      expect(await resultsOf(verifying)).toEqual(expected(verifying, ['signature-missing']))
    })
  },
)

describe('the limit of packages', () => {
  it('is that of both formats together, in every command without a cluster', async () => {
    const {limit, commands} = await bothFormats()
    limit(1)
    expect(await resultsOf(commands)).toEqual(expected(commands, ['policy-limit']))
    limit(2)
    const passed = Object.keys(commands).map(name => [name, {status: 0, rules: [], owner: undefined}])
    expect(await resultsOf(commands)).toEqual(Object.fromEntries(passed))
  })
})
