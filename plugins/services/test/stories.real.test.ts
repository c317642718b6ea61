import {afterAll, beforeAll, describe, expect, it, jest} from '@jest/globals'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {
  asObject,
  asObjects,
  asText,
  type JsonObject,
  mapConcurrent,
  readYaml,
} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {createServed, until} from '../../../test/cluster/kube.js'
import {CORPUS_ROOT} from '../../../test/corpus.js'
import {describeReal} from '../../../test/real-parts.js'
import {
  expectedEvents,
  expectedSnapshots,
  vocabularyOf,
  withoutChance,
  withoutNames,
} from './stories/expected.js'
import {ExternalSystem} from './stories/external-system.js'
import {CLAIM, crds, fancyService, MANAGED} from './stories/fancy-services.js'
import {type RealRunner, startRunner} from './stories/real-runner.js'
import {RULES} from './stories/rules.js'
import {see, type Seen} from './stories/snapshot.js'
import {Player, type Story} from './stories/story.js'

jest.setTimeout(240_000)

const RECORDED = join(CORPUS_ROOT, 'reference/services')
const CONCURRENCY = 8
/** Its managed kind has no status subresource: a runner does not start with it. */
const REFUSED = 'no-status-subresource'

/** The recording program reads YAML 1.2, in which these are texts. */
function textOf(name: string, file: string): string {
  return readFileSync(join(RECORDED, name, file), 'utf8').replace(/: ([yn])(?=[,}\n])/g, ": '$1'")
}

interface Played extends Story {
  readonly isSerial: boolean
}

function readStories(): readonly Played[] {
  if (!existsSync(RECORDED)) return []
  const read = (name: string, file: string) =>
    asObject(readYaml(Buffer.from(textOf(name, file)), file)[0]?.value)
  return readdirSync(RECORDED)
    .sort()
    .filter(name => name !== REFUSED)
    .map(name => {
      const {steps, serial} = read(name, 'steps.yaml')
      return {name, steps: asObjects(steps), isSerial: serial === true, want: read(name, 'want.yaml')}
    })
}

const stories = readStories()
const names = stories.map(({name}) => name)
const only = process.env.STORY?.split(',')
const selected = stories.filter(({name}) => only === undefined || only.includes(name))

describeReal(
  'recorded stories',
  stories.length === 0 ? 'no recorded stories in the corpus' : undefined,
  () => {
    it('have rules only for what they contain', () => {
      expect(Object.keys(RULES).filter(name => !names.includes(name))).toEqual([])
    })

    describeCluster(
      {version: 'current', pods: true},
      'services, as recorded of crossplane-runtime',
      cluster => {
        const system = new ExternalSystem()
        const uids = new Map<string, string>()
        const results = new Map<string, {readonly snapshots: Map<string, Seen>; readonly failure?: unknown}>()
        let runner: RealRunner | undefined

        const create = async (object: JsonObject) => await createServed(cluster().kube, object)
        const play = async (story: Played) => {
          const {kube} = cluster()
          const snapshots = new Map<string, Seen>()
          const expected = expectedSnapshots(story)
          const {until: instead = {}, classes = {}} = RULES[story.name] ?? {}
          const player = new Player(story, {kube, system, until: instead, classes})
          const snapshot = async (name: string) => {
            const want = expected.get(name) ?? {}
            const same = (seen: Seen) => {
              const {objects, external, calls} = withoutChance(seen, story.name)
              return JSON.stringify(sorted({objects, external, calls})) === JSON.stringify(sorted(want))
            }
            let last: Seen | undefined
            await until(
              async () => {
                await new Promise(resolve => setTimeout(resolve, 200))
                return (last = await see(story.name, names, {kube, system, uids}))
              },
              same,
              40,
            ).catch(() => undefined)
            if (last !== undefined) snapshots.set(name, last)
            await player.remember()
          }
          try {
            await player.begin()
            for (const step of story.steps) {
              // Secrets are named after the UIDs of claims.
              if (step.delete !== undefined) await see(story.name, names, {kube, system, uids})
              await player.take(step, snapshot)
            }
            results.set(story.name, {snapshots})
          } catch (failure) {
            results.set(story.name, {snapshots, failure})
          }
          if (story.isSerial) await removeClasses([story])
        }
        const removeClasses = async (played: readonly Story[]) => {
          for (const object of played.flatMap(({steps}) => steps).flatMap(({apply}) => asObjects(apply))) {
            const {kind, metadata} = object
            if (!asText(kind).endsWith('Class')) continue
            await cluster().kube.delete({
              apiVersion: 'fcp.example.org/v1alpha3',
              kind: kind ?? '',
              metadata: metadata ?? {},
            })
          }
        }

        beforeAll(async () => {
          await create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'crossplane-system'}})
          for (const crd of crds()) await create(crd)
          await create({
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: {name: 'fcp', namespace: 'crossplane-system'},
            stringData: {credentials: 'fcp-credentials', k: 'fcp-credentials'},
          })
          await create({
            apiVersion: 'fcp.example.org/v1alpha3',
            kind: 'Provider',
            metadata: {name: 'fcp'},
            spec: {credentialsSecretRef: {namespace: 'crossplane-system', name: 'fcp', key: 'credentials'}},
          })
          await until(
            () => cluster().kube.get({...CLAIM, metadata: {name: 'none', namespace: 'default'}}),
            ({body}) => asText(body.message).includes('not found'),
          )
          runner = startRunner(
            cluster(),
            MANAGED.map(kind => fancyService(kind, system)),
          )
          const parallel = selected.filter(({isSerial}) => !isSerial)
          await mapConcurrent(parallel, CONCURRENCY, play)
          await removeClasses(parallel)
          for (const story of selected) if (story.isSerial) await play(story)
        }, 400_000)

        afterAll(async () => await runner?.stop())

        describe.each(selected)('$name', story => {
          const {name} = story

          it.each([...expectedSnapshots(story)])(
            'has the recorded objects at snapshot %s',
            (snapshot, want) => {
              const result = results.get(name)
              expect(result?.failure).toBeUndefined()
              const {objects, external, calls} = withoutChance(
                result?.snapshots.get(snapshot) ?? NOTHING,
                name,
              )
              expect({objects, external, calls}).toEqual(want)
            },
          )

          it('has the recorded Events', async () => {
            const look = async () =>
              withoutChance(await see(name, names, {kube: cluster().kube, system, uids}), name)
            const {events} = await until(
              look,
              seen => expectedEvents(story).every(event => seen.events.includes(event)),
              5,
            ).catch(look)
            const vocabulary = vocabularyOf(stories)
            expect({
              missing: expectedEvents(story).filter(event => !events.includes(event)),
              unexpected: events.filter(event => !vocabulary.has(withoutNames(event, name))),
            }).toEqual({missing: [], unexpected: []})
          })
        })
      },
    )
  },
)

const NOTHING: Seen = {objects: {}, events: [], calls: [], external: {}, eventful: []}

/** Objects with their keys in one order; the order of calls is that in which they were made. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
