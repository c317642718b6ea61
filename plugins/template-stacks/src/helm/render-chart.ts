import {CrossplaneError, isJsonObject, writeJson} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'
import type {Engine, Files, HelmRequest} from '../engines/engine.js'
import type {MadeObjects} from '../objects/made-objects.js'
import {chartObjects} from './helm-objects.js'

/** The API server that templates see, by the flags of `helm template`. */
export interface Capabilities {
  readonly kubeVersion?: string
  readonly apiVersions?: readonly string[]
}

/** A chart and a custom resource, whose spec are the values. */
export interface ChartInput {
  readonly files: Files
  /** The folder of the chart, for messages. */
  readonly folder: string
  readonly resource: CustomResource
  readonly capabilities: Capabilities
}

/**
 * Renders a chart. Only a trace knows the lines of templates, but it takes longer. Throws the errors of the engine, and
 * `input-invalid` for a spec that is not a map.
 */
export async function renderChart(input: ChartInput, engine: Engine, trace: boolean): Promise<MadeObjects> {
  const request = chartRequest(input)
  try {
    return chartObjects(await engine.render({...request, trace}), input.folder)
  } catch (error) {
    throw error instanceof CrossplaneError ? inFolder(error, input.folder) : error
  }
}

/** Names files as users know them: the engine knows only those of the chart. */
function inFolder(
  {code, message, cause, diagnostics, suggestions}: CrossplaneError,
  folder: string,
): CrossplaneError {
  const [file] = diagnostics.flatMap(each => each.file ?? [])
  const placed = diagnostics.map(each =>
    each.file === undefined ? each : {...each, file: `${folder}/${each.file}`},
  )
  const text =
    file === undefined ? message : message.replace(`cannot render ${file}`, `cannot render ${folder}/${file}`)
  return new CrossplaneError(code, text, {cause, diagnostics: placed, suggestions})
}

/** Makes the request for a chart: nothing but the spec of the custom resource is visible to it. */
function chartRequest({files, resource, capabilities}: ChartInput): HelmRequest {
  const {name, namespace = '', object} = resource
  const spec = object.spec ?? {}
  if (!isJsonObject(spec)) {
    throw new CrossplaneError('input-invalid', `cannot render ${name}: spec is not a map of values`)
  }
  return {engine: 'helm3', files, release: {name, namespace}, values: writeJson(spec), ...capabilities}
}
