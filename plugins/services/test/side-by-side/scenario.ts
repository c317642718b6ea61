import type {JsonObject, JsonValue} from 'kubectl-crossplane/plugin'
import {shuffled} from '../../../../test/shuffled.js'
import {CLAIM, FCP} from '../stories/fancy-services.js'
import type {Failing} from './quiet.js'

/** What happens to one claim, as steps of a story; the same for each realization, but for names. */
export interface Scenario {
  /** Its choices, for the name of a test. */
  readonly about: string
  readonly steps: (name: string, servedBy: string) => readonly JsonObject[]
}

type Random = () => number
type Steps = (name: string, labels: JsonObject) => readonly JsonObject[]

/** The label by which the objects of a scenario are listed. */
export const PAIR = 'pair'
/** The class that claims get without a selector. */
const DEFAULT_CLASS = 'default'

const DB = {kind: CLAIM.kind, metadata: {name: 'db'}}
const MANAGED = 'FavouriteDBInstance/$db'
const ready = until({'FancySQLInstance/db': 'status.conditions.Ready.status=True'})
const notReady = until({[MANAGED]: 'status.conditions.Ready.status=False'})

function until(conditions: JsonObject): JsonObject {
  return {until: conditions}
}

function apply(...objects: readonly JsonObject[]): JsonObject {
  return {apply: objects}
}

function ext(step: JsonObject): JsonObject {
  return {ext: step}
}

function patchManaged(spec: JsonObject): JsonObject {
  return apply({kind: 'FavouriteDBInstance', metadata: {name: '$db'}, spec})
}

/** Both sides are compared once all has happened that follows from the steps before, of which some let a call fail. */
function seen(failing: Failing = 'nothing'): JsonObject {
  return {snapshot: failing}
}

/** Returns the `index`th scenario: every way to bind a claim occurs in a row, and chance decides the rest. */
export function scenario(index: number, random: Random): Scenario {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const way = Object.entries(WAYS)[index % Object.keys(WAYS).length]!
  const choices: Choices = {
    secret: random() < 0.8,
    version: pick([undefined, undefined, '8']),
    reclaimPolicy: pick(['Delete', 'Retain', undefined]),
    externalName: random() < 0.2,
    failing: pick([undefined, undefined, 'connect', 'observe', 'create']),
  }
  const [wayName, bind] = way
  const isBound = !UNBOUND.includes(wayName)
  const happening = isBound ? changesFor(wayName, choices, random) : []
  const [endName, end] = pick(Object.entries(isBound ? ENDS : UNBOUND_ENDS))
  const given = Object.entries(choices).map(([key, value]) => `${key} ${String(value)}`)
  return {
    about: [wayName, ...given, ...happening.map(([name]) => name), endName].join(', '),
    steps: (name, servedBy) => {
      const labels = {'served-by': servedBy, [PAIR]: `p${index}`}
      const first = isBound && choices.failing !== undefined ? failFirst(choices.failing, name) : undefined
      return [
        ...(first === undefined ? [] : [first.fail]),
        ...bind(name, labels, choices),
        ...(first === undefined ? [] : first.heal(wayName)),
        ...(isBound ? [ready] : []),
        seen(),
        ...happening.flatMap(([, change]) => [...change(name, labels), seen()]),
        ...end(name, labels),
        seen(),
      ]
    },
  }
}

interface Choices {
  readonly secret: boolean
  readonly version: string | undefined
  readonly reclaimPolicy: string | undefined
  readonly externalName: boolean
  readonly failing: string | undefined
}

function failFirst(on: string, name: string) {
  const step = {on, name: `${name}-`, message: 'boom'}
  return {
    fail: ext({do: 'fail', ...step}),
    // A managed resource that claims name is waited for before there is a claim.
    heal: (way: string) =>
      way === 'static'
        ? []
        : [until({[MANAGED]: 'status.conditions.Synced.status=False'}), ext({do: 'heal', ...step})],
  }
}

