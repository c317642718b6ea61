import {afterAll, describe, expect} from '@jest/globals'
import {CrossplaneError, type JsonObject} from 'kubectl-crossplane/plugin'
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
import {recordedCases} from '../../plugins/template-stacks/test/recorded-cases.js'
import {campaign} from './campaign.js'

const engine = startEngine({timeLimit: 120_000})
const root = temporaryFolder()
const packages = new Map<string, ChartPackage | undefined>()

afterAll(async () => {
  await engine.close()
})

/**
 * Charts that cannot give the same: of one, the program rejects what Helm accepts (test/oracles.real.test.ts of template-stacks
 * has the reason); the other prints the types of numbers, and an integer of a custom resource is one, of Helm's values a float.
 */
const OTHERS = ['probe-h51-genca', 'probe-h17-numbers']
const recorded = recordedCases().filter(
  ({name, behavior}) => behavior?.engine.type === 'helm3' && !OTHERS.includes(name),
)

/** The package of a chart; undefined for one that is recorded because it is rejected. */
async function packageOf(
  name: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<ChartPackage | undefined> {
  if (packages.has(name)) return packages.get(name)
  const chart = await chartPackage(files, root, engine).catch((error: unknown) => {
    if (error instanceof CrossplaneError && name.startsWith('probe-')) return undefined
    throw error
  })
  packages.set(name, chart)
  return chart
}

async function expectSame(chart: ChartPackage, spec: JsonObject): Promise<void> {
  const theirs = await byHelm(chart, spec)
  if (theirs === undefined) return
  const ours = await byPackage(chart, spec, engine)
  expect({spec, ...ours}).toEqual({spec, objects: theirs, lost: []})
}

describeReal('values of charts', missingPrograms([templateOracles[0]!]), () => {
  describe.each(POPULAR_CHARTS)('like $name', ({name, files}) => {
    campaign('that Helm accepts give the same objects', {short: 20, long: 200}, async ({random}) => {
      const bytes = Object.entries(files).map(([path, text]) => [path, Buffer.from(text as string)] as const)
      const chart = await packageOf(name, new Map(bytes))
      await expectSame(chart!, randomValues(chart!.values, random))
    })
  })

  describe.each(recorded)('of the recorded $name', ({name, files}) => {
    campaign('that Helm accepts give the same objects', {short: 5, long: 200}, async ({number, random}) => {
      const chart = await packageOf(name, files)
      if (chart !== undefined) await expectSame(chart, number === 0 ? {} : randomValues(chart.values, random))
    })
  })
})
