import {boolean, option, string} from '@oclif/core/flags'
import {ERA_NAMES} from '../../reference/era-name.js'
import {reportOutputFlag} from '../shell/flags/output-flags.js'

/** Returns the flag for what is left out of the folder of an xpkg when it is built or linted. */
export function ignoreFlag(helpGroup: 'IMAGE' | 'PACKAGE') {
  return string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup,
    helpValue: 'PATTERN',
    summary: 'Files and folders of an xpkg to leave out, such as docs or *.test.yaml; can be repeated',
  })
}

/** Flags for building the image of a package. */
export const buildFlags = {
  from: string({
    helpGroup: 'IMAGE',
    helpValue: 'IMAGE',
    summary: 'Image to build on, for example the controller image, for each of its platforms',
  }),
  'embed-runtime-image': string({
    exclusive: ['from'],
    helpGroup: 'IMAGE',
    helpValue: 'IMAGE',
    summary: 'Image with the program that an xpkg runs: a reference or an archive, as for --from',
  }),
  examples: string({
    helpGroup: 'IMAGE',
    helpValue: 'DIR',
    summary: 'Folder with the examples of an xpkg (default: its examples/)',
  }),
  ignore: ignoreFlag('IMAGE'),
  copy: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'IMAGE',
    helpValue: 'DIR:PATH',
    summary: 'Folder to copy into the image, as DIR:PATH, such as dist:/app; can be repeated',
  }),
  'bake-metadata': boolean({
    helpGroup: 'IMAGE',
    summary: 'Write groups, resources, icons and ui-schemas into the CRDs, and omit their files',
  }),
  api: option({
    options: ERA_NAMES,
    default: 'packages',
    env: 'CROSSPLANE_API',
    helpGroup: 'IMAGE',
    summary: 'Package API of the annotations that --bake-metadata writes',
  })(),
  'no-lint': boolean({
    helpGroup: 'IMAGE',
    summary: 'Build and push despite lint errors',
  }),
  ...reportOutputFlag,
}
