import {string} from '@oclif/core/flags'
import {choiceFlags} from '../declaration/choice-flags.js'
import {lockFlags} from '../declaration/lock-flags.js'
import {coreVersionFlag} from '../declaration/xpkg-flags.js'

const {platform: _one, 'as-package': _own, ...choices} = choiceFlags

/** Flags for what a bundle has. */
export const bundleContentFlags = {
  ...choices,
  ...coreVersionFlag,
  ...lockFlags,
  image: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'PACKAGE',
    helpValue: 'REF',
    summary: 'Additional image for the bundle; can be repeated',
  }),
  platform: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'PACKAGE',
    helpValue: 'OS/ARCH',
    summary: 'Platform of multi-platform images to include; can be repeated (default: all)',
  }),
}

/** The bundles that another one adds to. */
export const baseFlag = {
  base: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'PACKAGE',
    helpValue: 'BUNDLE',
    summary: 'Bundle that this one adds to; can be repeated if that one adds to another bundle',
  }),
}
