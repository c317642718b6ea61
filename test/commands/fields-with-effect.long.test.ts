import {describe, expect, it} from '@jest/globals'
import {cpSync, mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {pullFlags} from '../../src/cli/sources/pull-flags.js'
import {commonFlags} from '../../src/cli/shell/flags/common-flags.js'
import {renderFlags} from '../../src/cli/render/render-flags.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {visibleIn} from './folder-content.js'

const folder = temporaryFolder()

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly $ref?: string
  readonly definitions?: Readonly<Record<string, Schema>>
}

const SCHEMA = JSON.parse(readFileSync('docs/schemas/package-declaration.v1alpha1.json', 'utf8')) as Schema

type Format = 'stack' | 'xpkg'
type Fields = Readonly<Record<string, unknown>>

/** The paths of all fields that have a value of their own; those of entries begin with `packages`. */
function leaves(schema: Schema, path: readonly string[] = []): readonly string[] {
  if (schema.$ref !== undefined)
    return leaves(SCHEMA.definitions?.[schema.$ref.replace('#/definitions/', '')] ?? {}, path)
  if (schema.items?.$ref !== undefined) return leaves(schema.items, path)
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return [path.join('.')]
  return fields.flatMap(([name, field]) => leaves(field, [...path, name]))
}

const SECURITY = {runAsNonRoot: true, runAsUser: 1234}

/** A value of each field that is not its default, with what else it requires. */
const VALUES: Readonly<Record<string, unknown>> = {
  systemNamespace: 'elsewhere',
  dependencyNamespace: 'elsewhere',
  coreVersion: 'v2.0.0',
  crossplaneVersion: 'none',
  assume: ['zs.z.example.org/v1'],
  owners: {'zs.example.org': 'example/provider-sql'},
  'acknowledged.held-back': ['example/app-press:v9.0.0'],
  ...Object.fromEntries(
    ['assumed', 'assumed-crossplane', 'assumed-kubernetes', 'never-existed-group'].map(rule => [
      `acknowledged.${rule}`,
      ['zs.z.example.org/v1'],
    ]),
  ),
  'xpkg.pin': 'digest',
  'xpkg.resolver': 'off',
  'xpkg.activate': 'used',
  'xpkg.revisionActivationPolicy': 'Manual',
  'xpkg.revisionHistoryLimit': 3,
  'xpkg.mirrors': true,
  'xpkg.imageConfigs': {'example-provider-sql-v1.5.0': 'pin-sql'},
  layout: 'flux',
  'flux.name': 'other',
  'flux.source': 'other',
  'flux.namespace': 'other',
  'flux.interval': '1h',
  'argocd.name': 'other',
  'argocd.repoURL': 'https://git.example.org/other',
  'argocd.targetRevision': 'other',
  'argocd.destination.server': 'https://other.example.org',
  'argocd.destination.name': 'other',
  'argocd.project': 'other',
  'argocd.namespace': 'other',
  'argocd.refresh': false,
  crds: 'external',
  base: 'external',
  output: 'elsewhere',
  'render.api': 'stacks',
  // Trees with a declaration have them.
  'render.base': false,
  'render.createNamespace': false,
  'render.includeRequest': true,
  'render.kubeVersion': '1.15',
  'render.crdVersion': 'v1beta1',
  'render.nonStructural': 'preserve',
  'render.pin': false,
  'render.allowCorePermissions': true,
  'render.allowFullDeployment': true,
  'render.controllerImage': 'r.example.org/runner:v1',
  'render.templatesFrom': 'inline',
  'packages.namespace': 'elsewhere',
  'packages.name': 'other',
  'packages.pin': 'digest',
  'packages.draining': true,
  'packages.crdsOnly': true,
  'packages.parameters.source': 'r.example.org',
  'packages.parameters.imagePullPolicy': 'Never',
  'packages.parameters.imagePullSecrets': ['other'],
  'packages.parameters.serviceAccountAnnotations': {a: 'b'},
  'packages.parameters.revisionActivationPolicy': 'Manual',
  'packages.parameters.revisionHistoryLimit': 3,
  'packages.parameters.runtimeConfig': 'large',
  'packages.parameters.paused': true,
  'packages.runtime.replicas': 3,
  'packages.runtime.annotations': {a: 'b'},
  'packages.runtime.podAnnotations': {a: 'b'},
  'packages.runtime.nodeSelector': {a: 'b'},
  'packages.runtime.tolerations': [{key: 'a', operator: 'Exists'}],
  'packages.runtime.affinity': {podAntiAffinity: {}},
  'packages.runtime.podSecurityContext': SECURITY,
  'packages.runtime.securityContext': SECURITY,
  'packages.runtime.resources.limits': {cpu: '1'},
  'packages.runtime.resources.requests': {cpu: '1'},
  'packages.runtime.env': [{name: 'A', value: 'b'}],
}

