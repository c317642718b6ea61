import {spawnSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'

/** @typedef {{readonly part: string, readonly old: Buffer | undefined, readonly now: Buffer | undefined}} Difference */

/** How much of one difference is printed, and of one of its lines: files made by the build have a single one. */
const MOST_LINES = 40
const MOST_CHARACTERS = 240

/**
 * @param {ReadonlyMap<string, Buffer>} old
 * @param {ReadonlyMap<string, Buffer>} now
 * @returns {Difference[]}
 */
export function differencesOf(old, now) {
  const parts = [...new Set([...old.keys(), ...now.keys()])]
  return parts
    .map(part => ({part, old: old.get(part), now: now.get(part)}))
    .filter(each => each.old === undefined || each.now === undefined || !each.old.equals(each.now))
}

/** @param {Difference} difference @param {string} folder a folder for what `diff` reads */
export function shownDifference({part, old, now}, folder) {
  const head = `--- ${part}`
  if (old === undefined) return `${head}\n  only in NEW`
  if (now === undefined) return `${head}\n  only in OLD`
  const paths = [join(folder, 'old'), join(folder, 'new')]
  writeFileSync(paths[0] ?? '', old)
  writeFileSync(paths[1] ?? '', now)
  const {stdout} = spawnSync('diff', ['-a', '-U1', ...paths], {encoding: 'utf8', maxBuffer: 2 ** 28})
  const lines = stdout.split('\n').slice(2)
  const left = lines.length - MOST_LINES
  return [head, ...lines.slice(0, MOST_LINES).map(cut), ...(left > 0 ? [`… ${left} more lines`] : [])].join(
    '\n',
  )
}

/** @param {string} line */
function cut(line) {
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line
}
