import {describe, expect, it} from '@jest/globals'
import {filesOf} from '../../../src/plan/folder/file-tree.js'
import type {InstallSet, SetObject} from '../../../src/render/install-set.js'
import {blog, gcp, objectOf, setOf, twoInstalls} from './two-installs.js'

const write = (value: unknown) => JSON.stringify(value)
const pathsOf = (set: InstallSet) => filesOf(set, write).map(file => file.path)

const list = (...resources: readonly string[]) => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  resources,
})

describe('filesOf', () => {
  it('puts shared objects into a folder per phase, each install into its own, and lists both in the order of the set', () => {
    const set = twoInstalls('v0.11.0')
    const [system, app, crd, admin, ...rest] = set.objects.map(({object}) => object)
    const [account, systemRole, adminRole, blogAccount, record, blogRecord, deployment] = rest
    const files = filesOf(set, write).map(({path, content}) => [path, JSON.parse(content) as unknown])
    expect(files).toEqual([
      ['base/clusterrole-crossplane-admin.yaml', admin],
      ['base/kustomization.yaml', list('clusterrole-crossplane-admin.yaml')],
      ['crds/buckets.storage.example.org.yaml', crd],
      ['crds/kustomization.yaml', list('buckets.storage.example.org.yaml')],
      ['installs/app.blog/kustomization.yaml', list('serviceaccount-blog.yaml', 'record-blog.yaml')],
      ['installs/app.blog/record-blog.yaml', blogRecord],
      ['installs/app.blog/serviceaccount-blog.yaml', blogAccount],
      ['installs/crossplane-system.gcp/clusterrole-admin.yaml', adminRole],
      ['installs/crossplane-system.gcp/clusterrole-system.yaml', systemRole],
      ['installs/crossplane-system.gcp/deployment-gcp-controller.yaml', deployment],
      [
        'installs/crossplane-system.gcp/kustomization.yaml',
        list(
          'serviceaccount-gcp.yaml',
          'clusterrole-system.yaml',
          'clusterrole-admin.yaml',
          'record-gcp.yaml',
          'deployment-gcp-controller.yaml',
        ),
      ],
      ['installs/crossplane-system.gcp/record-gcp.yaml', record],
      ['installs/crossplane-system.gcp/serviceaccount-gcp.yaml', account],
      ['installs/kustomization.yaml', list('crossplane-system.gcp', 'app.blog')],
      ['kustomization.yaml', list('namespaces', 'crds', 'base', 'installs')],
      ['namespaces/app.yaml', app],
      ['namespaces/crossplane-system.yaml', system],
      ['namespaces/kustomization.yaml', list('crossplane-system.yaml', 'app.yaml')],
    ])
  })

  it('names the same files for any version', () => {
    expect(pathsOf(twoInstalls('v0.12.0-rc.1'))).toEqual(pathsOf(twoInstalls('v0.11.0')))
  })

  it('writes one line break at the end of every file', () => {
    const endings = (text: string) => filesOf(setOf([]), () => text).map(({content}) => content)
    expect([endings('a'), endings('a\n')]).toEqual([['a\n'], ['a\n']])
  })

  const cases: readonly {
    readonly name: string
    readonly reason: string
    readonly in: readonly SetObject[]
    readonly want: readonly string[]
  }[] = [
    {
      name: 'an empty set',
      reason: 'the folder still builds, and has no empty folder',
      in: [],
      want: ['kustomization.yaml'],
    },
    {
      name: 'a namespace called kustomization',
      reason: 'its file is not the list of its folder',
      in: [{phase: 'namespaces', object: objectOf('v1', 'Namespace', 'kustomization')}],
      want: ['kustomization.yaml', 'namespaces/kustomization-76e1eca7.yaml', 'namespaces/kustomization.yaml'],
    },
    {
      name: 'an install that would be a folder called kustomization.yaml',
      reason: 'a folder cannot replace the list of installs',
      in: [
        {
          phase: 'records',
          install: {namespace: 'kustomization', name: 'yaml'},
          object: objectOf('example.org/v1', 'Record', 'yaml', 'kustomization'),
        },
      ],
      want: [
        'installs/kustomization.yaml',
        'installs/kustomization.yaml-bec25688/kustomization.yaml',
        'installs/kustomization.yaml-bec25688/record-yaml.yaml',
        'kustomization.yaml',
      ],
    },
    {
      name: 'one kind and name in two API groups',
      reason: 'neither overwrites the other',
      in: ['example.org/v1', 'example.com/v1'].map(apiVersion => ({
        phase: 'records' as const,
        install: gcp,
        object: objectOf(apiVersion, 'Record', 'gcp', 'crossplane-system'),
      })),
      want: [
        'installs/crossplane-system.gcp/kustomization.yaml',
        'installs/crossplane-system.gcp/record-gcp-02e83bbc.yaml',
        'installs/crossplane-system.gcp/record-gcp-21fdb639.yaml',
        'installs/kustomization.yaml',
        'kustomization.yaml',
      ],
    },
    {
      name: 'a CRD and a namespace of an install',
      reason: 'they are in the folder of their phase, before every install',
      in: [
        {phase: 'namespaces', install: blog, object: objectOf('v1', 'Namespace', 'app')},
        {
          phase: 'crds',
          install: blog,
          object: objectOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'a.b'),
        },
      ],
      want: [
        'crds/a.b.yaml',
        'crds/kustomization.yaml',
        'kustomization.yaml',
        'namespaces/app.yaml',
        'namespaces/kustomization.yaml',
      ],
    },
  ]

  it.each(cases)('$name: $reason', ({in: objects, want}) => {
    expect(pathsOf(setOf(objects))).toEqual(want)
  })

  it('names the same files when the API version of an object changes', () => {
    const at = (...versions: readonly string[]) =>
      pathsOf(
        setOf(
          versions.map(version => ({
            phase: 'records',
            install: gcp,
            object: objectOf(version, 'Record', 'gcp', gcp.namespace),
          })),
        ),
      )
    expect(at('example.org/v1', 'example.com/v2')).toEqual(at('example.org/v1beta1', 'example.com/v1'))
  })

  it('rejects a set that contains an object twice', () => {
    const twice = setOf([...twoInstalls('v1').objects, ...twoInstalls('v1').objects])
    expect(() => filesOf(twice, write)).toThrow(expect.objectContaining({code: 'conflict'}))
  })
})
