import {boolean, string} from '@oclif/core/flags'

/** Flags for signing a package that is pushed. */
export const signFlags = {
  'sign-key': string({
    helpGroup: 'SIGNATURE',
    helpValue: 'FILE',
    summary: 'Sign with a private key of cosign or in PKCS#8 (PEM), whose password is in COSIGN_PASSWORD',
  }),
  'sign-command': string({
    exclusive: ['sign-key'],
    dependsOn: ['public-key'],
    helpGroup: 'SIGNATURE',
    helpValue: 'COMMAND',
    summary: 'Sign with a program that reads bytes from standard input and prints their signature',
  }),
  'public-key': string({
    dependsOn: ['sign-command'],
    helpGroup: 'SIGNATURE',
    helpValue: 'FILE',
    summary: 'Public key (PEM) of --sign-command',
  }),
  'identity-token': string({
    exclusive: ['sign-key', 'sign-command'],
    helpGroup: 'SIGNATURE',
    helpValue: 'FILE|-',
    summary: 'Sign as the subject of an OIDC token (JWT), with a certificate of Fulcio and an entry in Rekor',
  }),
  'fulcio-url': string({
    dependsOn: ['identity-token'],
    helpGroup: 'SIGNATURE',
    helpValue: 'URL',
    summary: 'Certificate authority for --identity-token (default: https://fulcio.sigstore.dev)',
  }),
  'rekor-url': string({
    dependsOn: ['identity-token'],
    helpGroup: 'SIGNATURE',
    helpValue: 'URL',
    summary: 'Transparency log for --identity-token (default: https://rekor.sigstore.dev)',
  }),
  provenance: boolean({
    helpGroup: 'SIGNATURE',
    summary: 'Attach signed provenance of SLSA: the builder, and the commit that the package was built from',
  }),
  builder: string({
    dependsOn: ['provenance'],
    helpGroup: 'SIGNATURE',
    helpValue: 'URI',
    summary: 'URI of the builder, for --provenance (default: that of a user)',
  }),
  sbom: string({
    helpGroup: 'SIGNATURE',
    helpValue: 'FILE|generate',
    summary: 'Attach a signed SBOM: a file of CycloneDX or SPDX (JSON), or one of the content of the package',
  }),
}
