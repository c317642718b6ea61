// docs/performance.md, from what was measured and from the notes beside this file.
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {format} from 'oxfmt'
import {isReached, markdownTable} from './table.mjs'

const NOTES = join(import.meta.dirname, 'notes')

/**
 * `seconds` is what measuring the part took.
 *
 * @typedef {import('./parts.mjs').Measured & {part: import('./parts.mjs').Part, seconds: number}} Section
 */

/**
 * Writes the page. notes/introduction.md begins the page, and notes/PART.md is printed below the table
 * of that part.
 *
 * @param {string} path
 * @param {{machine: readonly string[], missing: readonly string[], sections: readonly Section[]}} report
 */
export async function writePage(path, {machine, missing, sections}) {
  const lines = [
    '# Performance',
    '',
    readFileSync(join(NOTES, 'introduction.md'), 'utf8'),
    ...machine.map(line => `- ${line}`),
    ...missing.map(each => `- Not measured: ${each}`),
    '',
    unmetText(sections),
    ...sections.flatMap(sectionLines),
  ]
  const {code} = await format(path, lines.join('\n'))
  writeFileSync(path, code)
}

/** @param {readonly Section[]} sections */
function unmetText(sections) {
  const unmet = sections.flatMap(({part, rows}) =>
    rows
      .filter(row => isReached(row) === false)
      .map(({work, build}) => `- ${part.title}: ${work}${build === undefined ? '' : ` (${build})`}`),
  )
  return unmet.length === 0 ? 'All targets are met.' : ['Targets not met:', '', ...unmet].join('\n')
}

/** @param {Section} section */
function sectionLines({part: {name, title, about}, rows, missing, seconds}) {
  const notes = join(NOTES, `${name}.md`)
  return [
    '',
    `## ${title}`,
    '',
    `${about} Measured in ${seconds.toFixed(0)} seconds.`,
    '',
    ...(rows.length === 0 ? [] : markdownTable(rows)),
    '',
    ...missing.map(each => `- Not measured: ${each}`),
    '',
    ...(existsSync(notes) ? [readFileSync(notes, 'utf8')] : []),
  ]
}
