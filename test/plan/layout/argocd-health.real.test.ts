import {execFileSync} from 'node:child_process'
import {readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, expect, it} from '@jest/globals'
import {LEAVING} from '../../../src/declaration/moving-objects.js'
import {findServer, missingPrograms} from '../../cluster/find-server.js'
import {argocdServers} from '../../cluster/servers.js'
import {present} from '../../outcome.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {temporaryFolder} from '../../temporary-folder.js'

const PACKAGE = 'r.example.org/team/p:v1.0.0'
const INSTALLED = {type: 'Installed', status: 'True', reason: 'ActivePackageRevision'}
const HEALTHY = {type: 'Healthy', status: 'True', reason: 'HealthyPackageRevision'}
const unpacking = (message: string) => ({
  type: 'Installed',
  status: 'False',
  reason: 'UnpackingPackage',
  message: `cannot unpack package: ${message}`,
})
const unhealthy = (message: string) => ({
  type: 'Healthy',
  status: 'False',
  reason: 'UnhealthyPackageRevision',
  message: `Package revision health is "False" with message: ${message}`,
})
const UNREADABLE = unpacking(
  'cannot parse package r.example.org/team/p:v1.0.0: yaml: found character that cannot start any token',
)
const MISSING = unhealthy(
  'cannot resolve package dependencies: missing dependencies: "r.example.org/team/q" (>=v1.0.0)',
)