/** Fields that say which packages are requested, and what is trusted and printed of any package. */
const OF_BOTH = [
  ...['apiVersion', 'kind', 'packages.package', 'packages.version', 'packages.crd'],
  ...['defaultSource', 'registries', 'indexes', 'policy', 'usage.objects', 'extends', 'remove'],
]

/** Fields that make no difference to these packages, and the suites in which they make one. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'dependencyNamespace stack': 'test/resolve/placement.test.ts',
  'assume stack': 'test/commands/declared-settings.long.test.ts',
  'owners stack': 'test/commands/policy-owners.test.ts',
  // Notes are no files.
  'acknowledged.held-back stack': 'test/resolve/explain/acknowledged.test.ts',
  'acknowledged.assumed stack': 'test/resolve/explain/acknowledged.test.ts',
  'acknowledged.assumed-crossplane stack': 'test/resolve/explain/acknowledged.test.ts',
  'acknowledged.assumed-kubernetes stack': 'test/resolve/explain/acknowledged.test.ts',
  'acknowledged.never-existed-group stack': 'test/commands/tree.test.ts',
  'render.nonStructural stack': 'test/fidelity/expand.test.ts',
  'render.pin stack': 'test/commands/determinism-images.real.test.ts',
  'render.allowCorePermissions stack': 'test/fidelity/expand.test.ts',
  'render.templatesFrom stack': 'plugins/template-stacks/test/run/real-stack.ts',
  'coreVersion xpkg': 'test/commands/lock-xpkg.test.ts',
  'xpkg.activate xpkg': 'test/render/xpkg/activation-policy.test.ts',
  // Packages of a folder have no digests.
  'xpkg.imageConfigs xpkg': 'test/commands/import-image-configs.long.test.ts',
  // What updates leave out.
  'hold stack': 'test/commands/git/update.long.test.ts',
  'hold xpkg': 'test/commands/git/update.long.test.ts',
  // The folder of --git.
  'output stack': 'test/declaration/output-folder.test.ts',
  'output xpkg': 'test/declaration/output-folder.test.ts',
}

/** A suite names a flag in kebab case, and a field in camel case. */
function expectNamed(suite: string, name: string): void {
  const words = name.replaceAll(/[A-Z]/g, ' $&').split(/[- ]/)
  expect(readFileSync(suite, 'utf8')).toMatch(new RegExp(words.join('-?'), 'i'))
}

const PACKAGES: Readonly<Record<Format, readonly [Fields, ...Fields[]]>> = {
  stack: [{package: 'example/app-press:v0.1.0', namespace: 'team-a'}, {package: 'example/stack-starter'}],
  xpkg: [{package: 'example/provider-sql'}, {package: 'example/configuration-network'}],
}

/** A declaration in which a field can make a difference. */
function declarationFor(path: string, format: Format): Fields {
  const [entry, ...others] = PACKAGES[format]
  return {
    apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
    kind: 'PackageDeclaration',
    ...(/^(flux|crds|base)/.test(path) ? {layout: 'flux'} : {}),
    ...(path.startsWith('argocd') ? {layout: 'argocd', argocd: {repoURL: 'https://git.example.org/a'}} : {}),
    ...(format === 'stack' ? {} : REGISTRY),
    packages: [entry, ...others],
  }
}

const REGISTRY = {
  defaultSource: 'registry.example.org',
  registries: {'registry.example.org': 'mirror.example.org'},
}

function withValue(object: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  const inner = object[name]
  if (Array.isArray(inner) && rest.length > 0) {
    const [first, ...others] = inner as readonly Fields[]
    return {...object, [name]: [withValue(first ?? {}, rest, value), ...others]}
  }
  return {...object, [name]: rest.length === 0 ? value : withValue((inner ?? {}) as Fields, rest, value)}
}

interface Rendered {
  readonly status: number | null
  readonly stderr: string
  readonly files: Readonly<Record<string, string>>
}

async function rendered(declaration: Fields, format: Format): Promise<Rendered> {
  const root = writeTree(mkdtempSync(join(folder, 'home-')), {'p.yaml': JSON.stringify(declaration)})
  const packages = format === 'stack' ? 'examples/platform/packages' : 'examples/xpkg/packages'
  const {status, stderr} = await runCli(
    ...['package', 'render', '--declaration', join(root, 'p.yaml'), '--packages', packages],
    ...['--output-dir', join(root, 'out')],
  )
  return {status, stderr, files: status === 0 ? visibleIn(join(root, 'out')) : {}}
}

