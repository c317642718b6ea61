import {asObject, asText, type JsonObject, mergePatched} from 'kubectl-crossplane/plugin'
import {valueAt} from '../stories/fancy-services.js'
import type {Seen} from '../stories/snapshot.js'
import {managedIn} from './quiet.js'

/** A difference from crossplane-runtime, by its row in docs/services-differences.md. */
interface Rule {
  readonly rule: string
  /** Returns a merge patch of the objects, if the rule applies. */
  readonly patch?: (objects: JsonObject) => JsonObject | undefined
  /** Events that occur here only, and there only. */
  readonly here?: RegExp
  readonly there?: RegExp
}

const CLAIM = 'FancySQLInstance/db'
const NO_CLASS = 'False | Waiting for a matching resource class'

/** Finds the secret of the managed resource. It is not in the namespace of the claim, so that its key has a namespace. */
function managedSecret(objects: JsonObject): readonly [string, JsonObject] | undefined {
  const entry = Object.entries(objects).find(([key]) => /^Secret\/.*\//.test(key))
  return entry && [entry[0], asObject(entry[1])]
}

function isBound(objects: JsonObject): boolean {
  return valueAt(objects, `${CLAIM}.status.bindingPhase`) === 'Bound'
}

/** The rules that apply to the scenarios; others are those of the recorded stories. */
const RULES: readonly Rule[] = [
  {
    rule: 'no class',
    patch: ({[CLAIM]: claim}) => {
      if (claim === undefined || asObject(claim).status !== undefined) return undefined
      const message = `no class matches the selector "story=SIDE" among the objects of FavouriteDBInstanceClass.fcp.example.org`
      return {[CLAIM]: {status: {conditions: {Ready: `${NO_CLASS} | ${message}`}}}}
    },
    here: /NoMatchingClass/,
  },
  {
    rule: 'readiness of claims',
    patch: objects => {
      const [, managed] = managedIn(objects) ?? []
      const condition = asObject(asObject(asObject(managed).status).conditions).Ready
      if (!isBound(objects) || condition === undefined) return undefined
      return {[CLAIM]: {status: {conditions: {Ready: condition}}}}
    },
  },
  {
    rule: 'release',
    patch: objects => {
      const [key] = managedSecret(objects) ?? []
      if (key === undefined || objects[CLAIM] !== undefined) return undefined
      return {[key]: {annotations: null}}
    },
  },
  {
    rule: 'credentials of create',
    patch: objects => {
      const secrets = Object.entries(objects).filter(([key]) => key.startsWith('Secret/'))
      const lost = secrets.filter(([, secret]) => asObject(asObject(secret).data).password === undefined)
      return Object.fromEntries(lost.map(([key]) => [key, {data: {password: 'created'}}]))
    },
  },
  {
    rule: 'deletion of a claim without its managed resource',
    patch: objects =>
      asObject(objects[CLAIM]).deleting === true && managedIn(objects) === undefined
        ? {[CLAIM]: null}
        : undefined,
  },
  {
    rule: 'renamed or deleted secret of a claim',
    patch: objects => {
      const name = asText(asObject(asObject(asObject(objects[CLAIM]).spec).writeConnectionSecretToRef).name)
      const [key, secret] = managedSecret(objects) ?? []
      if (!isBound(objects) || name === '' || key === undefined || secret === undefined) return undefined
      const written: JsonObject = {
        [`Secret/${name}`]: {
          annotations: {
            'from.propagate.crossplane.io/name': key.replace(/^Secret\/[^/]+\//, ''),
            'from.propagate.crossplane.io/namespace': 'sys-SIDE',
          },
          ownerReferences: [`${CLAIM} controller`],
          type: 'connection.crossplane.io/v1alpha1',
          data: secret.data ?? {},
        },
        [key]: {annotations: {[`to.propagate.crossplane.io/SIDE/${name}`]: `SIDE/${name}`}},
      }
      return written
    },
    here: /PropagatedDataFrom Secret\/other/,
  },
  {
    rule: 'keys that someone added to the secret of a claim',
    here: /Warning KeysRemoved Secret\/db: removed "more"/,
  },
  // The client of crossplane-runtime drops Events of an object that has many.
  {rule: 'Events', here: /(Created|Updated|Deleted)ExternalResource/},
]

/** What crossplane-runtime did, as the rules have it here. */
export function explained(there: Seen): Seen {
  const objects = RULES.reduce<JsonObject>((all, {patch}) => {
    const change = patch?.(all)
    return change === undefined ? all : asObject(mergePatched(all, change))
  }, there.objects)
  return {...there, objects}
}

/** Names of one side, and hashes of them, as one; without a secret that a claim no longer names, which stays as it was here. */
export function withoutSide(seen: Seen, name: string, servedBy: string): Seen {
  const text = JSON.stringify(seen)
    .replaceAll(name, 'SIDE')
    .replaceAll(`"served-by":"${servedBy}"`, '"served-by":"SIDE"')
    .replace(/(to\.propagate\.crossplane\.io\/)[0-9a-f]+(":"([^"]+)")/g, '$1$3$2')
  const {objects, calls, events, ...rest} = JSON.parse(text) as Seen
  const {'Secret/db': former, ...others} = objects
  const isRenamed = valueAt(objects, `${CLAIM}.spec.writeConnectionSecretToRef.name`) === 'other'
  const compared = isRenamed || former === undefined ? others : objects
  return {...rest, objects: compared, calls: [...new Set(calls)].sort(), events: [...new Set(events)].sort()}
}

/** Conflicts and passes over old caches record these. */
const CHANCE =
  /the object has been modified|CannotUnbindManagedResource|already exists|WaitingToBind|ManagedResourceNotFound|CannotPropagateConnectionDetails .*not found/

/** Events of one side that no rule explains, if the other side records all that it has. */
export function unexplained(
  {events}: Pick<Seen, 'events'>,
  others: Pick<Seen, 'events' | 'eventful'>,
  side: 'here' | 'there',
) {
  const isNamed = (event: string) => RULES.some(rule => rule[side]?.test(event) === true)
  const isDropped = (event: string) => others.eventful.some(object => event.includes(` ${object}: `))
  return events.filter(
    event => !others.events.includes(event) && !CHANCE.test(event) && !isNamed(event) && !isDropped(event),
  )
}
