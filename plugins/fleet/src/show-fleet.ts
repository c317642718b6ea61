import {
  compareText,
  formatTable,
  lines,
  type Paint,
  plainText,
  present,
  reasonOf,
  type Row,
  timeText,
} from 'kubectl-crossplane/plugin'
import type {FleetHome, FleetRow} from './fleet-rows.js'

const WIDTH = 100
const MAX_NAME = 40
const MAX_CELL = 22

/** Formats packages × homes, in blocks that a terminal of 100 columns shows, and below them what waits. */
export function formatMatrix(homes: readonly FleetHome[], rows: readonly FleetRow[], paint: Paint): string {
  const names = [...new Set(rows.map(row => row.package))].sort(compareText)
  const byKey = new Map(rows.map(row => [`${row.package}\0${row.home}`, row]))
  const shortened = shortNames(names)
  const first = Math.max(7, ...names.map(name => shortened.get(name)?.length ?? 0))
  const cellOf = (name: string, {path}: FleetHome) => cell(byKey.get(`${name}\0${path}`))
  const blocks: FleetHome[][] = []
  let left = 0
  for (const home of homes) {
    const width =
      3 + Math.max(short(home.path, MAX_CELL).length, ...names.map(name => cellOf(name, home).length))
    if (blocks.length === 0 || left < width) {
      blocks.push([])
      left = WIDTH - first
    }
    blocks.at(-1)?.push(home)
    left -= width
  }
  const tables = blocks.flatMap((block, index) => {
    const table: Row[] = [
      ['PACKAGE', ...block.map(({path}) => short(path, MAX_CELL))],
      ...names.map((name): Row => [
        shortened.get(name) ?? name,
        ...block.map(home => {
          const text = cellOf(name, home)
          return text.endsWith('*') ? {text, style: 'yellow' as const} : text
        }),
      ]),
    ]
    return [...(index === 0 ? [] : ['']), ...formatTable(table, paint, '')]
  })
  const waiting = findingLines(homes, rows)
  return lines([...tables, ...(waiting.length === 0 ? [] : ['', ...waiting])])
}

/** The locked version, with a star where it waits for something. */
function cell(row: FleetRow | undefined): string {
  if (row === undefined) return '-'
  const {locked = 'not locked', waits} = row
  return `${short(locked.replace(/^sha256:(.{12}).*$/, '$1'), MAX_CELL - 1)}${waits === undefined ? '' : '*'}`
}

/** What waits in each home, and homes and clusters that could not be read. */
function findingLines(homes: readonly FleetHome[], rows: readonly FleetRow[]): readonly string[] {
  return [
    ...rows.flatMap(({home, package: name, waits}) =>
      waits === undefined ? [] : [plainText(`* ${home} ${name}: ${waits}`, 200)],
    ),
    ...homes.flatMap(({path, context, error}) =>
      error === undefined
        ? []
        : [plainText(`! ${path}${context === undefined ? '' : ` (${context})`}: ${reasonOf(error)}`, 200)],
    ),
  ]
}

/** Without registries, if no two are the same then. */
function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const without = names.map(name => name.replace(/^[^/]*[.:][^/]*\//, ''))
  const isClear = new Set(without).size === names.length
  return new Map(names.map((name, index) => [name, short(isClear ? (without[index] ?? '') : name, MAX_NAME)]))
}

function short(text: string, most: number): string {
  const plain = plainText(text)
  return plain.length <= most ? plain : `…${plain.slice(1 - most)}`
}

const COLUMNS = [
  'HOME',
  'CONTEXT',
  'PACKAGE',
  'DECLARED',
  'LOCKED',
  'RENDERED',
  'IN GIT',
  'LIVE',
  'STATE',
  'WAITS',
]

function columnsOf(row: FleetRow): readonly string[] {
  const {home, context, declared, locked, rendered, inGit, live, state, waits} = row
  return [home, context, row.package, declared, locked, rendered, inGit, live, state, waits].map(
    text => text ?? '',
  )
}

/** Formats a line for each package of each home. */
export function formatWide(homes: readonly FleetHome[], rows: readonly FleetRow[], paint: Paint): string {
  const failures = findingLines(homes, [])
  return lines([
    ...formatTable([COLUMNS, ...rows.map(columnsOf)], paint, ''),
    ...(failures.length === 0 ? [] : ['', ...failures]),
  ])
}

/** Formats the same as a table of Markdown. */
export function formatMarkdown(homes: readonly FleetHome[], rows: readonly FleetRow[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const failures = homes.flatMap(({path, error}) =>
    error === undefined ? [] : [`- ${code(path)}: ${code(reasonOf(error))}`],
  )
  return lines([
    line(COLUMNS.map(name => name.toLowerCase())),
    line(COLUMNS.map(() => '---')),
    ...rows.map(row => line(columnsOf(row).map(code))),
    ...(failures.length === 0 ? [] : ['', ...failures]),
  ])
}

/** What packages and clusters say stands in code: it mentions no one and links nowhere. */
function code(text: string): string {
  if (text === '') return ''
  return `\`${plainText(text, 200).replaceAll('`', "'").replaceAll('|', '/')}\``
}

/** Formats the health of packages and clusters as metrics. */
export function formatMetrics(homes: readonly FleetHome[], rows: readonly FleetRow[]): string {
  return lines([
    '# HELP crossplane_package_fleet_up Whether a home, its last commit and its cluster could be read.',
    '# TYPE crossplane_package_fleet_up gauge',
    ...homes.map(
      ({path, context, error, gitError}) =>
        `crossplane_package_fleet_up{${labels({home: path, context})}} ${(error ?? gitError) === undefined ? 1 : 0}`,
    ),
    '# HELP crossplane_package_fleet_current Whether a package is rendered, committed, live and healthy as it is locked, as far as that could be read.',
    '# TYPE crossplane_package_fleet_current gauge',
    ...rows.map(({home, context, package: name, locked, live, waits}) => {
      const text = labels({home, context, package: name, locked, live})
      return `crossplane_package_fleet_current{${text}} ${waits === undefined ? 1 : 0}`
    }),
  ])
}

function labels(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .map(
      ([name, value = '']) => `${name}="${plainText(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
    )
    .join(',')
}

/** Returns the same as a document. */
export function fleetDocument(homes: readonly FleetHome[], rows: readonly FleetRow[]) {
  return {
    kind: 'PackageFleet',
    homes: homes.map(({path, context, error}) => ({
      path,
      ...present({context}),
      ...(error === undefined ? {} : {error: {code: error.code, message: error.message}}),
    })),
    packages: rows.map(({since, ...row}) => ({
      ...row,
      ...(since === undefined ? {} : {healthySince: timeText(since)}),
    })),
  }
}
