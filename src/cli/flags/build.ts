import {boolean, option, string} from '@oclif/core/flags'
import {ERA_NAMES} from '../../render/era.js'
import {outcomeOutputFlag} from './output.js'

/** Flags by which a package is made into an image. */
export const buildFlags = {
  from: string({
    helpGroup: 'IMAGE',
    helpValue: 'IMAGE',
    summary: "Image to put the package on, such as its controller's; every platform of it gets the package.",
  }),
  'bake-metadata': boolean({
    helpGroup: 'IMAGE',
    summary: 'Write groups, resources, icons and ui-schemas into the CRDs, and leave their files out.',
  }),
  api: option({
    options: ERA_NAMES,
    default: 'packages',
    env: 'CROSSPLANE_API',
    helpGroup: 'IMAGE',
    summary: 'API whose annotations --bake-metadata writes.',
  })(),
  'no-lint': boolean({
    helpGroup: 'IMAGE',
    summary: 'Build whatever can be read, with what lint calls errors.',
  }),
  ...outcomeOutputFlag,
}
