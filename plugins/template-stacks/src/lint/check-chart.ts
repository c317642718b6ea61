import type {Behavior, Diagnostic} from 'kubectl-crossplane/plugin'
import type {TemplateFacts} from '../engines/engine.js'

/** Reports a chart that renders nothing by itself. */
export function checkChart(
  {chart}: Pick<TemplateFacts, 'chart'>,
  {source}: Pick<Behavior, 'source'>,
): readonly Diagnostic[] {
  if (chart === undefined) return []
  const file = `${source.path}/Chart.yaml`
  const missing = chart.missingDependencies.map((name): Diagnostic => {
    const message = `the chart ${name}, on which ${chart.name} depends, is not in the folder charts`
    return {severity: 'error', rule: 'chart-dependency', message, file}
  })
  if (!chart.library) return missing
  const message = `${chart.name} is a library chart, which renders no objects`
  return [...missing, {severity: 'error', rule: 'chart-library', message, file}]
}
