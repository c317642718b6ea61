import type {Diagnostic} from '../../diagnostic.js'
import type {CommitContent} from '../../inspect/commit-message.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {shellWord} from '../../text.js'
import {withFiles} from '../../usage/objects/package-compositions.js'
import {pathBeside} from '../../usage/objects/relative-path.js'
import type {LockImpact} from '../impact/impact-gate.js'
import type {GitQuery} from './git-request.js'

/** Returns what the message of a commit says of objects; undefined if nothing was judged. */
export function commitImpact(
  judged: LockImpact | undefined,
  {folder}: Pick<HomePlace, 'folder'>,
): CommitContent['impact'] {
  if (judged === undefined) return undefined
  const {impact, accepted} = judged
  const findings = withFiles(impact.findings, file => pathBeside(folder, file))
  return {...impact, findings, accepted: accepted.length}
}

/** Returns why a commit must not be made without acceptance. */
export async function homeRejections(
  impact: LockImpact | undefined,
  {request, impactWords, isReviewed = false}: Pick<GitQuery, 'request' | 'impactWords' | 'isReviewed'>,
  {declaration}: Pick<HomePlace, 'declaration'>,
): Promise<readonly Diagnostic[]> {
  if (impact === undefined || isReviewed) return []
  const {fileRejections} = await import('../impact/impact-gate.js')
  const names = 'names' in request ? request.names : 'entry' in request ? [request.entry.package ?? ''] : []
  const words = names.filter(name => name !== '').map(shellWord)
  const command = ['kubectl crossplane package impact', ...words, impactWords].join(' ')
  const isReadable = impactWords !== undefined && (request.kind === 'install' || request.kind === 'upgrade')
  return fileRejections(impact, declaration, isReadable ? command : undefined)
}
