import {asObject, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from 'kubectl-crossplane/plugin'
import {either, hasShape, oneOf, optional, type Shape} from './shape.js'
import type {KindSummary, VersionSummary} from './site-model.js'
import {slugs} from './slugs.js'
import {pagesOfKind} from './summarize.js'

/** What a build made of a version, and the hash of everything that it was made of. */
export interface VersionRecord {
  readonly key: string
  readonly summary: VersionSummary
  /** The pages that are made of this version alone. */
  readonly pages: readonly {readonly path: string; readonly after: string}[]
  /** What was left out: subjects and messages. */
  readonly omissions: readonly string[]
}

/** What makes all pages different: the program and the settings of the site. */
export interface StateHead {
  readonly program: string
  readonly title: string
}

/** What the last build made; none of it if that was another program, or other settings. */
export interface SiteState {
  /** By package and version. */
  readonly records: ReadonlyMap<string, VersionRecord>
  readonly isBroken: boolean
}

const FORMAT = 'kubectl-crossplane catalog v2'
/** The bytes of a state: a larger one takes longer to read than it saves, and files of more than 64 MiB are not read. */
const MAX_SIZE = 48 * 1024 * 1024
const NONE: SiteState = {records: new Map(), isBroken: false}
const BROKEN: SiteState = {records: new Map(), isBroken: true}

/** Returns the name of a version in a state. */
export function recordName(name: string, version: string): string {
  return `${name} ${version}`
}

/**
 * Writes what the next build is to know: a line for each version, so that Git shows and merges them. It is without versions if these
 * are too many.
 */
export function formatState(
  head: StateHead,
  records: readonly VersionRecord[],
): {readonly text: string; readonly isTooLarge: boolean} {
  const first = JSON.stringify({format: FORMAT, ...head})
  const lines = records.map(lineOf)
  const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  const isTooLarge = size > MAX_SIZE
  return {text: `${[first, ...(isTooLarge ? [] : lines)].join('\n')}\n`, isTooLarge}
}

/** Names of fields are in it once for each version, in the order of the first kind that has them: kinds have ranges of them. */
function lineOf({key, summary, pages, omissions}: VersionRecord): string {
  const names = new Map<string, number>()
  const kinds = summary.kinds.map(({fields, page: _page, form, ...kind}) => ({
    ...kind,
    isForm: form !== undefined,
    fields: rangesOf(fields.map(name => numberOf(name, names))),
  }))
  return JSON.stringify({key, summary: {...summary, kinds}, names: [...names.keys()], pages, omissions})
}

function numberOf(name: string, names: Map<string, number>): number {
  const number = names.get(name) ?? names.size
  names.set(name, number)
  return number
}

/** Returns numbers as ranges: the first number of each, and how many follow each other from there. */
function rangesOf(numbers: readonly number[]): readonly number[] {
  const ranges: number[] = []
  for (const [index, number] of numbers.entries()) {
    if (index > 0 && number === (numbers[index - 1] ?? 0) + 1) ranges.push((ranges.pop() ?? 0) + 1)
    else ranges.push(number, 1)
  }
  return ranges
}

/** Reads what a build remembered. Anyone can have changed it: paths are made again, and what has another form is broken. */
export function readState(text: string | undefined, head: StateHead): SiteState {
  if (text === undefined) return NONE
  const [first = '', ...lines] = text.trimEnd().split('\n')
  const own = parsed(first)
  if (!isJsonObject(own) || own.format !== FORMAT) return BROKEN
  if (own.program !== head.program || own.title !== head.title) return NONE
  const records = new Map<string, VersionRecord>()
  for (const line of lines) {
    const record = recordOf(parsed(line))
    if (record === undefined) return BROKEN
    records.set(recordName(record.summary.package, record.summary.version), record)
  }
  return {records, isBroken: false}
}

function parsed(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line) as JsonValue
  } catch {
    return undefined
  }
}

