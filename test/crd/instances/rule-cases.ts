import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject, JsonValue} from '../../../src/yaml/json-value.js'

/** A rule of a schema, and a value. */
interface RuleCase {
  readonly rule: string
  readonly schema: JsonObject
  readonly in: JsonValue
  /** Whether an API server creates an object with the value. */
  readonly want: boolean
  /** Whether it is not decided here. */
  readonly isUnread?: boolean
  readonly more?: JsonObject
}

const TEXT = {type: 'string', maxLength: 20}
const NUMBER = {type: 'number'}
const INTEGER = {type: 'integer'}
const LIST = {type: 'array', maxItems: 5, items: TEXT}
const MAP = {type: 'object', maxProperties: 5, additionalProperties: TEXT}
const OBJECT = {type: 'object', properties: {a: INTEGER, b: TEXT, list: LIST, map: MAP, n: NUMBER}}
const UPJET = {
  type: 'object',
  properties: {
    policies: {type: 'array', maxItems: 6, items: {type: 'string', enum: ['*', 'Create', 'Observe']}},
    forProvider: {type: 'object', properties: {name: TEXT}},
    initProvider: {type: 'object', properties: {name: TEXT}},
  },
}
const REQUIRED =
  "!('*' in self.policies || 'Create' in self.policies) || has(self.forProvider.name) || (has(self.initProvider) && has(self.initProvider.name))"
const UNREAD = {isUnread: true} as const
const TIME = '2026-01-02T03:04:05Z'
const AT = {type: 'object', properties: {first: {type: 'string', format: 'date-time'}}}
const WITH_TIME = {type: 'object', properties: {a: INTEGER, at: AT}}

