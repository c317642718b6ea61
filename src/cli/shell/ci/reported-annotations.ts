import {join} from 'node:path'
import type {LintReport} from '../../../author/lint/lint-report.js'
import type {FolderCheck} from '../../../pipeline/drift/check-folder.js'
import {planVerb} from '../../../inspect/plan-groups.js'
import type {Plan} from '../../../plan/plan.js'
import {type Annotation, annotationOf} from './github-annotation.js'
import {packageFile} from './package-file.js'
import {repositoryFile} from './repository-file.js'

/** Returns the findings of lint as annotations at their lines, for a package in a folder. */
export function lintAnnotations({findings}: LintReport, reference: string): readonly Annotation[] {
  return findings.map(diagnostic => annotationOf(diagnostic, file => packageFile(reference, file)))
}

/** Returns the paths that differ as errors at the first line that does, and the notes of the check. */
export function driftAnnotations({paths, notes}: FolderCheck, folder: string): readonly Annotation[] {
  const drift = paths.map(({path, change, reason, before, after}): Annotation => ({
    level: 'error',
    title: change,
    ...placed(folder, path, reason),
    line: before === undefined || after === undefined ? undefined : firstDifference(before, after),
  }))
  return [...drift, ...notes.map(note => annotationOf(note, repositoryFile))]
}

/** Returns the changes of a plan for an output folder as notices, their risks as warnings and rejections as errors. */
export function planAnnotations({operations, rejections}: Plan, folder: string): readonly Annotation[] {
  const planned = operations.flatMap((operation): readonly Annotation[] => {
    const {path = '', reason, risks = []} = operation
    return [
      {level: 'notice', title: planVerb(operation), ...placed(folder, path, reason)},
      ...risks.map(risk => annotationOf(risk, repositoryFile)),
    ]
  })
  return [
    ...planned,
    ...rejections.map(diagnostic => annotationOf(diagnostic, file => repositoryFile(join(folder, file)))),
  ]
}

function placed(folder: string, path: string, reason: string): Pick<Annotation, 'message' | 'file'> {
  const file = repositoryFile(join(folder, path))
  return file === undefined ? {message: `${join(folder, path)}: ${reason}`} : {message: reason, file}
}

function firstDifference(before: string, after: string): number {
  const other = after.split('\n')
  const lines = before.split('\n')
  const index = lines.findIndex((line, at) => line !== other[at])
  return (index === -1 ? lines.length - 1 : index) + 1
}