/** Messages of the core, as v2.1.0 and v2.3.4 wrote them. */
const CASES = [
  {name: 'installed and healthy', conditions: [INSTALLED, HEALTHY], want: 'Healthy'},
  {name: 'new, without a status', status: undefined, want: 'Progressing'},
  {
    name: 'an earlier package healthy',
    conditions: [INSTALLED, HEALTHY],
    read: 'r.example.org/team/p:v0.9.0',
    want: 'Progressing',
  },
  {
    name: 'an earlier generation healthy',
    conditions: [INSTALLED, {...HEALTHY, observedGeneration: 1}],
    want: 'Progressing',
  },
  {
    name: 'paused',
    conditions: [
      INSTALLED,
      HEALTHY,
      {type: 'Synced', status: 'False', reason: 'ReconcilePaused', message: 'Reconciliation is paused'},
    ],
    want: 'Suspended',
  },
  {
    name: 'not activated',
    conditions: [
      {type: 'Installed', status: 'False', reason: 'InactivePackageRevision', message: 'Package is inactive'},
    ],
    want: 'Suspended',
  },
  {
    name: 'not activated, since another package takes it over',
    conditions: [
      {type: 'Installed', status: 'False', reason: 'InactivePackageRevision', message: 'Package is inactive'},
    ],
    annotations: {[LEAVING]: 'true'},
    want: 'Healthy',
  },
  {name: 'dependencies that Crossplane installs', conditions: [INSTALLED, MISSING], want: 'Progressing'},
  {
    name: 'a Deployment that starts',
    conditions: [
      INSTALLED,
      unhealthy(
        'post establish runtime hook failed for package: provider package deployment is unavailable with message: Deployment does not have minimum availability.',
      ),
    ],
    want: 'Progressing',
  },
  {
    name: 'a webhook that gets its certificate',
    conditions: [
      INSTALLED,
      unhealthy(
        "cannot establish control of object: waiting for package runtime controller to set revision's webhook TLS secret",
      ),
    ],
    want: 'Progressing',
  },
  {
    name: 'an unknown health',
    conditions: [INSTALLED, {type: 'Healthy', status: 'Unknown', reason: 'UnknownPackageRevisionHealth'}],
    want: 'Progressing',
  },
  {
    name: 'a registry that does not answer',
    conditions: [
      unpacking(
        'cannot fetch package r.example.org/team/p:v1.0.0: Get "https://r.example.org/v2/": dial tcp: i/o timeout',
      ),
    ],
    want: 'Progressing',
  },
  {name: 'a package that cannot be read', conditions: [UNREADABLE], want: 'Degraded'},
  {
    name: 'the next package cannot be read',
    conditions: [UNREADABLE, HEALTHY],
    read: 'r.example.org/team/p:v0.9.0',
    want: 'Degraded',
  },
  {
    name: 'an earlier generation broken',
    conditions: [{...UNREADABLE, observedGeneration: 1}],
    want: 'Progressing',
  },
  ...[
    unpacking('cannot extract package content from r.example.org/team/p: package.yaml not found in package'),
    unpacking(
      'cannot parse resolved package reference r.example.org/team/p:v1.0.0@sha256:x: could not parse reference',
    ),
    unpacking('cannot fetch package r.example.org/team/p: no child with platform linux/amd64 in index'),
    unpacking(
      'cannot fetch package r.example.org/team/p: GET https://r.example.org/v2/: MANIFEST_UNKNOWN: Unknown manifest',
    ),
    unpacking(
      'cannot fetch package r.example.org/team/p: GET https://r.example.org/v2/: NAME_UNKNOWN: repository name not known',
    ),
    unpacking(
      'cannot fetch package r.example.org/team/p: GET https://r.example.org/v2/: UNAUTHORIZED: authentication required',
    ),
    unpacking(
      'cannot fetch package r.example.org/team/p: GET https://r.example.org/v2/: DENIED: access denied',
    ),
    unhealthy('cannot initialize parser backend: package is invalid due to multiple annotated base layers'),
    unhealthy('linting package contents failed: package meta type is not Function'),
    unhealthy('incompatible Crossplane version: package is not compatible with Crossplane version (v2.3.4)'),
    unhealthy(
      'cannot resolve package dependencies: cannot initialize dependency graph from the packages in the lock: node r.example.org/team/q already exists',
    ),
    unhealthy(
      'cannot resolve package dependencies: incompatible dependencies: existing package r.example.org/team/q@v1.0.0 is incompatible with constraint >=v2.0.0',
    ),
    unhealthy(
      'cannot resolve package dependencies: encountered an invalid dependency: package dependencies must specify either a valid type',
    ),
    unhealthy('cannot resolve package dependencies: Invalid Semantic Version'),
    unhealthy(
      'cannot establish control of object: things.example.org is already controlled by ProviderRevision q-1',
    ),
    unhealthy(
      'cannot establish control of object: no matches for kind "CustomResourceDefinition" in version "apiextensions.k8s.io/v1beta1"',
    ),
  ].map(condition => ({
    name: condition.message.slice(-60),
    conditions: condition.type === 'Installed' ? [condition] : [INSTALLED, condition],
    want: 'Degraded',
  })),
]

