import {
  asObject,
  asObjects,
  asText,
  CrossplaneError,
  isJsonObject,
  type JsonObject,
  readYaml,
  type YamlDocument,
} from 'kubectl-crossplane/plugin'
import type {Files} from '../engines/engine.js'
import type {ChartValues} from './chart-schema.js'
import {commentsOf} from './comments.js'
import {fileInArchive} from './file-in-archive.js'

/** What a package takes over from a chart. */
export interface Chart {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly values: ChartValues
}

/**
 * Reads Chart.yaml, values.yaml and values.schema.json of a chart; `files` have paths from its folder. Throws
 * `input-invalid` with file and line for invalid files, `not-found` without a Chart.yaml.
 */
export function readChart(files: Files, folder: string): Chart {
  const chart = documentOf(files, 'Chart.yaml')
  if (chart === undefined) {
    throw new CrossplaneError('not-found', `cannot read the chart ${folder}: it has no Chart.yaml`, {
      suggestions: ['Pass the folder that contains Chart.yaml.'],
    })
  }
  const {name, version, description} = asObject(chart.value)
  const text = asText(description)
  return {
    name: asText(name),
    version: asText(version),
    ...(text === '' ? {} : {description: text}),
    values: readValues(files, chart),
  }
}

function readValues(files: Files, chart: YamlDocument): ChartValues {
  const bytes = files.get('values.yaml')
  const document = documentOf(files, 'values.yaml')
  const schema = documentOf(files, 'values.schema.json')?.value
  return {
    values: asObject(document?.value),
    commentAt: bytes === undefined || document === undefined ? () => undefined : commentsOf(bytes, document),
    ...(isJsonObject(schema) ? {schema} : {}),
    subcharts: dependenciesOf(
      asObject(chart.value),
      asObject(documentOf(files, 'requirements.yaml')?.value),
      files,
    ),
    readsGlobal: [...files].some(
      ([path, bytes]) => path.endsWith('.tgz') || Buffer.from(bytes).includes('.global'),
    ),
  }
}

/**
 * Charts of version v1 list them in a file of their own, and Helm also renders charts that none lists. A library has no
 * values of its own.
 */
function dependenciesOf(chart: JsonObject, requirements: JsonObject, files: Files): readonly string[] {
  const listed = [...asObjects(chart.dependencies), ...asObjects(requirements.dependencies)].map(
    ({alias, name}) => ({name: asText(name), key: asText(alias) || asText(name)}),
  )
  const others = storedCharts(files).filter(stored => listed.every(({name}) => name !== stored))
  return [...listed, ...others.map(name => ({name, key: name}))].flatMap(({name, key}) =>
    isLibrary(name, files) ? [] : [key],
  )
}

/** The names of the charts in `charts/`, as folders or packed. */
function storedCharts(files: Files): readonly string[] {
  return [...files.keys()].flatMap(path => {
    const [, folder, packed] = STORED_CHART.exec(path) ?? []
    if (folder !== undefined) return [asText(asObject(documentOf(files, path)?.value).name) || folder]
    return packed === undefined ? [] : [packed]
  })
}

const STORED_CHART = /^charts\/(?:([^/_.][^/]*)\/Chart\.yaml|([^/]+?)-v?\d+\.\d+[^/]*\.tgz)$/

function isLibrary(name: string, files: Files): boolean {
  const documents = [documentOf(files, `charts/${name}/Chart.yaml`), packedChart(name, files)]
  return documents.some(document => asObject(document?.value).type === 'library')
}

/** The Chart.yaml of a dependency as `helm dependency update` stores it. */
function packedChart(name: string, files: Files): YamlDocument | undefined {
  for (const [path, bytes] of files) {
    if (!path.startsWith(`charts/${name}-`) || !path.endsWith('.tgz')) continue
    const chart = fileInArchive(bytes, `${name}/Chart.yaml`)
    if (chart !== undefined) return readYaml(chart, `${path}:Chart.yaml`)[0]
  }
  return undefined
}

function documentOf(files: Files, path: string): YamlDocument | undefined {
  const bytes = files.get(path)
  return bytes === undefined ? undefined : readYaml(bytes, path)[0]
}
