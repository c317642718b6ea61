import {join} from 'node:path'
import type {CheckedImpact} from '../../pipeline/drift/check-impact.js'
import type {PackageImpact} from '../../pipeline/impact/package-impact.js'
import type {UsageFinding} from '../../usage/objects/compare-usage.js'
import {withFiles} from '../../usage/objects/package-compositions.js'
import {impactLines, impactSummary} from '../../usage/objects/impact-view.js'
import {type Annotation, annotationOf} from '../shell/ci/github-annotation.js'
import {repositoryFile} from '../shell/ci/repository-file.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {formatSections, type Section} from '../shell/text/section.js'
import {formatTable} from '../shell/text/table.js'
import {versionLines} from './show-comparison.js'

/** Returns the effects of a lock in each format of `package check`; `folder` is that of the declaration. */
export function shownImpact(checked: CheckedImpact, folder: string) {
  return {
    isFound: (checked.change?.open.length ?? 0) > 0,
    notes: checked.notes,
    document: impactInDocument(checked, folder),
    annotations: impactAnnotations(checked, folder),
    text: (paint: Paint) => formatCheckedImpact(checked, folder, paint),
  }
}

/** Returns the effects on objects since a base, with those that the lock accepts; nothing if no package changes. */
function formatCheckedImpact({since, change}: CheckedImpact, folder: string, paint: Paint): string {
  if (change === undefined) return ''
  const {impact, open, accepted} = change
  const head = {
    title: `since ${plainText(since)}: ${impactSummary(impact)}`,
    lines: versionLines(impact).map(line => `  ${plainText(line)}`),
  }
  const stopping = new Set([...open, ...accepted])
  const others = impact.findings.filter(finding => !stopping.has(finding))
  return formatSections(
    [
      head,
      ...effects('not accepted', open, folder, paint),
      ...effects('accepted in the lock', accepted, folder, paint),
      ...effects('other effects, and what is not judged', others, folder, paint),
    ],
    paint,
  )
}

function effects(
  title: string,
  findings: readonly UsageFinding[],
  folder: string,
  paint: Paint,
): readonly Section[] {
  if (findings.length === 0) return []
  const rows = impactLines(placed(findings, folder)).map(({verdicts, place, field, message}) => [
    verdicts.join(', '),
    place,
    field === '' ? message : `${field}: ${message}`,
  ])
  return [{title, lines: formatTable(rows, paint)}]
}

/** Returns effects as annotations at their lines: errors, and notices for accepted ones and for what is not judged. */
function impactAnnotations({change}: CheckedImpact, folder: string): readonly Annotation[] {
  if (change === undefined) return []
  const {impact, open, accepted} = change
  const stopping = new Set([...open, ...accepted])
  const others = impact.findings.filter(finding => !stopping.has(finding))
  return [
    ...annotated(open, 'error', folder),
    ...annotated(accepted, 'note', folder),
    ...annotated(others, 'note', folder),
  ]
}

function annotated(
  findings: readonly UsageFinding[],
  severity: 'error' | 'note',
  folder: string,
): readonly Annotation[] {
  return impactLines(placed(findings, folder)).map(({verdicts, source, about, message}) => {
    const text = about === '' ? message : `${about}: ${message}`
    return annotationOf({severity, rule: verdicts.join(', '), message: text, ...source}, repositoryFile)
  })
}

interface ImpactDocument extends Partial<Pick<PackageImpact, 'packages'>> {
  readonly since: string
  readonly findings: readonly UsageFinding[]
  readonly accepted: readonly UsageFinding[]
  readonly others: readonly UsageFinding[]
}

/** Returns the effects for a document. */
function impactInDocument({since, change}: CheckedImpact, folder: string): ImpactDocument {
  const {impact, open = [], accepted = []} = change ?? {}
  const stopping = new Set([...open, ...accepted])
  const others = (impact?.findings ?? []).filter(finding => !stopping.has(finding))
  return {
    since,
    packages: impact?.packages ?? [],
    findings: placed(open, folder),
    accepted: placed(accepted, folder),
    others: placed(others, folder),
  }
}

/** The files of a declaration, by paths from the working folder. */
function placed(findings: readonly UsageFinding[], folder: string): readonly UsageFinding[] {
  return withFiles(findings, file => join(folder, file))
}
