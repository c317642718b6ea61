import {boolean, option, string} from '@oclif/core/flags'
import {LAYOUTS} from '../../declaration/layout-settings.js'
import {acceptImpactFlag} from '../declaration/lock-flags.js'
import {settingFlags} from '../render/tree-flags.js'

const withGit = {dependsOn: ['git'], helpGroup: 'GIT'}

/** Returns a flag that requires `--git`. */
export function onlyWithGit<Flag>(flag: Flag): Flag {
  return {...flag, dependsOn: ['git']}
}

/** Flags that have no effect on a commit. */
const CLUSTER_FLAGS = ['kubeconfig', 'as', 'as-group', 'as-uid']
const APPLY_FLAGS = [
  ...['adopt', 'force-conflicts', 'replace-crds', 'no-wait', 'timeout', 'plan', 'plan-out'],
]
const UNINSTALL_FLAGS = ['confirm-delete', 'with-unused-dependencies', 'backup']

/** Flags for how a commit is made and pushed. */
export const commitFlags = {
  remote: string({
    ...withGit,
    dependsOn: ['git', 'push'],
    helpValue: 'NAME',
    summary: "Remote to push to (default: the branch's, or origin)",
  }),
  push: boolean({...withGit, summary: 'Push the commit; always done for a URL'}),
  'author-name': string({...withGit, helpValue: 'NAME', summary: "Name of the commit's author"}),
  'author-email': string({...withGit, helpValue: 'EMAIL', summary: "Email address of the commit's author"}),
  signoff: boolean({...withGit, summary: 'Add a Signed-off-by trailer to the commit'}),
  'gpg-sign': boolean({...withGit, exclusive: ['ssh-sign'], summary: 'Sign the commit with GPG'}),
  'ssh-sign': boolean({...withGit, summary: 'Sign the commit with SSH'}),
  'signing-key': string({
    ...withGit,
    helpValue: 'KEY',
    summary: 'Key to sign with (default: user.signingKey of Git)',
  }),
}

/** Flags of commands that can commit their change instead of carrying it out in a cluster. */
export const gitFlags = {
  git: string({
    exclusive: [
      ...CLUSTER_FLAGS,
      ...APPLY_FLAGS,
      ...UNINSTALL_FLAGS,
      'declaration',
      'no-dependencies',
      'locked',
      'lock-file',
    ],
    helpGroup: 'GIT',
    helpValue: 'URL|DIR',
    summary: 'Commit the change to the Git repository of a folder or a URL instead of changing a cluster',
  }),
  path: string({
    ...withGit,
    helpValue: 'DIR',
    summary:
      'Folder of the declaration in the repository (default: the closest one up from the folder of --git, or the root)',
  }),
  branch: string({
    ...withGit,
    helpValue: 'NAME',
    summary: 'Branch to commit to (default: the current one; of a URL, the default branch)',
  }),
  ...commitFlags,
  'assume-no-instances': boolean({
    ...withGit,
    exclusive: ['context'],
    helpGroup: 'SAFETY',
    summary: 'Commit removals and incompatible changes of CRDs; the commit records it',
  }),
  'accept-impact': onlyWithGit(acceptImpactFlag['accept-impact']),
  ...settingFlags(withGit),
  message: string({...withGit, helpValue: 'TEXT', summary: 'Subject of the commit (default: the change)'}),
}

/** Flags of a command that changes a cluster and commits what leads to that. */
export const moveGitFlags = {
  git: string({
    helpGroup: 'GIT',
    helpValue: 'URL|DIR',
    summary: 'Commit the move to the Git repository of a folder or a URL, which the cluster applies',
  }),
  path: gitFlags.path,
  ...commitFlags,
  message: gitFlags.message,
}

/** Flags of commands that read a repository and never change it. */
export const gitReadFlags = {
  git: string({
    helpGroup: 'GIT',
    helpValue: 'URL|DIR',
    summary: 'Read the commits of the Git repository of a folder or a URL instead of a cluster',
    exclusive: [...CLUSTER_FLAGS, 'context'],
  }),
  path: gitFlags.path,
  branch: string({
    ...withGit,
    helpValue: 'NAME',
    summary: 'Branch to read (default: the current one; of a URL, the default branch)',
  }),
}

/** The flag of a command that moves the files of trees of earlier releases. */
export const moveFilesFlag = {
  'move-files': boolean({
    helpGroup: 'OUTPUT',
    summary: 'Move rendered files of an earlier release to the folders of new trees; nothing else changes',
  }),
}

/** Flags for the layout of the committed tree. */
export const gitLayoutFlags = {
  layout: option({
    ...withGit,
    options: LAYOUTS,
    summary: 'Layout of the tree: plain, or for Flux or Argo CD; written to the declaration (default: plain)',
  })(),
  'repo-url': string({
    ...withGit,
    helpValue: 'URL',
    summary: 'URL of the Git repository for --layout argocd; written to the declaration',
  }),
}
