import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject, JsonValue} from '../../../src/yaml/json-value.js'

const GROUP = 'live.example.org'

/** Definitions before and after an upgrade, and the objects that a cluster has. */
export interface LiveCase {
  readonly name: string
  /** The kind of the package. */
  readonly of?: 'Provider' | 'Configuration'
  readonly old: readonly KubernetesObject[]
  readonly now: readonly KubernetesObject[]
  readonly objects: readonly KubernetesObject[]
  /** `KIND VERDICT PATH` of files. */
  readonly want: readonly string[]
  /** The same of the cluster, if it differs. */
  readonly live?: readonly string[]
}

interface Version {
  readonly name?: string
  readonly served?: boolean
  readonly storage?: boolean
  readonly spec?: JsonObject
}

const schemaOf = (properties: JsonObject) => ({
  openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties}}},
})

function crd(kind: string, versions: readonly Version[], scope = 'Cluster'): KubernetesObject {
  const singular = kind.toLowerCase()
  return {
    ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
    metadata: {name: `${singular}s.${GROUP}`},
    spec: {
      ...{group: GROUP, scope, names: {kind, plural: `${singular}s`, singular, listKind: `${kind}List`}},
      versions: versions.map(({name = 'v1', served = true, storage = true, spec = {}}) => ({
        ...{name, served, storage, schema: schemaOf(spec)},
      })),
    },
  }
}

function object(kind: string, spec: JsonValue, version = 'v1', namespace?: string): KubernetesObject {
  const metadata = {name: 'mine', ...(namespace === undefined ? {} : {namespace})}
  return {apiVersion: `${GROUP}/${version}`, kind, metadata, spec}
}

/** A change of the fields of one version. */
function fields(
  name: string,
  kind: string,
  [old, now]: readonly [JsonObject, JsonObject],
  spec: JsonObject,
  want: readonly string[],
): LiveCase {
  return {
    ...{name, old: [crd(kind, [{spec: old}])], now: [crd(kind, [{spec: now}])]},
    objects: [object(kind, spec)],
    want: want.map(text => `${kind} ${text}`),
  }
}

interface XrdParts {
  readonly versions: readonly Version[]
  readonly claim?: string
}

