import {describe, expect, it} from '@jest/globals'
import {ERAS} from '../../src/render/era.js'
import {parentLabels} from '../../src/render/labels.js'
import {packageRecords} from '../../src/render/package-record.js'
import {requestParent} from '../../src/render/request.js'
import type {Behavior} from '../../src/unpack/package.js'
import {crdOf, definitionOf, installOf, requestOf} from './sample-package.js'

const era = ERAS.packages
const PINNED = `example/widgets:v1.0.0@sha256:${'0'.repeat(64)}`
const STANDARD = {apiGroups: [''], resources: ['configmaps', 'events', 'secrets'], verbs: ['*']}
const metadata = {name: 'widgets', namespace: 'team-a', labels: parentLabels(requestParent(era, requestOf()))}

describe('the record of a package', () => {
  it('of a minimal package has its fields, version and standard rule', () => {
    expect(packageRecords(era, installOf())).toEqual([
      {
        apiVersion: 'packages.crossplane.io/v1alpha1',
        kind: 'Package',
        metadata,
        spec: {
          permissionScope: 'Namespaced',
          version: 'v1.0.0',
          controller: {},
          permissions: {rules: [STANDARD]},
        },
      },
    ])
  })

  it('repeats app.yaml, with its icons before those of files', () => {
    const app = {
      title: 'Widgets',
      version: 'unread',
      icons: [{base64Data: 'YQ==', mediatype: 'image/gif'}],
      dependsOn: [{crd: 'b.example.org'}],
      permissionScope: 'Namespaced',
    }
    const [record] = packageRecords(
      era,
      installOf({
        package: {
          app,
          dependencies: [{crd: 'b.example.org'}],
          icons: [{base64Data: 'Yg==', mediatype: 'image/png'}],
          crds: [
            crdOf('Widget'),
            crdOf('Gadget', {definition: definitionOf('Gadget', {group: 'a.org', version: 'v2'})}),
          ],
        },
        version: 'v2.0.0',
      }),
    )
    expect(record?.spec).toEqual({
      ...app,
      version: 'v2.0.0',
      icons: [
        {base64Data: 'YQ==', mediatype: 'image/gif'},
        {base64Data: 'Yg==', mediatype: 'image/png'},
      ],
      customresourcedefinitions: [
        {apiVersion: 'example.org/v1', kind: 'Widget'},
        {apiVersion: 'a.org/v2', kind: 'Gadget'},
      ],
      controller: {},
      permissions: {
        rules: [
          STANDARD,
          {apiGroups: ['example.org'], resources: ['widgets', 'widgets/finalizers'], verbs: ['*']},
          {apiGroups: ['a.org'], resources: ['gadgets', 'gadgets/finalizers'], verbs: ['*']},
          {apiGroups: ['example.org'], resources: ['b'], verbs: ['*']},
        ],
      },
    })
  })

  it('contains the controller with the parameters of the request, with a pinned image', () => {
    const controller = {template: {spec: {containers: [{name: 'a'}]}}}
    const [record] = packageRecords(
      era,
      installOf({
        package: {controller},
        request: {imagePullPolicy: 'Always', serviceAccountAnnotations: {'example.org/role': 'reader'}},
        image: PINNED,
      }),
    )
    expect(record?.spec).toEqual({
      permissionScope: 'Namespaced',
      version: 'v1.0.0',
      controller: {
        deployment: {
          name: '',
          spec: {template: {spec: {containers: [{name: 'a', image: PINNED, imagePullPolicy: 'Always'}]}}},
        },
        serviceAccount: {annotations: {'example.org/role': 'reader'}},
      },
      permissions: {rules: [STANDARD]},
    })
  })

  it('has the names of its era', () => {
    const stacks = ERAS.stacks
    const [record] = packageRecords(stacks, installOf({request: {scope: 'Cluster'}}))
    expect({...record, spec: undefined}).toEqual({
      apiVersion: 'stacks.crossplane.io/v1alpha1',
      kind: 'Stack',
      metadata: {
        name: 'widgets',
        namespace: 'team-a',
        labels: {
          'core.crossplane.io/parent-group': 'stacks.crossplane.io',
          'core.crossplane.io/parent-version': 'v1alpha1',
          'core.crossplane.io/parent-kind': 'ClusterStackInstall',
          'core.crossplane.io/parent-namespace': 'team-a',
          'core.crossplane.io/parent-name': 'widgets',
        },
      },
    })
  })
})

