import {CrossplaneError} from '../errors.js'
import type {Sha256} from './folder-snapshot.js'

/** Where, in an output folder, this program keeps what is for itself. */
export const BOOKKEEPING = '.kubectl-crossplane'

/**
 * Which files of a folder are ours, and what we wrote: belongs into Git with them. Its lines are those of `sha256sum`,
 * one for each file, sorted, so that it is easily reviewed and merged. Its name ends in nothing that kubectl, Flux or
 * Argo CD would take for an object.
 */
export const OWNED_FILES = `${BOOKKEEPING}/files.sha256`

const FORMAT_LINE = '# kubectl-crossplane files v1'
const LINE = /^([0-9a-f]{64}) {2}(\S+)$/
const SEGMENT = /^[a-z0-9][a-z0-9.-]*$/

/** The text of the list. */
export function formatOwnedFiles(owned: ReadonlyMap<string, Sha256>): string {
  const lines = [...owned].map(([path, sha256]) => `${sha256}  ${path}`)
  return [FORMAT_LINE, ...lines.sort(byPath), ''].join('\n')
}

/** Path and hash of each file; none for a folder that has no such list. Throws `output-refused` for any other text. */
export function parseOwnedFiles(text: string | undefined): ReadonlyMap<string, Sha256> {
  if (text === undefined) return new Map()
  const [format, ...lines] = text.replaceAll('\r\n', '\n').trimEnd().split('\n')
  if (format !== FORMAT_LINE) throw unreadable(`it does not begin with "${FORMAT_LINE}"`)
  return new Map(lines.map((line, index) => parseLine(line, index + 2)))
}

/** Whether a path can be one of ours. What a folder says of itself is held against this before it is believed. */
export function isOutputPath(path: string): boolean {
  return path.split('/').every(segment => SEGMENT.test(segment))
}

function parseLine(line: string, number: number): readonly [string, Sha256] {
  const [, sha256, path] = LINE.exec(line) ?? []
  if (sha256 === undefined || path === undefined || !isOutputPath(path)) {
    throw unreadable(`line ${number} is no hash and path`)
  }
  return [path, sha256]
}

function byPath(a: string, b: string): number {
  return a.slice(64) < b.slice(64) ? -1 : 1
}

function unreadable(detail: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `Cannot read ${OWNED_FILES}, the list of our files in the folder.`,
    {
      cause: new Error(detail),
      suggestions: [
        `Restore it from Git (git restore ${OWNED_FILES}) or resolve its merge conflict, then run again.`,
      ],
    },
  )
}
