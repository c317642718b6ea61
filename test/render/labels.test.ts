import {describe, expect, it} from '@jest/globals'
import {ERAS} from '../../src/render/era.js'
import {
  aggregateLabel,
  claimLabels,
  claimsIn,
  parentLabels,
  recordLabels,
  withoutClaims,
} from '../../src/render/labels.js'

const namespace = 'a-namespace-of-sixty-three-characters-0123456789-0123456789-012'
const name = 'a-very-long-package-install-name-that-goes-past-every-limit-th'

describe('parentLabels', () => {
  it('name the parent', () => {
    const parent = {
      group: 'packages.crossplane.io',
      version: 'v1alpha1',
      kind: 'PackageInstall',
      namespace: 'ns',
      name: 'n',
    }
    expect(parentLabels(parent)).toEqual({
      'core.crossplane.io/parent-group': 'packages.crossplane.io',
      'core.crossplane.io/parent-version': 'v1alpha1',
      'core.crossplane.io/parent-kind': 'PackageInstall',
      'core.crossplane.io/parent-namespace': 'ns',
      'core.crossplane.io/parent-name': 'n',
    })
  })

  it.each([
    {reason: 'a valid label value is kept', name, want: name},
    {reason: 'more than 63 characters are cut', name: `${'n'.repeat(63)}1`, want: `${'n'.repeat(57)}-qwvef`},
  ])('$reason', ({name: given, want}) => {
    expect(recordLabels(ERAS.packages, {namespace, name: given})).toEqual({
      'core.crossplane.io/parent-group': 'packages.crossplane.io',
      'core.crossplane.io/parent-version': 'v1alpha1',
      'core.crossplane.io/parent-kind': 'Package',
      'core.crossplane.io/parent-namespace': namespace,
      'core.crossplane.io/parent-name': want,
    })
  })
})

describe('claimLabels', () => {
  it.each([
    {
      era: ERAS.packages,
      id: {namespace: 'team-a', name: 'gcp'},
      want: {'namespace.crossplane.io/team-a': 'true', 'parent.packages.crossplane.io/team-a-gcp': 'true'},
    },
    {
      era: ERAS.stacks,
      id: {namespace: 'team-a', name: 'gcp'},
      want: {'namespace.crossplane.io/team-a': 'true', 'parent.stacks.crossplane.io/team-a-gcp': 'true'},
    },
    {
      era: ERAS.packages,
      id: {namespace, name},
      want: {
        [`namespace.crossplane.io/${namespace}`]: 'true',
        'parent.packages.crossplane.io/a-namespace-of-sixty-three-d7tuk-a-very-long-package-inst-njguy':
          'true',
      },
    },
  ])('of $era.group for $id.name', ({era, id, want}) => {
    expect(claimLabels(era, id)).toEqual(want)
  })
})

describe('claimsIn', () => {
  const long = {namespace, name: 'a'}
  const names = (labels: Readonly<Record<string, string>>) =>
    claimsIn(labels).map(claim => `${claim.era} ${claim.namespace}/${claim.name}`)

  it.each([
    {
      reason: 'installs of several namespaces and eras can share a CRD',
      in: {
        ...claimLabels(ERAS.packages, {namespace: 'team-a', name: 'gcp'}),
        ...claimLabels(ERAS.stacks, {namespace: 'infra', name: 'gcp'}),
        app: 'x',
      },
      want: ['packages team-a/gcp', 'stacks infra/gcp'],
    },
    {
      reason: 'long namespaces are truncated',
      in: claimLabels(ERAS.packages, long),
      want: [`packages ${namespace}/a`],
    },
    {
      reason: 'a claim that can be of two namespaces names neither',
      in: {
        ...claimLabels(ERAS.packages, {namespace: 'team', name: 'a-gcp'}),
        ...claimLabels(ERAS.packages, {namespace: 'team-a', name: 'sql'}),
      },
      want: [],
    },
    {
      reason: 'the namespace of a claim is unknown without its label',
      in: {'parent.packages.crossplane.io/team-a-gcp': 'true', 'namespace.crossplane.io/team': 'true'},
      want: ['packages team/a-gcp'],
    },
    {reason: 'no namespace claims it', in: {'parent.packages.crossplane.io/team-a-gcp': 'true'}, want: []},
  ])('$reason', ({in: labels, want}) => {
    expect(names(labels)).toEqual(want)
  })
})

describe('withoutClaims', () => {
  it.each([
    ['namespace.crossplane.io/team-a', false],
    ['parent.packages.crossplane.io/team-a-gcp', false],
    ['parent.stacks.crossplane.io/team-a-gcp', false],
    ['core.crossplane.io/parent-name', true],
    ['crossplane.io/scope', true],
    ['app', true],
  ])('%s: kept %p', (label, kept) => {
    expect(withoutClaims({[label]: 'true'})).toEqual(kept ? {[label]: 'true'} : {})
  })
})

describe('aggregateLabel', () => {
  it('adds a role to an existing aggregation', () => {
    expect(aggregateLabel('environment-view')).toEqual({
      'rbac.crossplane.io/aggregate-to-environment-view': 'true',
    })
  })
})