const FIELDS = leaves(SCHEMA).filter(path => !OF_BOTH.includes(path))

describe.each(['stack', 'xpkg'] as const)(
  'a field of a declaration with packages of the format %s',
  format => {
    const before = new Map<string, Promise<Rendered>>()
    const renderedOnce = async (declaration: Fields) => {
      const key = JSON.stringify(declaration)
      const result = before.get(key) ?? rendered(declaration, format)
      before.set(key, result)
      return await result
    }

    it.each(FIELDS)('changes the files, or is rejected by name: %s', async path => {
      const suite = ELSEWHERE[`${path} ${format}`]
      if (suite !== undefined) {
        expectNamed(suite, path.split('.').at(-1) ?? '')
        return
      }
      const without = declarationFor(path, format)
      expect(Object.keys(VALUES)).toContain(path)
      const isDraining = path === 'packages.crdsOnly'
      const required = isDraining ? withValue(without, ['packages', 'draining'], true) : without
      const after = await rendered(withValue(required, path.split('.'), VALUES[path]), format)
      const {status, files} = await renderedOnce(format === 'stack' ? required : without)
      expect(status).toBe(0)
      const changed = JSON.stringify(files) !== JSON.stringify(after.files)
      expect(changed).toBe(true)
      if (after.status === 0) return
      const field = path.replace(/^packages\./, 'packages[0].')
      const isNamed = after.stderr.includes(`${field} has no effect`) || OTHER_ERRORS.test(after.stderr)
      expect({isNamed, stderr: after.stderr}).toMatchObject({isNamed: true})
    })
  },
)

/** What the two fields that make these packages fail do: nothing has the CRDs, and folders have no digests. */
const OTHER_ERRORS = /nothing satisfies|--pin=tag/

it('is accepted in a declaration without packages, which gets them later', async () => {
  const settings = {
    ...declarationFor('', 'xpkg'),
    xpkg: {pin: 'tag'},
    systemNamespace: 'elsewhere',
    packages: [],
  }
  expect(await rendered(settings, 'xpkg')).toMatchObject({status: 0})
})

it('is accepted where one of its packages has it', async () => {
  const settings = {...declarationFor('', 'xpkg'), coreVersion: 'v2.3.4', render: {base: true}}
  const root = writeTree(mkdtempSync(join(folder, 'both-')), {
    'p.yaml': JSON.stringify({...settings, packages: [...PACKAGES.xpkg, ...PACKAGES.stack]}),
  })
  cpSync('examples/xpkg/packages', join(root, 'packages'), {recursive: true})
  cpSync('examples/platform/packages', join(root, 'packages'), {recursive: true})
  const home = ['--declaration', join(root, 'p.yaml'), '--packages', join(root, 'packages')]
  expect(await runCli('package', 'render', ...home)).toMatchObject({status: 0})
})

/** Flags for the sources of packages, what is trusted, and how a result is printed or written. */
const FLAGS_OF_BOTH = [
  ...['packages', 'packages-base', 'index', 'as-package', 'platform', 'crd', 'declaration', 'filename'],
  ...['owner', 'policy', 'solve-timeout', 'lock-file', 'locked', 'verify', 'trust-lock'],
  ...['output', 'output-dir', 'layout', 'repo-url', 'change-settings', 'allow-pruning', 'dry-run'],
  ...['plan', 'plan-out', 'show-objects'],
  ...Object.keys({...pullFlags, ...commonFlags}),
]

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  api: ['stacks'],
  scope: ['Namespaced'],
  cluster: [],
  namespace: ['elsewhere'],
  'system-namespace': ['elsewhere'],
  'dependency-namespace': ['elsewhere'],
  source: ['r.example.org'],
  'image-pull-secret': ['other'],
  'image-pull-policy': ['Never'],
  'service-account-annotation': ['a=b'],
  runtime: ['runtime.yaml'],
  replicas: ['3'],
  env: ['A=b'],
  limits: ['cpu=1'],
  requests: ['cpu=1'],
  assume: ['zs.z.example.org/v1'],
  'crossplane-version': ['none'],
  'allow-version-mismatch': [],
  'no-dependencies': [],
  'include-request': [],
  'with-package-api': [],
  'create-namespace': [],
  'no-pin-image': [],
  'controller-image': ['r.example.org/runner:v1'],
  'templates-from': ['inline'],
  'non-structural': ['preserve'],
  'allow-core-permissions': [],
  'allow-full-deployment': [],
  'crd-version': ['v1beta1'],
  'kube-version': ['1.15'],
  'assume-no-instances': [],
  'core-version': ['v2.3.4'],
  pin: ['digest'],
  resolver: ['off'],
  activate: ['used'],
  'revision-activation-policy': ['Manual'],
  'revision-history-limit': ['3'],
  expand: [],
}