function xrd(kind: string, {versions, claim}: XrdParts): KubernetesObject {
  const plural = `${kind.toLowerCase()}s`
  return {
    ...{apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition'},
    metadata: {name: `${plural}.${GROUP}`},
    spec: {
      ...{group: GROUP, names: {kind, plural}},
      ...(claim === undefined ? {} : {claimNames: {kind: claim, plural: `${claim.toLowerCase()}s`}}),
      versions: versions.map(({name = 'v1', served = true, storage = true, spec = {}}) => ({
        ...{name, served, referenceable: storage, schema: schemaOf(spec)},
      })),
    },
  }
}

const text = {type: 'string'}
const integer = {type: 'integer'}
const struct = (properties: JsonObject) => ({type: 'object', properties})
const list = (items: JsonObject) => ({type: 'array', items})

const FIELDS: readonly LiveCase[] = [
  fields(
    'a field of list items is removed',
    'Listed',
    [{rules: list(struct({port: integer, note: text}))}, {rules: list(struct({port: integer}))}],
    {rules: [{port: 1}, {port: 2, note: 'a'}]},
    ['breaks spec.rules[1].note', 'lost spec.rules[1].note'],
  ),
  fields(
    'a field of map values is removed',
    'Mapped',
    [
      {tags: {type: 'object', additionalProperties: struct({a: text, b: text})}},
      {tags: {type: 'object', additionalProperties: struct({a: text})}},
    ],
    {tags: {x: {a: '1', b: '2'}}},
    ['breaks spec.tags.x.b', 'lost spec.tags.x.b'],
  ),
  fields(
    'an open field is closed',
    'Opened',
    [{any: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}, {any: struct({a: text})}],
    {any: {a: 'b', c: 'd'}},
    ['breaks spec.any.c', 'lost spec.any.c'],
  ),
  fields('an integer becomes text', 'Counted', [{size: integer}, {size: text}], {size: 3}, [
    'breaks spec.size',
  ]),
  fields(
    'a number becomes an integer',
    'Measured',
    [
      {ratio: {type: 'number'}, whole: {type: 'number'}},
      {ratio: integer, whole: integer},
    ],
    {ratio: 1.5, whole: 2},
    ['breaks spec.ratio'],
  ),
  fields('a list becomes text', 'Joined', [{names: list(text)}, {names: text}], {names: ['a']}, [
    'breaks spec.names',
  ]),
  fields(
    'a list with one item becomes an object',
    'Single',
    [{network: list(struct({id: text}))}, {network: struct({id: text})}],
    {network: [{id: 'a'}]},
    ['breaks spec.network', 'breaks spec.network[0].id', 'lost spec.network[0].id'],
  ),
  fields(
    'a port is only a number',
    'Ported',
    [{port: {'x-kubernetes-int-or-string': true}}, {port: integer}],
    {port: 'http'},
    ['breaks spec.port'],
  ),
]

const VERSIONS: readonly LiveCase[] = [
  {
    name: 'a version is no longer served and the stored one is',
    old: [crd('Elder', [{name: 'v1beta1', storage: false}, {}])],
    now: [crd('Elder', [{name: 'v1beta1', storage: false, served: false}, {}])],
    objects: [object('Elder', {}, 'v1beta1')],
    want: ['Elder unserved'],
    // A cluster stores it in v1.
    live: [],
  },
  {
    name: 'the stored version is no longer served',
    old: [crd('Former', [{name: 'v1alpha1'}, {name: 'v1', storage: false}])],
    now: [crd('Former', [{name: 'v1alpha1', served: false, storage: false}, {}])],
    objects: [object('Former', {}, 'v1alpha1')],
    want: ['Former unserved'],
  },
  {
    name: 'a field is gone in the new stored version',
    old: [crd('Renewed', [{spec: {a: text, b: text}}])],
    now: [
      crd('Renewed', [
        {storage: false, spec: {a: text, b: text}},
        {name: 'v2', spec: {a: text}},
      ]),
    ],
    objects: [object('Renewed', {a: 'x', b: 'y'})],
    want: ['Renewed lost spec.b'],
  },
  {
    name: 'a kind is gone',
    old: [crd('Gone', [{}]), crd('Stays', [{}])],
    now: [crd('Stays', [{}])],
    objects: [object('Gone', {}), object('Stays', {})],
    want: ['Gone unserved'],
  },
  {
    name: 'a kind has another scope',
    old: [crd('Scoped', [{}])],
    now: [crd('Scoped', [{}], 'Namespaced')],
    objects: [object('Scoped', {})],
    want: ['Scoped unserved'],
  },
]

const DEFINITIONS: readonly LiveCase[] = [
  {
    ...{name: 'a field of an XRD is removed', of: 'Configuration'},
    old: [xrd('XNet', {claim: 'Net', versions: [{spec: {cidr: text, zone: text}}]})],
    now: [xrd('XNet', {claim: 'Net', versions: [{spec: {cidr: text}}]})],
    objects: [object('XNet', {zone: 'a'}), object('Net', {zone: 'a'}, 'v1', 'default')],
    want: ['XNet breaks spec.zone', 'XNet lost spec.zone', 'Net breaks spec.zone', 'Net lost spec.zone'],
  },
  {
    ...{name: 'a field of an XRD has another type', of: 'Configuration'},
    old: [xrd('XDisk', {claim: 'Disk', versions: [{spec: {public: {type: 'boolean'}}}]})],
    now: [xrd('XDisk', {claim: 'Disk', versions: [{spec: {public: text}}]})],
    objects: [object('XDisk', {public: true}), object('Disk', {public: true}, 'v1', 'default')],
    want: ['XDisk breaks spec.public', 'Disk breaks spec.public'],
  },
  {
    ...{name: 'an XRD no longer has claims', of: 'Configuration'},
    old: [xrd('XPool', {claim: 'Pool', versions: [{}]})],
    now: [xrd('XPool', {versions: [{}]})],
    objects: [object('XPool', {}), object('Pool', {}, 'v1', 'default')],
    want: ['Pool unserved'],
  },
  {
    ...{name: 'a version of an XRD is no longer served', of: 'Configuration'},
    old: [xrd('XRing', {claim: 'Ring', versions: [{name: 'v1alpha1'}, {name: 'v1', storage: false}]})],
    now: [xrd('XRing', {claim: 'Ring', versions: [{name: 'v1alpha1', served: false, storage: false}, {}]})],
    objects: [object('XRing', {}, 'v1alpha1'), object('Ring', {}, 'v1alpha1', 'default')],
    want: ['XRing unserved', 'Ring unserved'],
  },
]

export const LIVE_CASES: readonly LiveCase[] = [...FIELDS, ...VERSIONS, ...DEFINITIONS]

/** A kind that an upgrade makes inactive, and an object of it. */
export const IDLE = [crd('Idle', [{}]), object('Idle', {})] as const
