import {describe, expect} from '@jest/globals'
import {goPatterns} from '../../src/adapters/cel/match-pattern.js'
import {schemaRules} from '../../src/adapters/cel/schema-rules.js'
import {CrossplaneError} from '../../src/errors.js'
import {surfaceOfXpkg} from '../../src/package/xpkg/surface.js'
import {activationOf, managedKinds} from '../../src/usage/activation/activation-report.js'
import type {SurfacePackage} from '../../src/usage/compare-sets.js'
import {compareUsage} from '../../src/usage/objects/compare-usage.js'
import {readObjects} from '../../src/usage/objects/read-objects.js'
import {validateObjects} from '../../src/usage/validation/validate-objects.js'
import {below, campaign, pick} from '../soak/campaign.js'

type Random = () => number

/** Text of YAML that stands for a value, also for one that JSON does not have. */
class Raw {
  constructor(readonly text: string) {}
}

type Value = Raw | null | boolean | number | string | readonly Value[] | Fields
interface Fields {
  readonly [name: string]: Value
}
type Steps = readonly (string | number)[]

const META = 'meta.pkg.crossplane.io/v1'
const EXTENSIONS = 'apiextensions.crossplane.io/v1'

function schemaOf(size: string): Value {
  return {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: {type: size, default: size === 'integer' ? 3 : '3'},
          name: {type: 'string', pattern: '^(a|b|c)+$', maxLength: 20},
          when: {type: 'string', format: 'date-time'},
          tags: {type: 'object', additionalProperties: {type: 'string'}},
          port: {'x-kubernetes-int-or-string': true},
          rules: {
            ...{type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id']},
            items: {type: 'object', required: ['id'], properties: {id: {type: 'string'}}},
          },
          any: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
        },
        'x-kubernetes-validations': [{rule: 'self.size != self.name', message: 'it is the name'}],
      },
      status: {type: 'object', properties: {ready: {type: 'boolean'}}},
    },
  }
}

