import {afterAll, describe, expect} from '@jest/globals'
import {missingPrograms} from '../cluster/find-server.js'
import {templateOracles} from '../cluster/servers.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'
import {startEngine} from '../../plugins/template-stacks/src/engines/start-engine.js'
import {
  byHelm,
  byPackage,
  chartPackage,
  type ChartPackage,
  randomValues,
} from '../../plugins/template-stacks/test/oracles/open-values.js'
import {POPULAR_CHARTS} from '../../plugins/template-stacks/test/oracles/popular-charts.js'
import {campaign} from './campaign.js'

const engine = startEngine({timeLimit: 120_000})
const root = temporaryFolder()
const packages = new Map<string, ChartPackage>()

afterAll(async () => {
  await engine.close()
})

async function packageOf({name, files}: (typeof POPULAR_CHARTS)[number]): Promise<ChartPackage> {
  const bytes = Object.entries(files).map(([path, text]) => [path, Buffer.from(text as string)] as const)
  const chart = packages.get(name) ?? (await chartPackage(new Map(bytes), root, engine))
  packages.set(name, chart)
  return chart
}

describeReal('values of charts', missingPrograms([templateOracles[0]!]), () => {
  describe.each(POPULAR_CHARTS)('like $name', popular => {
    campaign('that Helm accepts give the same objects', {short: 20, long: 200}, async ({random}) => {
      const chart = await packageOf(popular)
      const spec = randomValues(chart.values, random)
      const theirs = await byHelm(chart, spec)
      if (theirs === undefined) return
      const ours = await byPackage(chart, spec, engine)
      expect({spec, ...ours}).toEqual({spec, objects: theirs, lost: []})
    })
  })
})