describe('the records of a template stack', () => {
  const behavior: Behavior = {
    crd: {apiVersion: 'blogs.example.org/v1', kind: 'Blog'},
    engine: {type: 'helm3'},
    source: {path: 'blog'},
  }
  const mounts = [{mountPath: '/behaviors', name: 'behaviors'}]
  const deployment = (copied: string | undefined, engine: string) => ({
    name: '',
    spec: {
      selector: {},
      strategy: {},
      template: {
        metadata: {},
        spec: {
          initContainers: [
            {
              name: 'package-behavior-copy-to-manager',
              ...(copied === undefined ? {} : {image: copied}),
              command: ['cp', '-R', 'blog/.', '/behaviors'],
              resources: {},
              volumeMounts: mounts,
            },
          ],
          containers: [
            {
              name: 'package-behavior-manager',
              image: engine,
              args: [
                '--resources-dir',
                '/behaviors',
                '--stack-definition-namespace',
                '$(SD_NAMESPACE)',
                '--stack-definition-name',
                '$(SD_NAME)',
              ],
              env: [
                {name: 'SD_NAMESPACE', value: 'team-a'},
                {name: 'SD_NAME', value: 'widgets'},
              ],
              resources: {},
              volumeMounts: mounts,
            },
          ],
          restartPolicy: 'Always',
          volumes: [{emptyDir: {}, name: 'behaviors'}],
        },
      },
    },
  })

  it.each([
    {
      reason: "the package's own image holds the templates, and the default engine runs",
      behavior,
      source: undefined,
      want: {
        copied: PINNED,
        engine: 'crossplane/templating-controller:v0.4.0',
        controllerImage: 'crossplane/templating-controller:v0.4.0',
      },
    },
    {
      reason: 'both images can have a registry, and a source is for the generated ones only',
      behavior: {
        ...behavior,
        controllerImage: 'example/engine:v2',
        source: {image: 'example/blogs:v3', path: 'blog'},
      },
      source: 'mirror.example.org',
      want: {
        copied: 'mirror.example.org/example/blogs:v3',
        engine: 'mirror.example.org/example/engine:v2',
        controllerImage: 'example/engine:v2',
      },
    },
    {
      reason: "a user's controller replaces the one that the package names",
      behavior: {...behavior, controllerImage: 'example/engine:v2'},
      source: undefined,
      runner: {controllerImage: 'example/runner:v5'},
      want: {
        copied: PINNED,
        engine: 'example/runner:v5',
        controllerImage: 'example/runner:v5',
      },
    },
  ])('contain the definition and its package: $reason', ({behavior: written, source, runner, want}) => {
    const request = source === undefined ? {} : {source}
    const spec = {
      permissionScope: 'Namespaced',
      version: 'v1.0.0',
      controller: {deployment: deployment(want.copied, want.engine)},
    }
    const install = installOf({package: {behavior: written}, request, image: PINNED})
    expect(packageRecords(era, install, runner)).toEqual([
      {
        apiVersion: 'packages.crossplane.io/v1alpha1',
        kind: 'StackDefinition',
        metadata,
        spec: {
          ...spec,
          permissions: {rules: [STANDARD]},
          behavior: {
            crd: behavior.crd,
            engine: {type: 'helm3', controllerImage: want.controllerImage},
            source: written.source,
          },
        },
      },
      {
        apiVersion: 'packages.crossplane.io/v1alpha1',
        kind: 'Package',
        metadata,
        spec: {
          ...spec,
          permissions: {
            rules: [
              STANDARD,
              {
                apiGroups: ['packages.crossplane.io'],
                resourceNames: ['widgets'],
                resources: ['stackdefinitions', 'stackdefinitions/status'],
                verbs: ['get', 'list', 'watch'],
              },
            ],
          },
        },
      },
    ])
  })
})
