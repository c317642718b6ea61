import {expect, it} from '@jest/globals'
import {baseObjects} from '../../src/render/base.js'
import type {EraName} from '../../src/reference/era-name.js'
import {ERAS} from '../../src/render/era.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'
import {corpusEntries, describeCorpus} from '../corpus.js'
import {byIdentity, recording} from './recording.js'
import {edited, editedDocument} from './rules.js'

const objectsOf = (era: EraName, phase: 'crds' | 'identity') =>
  baseObjects(ERAS[era])
    .filter(each => each.phase === phase)
    .map(each => each.object)

/** Rule: no `rules` on aggregated roles, which the control plane fills in. */
function withoutAggregatedRules(document: JsonObject): JsonObject {
  return document.aggregationRule === undefined
    ? document
    : editedDocument(document, ['rules'], () => undefined)
}

describeCorpus("the base's roles and binding", () => {
  it('match the v0.12 chart', () => {
    const theirs = recording('reference', 'v0.12', 'base.yaml').map(withoutAggregatedRules)
    expect(byIdentity(objectsOf('packages', 'identity'))).toEqual(byIdentity(theirs))
  })

  it('differ in the Stacks era by names only', () => {
    const renamed = JSON.stringify(objectsOf('packages', 'identity'))
      .replaceAll('packages.crossplane.io', 'stacks.crossplane.io')
      .replaceAll('package-manager', 'stack-manager')
      .replaceAll('"clusterpackageinstall"', '"clusterstackinstall"')
      .replaceAll('"packageinstalls"', '"stackinstalls"')
      .replaceAll('"packages"', '"stacks"')
      .replaceAll('"package"', '"stack"')
    expect(objectsOf('stacks', 'identity')).toEqual(JSON.parse(renamed))
  })
})

describeCorpus("the base's CRDs", () => {
  const files = corpusEntries('corpus-core', 'crossplane@v0.12.0').filter(file =>
    file.startsWith('packages.'),
  )

  it.each(files)('%s serves the same fields, columns and subresources', file => {
    const [theirs = {}] = recording('corpus-core', 'crossplane@v0.12.0', file)
    const name = (theirs.metadata as JsonObject).name
    const ours = objectsOf('packages', 'crds').find(crd => crd.metadata.name === name)
    const want = asV1(theirs.spec as JsonObject)
    const added: Readonly<Record<string, (spec: JsonObject) => JsonObject>> = {
      [DEFINITIONS]: withTemplates,
      'clusterpackageinstalls.packages.crossplane.io': withManagerStatus,
      'packageinstalls.packages.crossplane.io': withManagerStatus,
    }
    expect(ours?.spec).toEqual(added[typeof name === 'string' ? name : '']?.(want) ?? want)
  })
})

const DEFINITIONS = 'stackdefinitions.packages.crossplane.io'

/** The Rule of template stacks: a definition can include its templates. */
function withTemplates(spec: JsonObject): JsonObject {
  const texts = {type: 'object', additionalProperties: {type: 'string'}}
  const properties = ['versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties']
  const added = editedDocument(spec, properties, fields => ({
    ...(fields as JsonObject),
    templates: {type: 'object', additionalProperties: texts},
    templateStatus: texts,
  }))
  return editedDocument(added, [...properties, 'behavior', 'properties', 'source', 'properties'], fields => ({
    ...(fields as JsonObject),
    files: texts,
  }))
}

/** The Rule of requests: the package manager of this program reports what it selected. */
function withManagerStatus(spec: JsonObject): JsonObject {
  const object = (...names: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, {type: 'string'}])),
  })
  const status = ['versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'status', 'properties']
  return editedDocument(spec, status, fields => ({
    ...(fields as JsonObject),
    observedGeneration: {type: 'integer', format: 'int64'},
    resolved: object('package', 'version', 'digest'),
    dependencies: {type: 'array', items: object('namespace', 'name', 'package')},
  }))
}

/** The v1beta1 spec as v1, with the one Rule of the base's schemas: payloads are kept whole. */
function asV1(spec: JsonObject): JsonObject {
  const {additionalPrinterColumns, subresources, validation, version, group, names, scope} = spec
  const columns = (additionalPrinterColumns as JsonObject[] | undefined)?.map(({JSONPath, ...rest}) => ({
    ...rest,
    jsonPath: JSONPath ?? '',
  }))
  const schema = (validation as JsonObject).openAPIV3Schema ?? {}
  const served = {
    name: version ?? '',
    served: true,
    storage: true,
    schema: {openAPIV3Schema: keptPayloads(schema)},
    ...(columns === undefined ? {} : {additionalPrinterColumns: columns}),
    ...(subresources === undefined ? {} : {subresources}),
  }
  return {group: group ?? '', names: names ?? {}, scope: scope ?? '', versions: [served]}
}

const PAYLOADS = [
  ['controller', 'deployment', 'spec'],
  ['behavior', 'engine', 'kustomize', 'kustomization'],
]

function keptPayloads(schema: JsonValue): JsonValue {
  const whole: JsonObject = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}
  return PAYLOADS.reduce((changed, path) => {
    const place = ['spec', ...path].flatMap(step => ['properties', step])
    return edited(changed, place, () => whole) ?? changed
  }, schema)
}