const PRESENTATION: Shape = {
  ...Object.fromEntries(
    [
      'type',
      'title',
      'overview',
      'readme',
      'category',
      'company',
      'license',
      'website',
      'source',
      'icon',
    ].map(name => [name, 'text'] as const),
  ),
  keywords: ['text'],
  maintainers: ['text'],
}

const REQUIREMENT: Shape = either(
  {form: oneOf(['package']), package: 'text', constraint: 'text'},
  {
    ...{form: oneOf(['crd']), text: 'text', resource: 'text', group: 'text', version: optional('text')},
    exists: optional(oneOf(['assumed', 'cluster', 'crossplane', 'kubernetes', 'never-existed'])),
  },
)

const KIND: Shape = {
  ...{crd: 'text', kind: 'text', group: 'text', plural: 'text', singular: 'text', scope: 'text'},
  source: oneOf(['crd', 'mrd', 'xrd', 'claim', 'function-input']),
  ...{title: 'text', overview: 'text', category: 'text', icon: 'text'},
  ...{groupTitle: 'text', groupOverview: 'text', versions: ['text'], isForm: 'boolean'},
  fields: value => isJsonArray(value) && value.length % 2 === 0 && value.every(Number.isSafeInteger),
}

const RECORD: Shape = {
  ...{key: 'text', names: ['text'], omissions: ['text']},
  pages: [{path: 'text', after: value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)}],
  summary: {
    ...{package: 'text', version: 'text', folder: 'text', isInFolder: 'boolean', isNamespaced: 'boolean'},
    ...{digest: optional('text'), changesFrom: optional('text'), format: oneOf(['stack', 'xpkg'])},
    ...{presentation: PRESENTATION, kinds: [KIND], requirements: [REQUIREMENT]},
    permissions: {
      scope: oneOf(['cluster', 'namespace', 'listed']),
      rules: [{words: 'text', wide: ['text']}],
    },
    images: [{image: 'text', pin: 'text', usedBy: 'text'}],
    about: [{name: 'text', text: 'text'}],
    request: optional({kind: 'text', name: 'text'}),
    unread: [{name: 'text', reason: 'text'}],
  },
}

function recordOf(value: JsonValue | undefined): VersionRecord | undefined {
  if (!isJsonObject(value) || !hasShape(value, RECORD)) return undefined
  const summary = asObject(value.summary)
  const kinds = kindsOf(summary, value.names as readonly string[])
  if (kinds === undefined) return undefined
  const own = {...value, summary: {...summary, kinds}} as unknown as VersionRecord
  return own.pages.every(({path}) => isOwnPage(path, own.summary.folder)) ? own : undefined
}

function kindsOf({kinds}: JsonObject, names: readonly string[]): readonly KindSummary[] | undefined {
  const list = kinds as unknown as readonly (Omit<KindSummary, 'fields'> & {
    readonly isForm: boolean
    readonly fields: readonly number[]
  })[]
  const places = slugs(list.map(({crd}) => crd))
  const own = list.flatMap(({isForm, fields: ranges, ...kind}) => {
    const fields = namesIn(ranges, names)
    return fields === undefined ? [] : [{...kind, ...pagesOfKind(places.get(kind.crd) ?? '', isForm), fields}]
  })
  return own.length === list.length ? own : undefined
}

/** Returns the names of ranges; undefined if these have more names than there are: a kind has each once. */
function namesIn(ranges: readonly number[], names: readonly string[]): readonly string[] | undefined {
  const own: string[] = []
  for (let index = 0; index < ranges.length; index += 2) {
    const [start = 0, count = 0] = [ranges[index], ranges[index + 1]]
    if (start < 0 || count < 1 || start + count > names.length) return undefined
    if (own.length + count > names.length) return undefined
    for (let at = start; at < start + count; at += 1) own.push(names[at] ?? '')
  }
  return own
}

/** The pages of packages are made of several versions, and at every build. */
function isOwnPage(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) && path.endsWith('.html') && path !== `${folder}/index.html`
}
