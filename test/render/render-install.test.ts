import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {ERAS} from '../../src/render/era.js'
import type {KubernetesObject, SetObject} from '../../src/render/install-set.js'
import {renderInstall, renderRecord} from '../../src/render/render-install.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {crdOf, installOf} from './sample-package.js'

const era = ERAS.packages
const options = {includeRequest: false, allowCorePermissions: false, allowFullDeployment: false}
const controller = {template: {spec: {containers: [{name: 'a'}]}}}
const behavior = {
  crd: {apiVersion: 'example.org/v1', kind: 'Widget'},
  engine: {type: 'helm3'},
  source: {path: 'a'},
}

/** Phase, owner and name of each object. */
function outline(objects: readonly SetObject[]): string[] {
  return objects.map(({phase, install, object: {kind, metadata}}) => {
    const owner = install === undefined ? 'shared' : `${install.namespace}/${install.name}`
    return `${phase} ${owner}: ${kind} ${metadata.name}`
  })
}

const IDENTITY = [
  'identity team-a/widgets: ServiceAccount widgets',
  'identity team-a/widgets: ClusterRole package:team-a:widgets:v1.0.0:system',
  'identity team-a/widgets: RoleBinding widgets',
  'identity team-a/widgets: ClusterRole package:team-a:widgets:v1.0.0:admin',
  'identity team-a/widgets: ClusterRole package:team-a:widgets:v1.0.0:edit',
  'identity team-a/widgets: ClusterRole package:team-a:widgets:v1.0.0:view',
]
const CRD = 'crds shared: CustomResourceDefinition widgets.example.org'
const DEPLOYMENT = 'controllers team-a/widgets: Deployment widgets-controller'

describe('renderInstall', () => {
  it.each([
    {
      name: 'a package with everything',
      install: installOf({package: {crds: [crdOf('Widget')], controller}}),
      includeRequest: true,
      want: [
        CRD,
        'records team-a/widgets: PackageInstall widgets',
        'records team-a/widgets: Package widgets',
        ...IDENTITY,
        DEPLOYMENT,
      ],
    },
    {
      name: 'a package with nothing',
      install: installOf(),
      includeRequest: false,
      want: ['records team-a/widgets: Package widgets', ...IDENTITY],
    },
    {
      name: 'a template stack, which is expanded once',
      install: installOf({package: {behavior}}),
      includeRequest: false,
      want: [
        'records team-a/widgets: StackDefinition widgets',
        'records team-a/widgets: Package widgets',
        ...IDENTITY,
        DEPLOYMENT,
      ],
    },
  ])('of $name', ({install, includeRequest, want}) => {
    expect(outline(renderInstall(era, install, {...options, includeRequest}))).toEqual(want)
  })

  it("lets a template stack's account read the definition", () => {
    const system = renderInstall(era, installOf({package: {behavior}}), options).find(
      ({fileName}) => fileName === 'clusterrole-system',
    )
    expect((system?.object.rules as JsonObject[]).at(-1)).toEqual({
      apiGroups: ['packages.crossplane.io'],
      resourceNames: ['widgets'],
      resources: ['stackdefinitions', 'stackdefinitions/status'],
      verbs: ['get', 'list', 'watch'],
    })
  })

  it('rejects core permissions unless they are allowed', () => {
    const install = installOf({package: {dependencies: [{crd: 'pods'}]}})
    const attempt = () => renderInstall(era, install, options)
    expect(attempt).toThrow(CrossplaneError)
    expect(attempt).toThrow(expect.objectContaining({code: 'permissions-refused'}))
    expect(outline(renderInstall(era, install, {...options, allowCorePermissions: true}))).toEqual([
      'records team-a/widgets: Package widgets',
      ...IDENTITY,
    ])
  })
})

describe('renderRecord', () => {
  const widget = crdOf('Widget')
  const record: KubernetesObject = {
    apiVersion: era.apiVersion,
    kind: 'Package',
    metadata: {name: 'widgets', namespace: 'team-a'},
    spec: {
      version: 'v1.0.0',
      permissionScope: 'Namespaced',
      controller: {deployment: {name: '', spec: controller}, serviceAccount: {annotations: {a: 'b'}}},
      permissions: {rules: [{apiGroups: ['example.org'], resources: ['widgets'], verbs: ['*']}]},
    },
  }

  it('expands a user-written record like a generated one', () => {
    const made = renderRecord({era, record, crds: [widget]}, options)
    expect(outline(made)).toEqual([CRD, 'records team-a/widgets: Package widgets', ...IDENTITY, DEPLOYMENT])
    expect(made[0]?.object).toEqual({
      ...widget.object,
      metadata: {
        name: 'widgets.example.org',
        labels: {
          'namespace.crossplane.io/team-a': 'true',
          'parent.packages.crossplane.io/team-a-widgets': 'true',
        },
      },
    })
    expect(made[1]?.object).toEqual(record)
    expect(made[2]?.object.metadata.annotations).toEqual({a: 'b'})
  })

  it('renders a definition and its record', () => {
    const definition = {...record, kind: 'StackDefinition', spec: {...(record.spec as JsonObject), behavior}}
    const made = renderRecord({era, record: definition, crds: []}, options)
    expect(outline(made)).toEqual([
      'records team-a/widgets: StackDefinition widgets',
      'records team-a/widgets: Package widgets',
      ...IDENTITY,
      DEPLOYMENT,
    ])
    expect(made[0]?.object).toEqual(definition)
  })

  it('accepts an empty record', () => {
    const bare = {...record, metadata: {name: 'widgets'}, spec: {}}
    expect(outline(renderRecord({era, record: bare, crds: []}, options))).toEqual([
      'records /widgets: Package widgets',
      ...['admin', 'edit', 'view'].map(
        persona => `identity /widgets: ClusterRole package::widgets::${persona}`,
      ),
    ])
  })

  it('rejects core permissions of a record', () => {
    const rules = [{apiGroups: ['apps'], resources: ['deployments'], verbs: ['*']}]
    const greedy = {...record, spec: {permissions: {rules}}}
    expect(() => renderRecord({era, record: greedy, crds: []}, options)).toThrow(
      expect.objectContaining({code: 'permissions-refused'}),
    )
  })
})
