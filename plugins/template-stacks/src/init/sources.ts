import {
  asObject,
  asText,
  CrossplaneError,
  type Diagnostic,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ProjectFile,
  readYaml,
} from 'kubectl-crossplane/plugin'
import type {Engine, Files} from '../engines/engine.js'
import {bind, type FieldBinding} from './bindings.js'
import {type Chart, readChart, unpackedFiles} from './chart-files.js'
import {chartSchema, type ReadValues} from './chart-schema.js'
import {exampleSpec} from './example-spec.js'
import type {NewKind} from './new-crd.js'

/** A kind that the templates render, the schema of its `spec`, and an example of that. */
export interface RenderedKind {
  readonly kind: NewKind
  readonly spec: JsonObject
  readonly example: JsonObject
}

/** What the templates of a new package say about it. */
export interface TemplateSource {
  /** Of a chart: a name, a version and a description. */
  readonly name?: string
  readonly version?: string
  readonly overview?: string
  /** At least one; `behavior.yaml` names the first. */
  readonly kinds: readonly RenderedKind[]
  /** The `engine` of behavior.yaml. */
  readonly engine: JsonObject
  /** The folder of the templates within a new package. */
  readonly path: string
  readonly files: Files
  /** The files of a chart whose archives are folders, as far as it stays the same for Helm. */
  readonly unpacked?: Files
  /** The files of a chart with CRDs, which it would not install. */
  readonly crds?: readonly ProjectFile[]
  /** What could not be read of the templates. */
  readonly notes?: readonly Diagnostic[]
  /** Whether the files have other paths than in the folder that they were read from. */
  readonly isMoved?: boolean
}

/** Reads a chart: its values, and what its templates read, become `spec`. Throws `input-invalid` and `not-found`. */
export async function fromChart(
  files: Files,
  folder: string,
  kind: NewKind,
  engine: Engine,
): Promise<TemplateSource> {
  const unpacked = await unpackedFiles(files)
  const chart = readChart(unpacked.files, folder)
  const inspected = await valuesReadBy(files, engine)
  return {
    ...chartSource(chart, inspected, files, kind),
    unpacked: (await isSameChart(unpacked.files, files, inspected, engine)) ? unpacked.files : files,
    crds: crdFiles(unpacked.files),
    notes: [...chart.notes, ...inspected.notes],
  }
}

interface InspectedChart extends ReadValues {
  /** How many files the chart has for Helm. */
  readonly files?: number
  readonly notes: readonly Diagnostic[]
}

async function valuesReadBy(files: Files, engine: Engine): Promise<InspectedChart> {
  try {
    const {templates, defaults, chart} = await engine.inspect({engine: 'helm3', files})
    const fields = templates.filter(({notes}) => notes !== true).flatMap(({reads}) => reads)
    const reads = fields.flatMap(({field: [root, ...path]}) => (root === 'Values' ? [path] : []))
    return {
      reads: [...reads, ...(chart?.reads ?? [])],
      defaults: asObject(JSON.parse(defaults) as JsonValue),
      ...(chart === undefined ? {} : {files: chart.files}),
      notes: [],
    }
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const message = `the fields that only templates read are not described: ${error.message}`
    return {reads: [], defaults: {}, notes: [{severity: 'note', rule: 'init-chart-reads', message}]}
  }
}

/** In a folder, a rule of .helmignore can leave out a file that it does not leave out of an archive. */
async function isSameChart(
  unpacked: Files,
  files: Files,
  inspected: InspectedChart,
  engine: Engine,
): Promise<boolean> {
  if (unpacked === files) return true
  return (await valuesReadBy(unpacked, engine)).files === inspected.files
}

function chartSource(
  {name, version, description, values}: Chart,
  read: ReadValues,
  files: Files,
  kind: NewKind,
): TemplateSource {
  const spec = chartSchema(values, read)
  return {
    name,
    version,
    ...(description === undefined ? {} : {overview: description}),
    kinds: [{kind, spec, example: exampleSpec(spec)}],
    engine: {type: 'helm3'},
    path: 'chart',
    files,
  }
}

