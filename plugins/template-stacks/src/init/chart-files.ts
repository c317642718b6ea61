import {
  asObject,
  asObjects,
  asText,
  CrossplaneError,
  type Diagnostic,
  grouped,
  isJsonObject,
  type JsonObject,
  listSome,
  readYaml,
  unpackedChart,
  type YamlDocument,
} from 'kubectl-crossplane/plugin'
import type {Files} from '../engines/engine.js'
import type {ChartValues} from './chart-schema.js'
import {commentsOf} from './comments.js'
import {structuralSchema} from './json-schema.js'

/** What a package takes over from a chart. */
export interface Chart {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly values: ChartValues
  /** What could not be read of it. */
  readonly notes: readonly Diagnostic[]
}

/**
 * Reads Chart.yaml, values.yaml and values.schema.json of a chart whose archives are unpacked; `files` have paths from its
 * folder. Throws `input-invalid` with file and line for invalid files, `not-found` without a Chart.yaml.
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
    ...readValues(files, chart),
  }
}

function readValues(files: Files, chart: YamlDocument): Pick<Chart, 'values' | 'notes'> {
  const bytes = files.get('values.yaml')
  const document = documentOf(files, 'values.yaml')
  const schema = documentOf(files, SCHEMA)?.value
  const structural = isJsonObject(schema) ? structuralSchema(schema) : undefined
  const requirements = asObject(documentOf(files, 'requirements.yaml')?.value)
  return {
    values: {
      values: asObject(document?.value),
      commentAt:
        bytes === undefined || document === undefined ? () => undefined : commentsOf(bytes, document),
      ...(structural === undefined ? {} : {schema: structural.schema}),
      subcharts: dependenciesOf(asObject(chart.value), requirements, storedCharts(files)),
    },
    notes: schemaNotes(schema !== undefined && structural === undefined, structural?.isCut === true),
  }
}

const SCHEMA = 'values.schema.json'

function schemaNotes(isInvalid: boolean, isCut: boolean): readonly Diagnostic[] {
  const problem = isInvalid
    ? 'it is not a JSON object: the CRD is made of values.yaml alone'
    : 'with its references it is too large: the CRD does not describe all of its fields'
  if (!isInvalid && !isCut) return []
  return [{severity: 'note', rule: 'init-chart-schema', message: problem, file: SCHEMA}]
}

/** A chart in `charts/`. */
interface StoredChart {
  readonly name: string
  readonly isLibrary: boolean
}

/**
 * Charts of version v1 list them in a file of their own, and Helm also renders charts that none lists. A library has no
 * values of its own.
 */
function dependenciesOf(
  chart: JsonObject,
  requirements: JsonObject,
  stored: readonly StoredChart[],
): readonly string[] {
  const listed = [...asObjects(chart.dependencies), ...asObjects(requirements.dependencies)].map(
    ({alias, name}) => ({name: asText(name), key: asText(alias) || asText(name)}),
  )
  const names = new Set(listed.map(({name}) => name))
  const libraries = new Set(stored.flatMap(({name, isLibrary}) => (isLibrary ? [name] : [])))
  const others = stored.filter(({name}) => !names.has(name)).map(({name}) => ({name, key: name}))
  const keys = [...listed, ...others].filter(({name}) => !libraries.has(name)).map(({key}) => key)
  return [...new Set(keys)]
}

/** The charts in `charts/`: their Chart.yaml, or the name of an archive that could not be read. */
function storedCharts(files: Files): readonly StoredChart[] {
  return [...files.keys()].flatMap(path => {
    const [, folder, packed] = STORED_CHART.exec(path) ?? []
    if (packed !== undefined) return [{name: packed, isLibrary: false}]
    if (folder === undefined) return []
    const {name, type} = asObject(documentOf(files, path)?.value)
    return [{name: asText(name) || folder, isLibrary: type === 'library'}]
  })
}

const STORED_CHART = /^charts\/(?:([^/_.][^/]*)\/Chart\.yaml|([^/]+?)-v?\d+\.\d+[^/]*\.tgz)$/

function documentOf(files: Files, path: string): YamlDocument | undefined {
  const bytes = files.get(path)
  return bytes === undefined ? undefined : readYaml(bytes, path)[0]
}

/** A chart whose archives are unpacked, and notes on those that cannot be read. */
export interface UnpackedFiles {
  readonly files: Files
  readonly archives: readonly string[]
  readonly notes: readonly Diagnostic[]
}

/** Unpacks the archives in `charts/` of a chart. */
export async function unpackedFiles(files: Files): Promise<UnpackedFiles> {
  const listed = [...files].map(([path, bytes]) => ({path, bytes}))
  const {files: all, archives, unread} = await unpackedChart(listed)
  return {
    files: archives.length === 0 ? files : new Map(all.map(({path, bytes}) => [path, bytes])),
    archives,
    notes: [...grouped(unread, ({reason}) => reason)].map(([reason, all]) => {
      const which = listSome(all.map(({file}) => file))
      const message = `${which} cannot be read, so values, CRDs and kinds in there are not known: ${reason}`
      return {severity: 'note', rule: 'init-chart-archive', message}
    }),
  }
}
