import {integer, option, string} from '@oclif/core/flags'
import {XPKG_PINS, XPKG_RESOLVERS} from '../../xpkg/pins.js'

/** The flag for the version of Crossplane that packages are for. */
export const coreVersionFlag = {
  'core-version': string({
    helpGroup: 'DEPENDENCY',
    helpValue: 'VERSION',
    summary:
      'Version of Crossplane that installs the Providers, Configurations and Functions (xpkg), and reads their constraints',
  }),
}

/** Flags for rendering packages for a current Crossplane. */
export const xpkgFlags = {
  ...coreVersionFlag,
  pin: option({
    options: XPKG_PINS,
    helpGroup: 'OUTPUT',
    summary:
      'How Providers, Configurations and Functions (xpkg) are pinned: ImageConfigs for tags, digests, or not (default: config)',
  })(),
  resolver: option({
    options: XPKG_RESOLVERS,
    helpGroup: 'OUTPUT',
    summary:
      'Whether Crossplane resolves the dependencies of Providers, Configurations and Functions (xpkg); off allows any names (default: on, with --pin=digest off)',
  })(),
  activate: string({
    helpGroup: 'OUTPUT',
    helpValue: 'all|used|none|FILE',
    summary:
      'Kinds of managed resources to activate (xpkg): all, those that Compositions use, none, or the policies in FILE (default: all)',
  }),
  'revision-activation-policy': option({
    options: ['Automatic', 'Manual'] as const,
    helpGroup: 'REQUEST',
    summary: 'Whether Crossplane activates new revisions of Providers, Configurations and Functions (xpkg)',
  })(),
  'revision-history-limit': integer({
    min: 0,
    helpGroup: 'REQUEST',
    helpValue: 'N',
    summary: 'Number of inactive revisions that Crossplane keeps (xpkg)',
  }),
}