describeReal('health checks of Argo CD for packages', missingPrograms(argocdServers), () => {
  const folder = temporaryFolder()
  // The program has the name of what it is to be.
  const program = join(folder, 'argocd')

  beforeAll(() => symlinkSync(present(findServer(present(argocdServers[0]))), program))

  it('are those of the table', async () => {
    const health = await renderedHealth(join(folder, 'out'))
    const found = CASES.map(({name, conditions, read = PACKAGE, ...rest}) => {
      const file = join(folder, 'package.yaml')
      const status = 'status' in rest ? rest.status : {currentIdentifier: read, conditions}
      const {annotations} = 'annotations' in rest ? rest : {}
      const metadata = {name: 'p', generation: 2, annotations}
      const object = {
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata,
        spec: {package: PACKAGE},
        status,
      }
      writeFileSync(file, JSON.stringify(object))
      return {name, health: judged(program, file, health)}
    })
    expect(found).toEqual(CASES.map(({name, want}) => ({name, health: want})))
  })

  it('wait for the Lock where Crossplane would request a package once more', async () => {
    const health = await guardedHealth(folder)
    const entry = (name: string, version: string, ...required: readonly string[]) => ({
      ...{name: `${name}-1`, source: `r.example.org/team/${name}`, version},
      dependencies: required.map(one => ({package: `r.example.org/team/${one}`})),
    })
    const cases = [
      {name: 'has no packages', packages: undefined, want: 'Healthy'},
      {
        name: 'has the version',
        packages: [entry('p', 'v1.0.0'), entry('by', 'v1.0.0', 'p')],
        want: 'Healthy',
      },
      {
        name: 'has another version',
        packages: [entry('p', 'v0.9.0'), entry('by', 'v1.0.0', 'p')],
        want: 'Progressing',
      },
      {name: 'lost the required one', packages: [entry('by', 'v1.0.0', 'p')], want: 'Progressing'},
      {
        name: 'has nothing that requires it',
        packages: [entry('p', 'v0.9.0'), entry('by', 'v1.0.0')],
        want: 'Healthy',
      },
      {name: 'has what requires others', packages: [entry('by', 'v1.0.0', 'q')], want: 'Healthy'},
    ]
    const found = cases.map(({name, packages}) => {
      const file = join(folder, 'lock.yaml')
      const annotations = {
        'kubectl-crossplane/versions': ` r.example.org/team/p:no@v2 ${PACKAGE.replace(':', '@')} `,
      }
      const lock = {
        apiVersion: 'pkg.crossplane.io/v1beta1',
        kind: 'Lock',
        metadata: {name: 'lock', annotations},
        packages,
      }
      writeFileSync(file, JSON.stringify(lock))
      return {name, health: judged(program, file, health)}
    })
    expect(found).toEqual(cases.map(({name, want}) => ({name, health: want})))
  })

  it('have each of their texts in docs/layouts.md', async () => {
    const health = readFileSync(await renderedHealth(join(folder, 'documented')), 'utf8')
    const [, list = ''] = /local failures = \{([^}]*)\}/.exec(health) ?? []
    const texts = [...list.matchAll(/"([^"]+)"/g)].map(([, text]) => text)
    const page = readFileSync('docs/layouts.md', 'utf8')
    expect(texts).toHaveLength(CASES.filter(({want}) => want === 'Degraded').length - 1)
    expect(texts.filter(text => !page.includes(`\`${text}\``))).toEqual([])
  })
})

/** The same of packages under names of their own, which skip the resolver. */
async function guardedHealth(folder: string): Promise<string> {
  const repository = 'registry.example.org/example/provider-sql'
  const [declaration, output] = [join(folder, 'crossplane-packages.yaml'), join(folder, 'guarded')]
  const head = {apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'}
  const argocd = {repoURL: 'https://git.example.org/platform'}
  const packages = [{package: `${repository}:v1.6.0`, name: 'sql'}]
  const xpkg = {pin: 'config', resolver: 'off'}
  writeFileSync(declaration, JSON.stringify({...head, layout: 'argocd', argocd, xpkg, packages}))
  const flags = ['--declaration', declaration, '--packages', './examples/xpkg/packages']
  const {status, stderr} = await runCli('package', 'render', ...flags, '--output-dir', output)
  expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
  return join(output, 'argocd/health.yaml')
}

/** The settings that a tree has for Argo CD. */
async function renderedHealth(output: string): Promise<string> {
  const {status, stderr} = await runCli(
    ...[
      'package',
      'render',
      './examples/xpkg/configuration-database',
      '--packages',
      './examples/xpkg/packages',
    ],
    ...['--as-package', 'registry.example.org/example/configuration-database:v0.1.0', '--pin', 'tag'],
    ...['--output-dir', output, '--layout', 'argocd', '--repo-url', 'https://git.example.org/platform'],
  )
  expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
  return join(output, 'argocd/health.yaml')
}

function judged(program: string, file: string, health: string): string {
  const args = ['admin', 'settings', 'resource-overrides', 'health', file, '--argocd-cm-path', health]
  const answer = execFileSync(program, args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']})
  return /^STATUS: (\w+)$/m.exec(answer)?.[1] ?? answer
}
