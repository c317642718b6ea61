import {boolean, option, string} from '@oclif/core/flags'
import {LAYOUTS} from '../../declaration/layout-settings.js'

const withOutputDir = {dependsOn: ['output-dir']}

/** Flags for changes of the settings that a tree was rendered with. */
export function settingFlags(requires: typeof withOutputDir) {
  return {
    'change-settings': boolean({
      ...requires,
      helpGroup: 'SAFETY',
      summary: 'Change settings that the files were rendered with, such as their layout or pin',
    }),
    'allow-pruning': boolean({
      ...requires,
      helpGroup: 'SAFETY',
      summary: 'Remove files of a layout, and what keeps Flux or Argo CD from deleting objects',
    }),
  }
}

/** Flags for the files of a tree besides its objects. */
export const treeFlags = {
  layout: option({
    options: LAYOUTS,
    dependsOn: ['output-dir'],
    helpGroup: 'OUTPUT',
    summary: 'Layout of --output-dir: plain, or for Flux or Argo CD (default: plain)',
  })(),
  'repo-url': string({
    dependsOn: ['output-dir'],
    helpGroup: 'OUTPUT',
    helpValue: 'URL',
    summary: 'URL of the Git repository for --layout argocd',
  }),
  'assume-no-instances': boolean({
    dependsOn: ['output-dir'],
    helpGroup: 'SAFETY',
    summary: 'Write CRDs that lose a version or change their scope or kind for Flux or Argo CD',
  }),
  ...settingFlags(withOutputDir),
}

/** Flags for how the tree of a new declaration is started, and takes over objects of other files. */
export const newTreeFlags = {
  layout: option({
    options: LAYOUTS,
    helpGroup: 'OUTPUT',
    summary:
      'Layout of the rendered tree: plain, or for Flux or Argo CD; written to the declaration (default: plain)',
  })(),
  'repo-url': string({
    dependsOn: ['layout'],
    helpGroup: 'OUTPUT',
    helpValue: 'URL',
    summary: 'URL of the Git repository for --layout argocd; written to the declaration',
  }),
  objects: string({
    helpGroup: 'OUTPUT',
    helpValue: 'DIR',
    summary: 'Print how the rendered tree takes over the requests in the files of this folder',
  }),
}
