import {CrossplaneError} from '../errors.js'

/** Why a path of an output folder is not ours to write or delete. */
export type RefusedRule =
  | 'foreign-file' // a file that this program did not write, with another content
  | 'edited-file' // a file of ours that someone edited since
  | 'edited-stale-file' // the same, and nothing belongs there any more
  | 'not-a-file' // a link, a folder or a device in the place of a file
  | 'not-a-folder' // a link or a file in the place of a folder
  | 'second-kustomization' // another name for a kustomization: kustomize refuses to build a folder with two
  | 'changed-meanwhile' // neither what was there before an unfinished write nor what that write puts there
  | 'staging-damaged' // the content that an unfinished write is to put there is not what it was

const REASONS: Readonly<Record<RefusedRule, string>> = {
  'foreign-file': 'exists and was not written by this program',
  'edited-file': 'was edited since this program wrote it',
  'edited-stale-file': 'is no longer part of the set, and was edited since this program wrote it',
  'not-a-file': 'is a link, a folder or a device where a file belongs',
  'not-a-folder': 'is a link or a file where a folder belongs',
  'second-kustomization':
    'is a kustomization beside the one that belongs there, and kustomize refuses to build both',
  'changed-meanwhile':
    'was changed by someone else while this program was writing, or since it was interrupted',
  'staging-damaged': 'cannot get its new content, which was damaged after this program was interrupted',
}

const NEXT_STEPS: Readonly<Record<RefusedRule, string>> = {
  'foreign-file': 'Move the files that are not ours away, or choose another output folder.',
  'edited-file': 'Take the edits back with git restore, or delete the edited files, then run again.',
  'edited-stale-file':
    'Delete the edited files that are no longer needed, or move them elsewhere, then run again.',
  'not-a-file': 'Move what is in the way of a file elsewhere, or choose another output folder.',
  'not-a-folder': 'Move what is in the way of a folder elsewhere, or choose another output folder.',
  'second-kustomization': 'Move the other kustomization elsewhere, or choose another output folder.',
  'changed-meanwhile': 'Move the files that were changed elsewhere, then run again.',
  'staging-damaged': 'Restore the folder from Git, delete its .kubectl-crossplane/journal, then run again.',
}

const MAX_NAMES = 3

/** A path relative to the output folder, and why it stops us. */
export interface RefusedPath {
  readonly path: string
  readonly rule: RefusedRule
}

/** An `output-refused` with one fault for each path, and the next step for each rule among them. */
export function folderRefusal(refused: readonly RefusedPath[]): CrossplaneError {
  const message = `Refused to write to the output folder, because of ${someOf(refused.map(({path}) => path))}.`
  return new CrossplaneError('output-refused', message, {
    diagnostics: refused.map(({path, rule}) => ({
      severity: 'error',
      rule,
      message: `${path} ${REASONS[rule]}`,
      file: path,
    })),
    suggestions: [...new Set(refused.map(({rule}) => NEXT_STEPS[rule]))],
  })
}

function someOf(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : ''
  return paths.slice(0, MAX_NAMES).join(', ') + more
}
