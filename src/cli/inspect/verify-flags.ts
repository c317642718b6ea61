import {string} from '@oclif/core/flags'
import {baseFlag} from '../bundle/bundle-flags.js'
import {choiceFlags} from '../declaration/choice-flags.js'
import {lockFileFlag} from '../declaration/lock-flags.js'
import {coreVersionFlag} from '../declaration/xpkg-flags.js'

/** Flags that name the trusted signers, as in cosign. */
export const signerFlags = {
  key: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'SIGNATURE',
    helpValue: 'FILE',
    summary: 'Public key (PEM) of a trusted signer; can be repeated, one signature is enough',
  }),
  'certificate-identity': string({
    dependsOn: ['certificate-oidc-issuer', 'trusted-root'],
    exclusive: ['key'],
    helpGroup: 'SIGNATURE',
    helpValue: 'SUBJECT',
    summary: 'Subject of the certificate; * is any text without /, ** any text',
  }),
  'certificate-oidc-issuer': string({
    dependsOn: ['certificate-identity'],
    helpGroup: 'SIGNATURE',
    helpValue: 'URL',
    summary: 'OIDC issuer of the identity',
  }),
  'trusted-root': string({
    helpGroup: 'SIGNATURE',
    helpValue: 'FILE',
    summary:
      'Trusted root (JSON) with the certificate authorities and transparency logs; with --key, requires a log entry',
  }),
}

const {crd: _one, ...choices} = choiceFlags

/** Flags of `package verify`: the trusted signers, and the packages to verify. */
export const verifyCommandFlags = {
  ...signerFlags,
  ...choices,
  ...baseFlag,
  ...coreVersionFlag,
  ...lockFileFlag,
}