function crdOf(kind: string, schema: Value, definition = 'CustomResourceDefinition'): Value {
  const plural = `${kind.toLowerCase()}s`
  const isCrd = definition === 'CustomResourceDefinition'
  return {
    apiVersion: isCrd ? 'apiextensions.k8s.io/v1' : `${EXTENSIONS}alpha1`,
    kind: definition,
    metadata: {name: `${plural}.example.org`},
    spec: {
      ...{group: 'example.org', scope: 'Cluster'},
      names: {plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List`},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
    },
  }
}

const XRD: Value = {
  ...{apiVersion: EXTENSIONS, kind: 'CompositeResourceDefinition', metadata: {name: 'xnets.example.org'}},
  spec: {
    group: 'example.org',
    names: {plural: 'xnets', kind: 'XNet'},
    claimNames: {plural: 'nets', kind: 'Net'},
    connectionSecretKeys: ['password'],
    versions: [
      {name: 'v1', served: true, referenceable: true, schema: {openAPIV3Schema: schemaOf('integer')}},
    ],
  },
}

const OBJECT: Fields = {
  ...{apiVersion: 'example.org/v1', kind: 'Db'},
  metadata: {name: 'a', namespace: 'b', labels: {a: 'b'}, annotations: {a: 'b'}},
  spec: {
    ...{size: 2, name: 'abc', when: '2026-01-01T00:00:00Z', tags: {a: 'b'}, port: '80'},
    rules: [{id: 'x', port: 80}, {id: 'y'}],
    any: {deep: [1]},
    writeConnectionSecretToRef: {name: 'a'},
  },
  status: {ready: true},
}

const PATCHES: Value = [
  {fromFieldPath: 'spec.name', toFieldPath: 'spec.name'},
  {type: 'ToCompositeFieldPath', fromFieldPath: 'spec.size', toFieldPath: 'status.ready'},
  {
    ...{type: 'FromCompositeFieldPath', fromFieldPath: 'spec.rules[0].id', toFieldPath: 'spec.tags[a.b]'},
    transforms: [
      {type: 'map', map: {x: 'y'}},
      {type: 'string', string: {type: 'Format', fmt: '%s-%d'}},
      {type: 'convert', convert: {toType: 'int64'}},
      {type: 'match', match: {patterns: [{type: 'regexp', regexp: '(a+)+$', result: 1}], fallbackValue: 2}},
    ],
    policy: {fromFieldPath: 'Required'},
  },
  {
    ...{type: 'CombineFromComposite', toFieldPath: 'spec.name'},
    combine: {variables: [{fromFieldPath: 'spec.name'}], strategy: 'string', string: {fmt: '%s'}},
  },
]

const COMPOSITION: Value = {
  ...{apiVersion: EXTENSIONS, kind: 'Composition', metadata: {name: 'nets'}},
  spec: {
    compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'XNet'},
    mode: 'Pipeline',
    pipeline: [
      {
        step: 'a',
        functionRef: {name: 'function-patch-and-transform'},
        input: {
          ...{apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources'},
          patchSets: [{name: 'p', patches: PATCHES}],
          resources: [
            {
              name: 'q',
              base: OBJECT,
              patches: PATCHES,
              connectionDetails: [{name: 'a', type: 'FromFieldPath', fromFieldPath: 'spec.name'}],
              readinessChecks: [{type: 'MatchString', fieldPath: 'spec.name', matchString: 'a'}],
            },
          ],
        },
      },
      {step: 'b', functionRef: {name: 'function-auto-ready'}},
    ],
  },
}

const BASES: readonly Value[] = [
  OBJECT,
  {...OBJECT, kind: 'Mine'},
  {...OBJECT, kind: 'XNet'},
  {...OBJECT, kind: 'Net'},
  COMPOSITION,
  {apiVersion: 'v1', kind: 'List', items: [OBJECT, COMPOSITION]},
  XRD,
  crdOf('Other', schemaOf('integer')),
  crdOf('Mine', schemaOf('integer'), 'ManagedResourceDefinition'),
  {
    ...{apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization'},
    ...{resources: ['0.yaml', '1.yaml'], components: ['.'], patchesStrategicMerge: ['1.yaml']},
    patches: [
      {target: {kind: 'Db|Mine', name: 'a'}, patch: '[{"op": "replace", "path": "/spec/size", "value": 1}]'},
      {path: '1.yaml', target: {kind: 'Db'}},
    ],
    replacements: [
      {source: {kind: 'Db'}, targets: [{select: {kind: 'Db'}, fieldPaths: ['spec.rules[id=x].port']}]},
    ],
  },
  {
    ...{apiVersion: `${EXTENSIONS}alpha1`, kind: 'ManagedResourceActivationPolicy', metadata: {name: 'a'}},
    spec: {activate: ['*.example.org']},
  },
]

const PROTOTYPE = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length', '']
const NUMBERS = [
  ...['1e400', '-1e400', '.inf', '.nan', '-0', '-0.0', '18446744073709551616', '9007199254740993'],
  ...[`1${'0'.repeat(400)}`, '0x7fffffffffffffff', '1e-400', '0.1e1', '1_000', '012', '0o14'],
]
const TYPES: readonly Value[] = [null, '', true, 0, 1.5, [], {}, [[]], [{}], 'a', {a: null}, [null]]

function nested(depth: number, [open, close]: readonly [string, string]): Raw {
  return new Raw(`${open.repeat(depth)}1${close.repeat(depth)}`)
}

/** Values that no user means. */
const VALUES: readonly ((random: Random) => Value)[] = [
  random => pick(random, TYPES),
  random => pick(random, TYPES),
  random => new Raw(pick(random, NUMBERS)),
  random => 'ab'.repeat(10 ** (1 + below(random, 5))),
  random => `${'a'.repeat(below(random, 2000))}!`,
  random => nested(10 ** (1 + below(random, 4)), pick(random, [['[', ']'] as const, ['{a: ', '}'] as const])),
  random => Array.from({length: below(random, 3000)}, (_, at) => ({id: `x${at % 7}`})),
  random => Object.fromEntries(Array.from({length: below(random, 3000)}, (_, at) => [`k${at}`, 'v'])),
  random => new Raw(`{${JSON.stringify(pick(random, PROTOTYPE))}: {polluted: true}}`),
  random => pick(random, PROTOTYPE),
  random =>
    pick(
      random,
      ['a..b', 'a[', '[0]', 'a[999999999]', 'a[-1]', '*', 'spec.*', '%!d', '%[9]s', '\u0000', '\ud800'].map(
        text => text,
      ),
    ),
  () => new Raw('&a [*a]'),
  () => new Raw('*nothing'),
  () => new Raw('{<<: {a: b}, <<: [*a, *b]}'),
  () => new Raw('!!binary aGk='),
  () => new Raw('!!python/object:a {}'),
  () => new Raw('2026-01-01'),
  () => new Raw('{{ .Values.a }}'),
  () => '${a}',
  () => new Raw(bomb(9)),
]

/** Parts that have each other many times. */
function bomb(levels: number): string {
  const rows = Array.from({length: levels}, (_, at) =>
    at === 0
      ? '&x0 [y,y,y,y,y,y,y,y,y]'
      : `&x${at} [${Array(9)
          .fill(`*x${at - 1}`)
          .join(',')}]`,
  )
  return `[${rows.join(', ')}]`
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function isMap(value: Value): value is Fields {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof Raw)
}

/** The paths of all parts of a value, with that of itself. */
function pathsOf(value: Value): Steps[] {
  const parts = isList(value)
    ? value.map((part, at) => [at, part] as const)
    : isMap(value)
      ? Object.entries(value)
      : []
  return [[], ...parts.flatMap(([step, part]) => pathsOf(part).map(path => [step, ...path]))]
}

/** Replaces, removes, renames or repeats the part at a path. */
function changed(value: Value, [step, ...rest]: Steps, random: Random): Value {
  if (step === undefined) {
    const other = pick(random, VALUES)(random)
    // What has an anchor here has aliases elsewhere.
    return random() < 0.1 && !(other instanceof Raw) ? new Raw(`&a ${textOf(value)}`) : other
  }
  if (isList(value)) {
    const part = changed(value[Number(step)] ?? null, rest, random)
    return value.flatMap((item, at) => (at !== step ? [item] : random() < 0.1 ? [item, part, part] : [part]))
  }
  if (!isMap(value)) return value
  const entries = Object.entries(value).flatMap(([name, part]): [string, Value][] => {
    if (name !== step) return [[name, part]]
    if (rest.length === 0 && random() < 0.15) return []
    if (rest.length === 0 && random() < 0.15) return [[pick(random, PROTOTYPE), part]]
    return [[name, changed(part, rest, random)]]
  })
  return random() < 0.05 ? new Raw(twice(entries)) : Object.fromEntries(entries)
}

/** A map that has its first key twice. */
function twice(entries: readonly (readonly [string, Value])[]): string {
  const texts = entries.map(([name, part]) => `${JSON.stringify(name)}: ${textOf(part)}`)
  return `{${[...texts, ...texts.slice(0, 1)].join(', ')}}`
}

function textOf(value: Value): string {
  if (value instanceof Raw) return value.text
  if (isList(value)) return `[${value.map(textOf).join(', ')}]`
  if (!isMap(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, part]) => `${JSON.stringify(name)}: ${textOf(part)}`)
    .join(', ')}}`
}

function packageOf(kind: string, objects: readonly Value[]): SurfacePackage {
  const meta = {
    apiVersion: META,
    kind,
    metadata: {name: 'p'},
    spec: {capabilities: ['safe-start']},
  }
  const files = [meta, ...objects].map((object, at) => ({
    path: at === 0 ? 'crossplane.yaml' : `${at}.yaml`,
    bytes: Buffer.from(textOf(object)),
  }))
  return {package: `example/${kind}`, version: 'v1', surface: surfaceOfXpkg({name: 'p', files})}
}

const [BEFORE, AFTER] = ['integer', 'string'].map(size => [
  packageOf('Provider', [
    crdOf('Db', schemaOf(size)),
    crdOf('Mine', schemaOf(size), 'ManagedResourceDefinition'),
  ]),
  packageOf('Configuration', [XRD, COMPOSITION]),
])

/** One object or several, with mutations, as files have them. */
function fileOf(random: Random): Buffer {
  const documents = Array.from({length: 1 + below(random, 3)}, () => {
    let object = pick(random, BASES)
    for (let times = 1 + below(random, 3); times > 0; times--)
      object = changed(object, pick(random, pathsOf(object)), random)
    return textOf(object)
  })
  return Buffer.from(documents.map(text => `${text}\n`).join('---\n'))
}

/** Does all that is done with objects; throws only errors with a code. */
function judgeAll(random: Random): 'judged' | 'refused' {
  const files = Array.from({length: 1 + below(random, 2)}, (_, at) => ({
    path: pick(random, [`${at}.yaml`, 'kustomization.yaml', 'templates/a.yaml']),
    bytes: fileOf(random),
  }))
  try {
    const objects = readObjects(files)
    const judge = {...goPatterns(), rules: schemaRules()}
    compareUsage(BEFORE!, AFTER!, objects, judge)
    validateObjects(AFTER!, objects, {allowUnknown: [], ...judge})
    activationOf(AFTER!, managedKinds(AFTER!, {others: []}), objects)
    return 'judged'
  } catch (error) {
    if (error instanceof CrossplaneError) return 'refused'
    throw error
  }
}

/** Milliseconds of processor time for the files of a round: it does not depend on what else the machine does. */
const BOUND = 15_000

function processorTime(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1000
}

describe('mutated objects', () => {
  const results = {judged: 0, refused: 0}
  campaign('are judged or refused with a code, within bounds', {short: 60, long: 10_000}, ({random}) => {
    const start = processorTime()
    results[judgeAll(random)] += 1
    expect(processorTime() - start).toBeLessThan(BOUND)
    expect('polluted' in {}).toBe(false)
  })
})
