import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {type JsonObject} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {missingPrograms} from '../../../test/cluster/find-server.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {templateOracles} from '../../../test/cluster/servers.js'
import {describeReal} from '../../../test/real-parts.js'
import {random} from '../../../test/shuffled.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {startEngine} from '../src/engines/start-engine.js'
import {
  byHelm,
  byPackage,
  chartPackage,
  type ChartPackage,
  randomValues,
  resourceOf,
} from './oracles/open-values.js'
import type {PopularChart} from './oracles/popular-chart.js'
import {POPULAR_CHARTS} from './oracles/popular-charts.js'

jest.setTimeout(600_000)

/** `npm run soak` compares more of them: test/soak/chart-values.soak.ts. */
const ROUNDS = 4
const engine = startEngine({timeLimit: 120_000})
const root = temporaryFolder()

afterAll(async () => {
  await engine.close()
})

async function packageOf({name, files}: PopularChart): Promise<ChartPackage> {
  const bytes = Object.entries(files).map(([path, text]) => [path, Buffer.from(text as string)] as const)
  return await chartPackage(new Map(bytes), root, engine, `${name}.example.org`)
}

async function valuesOf(
  name: string,
  chart: ChartPackage,
  specs: PopularChart['specs'] = [],
): Promise<readonly JsonObject[]> {
  const chance = random([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7))
  const more = Array.from({length: ROUNDS}, () => randomValues(chart.values, chance))
  return await Promise.resolve([{}, ...(specs as readonly JsonObject[]), ...more])
}

async function expectSame(chart: ChartPackage, spec: JsonObject): Promise<boolean> {
  const theirs = await byHelm(chart, spec)
  if (theirs === undefined) return false
  const ours = await byPackage(chart, spec, engine)
  expect({spec, ...ours}).toEqual({spec, objects: theirs, lost: []})
  return true
}

const [helm] = templateOracles
describeReal('values that Helm accepts', missingPrograms([helm!]), () => {
  it.each(POPULAR_CHARTS)(
    'give the same objects through the package of a chart like $name',
    async popular => {
      const chart = await packageOf(popular)
      for (const spec of popular.specs)
        expect([spec, await expectSame(chart, spec as JsonObject)]).toEqual([spec, true])
      for (const spec of await valuesOf(popular.name, chart)) await expectSame(chart, spec)
    },
  )
})

describeCluster('current', 'values that Helm accepts', cluster => {
  let charts: readonly (readonly [PopularChart, ChartPackage])[] = []

  beforeAll(async () => {
    const all: (readonly [PopularChart, ChartPackage])[] = []
    for (const popular of POPULAR_CHARTS) all.push([popular, await packageOf(popular)])
    charts = all
    accepted(await cluster().kube.apply({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team'}}))
  })

  it('are kept by an API server with the CRD of the package', async () => {
    for (const [popular, chart] of charts) {
      const path = `/apis/${chart.group}/v1/namespaces/team/demos`
      accepted(await cluster().kube.apply(chart.crd))
      await until(
        async () => (await cluster().kube.send('GET', path)).code,
        code => code === 200,
      )
      for (const spec of popular.specs as readonly JsonObject[]) {
        const strict = `${path}?dryRun=All&fieldValidation=Strict`
        const {code, body} = await cluster().kube.send('POST', strict, resourceOf(spec, chart.group))
        expect({chart: popular.name, spec: body.spec ?? body.message, code}).toEqual({
          chart: popular.name,
          spec,
          code: 201,
        })
      }
    }
  })
})
