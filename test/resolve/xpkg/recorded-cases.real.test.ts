import {expect, it} from '@jest/globals'
import {resolveXpkgs} from '../../../src/resolve/xpkg/resolve-xpkgs.js'
import type {ConstraintRules} from '../../../src/xpkg/constraints/constraint-rules.js'
import {corpusEntries, describeCorpus} from '../../corpus.js'
import {recordedCase} from './recorded-world.js'

function casesIn(folder: string, rules: ConstraintRules) {
  return corpusEntries('reference', folder)
    .filter(name => /^[skn]\d/.test(name) && !OTHER_MEANS.includes(name))
    .flatMap(name => {
      const recorded = recordedCase(['reference', folder], name)
      return recorded === undefined
        ? []
        : [{name, core: rules === 'v1' ? 'v2.1' : 'v2.3', rules, ...recorded}]
    })
}

/** Cases about digests of the registry, moved tags, registries and content that this world does not have. */
const OTHER_MEANS = [
  'k09-installed-by-tag-and-digest',
  'n05-same-content-two-tags',
  'n11-digest-constraint-installed-by-digest',
  'n24-long-source-names',
  'n27-upgrade-to-a-package-that-does-not-parse',
  's45-loopback-with-port',
]

/** The core leaves a package unhealthy although all constraints can be satisfied: see docs/xpkg.md. */
const SATISFIABLE: Readonly<Record<string, readonly string[]>> = {
  'k01-installed-too-old': ['app:v1.0.0', 'dep:v1.5.0'],
  'k03-two-parents-order-matters': ['a:v1.0.0', 'b:v1.0.0', 'dep:v1.5.0'],
  'k15-installed-under-another-name': ['app:v1.0.0', 'dep:v1.0.0'],
  'k16-deep': ['a:v1.0.0', 'b:v1.0.0', 'c:v1.0.0', 'f:v0.2.0', 'p:v1.0.0'],
  'k27-upgrade-under-another-name': ['app:v1.0.0', 'dep:v1.5.0'],
}

/** Two tags of one version: the core selects either. */
const EITHER = ['s32-same-version-with-and-without-v']

const cases = [...casesIn('xpkg', 'v1'), ...casesIn('xpkg-v2.3', 'v3')]

describeCorpus('the recorded cases of the core’s resolver', () => {
  it('are all read', () => {
    expect(cases.length).toBeGreaterThan(50)
  })

  it.each(cases)('$name on $core', async ({name, rules, roots, catalog, lock, isHealthy}) => {
    const result = await resolveXpkgs({roots, rules: [rules]}, catalog, {isSpent: steps => steps > 100_000})
    const selected =
      result.kind === 'rejected'
        ? result.kind
        : result.packages.map(({repository, version}) => `${repository}:${version}`).sort()
    if (isHealthy) expect(withoutV(name, selected)).toEqual(withoutV(name, lock))
    else expect(shortened(selected)).toEqual(SATISFIABLE[name] ?? 'rejected')
  })
})

function withoutV(name: string, texts: readonly string[] | string): readonly string[] | string {
  return EITHER.includes(name) && typeof texts !== 'string'
    ? texts.map(text => text.replace(':v', ':'))
    : texts
}

function shortened(texts: readonly string[] | string): readonly string[] | string {
  return typeof texts === 'string' ? texts : texts.map(text => text.slice(text.lastIndexOf('/') + 1))
}
