import {expect, it} from '@jest/globals'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import type {LintDiagnostic} from '../../../src/author/lint/lint-diagnostic.js'
import {lintPackage} from '../../../src/author/lint/lint-package.js'
import {EXAMPLE_APP} from '../../../src/author/lint/lint-rule.js'
import {MANAGED_RULES} from '../../../src/author/lint/rules/managed-rules.js'
import {SERVICE_RULES} from '../../../src/author/lint/rules/service-rules.js'
import type {PackageFile} from '../../../src/unpack/package-file.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus, registryFilesIn} from '../../corpus.js'

/** So many findings of a rule in each of the packages, and why they are right. */
interface Explanation {
  /** A name of a package, or its beginning before a `*`. */
  readonly packages: string
  readonly rule: string
  readonly count: number
  readonly why: string
}

const EXPLAINED: readonly Explanation[] = [
  {
    packages: 'addon-oam-kubernetes-remote@ca0a95b',
    rule: 'permissions-wildcard',
    count: 2,
    why: 'it requests all of workload.crossplane.io and core.oam.dev',
  },
  {
    packages: 'app-wordpress@de238a6',
    rule: 'version-tag',
    count: 1,
    why: 'a commit that still says the version of the last release',
  },
  {
    packages: 'app-wordpress@de238a6',
    rule: 'image-floating',
    count: 1,
    why: 'crossplane/sample-stack-wordpress, without a tag',
  },
  {
    packages: 'app-wordpress@de238a6',
    rule: 'crd-scope-missing',
    count: 1,
    why: 'scope: "", as kubebuilder wrote it',
  },
  {
    packages: 'app-wordpress@v0.0.1',
    rule: 'image-floating',
    count: 1,
    why: 'crossplane/sample-stack-wordpress, without a tag, in a release',
  },
  {
    packages: 'provider-aws@*',
    rule: 'permissions-wildcard',
    count: 1,
    why: 'all of workload.crossplane.io, which has no claims',
  },
  {packages: 'provider-aws@*', rule: 'depends-on-nothing', count: 1, why: '*.core.crossplane.io/v1alpha1'},
  {
    packages: 'provider-aws@v0.11.1',
    rule: 'metadata-orphan',
    count: 114,
    why: 'icons, resources and ui-schemas are in folders of groups, and the CRDs beside these',
  },
  {
    packages: 'provider-azure@*',
    rule: 'permissions-wildcard',
    count: 1,
    why: 'all of workload.crossplane.io, which has no claims',
  },
  {packages: 'provider-azure@*', rule: 'depends-on-nothing', count: 1, why: '*.core.crossplane.io/v1alpha1'},
  {
    packages: 'provider-azure@v0.10.0',
    rule: 'metadata-orphan',
    count: 3,
    why: 'icon, resource and ui-schema of accountclass, a kind that was removed before',
  },
  {
    packages: 'provider-gcp@*',
    rule: 'permissions-wildcard',
    count: 1,
    why: 'all of workload.crossplane.io, which has no claims',
  },
  {packages: 'provider-gcp@*', rule: 'depends-on-nothing', count: 1, why: '*.core.crossplane.io/v1alpha1'},
  {
    packages: 'provider-rook@*',
    rule: 'permissions-wildcard',
    count: 2,
    why: 'that of the other providers, and kubernetes.crossplane.io',
  },
  {packages: 'provider-rook@*', rule: 'depends-on-nothing', count: 1, why: '*.core.crossplane.io/v1alpha1'},
  {packages: 'provider-aws@*', rule: 'managed-status', count: 2, why: 'EKSCluster and S3Bucket'},
  {
    packages: 'provider-azure@v0.2.1',
    rule: 'managed-status',
    count: 3,
    why: 'ResourceGroup, Redis, AKSCluster',
  },
  {packages: 'provider-azure@v0.3.0', rule: 'managed-status', count: 2, why: 'ResourceGroup and AKSCluster'},
  {
    packages: 'provider-azure@v0.2.1',
    rule: 'managed-reclaim-policy',
    count: 1,
    why: 'an early version, without an enum; the package is reported once',
  },
  {packages: 'provider-azure@v0.3.0', rule: 'managed-reclaim-policy', count: 1, why: 'the same'},
  {packages: 'provider-gcp@v0.2.0', rule: 'managed-reclaim-policy', count: 1, why: 'the same'},
  {
    packages: 'provider-azure@v0.2.1',
    rule: 'class-managed',
    count: 1,
    why: 'ContainerClass: a Container has an account in place of a provider',
  },
  {packages: 'provider-azure@v0.3.0', rule: 'class-managed', count: 1, why: 'the same'},
  {
    packages: 'provider-gcp@*',
    rule: 'managed-status',
    count: 1,
    why: 'GKECluster of compute.gcp.crossplane.io',
  },
  ...['v0.5.0', 'v0.6.0', 'v0.7.0', 'v0.9.0', 'v0.10.0', 'v0.11.0'].flatMap(version => [
    {
      packages: `provider-gcp@${version}`,
      rule: 'class-status',
      count: 2,
      why: 'GKEClusterClass and NodePoolClass have the subresource of their managed resources',
    },
    {
      packages: `provider-gcp@${version}`,
      rule: 'class-drift',
      count: 1,
      why: 'NodePoolClass has the fields of forProvider beside providerRef',
    },
  ]),
  {
    packages: 'provider-rook@*',
    rule: 'managed-undocumented',
    count: 2,
    why: 'CockroachCluster and YugabyteCluster',
  },
  {
    packages: 'sample-stack@*',
    rule: 'permission-scope-missing',
    count: 1,
    why: 'older than permissionScope',
  },
  {
    packages: 'sample-stack@*',
    rule: 'unknown-field',
    count: 4,
    why: 'description in app.yaml, group.yaml and resource.yaml, and title-plural: names of an earlier design',
  },
  {packages: 'sample-stack@*', rule: 'version-tag', count: 1, why: 'a commit under the version of a release'},
  {packages: 'sample-stack@*', rule: 'image-floating', count: 1, why: 'crossplane/sample-stack:latest'},
  {
    packages: 'sample-stack@*',
    rule: 'file-unrecognised',
    count: 1,
    why: 'rbac.yaml, which a design before the first release had',
  },
]

