import {join} from 'node:path'
import {documentsOf} from '../../../src/unpack/diagnostics.js'
import {
  asObject,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'
import {CORPUS_ROOT, corpusEntries, registryFilesIn} from '../../corpus.js'

/** What no package has, and what a server could change on the way. */
const ODD: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'odd', labels: {odd: 'yes'}},
  data: {text: 'a\n\tb\u2028<&>"\\', empty: '', '': 'no key'},
  deep: [{list: [1, 2.5, -0.001, null, {x: false}, {}, []]}],
}

/** What users put into templates: the Deployments of all packages, and an object of odd values. */
export function realPayloads(): JsonObject[] {
  const packages = corpusEntries('corpus').filter(name => name.includes('@'))
  const installs = packages.flatMap(name =>
    registryFilesIn(join(CORPUS_ROOT, 'corpus', name)).filter(({path}) => path.endsWith('install.yaml')),
  )
  const objects = installs.flatMap(file =>
    documentsOf(file, {errors: [], warnings: []}).map(({yaml}) => asObject(yaml.value)),
  )
  return [...new Map([...objects, ODD].map(object => [asGoWrites(object), object])).values()]
}

/** JSON as a server writes it: keys sorted, and the signs of HTML escaped. */
export function asGoWrites(value: JsonValue): string {
  return JSON.stringify(sorted(value)).replace(
    /[<>&\u2028\u2029]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key] ?? null)]),
  )
}
