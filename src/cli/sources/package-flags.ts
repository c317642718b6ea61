import {string} from '@oclif/core/flags'
import {formerly} from '../shell/flags/former-names.js'

/** Flags for the folder or the bundle in which packages are looked up. */
export const folderFlags = {
  packages: string({
    env: 'CROSSPLANE_PACKAGES',
    helpGroup: 'PACKAGE',
    helpValue: 'DIR',
    summary:
      'Folder of packages, as PATH/VERSION or PATH@VERSION, or bundle, in which references are looked up',
  }),
  'packages-base': formerly(
    string({
      multiple: true,
      multipleNonGreedy: true,
      dependsOn: ['packages'],
      env: 'CROSSPLANE_PACKAGES_BASE',
      helpGroup: 'PACKAGE',
      helpValue: 'BUNDLE',
      summary:
        'Bundle that the bundle of --packages adds to; can be repeated if that one adds to another bundle',
    }),
    'base',
  ),
}

/** Flags for the source and the identity of a package. */
export const packageFlags = {
  ...folderFlags,
  'as-package': string({
    helpGroup: 'PACKAGE',
    helpValue: 'REF',
    summary: 'Identity of a local package: use the image and version of REF',
  }),
  platform: string({
    env: 'CROSSPLANE_PLATFORM',
    helpGroup: 'PACKAGE',
    helpValue: 'OS/ARCH',
    summary: 'Platform to use from a multi-platform image (default: linux/amd64)',
  }),
}

/** Flags that replace a reference. */
export const declarationFlags = {
  crd: string({
    helpGroup: 'PACKAGE',
    helpValue: 'CRD',
    summary: 'Select the package that provides RESOURCE.GROUP[/VERSION], instead of REF',
  }),
  declaration: string({
    helpGroup: 'PACKAGE',
    helpValue: 'FILE',
    summary: 'Declaration (crossplane-packages.yaml) to use instead of REF; - is standard input',
  }),
}

/** The declaration of a command that has no REF. */
export const nearestDeclarationFlag = string({
  helpGroup: 'PACKAGE',
  helpValue: 'FILE',
  summary: 'Declaration (default: crossplane-packages.yaml of the folder or of a parent)',
})
