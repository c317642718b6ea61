/** A file before and after a change; `undefined` where it does not exist. */
export interface FileVersions {
  readonly path: string
  readonly before?: string
  readonly after?: string
}

const CONTEXT = 3

/** Beyond this number of changed lines, the shortest diff is not searched for. */
const MAX_DISTANCE = 1000

/** Returns the lines of a unified diff, as `git apply` and `patch -p1` read it; none if nothing changes. */
export function unifiedDiff({path, before, after}: FileVersions): readonly string[] {
  const edits = editsOf(linesOf(before), linesOf(after))
  const hunks = hunksOf(edits)
  if (hunks.length === 0) return []
  // As Git names files outside of a repository.
  const name = path.replace(/^\/+/, '')
  const from = before === undefined ? '/dev/null' : `a/${name}`
  const to = after === undefined ? '/dev/null' : `b/${name}`
  return [`--- ${from}`, `+++ ${to}`, ...hunks.flatMap(hunk => hunkLines(hunk, edits))]
}

/** One line of the diff: kept (' '), deleted or added. */
interface Edit {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

interface Hunk {
  readonly start: number
  readonly end: number
}

/** Lines; the last one is marked where no line break ends it. */
function linesOf(text = ''): readonly string[] {
  if (text === '') return []
  if (!text.endsWith('\n')) return `${text}\n\\ No newline at end of file`.split(/\n(?!\\ No newline)/)
  return text.slice(0, -1).split('\n')
}

function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let [a, b] = [before.length, after.length]
  while (a > start && b > start && before[a - 1] === after[b - 1]) [a, b] = [a - 1, b - 1]
  return [
    ...before.slice(0, start).map(line => ({sign: ' ' as const, line})),
    ...middleEdits(before.slice(start, a), after.slice(start, b)),
    ...before.slice(a).map(line => ({sign: ' ' as const, line})),
  ]
}

/**
 * Myers' algorithm: http://www.xmailserver.org/diff2.pdf. Row `d` of the trace has the furthest line of `before` that is
 * reached with `d` changes, on each diagonal `k` from `-d` to `d`, at index `k + d + 1`.
 */
function middleEdits(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const trace: Int32Array[] = []
  const max = Math.min(before.length + after.length, MAX_DISTANCE)
  for (let distance = 0; distance <= max; distance += 1) {
    const row = new Int32Array(2 * distance + 3)
    trace.push(row)
    for (let k = -distance; k <= distance; k += 2) {
      const x = slide(before, after, distance === 0 ? 0 : stepTo(trace, k, distance).x, k)
      row[k + distance + 1] = x
      if (x >= before.length && x - k >= after.length) return tracedBack(before, after, trace)
    }
  }
  return [
    ...before.map(line => ({sign: '-' as const, line})),
    ...after.map(line => ({sign: '+' as const, line})),
  ]
}

/** The line that is reached from `x` on diagonal `k` while both files agree. */
function slide(before: readonly string[], after: readonly string[], from: number, k: number): number {
  let x = from
  while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1
  return x
}

/** Returns the step to diagonal `k` with change number `distance`: whether it adds or deletes a line, and its start. */
function stepTo(trace: readonly Int32Array[], k: number, distance: number) {
  const at = (diagonal: number) => trace[distance - 1]?.[diagonal + distance] ?? 0
  const isAdded = k === -distance || (k !== distance && at(k - 1) < at(k + 1))
  return isAdded ? {isAdded, from: k + 1, x: at(k + 1)} : {isAdded, from: k - 1, x: at(k - 1) + 1}
}

function tracedBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly Int32Array[],
): readonly Edit[] {
  const edits: Edit[] = []
  let x = before.length
  let k = before.length - after.length
  const keepDownTo = (end: number) => {
    for (; x > end; x -= 1) edits.push({sign: ' ', line: before[x - 1] ?? ''})
  }
  for (let distance = trace.length - 1; distance > 0; distance -= 1) {
    const step = stepTo(trace, k, distance)
    keepDownTo(step.x)
    if (step.isAdded) edits.push({sign: '+', line: after[x - k - 1] ?? ''})
    else edits.push({sign: '-', line: before[(x -= 1)] ?? ''})
    k = step.from
  }
  keepDownTo(0)
  return edits.reverse()
}

/** Ranges of edits to show: each change with its context, joined where they touch. */
function hunksOf(edits: readonly Edit[]): readonly Hunk[] {
  const hunks: {start: number; end: number}[] = []
  for (const [index, {sign}] of edits.entries()) {
    if (sign === ' ') continue
    const [start, end] = [Math.max(0, index - CONTEXT), Math.min(edits.length, index + CONTEXT + 1)]
    const last = hunks.at(-1)
    if (last !== undefined && start <= last.end) last.end = end
    else hunks.push({start, end})
  }
  return hunks
}

function hunkLines({start, end}: Hunk, edits: readonly Edit[]): readonly string[] {
  const range = (sign: '-' | '+') => {
    const counted = (part: readonly Edit[]) => part.filter(edit => edit.sign !== sign).length
    const size = end - start - counted(edits.slice(start, end).filter(edit => edit.sign !== ' '))
    const other = counted(edits.slice(0, start).filter(edit => edit.sign !== ' '))
    return `${start - other + (size === 0 ? 0 : 1)},${size}`
  }
  const lines = edits.slice(start, end).map(({sign, line}) => sign + line)
  return [`@@ -${range('-')} +${range('+')} @@`, ...lines]
}