/** The original takes the name of an external resource from any claim. */
const ALLOWED = {'kubectl-crossplane.dev/allow-external-name': 'true'}

function classOf(
  name: string,
  labels: JsonObject,
  {reclaimPolicy}: Choices,
  more: JsonObject = {},
): JsonObject {
  return {
    kind: 'FavouriteDBInstanceClass',
    metadata: {name, labels: {...labels, story: name}, annotations: ALLOWED},
    specTemplate: {
      providerRef: {name: 'fcp'},
      writeConnectionSecretsToNamespace: `sys-${name}`,
      forProvider: {fancinessLevel: 10, ...more},
      ...(reclaimPolicy === undefined ? {} : {reclaimPolicy}),
    },
  }
}

function claimOf(name: string, labels: JsonObject, choices: Choices, spec: JsonObject): JsonObject {
  const {secret, version, externalName} = choices
  return {
    ...DB,
    metadata: {
      name: 'db',
      labels,
      ...(externalName ? {annotations: {'crossplane.io/external-name': `${name}-mine`}} : {}),
    },
    spec: {
      ...spec,
      ...(version === undefined ? {} : {version}),
      ...(secret ? {writeConnectionSecretToRef: {name: 'db'}} : {}),
    },
  }
}

function managedOf(name: string, labels: JsonObject, {secret, reclaimPolicy}: Choices): JsonObject {
  return {
    kind: 'FavouriteDBInstance',
    metadata: {name: `${name}-one`, labels},
    spec: {
      providerRef: {name: 'fcp'},
      forProvider: {fancinessLevel: 10},
      ...(secret ? {writeConnectionSecretToRef: {name: `${name}-one`, namespace: `sys-${name}`}} : {}),
      ...(reclaimPolicy === undefined ? {} : {reclaimPolicy}),
    },
  }
}

function selecting(name: string): JsonObject {
  return {classSelector: {matchLabels: {story: name}}}
}

function classRef(name: string): JsonObject {
  return {classRef: {apiVersion: FCP, kind: 'FavouriteDBInstanceClass', name}}
}

/** The original looks for a class again after half a minute, so the class exists first. */
const SOON: JsonObject = {wait: 4}

type Way = (name: string, labels: JsonObject, choices: Choices) => readonly JsonObject[]

/** The ways to bind a claim. */
const WAYS: Readonly<Record<string, Way>> = {
  selector: (name, labels, choices) => [
    apply(classOf(name, labels, choices)),
    SOON,
    apply(claimOf(name, labels, choices, selecting(name))),
  ],
  classRef: (name, labels, choices) => [
    apply(classOf(name, labels, choices)),
    SOON,
    apply(claimOf(name, labels, choices, classRef(name))),
  ],
  static: (name, labels, choices) => [
    ...(choices.failing === undefined
      ? []
      : [
          apply(managedOf(name, labels, choices)),
          until({[`FavouriteDBInstance/${name}-one`]: 'status.conditions.Synced.status=False'}),
          ext({do: 'heal', on: choices.failing, name: `${name}-`}),
        ]),
    apply(managedOf(name, labels, choices)),
    until({[`FavouriteDBInstance/${name}-one`]: 'status.bindingPhase=Unbound'}),
    apply(
      claimOf(
        name,
        labels,
        {...choices, version: undefined, externalName: false},
        {
          resourceRef: {apiVersion: FCP, kind: 'FavouriteDBInstance', name: `${name}-one`},
        },
      ),
    ),
  ],
  default: (name, labels, choices) => [apply(claimOf(name, labels, choices, {}))],
  'other version': (name, labels, choices) => [
    apply(classOf(name, labels, choices, {version: '9'})),
    SOON,
    apply(claimOf(name, labels, {...choices, version: '8'}, selecting(name))),
    until({'FancySQLInstance/db': 'status.conditions.Synced.status=False'}),
  ],
  'no class': (name, labels, choices) => [apply(claimOf(name, labels, choices, selecting(name))), SOON],
}