/**
 * Leaves out what only `helm test` uses of a chart; such Pods often have random names, which packages cannot have. Archives
 * of subcharts become folders, so that this holds for them too, and so that messages name files that exist. The CRDs, which
 * only `helm install` uses, are those of the package.
 */
export function copiedChart(source: TemplateSource): TemplateSource {
  if (source.engine.type !== 'helm3') return source
  const all = [...(source.unpacked ?? source.files)]
  const files = all.filter(([path]) => !CHART_TEST.test(path) && !CHART_CRD.test(path))
  return {...source, files: new Map(files)}
}

function crdFiles(files: Files): readonly ProjectFile[] {
  return [...files].filter(([path]) => CHART_CRD.test(path)).map(([name, bytes]) => ({name, bytes}))
}

/** Below the templates of the chart, or of a chart in it. */
export const CHART_TEST = /(?:^|\/)templates\/tests\//
const CHART_CRD = /^(?:charts\/[^/]+\/)*crds\/.*\.(?:ya?ml|json)$/

/** Reads a kustomization: `bindings` become `spec`. Throws `usage` for an object that it does not have. */
export async function fromKustomization(
  files: Files,
  bindings: readonly FieldBinding[],
  kind: NewKind,
  engine: Engine,
): Promise<TemplateSource> {
  const {overlays, schema, example} = bind(bindings, await objectsOf(files, engine))
  const kustomization = {apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization'}
  return {
    kinds: [{kind, spec: schema, example}],
    engine: {type: 'kustomize', kustomize: {kustomization, ...(overlays.length === 0 ? {} : {overlays})}},
    path: 'kustomize',
    files,
  }
}

/** The objects that the kustomization makes, with all of its changes, then those whose names it changes. */
async function objectsOf(files: Files, engine: Engine): Promise<readonly JsonObject[]> {
  const built = await builtObjects(files, engine)
  const ids = new Set(built.map(idOf))
  return [...built, ...objectsIn(files).filter(object => !ids.has(idOf(object)))]
}

/** None if it cannot be built, which rendering the example reports. */
async function builtObjects(files: Files, engine: Engine): Promise<readonly JsonObject[]> {
  try {
    const folder = 'kustomize'
    const placed = new Map([...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]))
    const {text} = await engine.render({engine: 'kustomize', files: placed, folder})
    return readYaml(Buffer.from(text), folder).map(({value}) => asObject(value))
  } catch (error) {
    if (error instanceof CrossplaneError) return []
    throw error
  }
}

function idOf({apiVersion, kind, metadata}: JsonObject): string {
  return [apiVersion, kind, asObject(metadata).name].map(asText).join('\n')
}

/** The objects in the YAML files; patches among them are objects of the same name, and are left out. */
function objectsIn(files: Files): readonly JsonObject[] {
  const objects = new Map<string, JsonObject>()
  for (const [path, bytes] of files) {
    if (!/\.ya?ml$/.test(path)) continue
    for (const {value} of readYaml(bytes, path)) {
      if (!isJsonObject(value) || ['', 'Kustomization'].includes(asText(value.kind))) continue
      const id = idOf(value)
      const known = objects.get(id)
      // A patch has fewer fields than the object that it changes.
      if (known === undefined || Object.keys(value).length > Object.keys(known).length) objects.set(id, value)
    }
  }
  return [...objects.values()]
}

/** The templates of a first package: a chart with one ConfigMap. */
export function fromNothing(name: string, kind: NewKind): TemplateSource {
  const files = new Map(
    Object.entries({
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`,
      'values.yaml': '# Text that the ConfigMap holds\nmessage: Hello, world!\n',
      'templates/configmap.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  message: {{ .Values.message | quote }}
`,
    }).map(([path, text]) => [path, Buffer.from(text)] as const),
  )
  return chartSource(readChart(files, name), {reads: [], defaults: {}}, files, kind)
}
