import type {CheckedPath, FolderCheck} from '../../pipeline/drift/check-folder.js'
import type {Diagnostic} from '../../diagnostic.js'
import {type Annotation, formatAnnotations} from '../shell/ci/github-annotation.js'
import {lines} from '../shell/text/lines.js'
import {type Paint, painter} from '../shell/text/paint.js'
import {plainLine, plainText} from '../shell/text/plain-text.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {driftAnnotations} from '../shell/ci/reported-annotations.js'
import {formatDocument, show, showNotes} from '../shell/document/show.js'
import {unifiedDiff} from '../shell/text/unified-diff.js'

/** Effects on the objects of a declaration, in each format. */
interface ShownImpact {
  readonly isFound: boolean
  readonly notes: readonly Diagnostic[]
  readonly document: object
  readonly annotations: readonly Annotation[]
  readonly text: (paint: Paint) => string
}

/** Shows how a folder differs from what it should be, and effects on objects; returns whether there are any. */
export async function showDrift(
  {paths, unchanged, notes: own}: FolderCheck,
  folder: string,
  format: 'text' | 'json' | 'yaml' | 'github',
  argv: readonly string[],
  judged?: ShownImpact,
): Promise<boolean> {
  const all = {paths, unchanged, notes: [...own, ...(judged?.notes ?? [])]}
  if (format === 'json' || format === 'yaml') {
    const impact = judged && {impact: judged.document}
    await show(formatDocument({kind: 'FolderCheck', folder, ...all, ...impact}, format))
  } else if (format === 'github') await showAnnotations(all, folder, judged)
  else await showText(all, folder, argv, judged)
  return paths.length > 0 || judged?.isFound === true
}

async function showAnnotations(check: FolderCheck, folder: string, judged?: ShownImpact): Promise<void> {
  await show(formatAnnotations([...driftAnnotations(check, folder), ...(judged?.annotations ?? [])]))
  process.stderr.write(`${plainText(folder)}: ${summaryOf(check.paths, check.unchanged)}\n`)
}

async function showText(
  {paths, unchanged, notes}: FolderCheck,
  folder: string,
  argv: readonly string[],
  judged?: ShownImpact,
): Promise<void> {
  const paint = painter(argv, 'stdout')
  if (paths.length > 0) await show(lines(paths.flatMap(path => pathLines(path, paint))))
  if (judged !== undefined) await show(judged.text(paint))
  showNotes(notes, argv)
  if (!isQuietRun(argv)) process.stderr.write(`${plainText(folder)}: ${summaryOf(paths, unchanged)}\n`)
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