/** Flags that make no difference to these packages, and the suites in which they make one. */
const FLAGS_ELSEWHERE: Readonly<Record<string, string>> = {
  'scope stack': 'test/commands/render.test.ts',
  'dependency-namespace stack': 'test/commands/cluster/original-removal.real.test.ts',
  'assume stack': 'test/commands/declared-settings.long.test.ts',
  'allow-version-mismatch stack': 'test/commands/lock.test.ts',
  'no-pin-image stack': 'test/commands/determinism-images.real.test.ts',
  'templates-from stack': 'plugins/template-stacks/test/run/real-stack.ts',
  'non-structural stack': 'test/fidelity/expand.test.ts',
  'allow-core-permissions stack': 'test/commands/render.test.ts',
  'assume-no-instances stack': 'test/commands/git/layouts.long.test.ts',
  'system-namespace stack': 'test/commands/render.test.ts',
  'assume-no-instances xpkg': 'test/commands/render-releases.long.test.ts',
  'core-version xpkg': 'test/commands/render-xpkg.test.ts',
  'activate xpkg': 'test/render/xpkg/activation-policy.test.ts',
}

describe.each(['stack', 'xpkg'] as const)(
  'a flag of package render, for a package of the format %s',
  format => {
    const ref =
      format === 'stack'
        ? ['example/app-press:v0.1.0', '--namespace', 'team-a', '--packages', 'examples/platform/packages']
        : ['registry.example.org/example/provider-sql:v1.5.0', '--packages', 'examples/xpkg/packages']
    const run = (...flags: readonly string[]) => runCli('package', 'render', ...ref, ...flags)

    it.each(Object.keys(renderFlags).filter(flag => !FLAGS_OF_BOTH.includes(flag)))(
      'changes the objects, or is a usage error: --%s',
      async flag => {
        const suite = FLAGS_ELSEWHERE[`${flag} ${format}`]
        if (suite !== undefined) return expectNamed(suite, flag)
        const values = FLAGS[flag]
        expect(values).toBeDefined()
        const files = writeTree(mkdtempSync(join(folder, 'flags-')), {'runtime.yaml': 'replicas: 4\n'})
        const given = (values ?? []).map(value => (value.endsWith('.yaml') ? join(files, value) : value))
        const {status, stdout, stderr} = await run(`--${flag}`, ...given)
        const without = await run()
        expect(without.status).toBe(0)
        if (status === 2) expect(stderr).toMatch(new RegExp(`--(${flag}|scope) `))
        else expect(stdout).not.toBe(without.stdout)
      },
    )
  },
)

describe('a flag of package lock', () => {
  const lock = (ref: string, packages: string, ...flags: readonly string[]) =>
    runCli(
      ...['package', 'lock', ref, '--packages', packages, ...flags],
      ...['--lock-file', join(mkdtempSync(join(folder, 'lock-')), 'a.lock')],
    )

  it.each([
    ...['--namespace', '--system-namespace', '--dependency-namespace'].map(flag => ({
      flag,
      value: 'elsewhere',
    })),
    {flag: '--assume', value: 'zs.z.example.org'},
  ])('is a usage error for xpkgs: $flag', async ({flag, value}) => {
    const ref = 'registry.example.org/example/provider-sql:v1.5.0'
    expect(await lock(ref, 'examples/xpkg/packages')).toMatchObject({status: 0})
    const {status, stderr} = await lock(ref, 'examples/xpkg/packages', flag, value)
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(`${flag} is for packages`)})
  })

  it('is a usage error for packages of Crossplane v0.12: --core-version', async () => {
    const run = lock('example/stack-starter', 'examples/platform/packages', '--core-version', 'v2.3.4')
    expect(await run).toMatchObject({status: 2})
  })

  it.each(['lock', 'tree', 'why'])('is a usage error for the package of a CRD, by package %s', async name => {
    const crd = 'clusters.compute.cloud.example.org'
    const words = name === 'why' ? [crd, `crd:${crd}`] : [`crd:${crd}`]
    const sources = ['--packages', 'examples/platform/packages']
    const file = name === 'lock' ? ['--lock-file', join(mkdtempSync(join(folder, 'crd-')), 'a.lock')] : []
    const run = async (...flags: readonly string[]) =>
      await runCli('package', name, ...words, ...sources, ...file, ...flags)
    expect(await run()).toMatchObject({status: 0})
    const {status, stdout, stderr} = await run('--core-version', 'v2.3.4')
    expect({status, stdout}).toEqual({status: 2, stdout: ''})
    expect(stderr).toContain('--core-version is for Providers, Configurations and Functions (xpkg) only')
  })
})
