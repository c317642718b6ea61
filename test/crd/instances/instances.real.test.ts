import {beforeAll, expect, it} from '@jest/globals'
import {convertCrd} from '../../../src/crd/convert/convert-crd.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {asObject, formatPath, type JsonObject} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, type Answer, type Kube} from '../../cluster/kube.js'
import {describeCorpus} from '../../corpus.js'
import {present} from '../../outcome.js'
import {abreast} from '../abreast.js'
import {type Change, someChanges} from './changes.js'
import {distinctCrds} from './distinct-crds.js'
import {asGoWrites, realPayloads} from './real-payloads.js'
import {create, type InstanceKind, instanceKind, serve, stored, tryStatus} from './served-crd.js'
import {KEPT_PAYLOADS, PRUNING_CRDS} from './tables.js'
import {describedPlaces, payloadPlaces, withUnknown} from './unknown-fields.js'
import {fullBody, leastBody, withAt} from './values.js'

const PATIENCE = 600_000
/** At most so many changes of an instance are tried for each CRD, an equal share of each kind of rule; more with `INSTANCE_CHANGES=40`. */
const CHANGES = Number(process.env.INSTANCE_CHANGES ?? 20)
/** The depth of the deepest change of so many, and how many there are of each kind. */
const COUNTS: Readonly<Record<number, readonly [depth: number, counts: Readonly<Record<string, number>>]>> = {
  20: [
    14,
    {
      'bounds broken': 52,
      'bounds kept': 43,
      'enum broken': 279,
      'enum kept': 882,
      'pattern broken': 2,
      'required broken': 1861,
      'type broken': 1944,
    },
  ],
  40: [
    16,
    {
      'bounds broken': 52,
      'bounds kept': 43,
      'enum broken': 280,
      'enum kept': 981,
      'pattern broken': 2,
      'required broken': 2727,
      'type broken': 5777,
    },
  ],
}

/** A server with all the CRDs, and one instance of each with every field. */
interface Served {
  readonly kube: Kube
  readonly conditions: readonly (readonly string[])[]
  /** As they were created, by the names of their CRDs. */
  readonly existing: ReadonlyMap<string, Answer>
}

async function serveAll(
  kube: Kube,
  crds: readonly KubernetesObject[],
  kinds: readonly InstanceKind[],
): Promise<Served> {
  const conditions = await abreast([...crds.entries()], ([i, crd]) => serve(kube, crd, present(kinds[i])))
  const existing = await abreast(kinds, async kind => {
    const answer = await create(kube, kind, 'full', kind.body, {dryRun: false})
    return [kind.name, answer] as const
  })
  return {kube, conditions, existing: new Map(existing)}
}

function existingOf({existing}: Served, {name}: InstanceKind): JsonObject {
  return accepted(present(existing.get(name)))
}

/** Whether an instance is valid. */
function isAccepted({code, body}: Answer): boolean {
  if (code === 422) return false
  accepted({code, body})
  return true
}

/** Whether a body is valid that is another than that of the instance that is there, in its status or elsewhere. */
async function verdict(
  server: Served,
  kind: InstanceKind,
  body: JsonObject,
  isStatus: boolean,
): Promise<boolean> {
  if (isStatus) return isAccepted(await tryStatus(server.kube, kind, existingOf(server, kind), body))
  return isAccepted(await create(server.kube, kind, 'other', body, {dryRun: true}))
}

interface Row extends Pick<Change, 'isValid' | 'rule'> {
  readonly crd: string
  readonly path: string
  readonly depth: number
  readonly then: boolean
  readonly now: boolean
}

