import {CrossplaneError} from '../../errors.js'
import {Allowance} from '../../fetch/allowance.js'
import {ByteCursor} from '../../fetch/byte-cursor.js'
import {tarEntries} from '../../fetch/tar-entries.js'
import {compareBytes, type PackageFile} from '../package-file.js'
import type {Behavior} from '../package.js'
import {GzipDamage, gunzip} from '../files/gunzip.js'

/** A chart whose archives of subcharts are folders. */
export interface UnpackedChart {
  readonly files: readonly PackageFile[]
  /** The archives that were read. */
  readonly archives: readonly string[]
  /** Archives that cannot be read, and why. */
  readonly unread: readonly {readonly file: string; readonly reason: string}[]
  /** Whether an archive was not read because of the size of all: no engine should read them either. */
  readonly isTooLarge?: boolean
}

/** All archives of a chart together, also those in archives. Helm reads none of more than a hundred mebibytes. */
const LIMITS = {mebibytes: 64, files: 10_000, depth: 8} as const
const HEADER_BYTES = 1 << 20

/** An archive in `charts/`, as `helm dependency build` stores it. Helm ignores names that begin with a dot or `_`. */
const ARCHIVE = /^((?:charts\/[^/]+\/)*charts\/[^/_.][^/]*)\.tgz$/

/**
 * Unpacks the archives of subcharts, also those within archives, as Helm does when it renders the chart. The limits hold
 * for all of them together, so that many small archives do not unpack to more than one of them could.
 */
export async function unpackedChart(files: readonly PackageFile[]): Promise<UnpackedChart> {
  if (!files.some(({path}) => ARCHIVE.test(path))) return {files, archives: [], unread: []}
  const spent: Collected['spent'] = {
    beyond: [],
    bytes: new Allowance(LIMITS.mebibytes, 'MiB in the archives of its charts'),
    headers: new Allowance(LIMITS.files, 'files in the archives of its charts'),
  }
  const unpacked: Collected = {files: [], archives: [], unread: [], spent}
  await collect(files, 0, unpacked)
  return {
    files: unpacked.files.sort((a, b) => compareBytes(a.path, b.path)),
    archives: unpacked.archives,
    unread: unpacked.unread,
    ...(spent.beyond.length > 0 ? {isTooLarge: true} : {}),
  }
}

/** The same for the templates of a package, which only have archives if they are a chart. */
export async function readTemplateArchives(
  {engine}: Pick<Behavior, 'engine'>,
  files: readonly PackageFile[],
): Promise<UnpackedChart> {
  return engine.type === 'helm3' ? await unpackedChart(files) : {files, archives: [], unread: []}
}

interface Collected {
  readonly files: PackageFile[]
  readonly archives: string[]
  readonly unread: {file: string; reason: string}[]
  readonly spent: {
    readonly bytes: Allowance
    readonly headers: Allowance
    /** Archives that were not read because of these limits. */
    readonly beyond: string[]
  }
}

async function collect(files: readonly PackageFile[], depth: number, into: Collected): Promise<void> {
  const folders = new Set(files.flatMap(({path}) => FOLDER.exec(path)?.[1] ?? []))
  for (const file of files) {
    const [, name] = ARCHIVE.exec(file.path) ?? []
    if (name === undefined) into.files.push(file)
    else if (depth === LIMITS.depth) unread(file, `it is in more than ${LIMITS.depth} archives`, into)
    else await unpack(file, {name, folders}, depth, into)
  }
}

const FOLDER = /^((?:charts\/[^/]+\/)*charts\/[^/]+)\//

/** The name of an archive without `.tgz`, and the folders beside it. */
interface Place {
  readonly name: string
  readonly folders: Set<string>
}

async function unpack(archive: PackageFile, place: Place, depth: number, into: Collected): Promise<void> {
  try {
    const {chart, files} = await archiveFiles(archive, into.spent)
    const folder = freeFolder(chart, place)
    if (folder === undefined) {
      unread(archive, `there is a folder ${place.name} too`, into)
      return
    }
    place.folders.add(folder)
    into.archives.push(archive.path)
    const placed = files.map(({path, bytes}) => ({path: `${folder}/${path}`, bytes}))
    await collect(placed, depth + 1, into)
  } catch (error) {
    if (error instanceof GzipDamage) unread(archive, 'its gzip data is damaged', into)
    else if (error instanceof CrossplaneError) {
      if (error.code === 'limit-exceeded') into.spent.beyond.push(archive.path)
      unread(archive, reasonOf(error), into)
    } else throw error
  }
}

/** Named after the chart, as in the messages of engines, unless that is another one, as of another version. */
function freeFolder(chart: string, {name, folders}: Place): string | undefined {
  const own = `${name.slice(0, name.lastIndexOf('/'))}/${chart}`
  return [own, name].find(folder => !folders.has(folder) && !/\/(?:[._][^/]*)?$/.test(folder))
}

function unread(archive: PackageFile, reason: string, {files, unread}: Collected): void {
  files.push(archive)
  unread.push({file: archive.path, reason})
}

/** The message without the name of the archive, which stands beside it. */
function reasonOf({message}: CrossplaneError): string {
  return message.replace(/^cannot read .*?: /, '')
}

/** The first segment of a path is the name of the chart, whatever it is: https://helm.sh/docs/topics/charts */
async function archiveFiles(
  {path, bytes}: PackageFile,
  {bytes: allowed, headers}: Collected['spent'],
): Promise<{readonly chart: string; readonly files: readonly PackageFile[]}> {
  const cursor = new ByteCursor(counted(gunzip(chunksOf(bytes)), allowed, path))
  const files: PackageFile[] = []
  let chart = ''
  try {
    for await (const entry of tarEntries(cursor, path, {headers, headerBytes: HEADER_BYTES})) {
      const [, first = '', inside] = /^(?:\.\/)?([^/]+)\/(.+)$/.exec(entry.name) ?? []
      if (entry.kind !== 'file' || inside === undefined || !isInside(inside)) continue
      if (inside === 'Chart.yaml') chart = first
      files.push({path: inside, bytes: await entry.read()})
    }
  } finally {
    await cursor.close()
  }
  return {chart, files}
}

function isInside(path: string): boolean {
  return path.split('/').every(segment => !['', '.', '..'].includes(segment))
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes)
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  allowed: Allowance,
  holder: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    allowed.spend(chunk.length / (1 << 20), holder)
    yield chunk
  }
}
