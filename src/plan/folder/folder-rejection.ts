import type {Diagnostic} from '../../diagnostic.js'

/** The reason why a path of an output folder must not be written or deleted. */
export type RejectedRule = keyof typeof RULES

const RULES = {
  'foreign-file': {
    message: 'the file exists and was not written by this program',
    suggestion: 'Move the unmanaged files elsewhere, or choose another output folder.',
  },
  'edited-file': {
    message: 'the file was modified since this program wrote it',
    suggestion: 'Undo the changes or delete the modified files, then run the command again.',
  },
  'edited-stale-file': {
    message: 'the file is no longer part of the set, and was modified since this program wrote it',
    suggestion: 'Delete the modified files that are no longer needed, or move them out of the folder.',
  },
  'unlisted-file': {
    message: 'the plan and its list of managed files do not agree on the file',
    suggestion: 'Save the plan again with --plan-out, or run the command without --plan.',
  },
  'not-a-file': {
    message: 'a link, a folder or a device is in place of the file',
    suggestion: 'Move the folder or link at the path of a file elsewhere, or choose another output folder.',
  },
  'not-a-folder': {
    message: 'a link or a file is in place of the folder',
    suggestion: 'Move the file or link at the path of a folder elsewhere, or choose another output folder.',
  },
  'second-kustomization': {
    message: 'the file is a second kustomization in its folder, and kustomize rejects a folder with two',
    suggestion: 'Move the other kustomization elsewhere, or choose another output folder.',
  },
  'changed-meanwhile': {
    message: 'the file has changed since the plan was made, or since a write was interrupted',
    suggestion: 'Make a new plan, or move the changed files elsewhere, then run the command again.',
  },
  'staging-damaged': {
    message: 'the file cannot get its new content, which was damaged after a write was interrupted',
    suggestion:
      'Delete .kubectl-crossplane/journal in the folder, restore the other files with git restore, then run the command again.',
  },
} as const

/** A path relative to the output folder, and the reason why it must not be changed. */
export interface RejectedPath {
  readonly path: string
  readonly rule: RejectedRule
}

/** One diagnostic for each path, with its next step. */
export function folderRejections(paths: readonly RejectedPath[]): readonly Diagnostic[] {
  return paths.map(({path, rule}) => ({
    severity: 'error',
    rule,
    message: RULES[rule].message,
    file: path,
    suggestions: [RULES[rule].suggestion],
  }))
}
