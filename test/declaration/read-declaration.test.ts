import {describe, expect, it} from '@jest/globals'
import {readDeclaration} from '../../src/declaration/read-declaration.js'
import type {Diagnostic} from '../../src/diagnostic.js'
import {CrossplaneError} from '../../src/errors.js'
import {FULL, HEAD, ONE} from './declarations.js'

const read = (text: string) => readDeclaration('platform.yaml', Buffer.from(text))

function diagnosticsOf(text: string): readonly Diagnostic[] {
  try {
    read(text)
    return []
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    expect(error.code).toBe('input-invalid')
    expect(error.diagnostics.map(({file}) => file)).toEqual(error.diagnostics.map(() => 'platform.yaml'))
    return error.diagnostics
  }
}

/** Faults as `line field [rule]`. */
const faultsIn = (text: string) =>
  diagnosticsOf(text).map(({line, field, rule}) => `${line ?? '-'} ${field ?? ''} [${rule}]`)

describe('readDeclaration', () => {
  it('reads every field', () => {
    expect(read(FULL)).toEqual({
      defaultSource: 'registry.example.org',
      registries: {'registry.example.org': 'mirror.internal:5000'},
      indexes: ['registry.example.org/index', '../shared/index.json'],
      systemNamespace: 'infra',
      dependencyNamespace: 'shared',
      crossplaneVersion: 'v0.11',
      assume: ['clusters.compute.example.org', './crds/oam.yaml'],
      render: {
        api: 'stacks',
        base: true,
        createNamespace: false,
        includeRequest: true,
        kubeVersion: '1.20',
        crdVersion: 'v1beta1',
        nonStructural: 'preserve',
        pin: false,
        allowCorePermissions: true,
        allowFullDeployment: true,
      },
      tree: {
        layout: 'argocd',
        argocd: {
          name: 'platform-packages',
          repoURL: 'https://git.example.org/team/cluster',
          targetRevision: 'main',
          destination: {name: 'production'},
          project: 'platform',
          namespace: 'argo',
        },
        crds: 'external',
        output: './rendered/production',
      },
      owners: [{group: '*.gcp.example.org', package: 'example/provider-gcp'}],
      packages: [
        {
          package: 'team/app:v0.1.0',
          namespace: 'team-a',
          name: 'blog',
          parameters: {
            source: 'r.example.org/x',
            imagePullPolicy: 'Always',
            imagePullSecrets: ['regcred'],
            serviceAccountAnnotations: {'a.org/b': 'c'},
            revisionActivationPolicy: 'Manual',
            revisionHistoryLimit: 0,
          },
          runtime: {replicas: 2, resources: {limits: {cpu: '500m'}}},
        },
        {
          crd: 'clusters.compute.example.org/v1alpha1',
          parameters: {imagePullSecrets: [], serviceAccountAnnotations: {}, runtimeConfig: 'large'},
        },
      ],
    })
  })

  it.each([
    {name: 'nothing', reason: 'it does not request anything', in: '', want: ['-  [declaration-empty]']},
    {name: 'no YAML', reason: 'it cannot be read', in: 'a: [', want: ['1  [yaml-syntax]']},
    {name: 'a list', reason: 'it is an object', in: '- a\n', want: ['1  [field-type]']},
    {
      name: 'an object',
      reason: 'a list is expected; it is reported once',
      in: `${HEAD}packages: {package: a/b}\n`,
      want: ['3 packages [field-type]'],
    },
    {
      name: 'marks of a merge',
      reason: 'regardless of their other effects',
      in: `${HEAD}packages:\n<<<<<<< ours\n- package: a/b\n=======\n- package: a/c\n>>>>>>> theirs\n`,
      want: ['4  [declaration-merge]'],
    },
    {
      name: 'two documents',
      reason: 'one of them would be lost',
      in: `${ONE}---\na: 1\n`,
      want: ['6  [declaration-documents]'],
    },
    {
      name: 'another kind',
      reason: 'it is not a declaration',
      in: 'apiVersion: v1\nkind: Pod\npackages: [{package: a/b}]\n',
      want: ['2 kind [declaration-value]'],
    },
    {
      name: 'no packages',
      reason: 'it does not request anything',
      in: HEAD,
      want: ['1 packages [declaration-value]'],
    },
    {
      name: 'an unknown field',
      reason: 'it is probably misspelled',
      in: `${ONE}onwers: {a.org: b/c}\n`,
      want: ['5 onwers [unknown-field]'],
    },
    {
      name: 'a field twice',
      reason: 'one of them would be lost',
      in: `${ONE}kind: PackageDeclaration\n`,
      want: ['5 kind [duplicate-key]'],
    },
    {
      name: 'both, and neither',
      reason: 'an entry is one thing',
      in: `${HEAD}packages:\n- package: a/b\n  crd: a.b.org\n- name: x\n`,
      want: ['4 packages[0] [declaration-value]', '6 packages[1] [declaration-value]'],
    },
    {
      name: 'the same twice',
      reason: 'one of them was probably meant to differ',
      in: `${HEAD}packages:\n- package: a/b\n- package: a/b\n`,
      want: ['5 packages[1] [declaration-value]'],
    },
    {
      name: 'invalid names',
      reason: 'all at once, by line',
      in: `${HEAD}systemNamespace: A
defaultSource: "a b"
owners:
  org: a/b
  a.org: a/b:v1
registries:
  "a b": c.org
packages:
- package: Not/Lower
  namespace: a.b
  name: A_B
  parameters:
    source: "x y"
    imagePullPolicy: Sometimes
    imagePullSecrets: [A_B]
    serviceAccountAnnotations: {"a b": c}
- crd: nodot
`,
      want: [
        '3 systemNamespace [declaration-value]',
        '4 defaultSource [declaration-value]',
        '6 owners.org [declaration-value]',
        '7 owners["a.org"] [declaration-value]',
        '9 registries["a b"] [declaration-value]',
        '11 packages[0].package [declaration-value]',
        '12 packages[0].namespace [declaration-value]',
        '13 packages[0].name [declaration-value]',
        '15 packages[0].parameters.source [declaration-value]',
        '16 packages[0].parameters.imagePullPolicy [declaration-value]',
        '17 packages[0].parameters.imagePullSecrets[0] [declaration-value]',
        '18 packages[0].parameters.serviceAccountAnnotations["a b"] [declaration-value]',
        '19 packages[1].crd [declaration-value]',
      ],
    },
    {
      name: 'wrong settings of revisions and runtimes',
      reason: 'Crossplane would reject or ignore them',
      in: `${HEAD}packages:
- package: a/b
  parameters:
    revisionActivationPolicy: Never
    revisionHistoryLimit: -1
    runtimeConfig: A_B
- package: a/c
  parameters: {runtimeConfig: large, serviceAccountAnnotations: {a: b}}
`,
      want: [
        '6 packages[0].parameters.revisionActivationPolicy [declaration-value]',
        '7 packages[0].parameters.revisionHistoryLimit [declaration-value]',
        '8 packages[0].parameters.runtimeConfig [declaration-value]',
        '10 packages[1].parameters.runtimeConfig [declaration-value]',
      ],
    },
    {
      name: 'a registry twice, and one without a mirror',
      reason: 'the result would depend on their order',
      in: `${ONE}registries:\n  docker.io: a.org\n  index.docker.io/: b.org\n  c.org: ""\n`,
      want: [
        '7 registries["index.docker.io/"] [declaration-value]',
        '8 registries["c.org"] [declaration-value]',
      ],
    },
    {
      name: 'invalid indexes',
      reason: 'a file is distinguished from a repository by its beginning',
      in: `${ONE}indexes:\n- Index.json\n- r.example.org/index:v1\n- ""\n- ./a.json\n- ./a.json\n`,
      want: [
        '6 indexes[0] [declaration-value]',
        '7 indexes[1] [declaration-value]',
        '8 indexes[2] [declaration-value]',
        '10 indexes[4] [declaration-value]',
      ],
    },
    {
      name: 'indexes that are not a list',
      reason: 'their order counts',
      in: `${ONE}indexes: r.example.org/index\n`,
      want: ['5 indexes [field-type]'],
    },
    {
      name: 'an object',
      reason: 'a list is expected; it is reported once',
      in: `${HEAD}packages: {package: a/b}\n`,
      want: ['3 packages [field-type]'],
    },
    {
      name: 'marks of a merge',
      reason: 'regardless of their other effects',
      in: `${HEAD}packages:\n<<<<<<< ours\n- package: a/b\n=======\n- package: a/c\n>>>>>>> theirs\n`,
      want: ['4  [declaration-merge]'],
    },
    {
      name: 'invalid settings',
      reason: 'all at once, by line',
      in: `${ONE}crossplaneVersion: newest
assume:
- clusters
- crds/oam.yaml
- clusters.example.org
- clusters.example.org
render:
  api: stack
  base: "true"
  kubeVersion: next
  crdVersion: v2
  nonStructural: ""
  noPin: true
`,
      want: [
        '5 crossplaneVersion [declaration-value]',
        '7 assume[0] [declaration-value]',
        '8 assume[1] [declaration-value]',
        '10 assume[3] [declaration-value]',
        '12 render.api [declaration-value]',
        '13 render.base [field-type]',
        '14 render.kubeVersion [declaration-value]',
        '15 render.crdVersion [declaration-value]',
        '16 render.nonStructural [declaration-value]',
        '17 render.noPin [unknown-field]',
      ],
    },
    {
      name: 'invalid settings of Flux',
      reason: 'Flux would reject them',
      in: `${ONE}layout: flux\nflux: {name: a.b, source: A b, namespace: a.b, interval: ten}\ncrds: own\noutput: ..\n`,
      want: [
        '6 flux.name [declaration-value]',
        '6 flux.source [declaration-value]',
        '6 flux.namespace [declaration-value]',
        '6 flux.interval [declaration-value]',
        '7 crds [declaration-value]',
        '8 output [declaration-value]',
      ],
    },
    {
      name: 'invalid settings of Argo CD',
      reason: 'Argo CD would reject them, and a password would be committed',
      in: `${ONE}layout: argocd\nargocd:\n  repoURL: https://me:secret@git.example.org/a\n  namespace: a.b\n  destination: {name: a, server: b}\n  name: A\n`,
      want: [
        '7 argocd.repoURL [declaration-value]',
        '8 argocd.namespace [declaration-value]',
        '9 argocd.destination [declaration-value]',
        '10 argocd.name [declaration-value]',
      ],
    },
    {
      name: 'a token in the URL for Argo CD',
      reason: 'a user name of HTTP can be a token, which would be committed',
      in: `${ONE}layout: argocd\nargocd:\n  repoURL: https://token@git.example.org/a\n`,
      want: ['7 argocd.repoURL [declaration-value]'],
    },
    {
      name: 'Argo CD without a repository',
      reason: 'there is no default',
      in: `${ONE}layout: argocd\nargocd: {project: a}\n`,
      want: ['6 argocd [declaration-value]'],
    },
    {
      name: 'settings of another layout',
      reason: 'they would have no effect',
      in: `${ONE}layout: helm\nflux: {}\n`,
      want: ['5 layout [declaration-value]', '6 flux [declaration-value]'],
    },
    {
      name: 'CRDs that no such Kubernetes serves',
      reason: 'the objects could not be applied',
      in: `${ONE}render:\n  kubeVersion: v1.22.3\n  crdVersion: v1beta1\n`,
      want: ['7 render.crdVersion [declaration-value]'],
    },
    {
      name: 'a version without quotes',
      reason: 'YAML reads 1.20 as 1.2',
      in: `${ONE}render: {kubeVersion: 1.20}\n`,
      want: ['5 render.kubeVersion [field-type]'],
    },
    {
      name: 'a number',
      reason: 'a text is expected',
      in: `${HEAD}packages:\n- package: 5\n`,
      want: ['4 packages[0].package [field-type]'],
    },
  ])('$name: $reason', ({in: text, want}) => {
    expect(faultsIn(text).sort()).toEqual([...want].sort())
  })

  it('rejects unknown fields everywhere', () => {
    const text = `${ONE}onwers: {a.org: b/c}\nkind: PackageDeclaration\n`
    expect(diagnosticsOf(text).map(({message}) => message)).toEqual([
      'unknown field onwers',
      'kind is given twice',
    ])
  })

  it.each([
    {in: `${HEAD}packages:\n- pakage: a/b:v1\n- pakage: a/c:v1\n`, want: 2},
    {in: `${HEAD}packages:\n- 5\n- {}\n`, want: 2},
  ])('reports each fault once: $in', ({in: text, want}) => {
    expect(diagnosticsOf(text)).toHaveLength(want)
  })

  it.each([
    {in: `${ONE}onwers: {a.org: b/c}\n`, want: ['Write owners in place of onwers.']},
    {in: `${ONE}  verison: ^1\n`, want: ['Write version in place of verison.']},
    {in: `${ONE}colour: red\n`, want: []},
    {in: `${ONE}${'owners'.repeat(20_000)}: {}\n`, want: []},
  ])('suggests similar fields: $want', ({in: text, want}) => {
    expect(diagnosticsOf(text).flatMap(({suggestions = []}) => suggestions)).toEqual(want)
  })
})
