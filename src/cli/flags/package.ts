import {string} from '@oclif/core/flags'

/** Flags that say where a package is found and what it is called. */
export const packageFlags = {
  packages: string({
    env: 'CROSSPLANE_PACKAGES',
    helpGroup: 'PACKAGE',
    helpValue: 'DIR',
    summary: 'Folder of packages, as PATH/VERSION or PATH@VERSION, to look references up in.',
  }),
  'as-package': string({
    helpGroup: 'PACKAGE',
    helpValue: 'REF',
    summary: 'Identity of a local package: its image and version are those of REF.',
  }),
  platform: string({
    env: 'CROSSPLANE_PLATFORM',
    helpGroup: 'PACKAGE',
    helpValue: 'OS/ARCH',
    summary: 'Platform to choose from a multi-platform image (default linux/amd64).',
  }),
}

/** What may be asked for in place of a reference. */
export const declarationFlags = {
  crd: string({
    helpGroup: 'PACKAGE',
    helpValue: 'CRD',
    summary: 'RESOURCE.GROUP[/VERSION] in place of REF: whatever package defines it.',
  }),
  declaration: string({
    helpGroup: 'PACKAGE',
    helpValue: 'FILE',
    summary: 'File that says what is wanted, crossplane-packages.yaml, in place of REF; - is standard input.',
  }),
}
