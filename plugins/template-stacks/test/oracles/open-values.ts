import {
  asObject,
  asObjects,
  asText,
  examinePackage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readYaml,
} from 'kubectl-crossplane/plugin'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {findServer} from '../../../../test/cluster/find-server.js'
import {templateOracles} from '../../../../test/cluster/servers.js'
import {runProgram} from '../../../../test/run-program.js'
import {below, pick} from '../../../../test/soak/campaign.js'
import {writeTree} from '../../../../test/temporary-folder.js'
import {readCustomResources} from '../../src/custom-resource.js'
import type {Engine, Files} from '../../src/engines/engine.js'
import {newTemplatePackage} from '../../src/init/new-template-package.js'
import {copiedChart, fromChart} from '../../src/init/sources.js'
import {type OpenTemplates, templatesOf} from '../../src/open-templates.js'
import {renderChart} from '../../src/helm/render-chart.js'

const KIND = {
  kind: 'Demo',
  version: 'v1',
  plural: 'demos',
  scope: 'Namespaced',
} as const
/** A build of Helm from its module alone has another version of Kubernetes than a release. */
const KUBERNETES = 'v1.37.0'

/** A chart, and the package that `template init` makes of it. */
export interface ChartPackage {
  /** Its API group, so that an API server can have several of these packages. */
  readonly group: string
  readonly folder: string
  readonly values: JsonObject
  readonly crd: JsonObject
  readonly opened: OpenTemplates
}

/** Makes a package of a chart, in memory, and writes the chart into a folder below `root`. */
export async function chartPackage(
  files: Files,
  root: string,
  engine: Engine,
  group = 'demos.example.org',
): Promise<ChartPackage> {
  const source = copiedChart(await fromChart(files, 'chart', {...KIND, group}, engine))
  const query = {
    name: 'demo',
    title: 'Demo',
    source,
    path: 'chart',
    areTemplatesThere: false,
    isScopeGiven: false,
  }
  const created = await newTemplatePackage(query, engine)
  const bytes = created.files.map(({path, text}) => ({path, bytes: Buffer.from(text)}))
  const inside = (folder: string) =>
    bytes.flatMap(file =>
      file.path.startsWith(folder) ? [{...file, path: file.path.slice(folder.length)}] : [],
    )
  const {package: read, errors} = examinePackage(inside('.registry/'))
  if (read?.behavior === undefined) throw new Error(`no package: ${JSON.stringify(errors)}`)
  const {behavior, crds, permissionScope: scope} = read
  const templates = new Map(inside('chart/').map(file => [file.path, file.bytes]))
  const capabilities = {kubeVersion: KUBERNETES}
  const folder = mkdtempSync(join(root, 'chart-'))
  writeTree(folder, Object.fromEntries([...files].map(([path, content]) => [path, Buffer.from(content)])))
  const text = files.get('values.yaml')
  return {
    group,
    folder,
    values: asObject(text === undefined ? {} : readYaml(text, 'values.yaml')[0]?.value),
    crd: crds.find(({definition}) => definition.kind === KIND.kind)!.object,
    opened: templatesOf({name: 'demo', behavior, crds, scope, files: templates}, {capabilities, live: []}),
  }
}

/** The objects of `helm template`, sorted, but for hooks and CRDs; undefined if Helm rejects the values. */
export async function byHelm(
  {folder}: ChartPackage,
  spec: JsonObject,
): Promise<readonly JsonValue[] | undefined> {
  const values = join(folder, '..', `${folder.slice(folder.lastIndexOf('/') + 1)}.json`)
  writeTree(join(folder, '..'), {[values.slice(values.lastIndexOf('/') + 1)]: JSON.stringify(spec)})
  const args = [
    'template',
    'demo',
    folder,
    '--namespace',
    'team',
    '--values',
    values,
    '--kube-version',
    KUBERNETES,
  ]
  const {status, stdout} = await runProgram(findServer(templateOracles[0]!)!, args, {env: {HOME: folder}})
  if (status !== 0) return undefined
  const objects = readYaml(Buffer.from(stdout), 'helm').flatMap(({value}) => itemsOf(asObject(value)))
  return sorted(objects.filter(object => isObject(object) && !isHook(object)))
}

/** The program applies the items of a List. */
function itemsOf(object: JsonObject): readonly JsonObject[] {
  return asText(object.kind).endsWith('List') ? asObjects(object.items) : [object]
}

/** The program reports other documents as errors. */
function isObject({apiVersion, kind, metadata}: JsonObject): boolean {
  return [apiVersion, kind, asObject(metadata).name].every(text => typeof text === 'string' && text !== '')
}

function isHook({metadata}: JsonObject): boolean {
  return asObject(asObject(metadata).annotations)['helm.sh/hook'] !== undefined
}

/** The custom resource as an API server would store it, what is lost of it, and its objects before they get an owner. */
export async function byPackage(
  {opened, group}: ChartPackage,
  spec: JsonObject,
  engine: Engine,
): Promise<{readonly objects: readonly JsonValue[]; readonly lost: readonly string[]}> {
  const file = {name: 'cr.yaml', bytes: Buffer.from(JSON.stringify(resourceOf(spec, group)))}
  const {resources, warnings} = readCustomResources([file], opened.kinds)
  // What the controller rejects or adds afterwards is no question of values.
  const {templates} = opened
  const folder = templates.behavior.source.path
  const {objects} = await renderChart({...templates, folder, resource: resources[0]!}, engine, false)
  return {objects: sorted(objects.map(({object}) => object)), lost: warnings.map(({message}) => message)}
}

/** A custom resource with these values. */
export function resourceOf(spec: JsonObject, group: string) {
  return {
    apiVersion: `${group}/${KIND.version}`,
    kind: KIND.kind,
    metadata: {name: 'demo', namespace: 'team'},
    spec,
  }
}

function sorted(objects: readonly JsonValue[]): readonly JsonValue[] {
  const key = (value: JsonValue) => JSON.stringify(value)
  return objects.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

const VALUES: readonly JsonValue[] = [
  ...[null, true, false, '', 'text', '25%', '500m', '8080', 'true', 'null', '1.10'],
  ...[0, 3, 8080, 30_080, -1, 0.5, 1.5],
  ...[[], ['a'], [1, {a: 'b'}], {}, {extra: 1}, {a: {b: [true]}}],
]
const KEYS = ['extra', 'enabled', 'storageClassName', 'nodePort', 'a.b/c', 'size', 'global', 'tags', 'name']

/** Values that change some defaults, and have some keys that the chart does not. */
export function randomValues(defaults: JsonObject, random: () => number): JsonObject {
  const changed = Object.entries(defaults).flatMap(([key, value]): [string, JsonValue][] => {
    if (random() < 0.5) return []
    const isDeep = isJsonObject(value) && Object.keys(value).length > 0 && random() < 0.85
    return [[key, isDeep ? randomValues(value, random) : pick(random, VALUES)]]
  })
  const added = random() < 0.3 ? [[pick(random, KEYS), pick(random, VALUES)] as const] : []
  // Objects have their keys in an order that is not that of the chart.
  return Object.fromEntries(below(random, 2) === 0 ? [...changed, ...added] : [...added, ...changed])
}
