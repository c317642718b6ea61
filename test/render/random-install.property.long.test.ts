import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {join} from 'node:path'
import {assembleInstallSet} from '../../src/render/assemble.js'
import {ERA_NAMES} from '../../src/reference/era-name.js'
import {ERAS} from '../../src/render/era.js'
import {PHASES} from '../../src/render/install-set.js'
import {renderInstall} from '../../src/render/render-install.js'
import {PULL_POLICIES} from '../../src/reference/pull-policy.js'
import type {InstallRequest} from '../../src/render/request.js'
import {readPackage} from '../../src/unpack/read-package.js'
import type {PackageFile} from '../../src/unpack/package-file.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {registryFilesIn} from '../corpus.js'
import {anyOrder} from '../unpack/files/random-trees.js'

const observatory = registryFilesIn(
  join(import.meta.dirname, '../testdata/packages/full-observatory/.registry'),
)
const yaml = (path: string, value: JsonValue): PackageFile => ({
  path,
  bytes: Buffer.from(writeYaml([value])),
})
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,70}[a-z0-9]$/)
const word = fc.string({maxLength: 20, unit: 'grapheme'})

/** A CRD and the files that describe it, in some folder. */
const crdFiles = fc
  .record({
    kind: fc.stringMatching(/^[A-Z][a-z]{2,8}$/),
    folder: fc.constantFrom('', 'a/', 'a/b/', 'a.b/'),
    title: word,
  })
  .map(({kind, folder, title}) => {
    const [plural, lower] = [`${kind.toLowerCase()}s`, kind.toLowerCase()]
    const versions = [
      {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {description: title}}},
    ]
    return [
      yaml(`${folder}${lower}.crd.yaml`, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: {name: `${plural}.example.org`, annotations: {title}},
        spec: {group: 'example.org', names: {kind, plural}, scope: 'Namespaced', versions},
      }),
      yaml(`${folder}${lower}.resource.yaml`, {id: kind, title}),
      {path: `${folder}${lower}.icon.svg`, bytes: Buffer.from(title)},
      yaml(`${folder}${lower}.ui-schema.yaml`, {title}),
    ]
  })

const generated: fc.Arbitrary<PackageFile[]> = fc
  .record({
    crds: fc.uniqueArray(crdFiles, {
      maxLength: 5,
      selector: ([crd]) => crd?.path.slice(crd.path.lastIndexOf('/') + 1),
    }),
    app: fc.record({
      title: word,
      readme: word,
      permissionScope: fc.constantFrom('Cluster', 'Namespaced'),
      keywords: fc.array(word, {maxLength: 3}),
      dependsOn: fc.array(
        name.map(resource => ({crd: `${resource}.example.org`})),
        {maxLength: 2},
      ),
    }),
    container: fc.record({name, args: fc.array(word, {maxLength: 3})}),
    hasController: fc.boolean(),
  })
  .map(({crds, app, container, hasController}) => {
    const spec = {template: {spec: {containers: [container]}}}
    const install = hasController ? [yaml('install.yaml', {kind: 'Deployment', spec})] : []
    return [yaml('app.yaml', app), ...install, yaml('a/group.yaml', {title: app.title}), ...crds.flat()]
  })

const files = fc.oneof({weight: 1, arbitrary: fc.constant(observatory)}, {weight: 4, arbitrary: generated})

const request: fc.Arbitrary<InstallRequest> = fc.record(
  {
    namespace: name,
    name,
    scope: fc.constantFrom('Cluster', 'Namespaced'),
    package: fc.constant('example/widgets:v1'),
    source: fc.constantFrom('registry.example.org', '/mirror/'),
    imagePullPolicy: fc.constantFrom(...PULL_POLICIES),
    imagePullSecrets: fc.array(name, {maxLength: 2}),
    serviceAccountAnnotations: fc.dictionary(name, word, {maxKeys: 2}),
  },
  {requiredKeys: ['namespace', 'name', 'scope', 'imagePullSecrets', 'serviceAccountAnnotations']},
)

const question = fc.record({
  era: fc.constantFrom(...ERA_NAMES),
  request,
  includeRequest: fc.boolean(),
  allowFullDeployment: fc.boolean(),
})
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

function install(tree: readonly PackageFile[], {era, request: asked, ...options}: Question) {
  const read = readPackage('random', tree)
  const installed = {request: asked, package: read, version: 'v1', image: 'example/widgets:v1'}
  const objects = renderInstall(ERAS[era], installed, {...options, allowCorePermissions: false})
  const {namespace, name, scope} = asked
  return assembleInstallSet(
    [{namespace, name, era, scope, mode: 'requested', for: {}}],
    objects,
    read.warnings,
  )
}

const written = (tree: readonly PackageFile[], asked: Question) =>
  writeYaml(install(tree, asked).objects.map(({object}) => object))

describe('the install set of any package and request', () => {
  it('has the same bytes for any order of the files', () => {
    const ordered = files.chain(tree => fc.tuple(fc.constant(tree), anyOrder(tree)))
    fc.assert(
      fc.property(ordered, question, ([tree, shuffled], asked) => {
        expect(written(shuffled, asked)).toBe(written(tree, asked))
      }),
    )
  })

  it('is read as it was rendered', () => {
    fc.assert(
      fc.property(files, question, (tree, asked) => {
        const {objects} = install(tree, asked)
        const back = readYaml(Buffer.from(writeYaml(objects.map(({object}) => object))), 'set.yaml')
        expect(back.map(({value}) => value)).toEqual(objects.map(({object}) => object))
      }),
    )
  })

  it('contains each object once, in the order of phases, without status or null', () => {
    fc.assert(
      fc.property(files, question, (tree, asked) => {
        const {objects} = install(tree, asked)
        const phases = objects.map(({phase}) => PHASES.indexOf(phase))
        const ids = objects.map(
          ({object: {kind, metadata}}) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`,
        )
        expect({
          phases,
          ids: new Set(ids).size,
          odd: objects.filter(({object}) => 'status' in object || hasNull(object)),
        }).toEqual({phases: [...phases].sort((a, b) => a - b), ids: ids.length, odd: []})
      }),
    )
  })

  it('contains only names that Kubernetes accepts', () => {
    fc.assert(
      fc.property(files, question, (tree, asked) => {
        const labels = install(tree, asked).objects.flatMap(({object}) =>
          Object.entries(object.metadata.labels ?? {}),
        )
        const bad = labels.filter(
          ([key, value]) => (key.split('/')[1] ?? key).length > 63 || value.length > 63,
        )
        expect(bad).toEqual([])
      }),
    )
  })
})

function hasNull(value: JsonValue): boolean {
  if (value === null) return true
  return typeof value === 'object' && Object.values(value as JsonObject).some(hasNull)
}
