import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {auditOf, isWrite} from '../../../test/cluster/audit.js'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {missingMounts} from '../../../test/cluster/pod-files.js'
import {ProgramProcess} from '../../../test/cluster/program-process.js'
import {describeReal} from '../../../test/real-parts.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {startEngine} from '../src/engines/start-engine.js'
import {applyAll, collectGarbage, installStack, type RealRunner, startRunner} from './run/real-stack.js'
import {chartPackage, OTHER_CRDS} from './run/stack-packages.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(180_000)

const root = temporaryFolder()
const DEMO = {namespace: 'runners', name: 'demo'}
const NAMES = ['a', 'b', 'c', 'd']
/** Repeats a run: the kills happen after the same numbers of writes. */
const SEED = Number(process.env.STORY_SEED ?? Date.now() % 1_000_000)
const KILLS = 4

function demo(name: string, spec: JsonObject = {}): JsonObject {
  return {apiVersion: 'demo.example.org/v1', kind: 'Demo', metadata: {name, namespace: 'team'}, spec}
}

/** Numbers from 1 to `most` that follow from the seed. https://en.wikipedia.org/wiki/Linear_congruential_generator */
function numbersOf(seed: number, count: number, most: number): readonly number[] {
  let state = seed
  return Array.from({length: count}, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return 1 + (state % most)
  })
}

describeCluster('current', 'template run, disturbed', cluster => {
  const engines = [startEngine({timeLimit: 120_000}), startEngine({timeLimit: 120_000})]
  let runners: RealRunner[] = []
  let token = ''
  let size = 0
  let endCollection = (): Promise<void> => Promise.resolve()

  const kube = () => cluster().kube
  const start = async (engine = engines[0]!, maxWrites?: number) => {
    const runner = await startRunner(cluster(), engine, {...DEMO, token}, maxWrites)
    runners.push(runner)
    return runner
  }
  const stopAll = async () => {
    await Promise.all(runners.map(runner => runner.stop()))
    runners = []
  }
  /** Gives each custom resource a new size and other objects. */
  const changeAll = async () => {
    size += 1
    for (const name of NAMES) {
      const maps = {one: {}, [`at-${size}`]: {}}
      accepted(await kube().apply(demo(name, {size, maps, big: `${name}-big`}), {force: true}))
    }
  }
  const state = async () => {
    const list = async (path: string) => asObjects((await kube().send('GET', path)).body.items)
    const [maps, bigs, demos] = await Promise.all([
      list('/api/v1/namespaces/team/configmaps'),
      list('/apis/demo.example.org/v1/bigs'),
      list('/apis/demo.example.org/v1/namespaces/team/demos'),
    ])
    const nameOf = ({metadata}: JsonObject) => asText(asObject(metadata).name)
    return {
      maps: maps
        .filter(map => nameOf(map) !== 'kube-root-ca.crt')
        .map(map => `${nameOf(map)} ${asText(asObject(map.data).size)}`)
        .sort(),
      bigs: bigs.map(nameOf).sort(),
      synced: demos.filter(({metadata, status}) => {
        const [condition = {}] = asObjects(asObject(status).conditions)
        const isCurrent = condition.observedGeneration === asObject(metadata).generation
        return isCurrent && condition.status === 'True' && condition.message === ''
      }).length,
    }
  }
  const wanted = () => ({
    maps: NAMES.flatMap(name => [`${name}-at-${size} ${size}`, `${name}-one ${size}`]).sort(),
    bigs: NAMES.map(name => `${name}-big`),
    synced: NAMES.length,
  })
  const settled = async () =>
    await until(state, found => JSON.stringify(found) === JSON.stringify(wanted()), 60).catch(async () => {
      throw new Error(`seed ${SEED}: ${JSON.stringify({found: await state(), wanted: wanted()})}`)
    })
  const uidOf = async (name: string) => {
    const {body} = await kube().get({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {name, namespace: 'team'},
    })
    return asText(asObject(body.metadata).uid)
  }

  beforeAll(async () => {
    for (const name of ['runners', 'team'])
      accepted(await kube().apply({apiVersion: 'v1', kind: 'Namespace', metadata: {name}}, {force: true}))
    for (const crd of OTHER_CRDS) await applyAll(cluster(), Buffer.from(crd))
    token = await installStack(cluster(), chartPackage(mkdtempSync(join(root, 'p-'))), DEMO)
    endCollection = collectGarbage(cluster())
    await changeAll()
    await start()
    await settled()
  }, 180_000)

  afterAll(async () => {
    await stopAll()
    await endCollection()
    await Promise.all(engines.map(engine => engine.close()))
  })

  it(`continues after ${KILLS} ends at random moments (seed ${SEED})`, async () => {
    await stopAll()
    const uid = await uidOf('a-one')
    for (const writes of numbersOf(SEED, KILLS, 20)) {
      await changeAll()
      const runner = await start(engines[0], writes)
      await runner.ended
      runners = []
    }
    await start()
    await settled()
    expect(await uidOf('a-one')).toBe(uid)
  })

  it('continues when the API server restarts during passes', async () => {
    await changeAll()
    await cluster().withoutApiServer(async () => {
      await new Promise(resolve => setTimeout(resolve, 3000))
    })
    await changeAll()
    await settled()
  })

  it('converges with two processes at a time, which then write nothing', async () => {
    const uid = await uidOf('a-one')
    await start(engines[1])
    for (let round = 0; round < 3; round++) await changeAll()
    await settled()
    const quiet = async () => {
      const mark = await auditOf(cluster()).mark()
      await new Promise(resolve => setTimeout(resolve, 3000))
      const entries = await auditOf(cluster()).since(mark)
      return entries.filter(entry => isWrite(entry) && entry.user.startsWith('system:serviceaccount:runners'))
    }
    expect(await until(quiet, ({length}) => length === 0)).toEqual([])
    expect(await uidOf('a-one')).toBe(uid)
  })

  describeReal('in a Pod', missingMounts(), () => {
    it('applies the objects of custom resources, with the files of its service account', async () => {
      await stopAll()
      const files = join(cluster().folder, 'pod')
      const {ca, url} = cluster()
      writeTree(files, {token, 'ca.crt': ca, namespace: DEMO.namespace})
      const program = new ProgramProcess(['template', 'run', '--stack', DEMO.name], {files, url})
      await changeAll()
      await settled().catch((error: unknown) => {
        throw new Error(`${String(error)}\n${program.log}`)
      })
      expect(await program.end('SIGTERM')).toBe(143)
    })
  })
})
