import type {CheckedPath, FolderCheck} from '../../../pipeline/check-folder.js'
import {formatAnnotations} from '../ci/github-annotation.js'
import {lines} from '../text/lines.js'
import {type Paint, painter} from '../text/paint.js'
import {plainLine, plainText} from '../text/plain-text.js'
import {isQuietRun} from '../../flags/quiet-run.js'
import {driftAnnotations} from '../ci/reported-annotations.js'
import {formatDocument, show, showNotes} from '../document/show.js'
import {unifiedDiff} from '../text/unified-diff.js'

/** Shows how a folder differs from what it should be; returns whether it does. */
export async function showDrift(
  check: FolderCheck,
  folder: string,
  format: 'text' | 'json' | 'yaml' | 'github',
  argv: readonly string[],
): Promise<boolean> {
  const {paths, unchanged, notes} = check
  if (format === 'json' || format === 'yaml') {
    await show(formatDocument({kind: 'FolderCheck', folder, paths, unchanged, notes}, format))
    return paths.length > 0
  }
  if (format === 'github') {
    await show(formatAnnotations(driftAnnotations(check, folder)))
    process.stderr.write(`${plainText(folder)}: ${summaryOf(paths, unchanged)}\n`)
    return paths.length > 0
  }
  const paint = painter(argv, 'stdout')
  if (paths.length > 0) await show(lines(paths.flatMap(path => pathLines(path, paint))))
  showNotes(notes, argv)
  if (!isQuietRun(argv)) process.stderr.write(`${plainText(folder)}: ${summaryOf(paths, unchanged)}\n`)
  return paths.length > 0
}

function pathLines({path, change, reason, before, after}: CheckedPath, paint: Paint): readonly string[] {
  const heading = paint('bold', plainText(`${change} ${path}: ${reason}`))
  const isKnown = before !== undefined || after !== undefined
  return [heading, ...(isKnown ? unifiedDiff({path, before, after}).map(plainLine) : [])]
}

function summaryOf(paths: readonly CheckedPath[], unchanged: number): string {
  const changes = [...new Set(paths.map(({change}) => change))]
  const counts = changes.map(change => `${paths.filter(path => path.change === change).length} ${change}`)
  return [...counts, `${unchanged} unchanged`].join(', ')
}
