import {CrossplaneError} from '../../errors.js'
import {
  asObject,
  asText,
  asTexts,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {present} from '../../present.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {writeJson, writeYaml} from '../../yaml/write-yaml.js'
import {sha256Of} from '../sha256.js'
import {hasConflictMarkers, TREE_SETTINGS} from './owned-files.js'
import {
  FORMER_XPKG_FOLDER,
  newXpkgFolder,
  XPKG_FOLDER,
  XPKG_FOLDERS,
  type XpkgFolderName,
} from './xpkg-folder-name.js'

/** The formats of packages that a tree has. */
const TREE_FORMATS = ['stack', 'xpkg'] as const
export type TreeFormat = (typeof TREE_FORMATS)[number]

/**
 * What a tree was rendered with. The fields are those of a declaration, by their paths such as `argocd.repoURL`, so that a
 * declaration can have the same ones.
 */
export interface TreeSettings {
  readonly formats: readonly TreeFormat[]
  readonly fields: ReadonlyMap<string, JsonValue>
  /** The folder of requests, unless it has the name that earlier releases gave it: these cannot read the settings then. */
  readonly xpkgFolder?: XpkgFolderName
}

const FORMAT_LINE = '# kubectl-crossplane settings v1'
const HASH_LINE = /^# sha256: ([0-9a-f]{64})$/
const FIELD = /^(?:(?:flux|argocd|render|xpkg)\.[A-Za-z]+|layout|crds|coreVersion)$/

/** What keeps the objects of a tree when their files are removed, by its layout. */
const PROTECTION = {
  plain: 'none',
  flux: 'kustomize.toolkit.fluxcd.io/prune: disabled',
  argocd: 'argocd.argoproj.io/sync-options: Prune=false,Delete=false',
} as const

/** Returns the text of the settings, which has its own hash: a change by hand is found. */
export function formatTreeSettings({formats, fields, xpkgFolder}: TreeSettings): string {
  const layout = asText(fields.get('layout'))
  const value = {
    formats: [...formats],
    ...nested(fields),
    protection: PROTECTION[layout as keyof typeof PROTECTION],
    ...(xpkgFolder === XPKG_FOLDER ? {xpkgFolder} : {}),
  }
  const text = writeYaml([value])
  return `${FORMAT_LINE}\n# sha256: ${sha256Of(text)}\n${text}`
}

/** Returns fields as the objects that a declaration has. */
export function nested(fields: Iterable<readonly [string, JsonValue]>): JsonObject {
  const objects: Record<string, JsonValue> = {}
  for (const [path, value] of fields) {
    const [key = '', below] = path.split('.')
    objects[key] = below === undefined ? value : {...asObject(objects[key]), [below]: value}
  }
  return objects
}

/**
 * Reads the settings of a tree. Of a text with the sides of a conflict, it returns what both agree on, or only one has. Throws
 * `output-refused` for a text that this program did not write.
 */
export function readTreeSettings(text: string, folder: string): TreeSettings {
  if (!hasConflictMarkers(text)) return readSide(text, folder)
  const [ours, theirs] = [OURS, THEIRS].map(side => readSide(text.replace(CONFLICT, side), folder))
  if (ours === undefined || theirs === undefined) throw unreadable(folder, 'it has a conflict of Git')
  const isDisputed = (field: string) => {
    const [one, other] = [ours.fields.get(field), theirs.fields.get(field)]
    return one !== undefined && other !== undefined && writeJson(one) !== writeJson(other)
  }
  const fields = [...theirs.fields, ...ours.fields].filter(
    ([field]) => field === 'layout' || !isDisputed(field),
  )
  const formats = TREE_FORMATS.filter(format => [ours, theirs].some(side => side.formats.includes(format)))
  // A side that has moved its files decides.
  return {formats, fields: new Map(fields), ...present({xpkgFolder: ours.xpkgFolder ?? theirs.xpkgFolder})}
}

/** A conflict of Git, with both sides and perhaps their base. */
const CONFLICT = /^<{7}.*\n([^]*?)(?:^\|{7}.*\n[^]*?)?^={7}\n([^]*?)^>{7}.*\n/gm
const [OURS, THEIRS] = ['$1', '$2']

function readSide(text: string, folder: string): TreeSettings {
  const [format, hash = '', ...lines] = text.replaceAll('\r\n', '\n').split('\n')
  if (format !== FORMAT_LINE) throw unreadable(folder, `it does not begin with "${FORMAT_LINE}"`)
  const body = lines.join('\n')
  if (HASH_LINE.exec(hash)?.[1] !== sha256Of(body)) {
    throw unreadable(folder, 'it was modified since this program wrote it')
  }
  const settings = settingsIn(body, folder)
  if (settings === undefined) throw unreadable(folder, 'a newer release of this program wrote it')
  return settings
}

/** Reports whether a text is that of the settings of a tree. */
export function isTreeSettings(text: string): boolean {
  try {
    readTreeSettings(text, '')
    return true
  } catch (error) {
    if (error instanceof CrossplaneError) return false
    throw error
  }
}

function settingsIn(body: string, folder: string): TreeSettings | undefined {
  const [document] = readYaml(Buffer.from(body), `${folder}/${TREE_SETTINGS}`)
  const {formats, protection: _derived, xpkgFolder, ...others} = asObject(document?.value)
  const fields = new Map(Object.entries(others).flatMap(([key, value]) => leaves(key, value)))
  const isKnown = [...fields.keys()].every(path => FIELD.test(path))
  const own = TREE_FORMATS.filter(format => asTexts(formats).includes(format))
  const isMoved = xpkgFolder === XPKG_FOLDER
  if (!isKnown || own.length !== asTexts(formats).length || (xpkgFolder !== undefined && !isMoved))
    return undefined
  return {formats: own, fields, ...(isMoved ? {xpkgFolder} : {})}
}

function leaves(key: string, value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (!isJsonObject(value)) return [[key, value]]
  return Object.entries(value).map(([below, leaf]) => [`${key}.${below}`, leaf])
}

function unreadable(folder: string, detail: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot read ${folder}/${TREE_SETTINGS}, the settings of the rendered files`,
    {
      cause: new Error(detail),
      suggestions: [
        `Restore ${TREE_SETTINGS} in ${folder} from Git, or delete it: then the settings are inferred from the files.`,
      ],
    },
  )
}

/** Returns the error for settings that are not those of the files: a release without settings wrote these. */
export function unmatchedSettings(folder: string): CrossplaneError {
  return unreadable(folder, 'the files beside it have another layout')
}

/** A setting that a command would change. */
export interface ChangedSetting {
  /** The path of its field. */
  readonly field: string
  /** Absent where the tree, or the command, does not have it. */
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/**
 * Returns the settings of a tree that a command would change or drop. What a tree does not have can be added: a layout, or a
 * version of Crossplane; only options of its layout have a default that would change. Settings of formats that only one of both
 * has are not compared, nor are those of another layout.
 */
export function changedSettings(tree: TreeSettings, next: TreeSettings): readonly ChangedSetting[] {
  const layout = asText(tree.fields.get('layout'))
  const isSameLayout = layout === next.fields.get('layout')
  const isCompared = (field: string) => {
    if (field === 'layout') return layout !== 'plain'
    if (field.startsWith('render.')) return inBoth('stack', tree, next)
    if (field.startsWith('xpkg.') || field === 'coreVersion') return inBoth('xpkg', tree, next)
    return isSameLayout || !/^(?:flux|argocd)\./.test(field)
  }
  const added = [...next.fields.keys()].filter(
    field => !tree.fields.has(field) && (field.startsWith(`${layout}.`) || field === RESOLVER),
  )
  return [...tree.fields.keys(), ...added].filter(isCompared).flatMap(field => {
    const [before, after] = [tree.fields.get(field), next.fields.get(field)]
    if (writeJson(before ?? null) === writeJson(after ?? null)) return []
    if (isOfContent(field) && after !== undefined) return []
    return [{field, ...(before === undefined ? {} : {before}), ...(after === undefined ? {} : {after})}]
  })
}

/** Without it, Crossplane resolves dependencies. */
const RESOLVER = 'xpkg.resolver'

/** Settings of the content of objects are only not forgotten: a declaration that has another value changes them. */
function isOfContent(field: string): boolean {
  return /^(?:render|xpkg)\./.test(field) && !field.endsWith('.pin') && field !== RESOLVER
}

function inBoth(format: TreeFormat, ...trees: readonly TreeSettings[]): boolean {
  return trees.every(({formats}) => formats.includes(format))
}

/** Reports whether a change drops the files of a layout, and with them what protects objects from being pruned. */
export function dropsLayout({field, before}: ChangedSetting): boolean {
  return field === 'layout' && before !== 'plain'
}

/**
 * Returns the folder of requests of a tree: the one that its settings name, or else the one that its managed files show. A tree
 * without such a folder, for example because Flux has one for each stage, gets the name for new trees.
 * @param name - the path of the tree, as messages name it.
 * @param place - its path with the name of its folder at the end, where its name can be another one, such as `.`.
 */
export function xpkgFolderOf(
  owned: Iterable<string>,
  settings: string | undefined,
  name: string,
  place = name,
): XpkgFolderName {
  const {formats, fields, xpkgFolder = FORMER_XPKG_FOLDER} = settingsOrNone(settings, name)
  if (formats.includes('xpkg') && fields.get('layout') !== 'flux') return xpkgFolder
  const folders = new Set([...owned].map(path => path.replace(/\/.*/, '')))
  return XPKG_FOLDERS.find(folder => folders.has(folder)) ?? newXpkgFolder(place)
}

function settingsOrNone(text: string | undefined, name: string): TreeSettings {
  return text === undefined ? {formats: [], fields: new Map()} : readTreeSettings(text, name)
}