/**
 * How often each rule about services fires on all 125 packages that were examined when the rules were written. The
 * corpus here is a part of them. Rules without a number fire on none.
 */
const MAXIMUM: Readonly<Record<string, number>> = {
  'managed-scope': 2,
  'managed-status': 68,
  'managed-reclaim-policy': 99,
  'managed-field-case': 3,
  'managed-undocumented': 29,
  'class-scope': 4,
  'class-status': 25,
  'class-managed': 3,
  'class-drift': 13,
  'claims-permission': 1,
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

function lintIn(...folder: readonly string[]): LintDiagnostic[] {
  return lintPackage({files: registryFilesIn(join(CORPUS_ROOT, ...folder, '.registry'))})
}

function lintPulled(name: string): LintDiagnostic[] {
  const [path = '', tag = ''] = name.split('@')
  const files = registryFilesIn(join(CORPUS_ROOT, 'corpus', name, '.registry'))
  return lintPackage({files, reference: {path: `crossplane/${path}`, tag}})
}

function countByRule(findings: readonly LintDiagnostic[]): Readonly<Record<string, number>> {
  const rules = findings.map(({rule}) => rule)
  return Object.fromEntries(rules.map(rule => [rule, rules.filter(each => each === rule).length]))
}

const APP = {path: 'app.yaml', bytes: Buffer.from(EXAMPLE_APP)}

function coreCrds(version: string): PackageFile[] {
  return registryFilesIn(join(CORPUS_ROOT, 'corpus-core', `crossplane@${version}`))
    .filter(({path}) => path.endsWith('.yaml'))
    .map(({path, bytes}) => ({path: path.replace('.yaml', '.crd.yaml'), bytes}))
}

describeCorpus('the diagnostics of real packages', () => {
  const names = corpusEntries('corpus').filter(name => name.includes('@'))

  it.each(names)('%s: every diagnostic is explained, and every explanation is used', name => {
    const rows = EXPLAINED.filter(({packages}) => matches(packages, name))
    const want = Object.fromEntries(rows.map(({rule, count}) => [rule, count]))
    expect({found: countByRule(lintPulled(name)), rows: rows.length}).toEqual({
      found: want,
      rows: Object.keys(want).length,
    })
  })

  it('of services are no more than in all packages of the time', () => {
    const services = [...MANAGED_RULES, ...SERVICE_RULES].map(({id}) => id)
    const counts = countByRule(names.flatMap(name => lintPulled(name)))
    const above = services.filter(id => (counts[id] ?? 0) > (MAXIMUM[id] ?? 0))
    expect(above.map(id => ({id, count: counts[id]}))).toEqual([])
  })

  it('of the claims of Crossplane itself do not exist', () => {
    const files = ['v0.11.0', 'v0.12.0'].map(version => coreCrds(version))
    const found = files.map(crds =>
      lintPackage({files: [APP, ...crds]}).filter(({rule}) => rule.startsWith('claim')),
    )
    expect(found).toEqual([[], []])
  })

  it('are explained only for existing packages', () => {
    const idle = EXPLAINED.filter(({packages}) => !names.some(name => matches(packages, name)))
    expect(idle).toEqual([])
  })
})

/** What v0.12 took and lint calls an error: see docs/differences.md, and what its own design forbids. */
const STRICTER: Readonly<Record<string, readonly string[]>> = {
  'app-duplicate-key': ['duplicate-key'],
  'app-two-documents': ['app-documents'],
  'app-two-files': ['app-duplicate'],
  'app-upper-case-field': ['field-case'],
  'behavior-and-install': ['behavior-and-install'],
  'crd-other-kind': ['crd-kind'],
  'crd-same-twice': ['crd-duplicate'],
  'depends-both': ['depends-on'],
  'depends-core': ['permissions-core'],
  'depends-k8sio': ['permissions-core'],
  'depends-no-dot': ['permissions-core'],
  'icon-text': ['icon-type'],
  'install-helm': ['install-containers'],
  'install-job': ['install-kind'],
}

describeCorpus('the errors in the probes of v0.12', () => {
  const probes = ['reference', 'v0.12', 'probes']
  const names = corpusEntries(...probes).filter(name =>
    existsSync(join(CORPUS_ROOT, ...probes, name, '.registry')),
  )
  const errorsIn = (name: string) => {
    const errors = lintIn(...probes, name).filter(({severity}) => severity === 'error')
    return [...new Set(errors.map(({rule}) => rule))]
  }

  it('are reported if v0.12 rejected the package, or if this program is intentionally stricter', () => {
    const refused = names.filter(name => existsSync(join(CORPUS_ROOT, ...probes, `${name}.error`)))
    const faulty = names.filter(name => errorsIn(name).length > 0)
    expect(faulty).toEqual([...refused, ...Object.keys(STRICTER)].sort())
  })

  it.each(Object.entries(STRICTER))('%s: %s', (name, want) => {
    expect(errorsIn(name)).toEqual(want)
  })
})