/** Rules of all kinds, with the verdict of an API server: test/crd/real-server.real.test.ts. */
export const RULE_CASES: readonly RuleCase[] = [
  {rule: 'self.a > 1', schema: OBJECT, in: {a: 2}, want: true},
  {rule: 'self.a > 1', schema: OBJECT, in: {a: 1}, want: false},
  {rule: 'self.a > 1', schema: OBJECT, in: {}, want: false, ...UNREAD},
  {rule: '!has(self.a) || self.a > 1', schema: OBJECT, in: {}, want: true},
  {rule: REQUIRED, schema: UPJET, in: {policies: ['*'], forProvider: {}}, want: false},
  {rule: REQUIRED, schema: UPJET, in: {policies: ['*'], forProvider: {name: 'a'}}, want: true},
  {rule: REQUIRED, schema: UPJET, in: {policies: ['Observe'], forProvider: {}}, want: true},
  {
    rule: REQUIRED,
    schema: UPJET,
    in: {policies: ['Create'], forProvider: {}, initProvider: {name: 'a'}},
    want: true,
  },
  {rule: '!has(self.a)', schema: WITH_TIME, in: {a: 1, at: {first: TIME}}, want: false},
  {rule: 'has(self.at)', schema: WITH_TIME, in: {at: {first: TIME}}, want: true},
  {rule: "self.startsWith('a')", schema: TEXT, in: 'abc', want: true},
  {rule: "self.startsWith('a')", schema: TEXT, in: 'b', want: false},
  {rule: "self.matches('^[a-z]+$')", schema: TEXT, in: 'abc', want: true},
  {rule: "self.matches('(?i)^[a-z]+$')", schema: TEXT, in: 'ABC', want: true},
  {rule: "self.matches('^[[:digit:]]+$')", schema: TEXT, in: 'a', want: false},
  {rule: "self.lowerAscii() == 'ä'", schema: TEXT, in: 'Ä', want: false},
  {rule: "self.split(',').size() == 2", schema: TEXT, in: 'a,b', want: true},
  {rule: 'size(self) == 1', schema: TEXT, in: '😀', want: true},
  {rule: 'self.n * 2.0 == 3.0', schema: OBJECT, in: {n: 1.5}, want: true},
  {rule: 'self == 4.0', schema: NUMBER, in: 4, want: true},
  {rule: 'self > 3', schema: NUMBER, in: 3.5, want: true},
  {rule: 'self % 2 == 0', schema: INTEGER, in: 3, want: false},
  {rule: 'self / 2 == 1', schema: INTEGER, in: 3, want: true},
  {rule: 'self / 2.0 == 2.0', schema: NUMBER, in: 4, want: true, ...UNREAD},
  {rule: "self.all(x, x.startsWith('a'))", schema: LIST, in: ['a', 'b'], want: false},
  {rule: "self.exists_one(x, x == 'a')", schema: LIST, in: ['a', 'b'], want: true},
  {rule: "self.filter(x, x != 'a').size() <= 1", schema: LIST, in: ['a', 'b', 'c'], want: false},
  {rule: 'self.all(k, self[k] == k)', schema: MAP, in: {a: 'a'}, want: true},
  {rule: "'a' in self", schema: MAP, in: {b: 'a'}, want: false},
  {
    rule: 'has(self.list) && size(self.list) > 0 ? self.a == 1 : true',
    schema: OBJECT,
    in: {list: ['x']},
    want: false,
    ...UNREAD,
  },
  {rule: 'self == oldSelf', schema: TEXT, in: 'a', want: true},
  {
    rule: "oldSelf.hasValue() || self == 'a'",
    schema: TEXT,
    in: 'b',
    want: false,
    more: {optionalOldSelf: true},
    ...UNREAD,
  },
  {rule: 'self.?a.orValue(2) == 2', schema: OBJECT, in: {}, want: true, ...UNREAD},
  {rule: "quantity(self).isLessThan(quantity('2Gi'))", schema: TEXT, in: '3Gi', want: false, ...UNREAD},
  {rule: 'isURL(self)', schema: TEXT, in: 'no', want: false, ...UNREAD},
  {rule: 'isIP(self)', schema: TEXT, in: '127.0.0.1', want: true, ...UNREAD},
  {rule: "cidr('10.0.0.0/8').containsIP(self)", schema: TEXT, in: '10.1.1.1', want: true, ...UNREAD},
  {rule: "self.find('[0-9]+') == '12'", schema: TEXT, in: 'a12', want: true, ...UNREAD},
  {rule: 'self.isSorted()', schema: LIST, in: ['b', 'a'], want: false, ...UNREAD},
  {
    rule: "self.format == 'a'",
    schema: {type: 'object', properties: {format: TEXT}},
    in: {format: 'b'},
    want: false,
  },
  {
    rule: 'self.my__dash__name == 1',
    schema: {type: 'object', properties: {'my-name': INTEGER}},
    in: {'my-name': 1},
    want: true,
    ...UNREAD,
  },
  {
    rule: "self > duration('1m')",
    schema: {type: 'string', format: 'duration'},
    in: '2m',
    want: true,
    ...UNREAD,
  },
  {
    rule: 'self.getFullYear() > 2000',
    schema: {type: 'string', format: 'date-time'},
    in: '2026-01-02T03:04:05Z',
    want: true,
    ...UNREAD,
  },
  {
    rule: "self == ['b', 'a']",
    schema: {...LIST, 'x-kubernetes-list-type': 'set'},
    in: ['a', 'b'],
    want: true,
    ...UNREAD,
  },
  {
    rule: 'type(self) == string || self == 80',
    schema: {'x-kubernetes-int-or-string': true},
    in: 81,
    want: false,
  },
]

function fieldOf(index: number): string {
  return `f${index}`
}

/** Returns the schema of a case: its object has one field. */
export function ruleSchema(index: number): JsonObject {
  const {rule, schema, more} = RULE_CASES[index] ?? {rule: '', schema: {}}
  const field = {...schema, 'x-kubernetes-validations': [{rule, ...more}]}
  return {type: 'object', properties: {spec: {type: 'object', properties: {[fieldOf(index)]: field}}}}
}

/** Returns the object of a case. */
export function ruleObject(index: number): JsonObject {
  const spec = {[fieldOf(index)]: RULE_CASES[index]?.in ?? null}
  return {apiVersion: 'rules.example.org/v1', kind: 'Rule', metadata: {name: fieldOf(index)}, spec}
}

/** A CRD with the rules of all cases. */
export function ruleCrd(): KubernetesObject {
  const fields = RULE_CASES.map((_, index) => ruleSchema(index)).map(
    ({properties}) => ((properties as JsonObject).spec as JsonObject).properties as JsonObject,
  )
  const spec = {type: 'object', properties: Object.assign({}, ...fields) as JsonObject}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'rules.rules.example.org'},
    spec: {
      group: 'rules.example.org',
      scope: 'Cluster',
      names: {plural: 'rules', singular: 'rule', kind: 'Rule', listKind: 'RuleList'},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {openAPIV3Schema: {type: 'object', properties: {spec}}},
        },
      ],
    },
  }
}