/** Those after which a claim is not bound. */
const UNBOUND = ['other version', 'no class']

/** What happens to a claim that is bound. */
const CHANGES: Readonly<Record<string, Steps>> = {
  level: () => [patchManaged({forProvider: {fancinessLevel: 20}})],
  drift: name => [ext({do: 'set', name: `${name}-`, level: 5})],
  rotation: name => [ext({do: 'set', name: `${name}-`, password: 'rotated'})],
  outage: name => [
    ext({do: 'set', name: `${name}-`, state: 'FAILED'}),
    notReady,
    seen('outage'),
    ext({do: 'set', name: `${name}-`, state: 'ONLINE'}),
  ],
  'removed outside': name => [ext({do: 'remove', name: `${name}-`})],
  'failing updates': name => [
    ext({do: 'fail', on: 'update', name: `${name}-`, message: 'boom'}),
    patchManaged({forProvider: {fancinessLevel: 30}}),
    until({[MANAGED]: 'status.conditions.Synced.status=False'}),
    seen('update'),
    ext({do: 'heal', on: 'update', name: `${name}-`}),
  ],
  'other selector': () => [apply({...DB, spec: {classSelector: {matchLabels: {story: 'other'}}}})],
  'class removed': name => [{delete: {FavouriteDBInstanceClass: name}}],
  'secret edited': () => [
    apply({kind: 'Secret', metadata: {name: 'db'}, stringData: {endpoint: 'other', more: 'x'}}),
  ],
  'secret removed': () => [{delete: {Secret: 'db'}}],
  'secret renamed': () => [apply({...DB, spec: {writeConnectionSecretToRef: {name: 'other'}}})],
}

const NEEDS_SECRET = ['secret edited', 'secret removed', 'secret renamed']
/** A shared class has secrets that are not seen. */
const NEEDS_OWN_CLASS = ['secret removed', 'secret renamed']

/** One of them at most is about the secret: after it, another one would begin with different ones. */
function changesFor(way: string, {secret}: Choices, random: Random): readonly (readonly [string, Steps])[] {
  const isPossible = (name: string) =>
    (secret || !NEEDS_SECRET.includes(name)) && (way !== 'default' || !NEEDS_OWN_CLASS.includes(name))
  const names = shuffled(Object.keys(CHANGES), Math.floor(random() * 1e9)).filter(isPossible)
  const first = names.find(name => NEEDS_SECRET.includes(name))
  const one = names.filter(name => !NEEDS_SECRET.includes(name) || name === first)
  return one.slice(0, 3).map(name => [name, CHANGES[name] ?? (() => [])])
}

const gone = until({'FancySQLInstance/db': 'gone'})

/** How it ends. */
const ENDS: Readonly<Record<string, Steps>> = {
  kept: () => [],
  deleted: () => [{delete: {FancySQLInstance: 'db'}}, gone],
  'failing deletion': name => [
    ext({do: 'fail', on: 'delete', name: `${name}-`, message: 'boom'}),
    {delete: {FancySQLInstance: 'db'}},
    gone,
    seen('delete'),
    ext({do: 'heal', on: 'delete', name: `${name}-`}),
  ],
}

/** A claim that was rejected never goes there. */
const UNBOUND_ENDS: typeof ENDS = {
  kept: () => [],
  deleted: () => [{delete: {FancySQLInstance: 'db'}}],
}

/** An object that all scenarios share. */
export function defaultClass(): JsonObject {
  const name = DEFAULT_CLASS
  const annotations: JsonValue = {'resourceclass.crossplane.io/is-default-class': 'true'}
  const choices = {
    secret: true,
    version: undefined,
    reclaimPolicy: 'Delete',
    externalName: false,
    failing: undefined,
  }
  const object = classOf(name, {}, choices)
  return {...object, apiVersion: FCP, metadata: {name, annotations}}
}