function countRows(rows: readonly Row[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const {rule, isValid} of rows) {
    const key = `${rule} ${isValid ? 'kept' : 'broken'}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** Releases of a CRD are one row of a table. */
function tableName(crd: string): string {
  return crd.replace(/\.release\d+\./, '.')
}

function tally(crds: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const crd of crds) counts[tableName(crd)] = (counts[tableName(crd)] ?? 0) + 1
  return counts
}

describeCorpus('instances of every CRD of real packages', () => {
  describeCluster('current', 'on a current API server', current => {
    describeCluster('1.20', 'on an API server 1.20', old => {
      const sources = distinctCrds()
      const kinds = sources.map(instanceKind)
      let then: Served
      let now: Served

      beforeAll(async () => {
        const converted = sources.map(crd => convertCrd(crd, {nonStructural: 'refuse'}).crd)
        ;[then, now] = await Promise.all([
          serveAll(old().kube, sources, kinds),
          serveAll(current().kube, converted, kinds),
        ])
      }, PATIENCE)

      it('have an Established CRD once it is converted, which is never NonStructural', () => {
        expect(now.conditions).toHaveLength(261)
        expect(now.conditions.filter(each => !each.includes('Established=True'))).toEqual([])
        expect(now.conditions.flat().filter(one => one.startsWith('NonStructural'))).toEqual([])
      })

      it(
        'are accepted by both with every field, and with required fields only',
        async () => {
          const answers = await abreast(kinds, async kind => {
            const least = [then, now].map(({kube}) =>
              create(kube, kind, 'least', leastBody(kind.schema), {dryRun: true}),
            )
            return [
              ...[then, now].map(server => present(server.existing.get(kind.name))),
              ...(await Promise.all(least)),
            ]
          })
          expect(answers.flat().filter(answer => !isAccepted(answer))).toEqual([])
        },
        PATIENCE,
      )

      it(
        'get the right verdict from both if one rule is broken, or satisfied in another way',
        async () => {
          const cases = kinds.flatMap(kind =>
            someChanges(kind.schema, CHANGES).map(change => ({kind, ...change})),
          )
          const rows = await abreast(cases, async ({kind, path, value, rule, isValid}): Promise<Row> => {
            const body = asObject(withAt(kind.body, path, value))
            const ask = (server: Served) =>
              verdict(server, kind, body, kind.hasStatus && path[0] === 'status')
            const [before, after] = await Promise.all([ask(then), ask(now)])
            const place = {crd: kind.name, path: formatPath(path), depth: path.length}
            return {...place, rule, isValid, then: before, now: after}
          })
          expect(rows.filter(row => row.then !== row.isValid || row.now !== row.isValid)).toEqual([])
          const depth = Math.max(...rows.map(row => row.depth))
          expect([depth, countRows(rows)]).toEqual(COUNTS[CHANGES])
        },
        PATIENCE,
      )

      it(
        'lose undescribed fields, which the old server kept: in these CRDs, and in no payload',
        async () => {
          const rows = await abreast(kinds, async kind => {
            const places = describedPlaces(kind.schema, kind.body)
            const sent = withUnknown(kind.body, places)
            const keep = (server: Served) => stored(server.kube, kind, existingOf(server, kind), sent)
            const [before, after] = await Promise.all([keep(then), keep(now)])
            expect({crd: kind.name, kept: before}).toEqual({crd: kind.name, kept: sent})
            expect({crd: kind.name, kept: after}).toEqual({
              crd: kind.name,
              kept: kind.keepsAll ? sent : kind.body,
            })
            return {crd: kind.name, places: places.length}
          })
          const keeping = kinds.filter(({keepsAll}) => keepsAll).map(({name}) => name)
          expect(rows.filter(({places}) => places === 0)).toEqual([])
          expect(tally(rows.map(({crd}) => crd).filter(crd => !keeping.includes(crd)))).toEqual(PRUNING_CRDS)
        },
        PATIENCE,
      )

      it(
        'keep real payloads to the last byte on both',
        async () => {
          const payloads = realPayloads()
          const withPayload = kinds.filter(kind => payloadPlaces(kind.schema).length > 0)
          const cases = withPayload.flatMap(kind => payloads.map(payload => ({kind, payload})))
          await abreast(cases, async ({kind, payload}) => {
            const body = fullBody(kind.schema, payload)
            const places = payloadPlaces(kind.schema).map(formatPath)
            const bytes = async ({kube}: Served) => {
              const name = 'payload'
              const made = await create(kube, kind, name, body, {dryRun: true})
              accepted(made)
              return present(made.text).split(asGoWrites(payload)).length - 1
            }
            const ofStatus = kind.hasStatus ? places.filter(path => /^status\b/.test(path)) : []
            const want = places.length - ofStatus.length
            const found = await Promise.all([bytes(then), bytes(now)])
            expect({crd: kind.name, found}).toEqual({crd: kind.name, found: [want, want]})
          })
          const table = Object.fromEntries(
            withPayload.map(kind => [tableName(kind.name), payloadPlaces(kind.schema).map(formatPath)]),
          )
          expect(payloads.length).toBeGreaterThan(10)
          expect(table).toEqual(KEPT_PAYLOADS)
        },
        PATIENCE,
      )
    })
  })
})
