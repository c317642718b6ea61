import {boolean, directory, integer, option, string} from '@oclif/core/flags'
import {choiceFlags} from '../declaration/choice-flags.js'
import {indexFlags} from '../sources/index-flags.js'
import {lockFlags} from '../declaration/lock-flags.js'
import {formerly} from '../shell/flags/former-names.js'
import {renderOutputFlag} from '../shell/flags/output-flags.js'
import {declarationFlags, folderFlags, packageFlags} from '../sources/package-flags.js'
import {planFlags} from '../plan/plan-flags.js'
import {pullFlags} from '../sources/pull-flags.js'
import {hidden, placeFlags, requestFlags, withSummary} from '../declaration/request-flags.js'
import {runtimeFlags} from './runtime-flags.js'
import {resolutionFlags} from '../declaration/resolution-flags.js'
import {treeFlags} from './tree-flags.js'
import {coreVersionFlag, xpkgFlags} from '../declaration/xpkg-flags.js'

/** Flags for rendering packages with `.registry/` of any source. */
export const contentFlags = {
  'include-request': boolean({helpGroup: 'OUTPUT', summary: 'Include the request objects'}),
  'with-package-api': formerly(
    boolean({helpGroup: 'OUTPUT', summary: 'Include the CRDs and roles of the package API of v0.12'}),
    'base',
  ),
  'create-namespace': boolean({helpGroup: 'OUTPUT', summary: 'Include the namespaces'}),
  'no-pin-image': formerly(
    boolean({helpGroup: 'OUTPUT', summary: 'Do not pin the image of a package of v0.12 to its digest'}),
    'no-pin',
  ),
  'controller-image': string({
    helpGroup: 'OUTPUT',
    helpValue: 'IMAGE',
    summary: "Image of the controllers of template stacks (default: the package's, else that of --api)",
  }),
  'templates-from': option({
    options: ['image', 'inline'] as const,
    helpGroup: 'OUTPUT',
    summary:
      'Where controllers read templates: the image, or the StackDefinition (needs an image of this program)',
  })(),
  'non-structural': option({
    options: ['refuse', 'preserve'] as const,
    default: 'refuse',
    helpGroup: 'OUTPUT',
    summary: 'Schemas that v1 cannot express: reject, or preserve unknown fields',
  })(),
  'allow-core-permissions': boolean({
    helpGroup: 'SAFETY',
    summary: 'Grant permissions outside the API groups of packages',
  }),
  'allow-full-deployment': boolean({
    helpGroup: 'SAFETY',
    summary: "Keep the package's own security settings",
  }),
}

/** Flags that select the content of an install set, for any output. */
export const installSetFlags = {
  ...requestFlags,
  ...runtimeFlags,
  ...choiceFlags,
  ...lockFlags,
  'no-dependencies': boolean({
    helpGroup: 'DEPENDENCY',
    summary: 'Do not resolve dependencies',
  }),
  ...contentFlags,
}

/** The CRDs of a cluster are known, so that a release is a usage error: help does not show the flag. */
const hiddenRelease = {
  'crossplane-version': hidden(resolutionFlags['crossplane-version']),
}

/** The same for a cluster. */
export const clusterSetFlags = {...installSetFlags, ...hiddenRelease}

/** Flags of `package upgrade`. Requests, namespaces and names are those of the inventories. */
export const upgradeFlags = {
  api: withSummary(requestFlags.api, 'Package API of dependencies that are new: packages or stacks'),
  declaration: withSummary(
    declarationFlags.declaration,
    'Declaration of the packages to upgrade; PACKAGE:TAG also edits the tag in it',
  ),
  ...folderFlags,
  platform: packageFlags.platform,
  ...indexFlags,
  ...resolutionFlags,
  ...hiddenRelease,
  'system-namespace': placeFlags['system-namespace'],
  ...pullFlags,
  ...contentFlags,
}

/** Flags of `package rollback`. Parameters and settings are those of the revision. */
export const rollbackFlags = {
  'to-revision': integer({
    min: 1,
    helpGroup: 'REQUEST',
    helpValue: 'N',
    exclusive: ['git'],
    summary: 'Number of the revision, as kubectl has it; the same as REVISION',
  }),
  to: string({
    dependsOn: ['git'],
    helpGroup: 'GIT',
    helpValue: 'REV',
    summary: 'Commit, branch or tag with the lock to return to (default: the version before)',
  }),
  ...folderFlags,
  platform: packageFlags.platform,
  ...indexFlags,
  ...resolutionFlags,
  ...hiddenRelease,
  'system-namespace': placeFlags['system-namespace'],
  ...coreVersionFlag,
  ...pullFlags,
}

/** Flags of `package move` that decide how packages are found and judged. */
export const moveSourceFlags = {
  ...folderFlags,
  platform: packageFlags.platform,
  ...indexFlags,
  ...resolutionFlags,
  ...hiddenRelease,
  ...coreVersionFlag,
  ...pullFlags,
}

/** Flags of `package render`. */
export const renderFlags = {
  ...installSetFlags,
  filename: string({
    char: 'f',
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'PACKAGE',
    helpValue: 'FILE',
    summary:
      'File of install requests, package records and CRDs, instead of REF; - is standard input; can be repeated',
  }),
  'crd-version': option({
    options: ['v1', 'v1beta1'] as const,
    helpGroup: 'OUTPUT',
    summary: "API version of CRDs: v1 (converted) or the source's v1beta1",
  })(),
  'kube-version': string({
    env: 'CROSSPLANE_KUBE_VERSION',
    helpGroup: 'OUTPUT',
    helpValue: 'VERSION',
    summary: 'Kubernetes version to render for (default: current)',
  }),
  ...renderOutputFlag,
  'output-dir': directory({
    helpGroup: 'OUTPUT',
    helpValue: 'DIR',
    summary: 'Write one file per object to this folder instead of printing them',
  }),
  ...treeFlags,
  ...planFlags,
  ...xpkgFlags,
  expand: boolean({
    exclusive: ['output-dir'],
    helpGroup: 'OUTPUT',
    summary:
      'Also print what Crossplane creates for Providers, Configurations and Functions (xpkg), for a review; never apply it',
  }),
}
