import {expect, it} from '@jest/globals'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import type {LintDiagnostic} from '../../../src/author/lint/lint-diagnostic.js'
import {lintPackage} from '../../../src/author/lint/lint-package.js'
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
    count: 5,
    why: 'all of cache, compute, database, storage and workload.crossplane.io',
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
    count: 5,
    why: 'all of cache, compute, database, storage and workload.crossplane.io',
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
    count: 5,
    why: 'all of cache, compute, database, storage and workload.crossplane.io',
  },
  {packages: 'provider-gcp@*', rule: 'depends-on-nothing', count: 1, why: '*.core.crossplane.io/v1alpha1'},
  {
    packages: 'provider-rook@*',
    rule: 'permissions-wildcard',
    count: 6,
    why: 'those of the other providers, and kubernetes.crossplane.io',
  },
  {packages: 'provider-rook@*', rule: 'depends-on-nothing', count: 1, why: '*.core.crossplane.io/v1alpha1'},
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
