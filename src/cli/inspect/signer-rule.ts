import {CrossplaneError} from '../../errors.js'
import type {InputFiles} from '../../pipeline/request/input-files.js'
import {present} from '../../present.js'
import {trustedKey} from '../../signatures/public-key.js'
import {readTrustedRoot} from '../../signatures/read-trusted-root.js'
import type {SignatureRule} from '../../signatures/signature-rule.js'
import type {TrustedSigner} from '../../signatures/trusted-signer.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {signerFlags} from './verify-flags.js'

type SignerFlags = FlagValues<typeof signerFlags>

/** The rule of the flags for signers. Throws `usage` without any, and `input-invalid`. */
export async function signerRule(flags: SignerFlags, inputs: InputFiles): Promise<SignatureRule> {
  const signers = await signersOf(flags, inputs)
  return {repositories: ['*'], signers, require: ['signature'], otherwise: 'reject'}
}

/** Whether flags name a signer. */
export function hasSigner({key, 'certificate-identity': subject}: SignerFlags): boolean {
  return key !== undefined || subject !== undefined
}

async function signersOf(flags: SignerFlags, inputs: InputFiles): Promise<readonly TrustedSigner[]> {
  const {key: keys = [], 'certificate-identity': subject, 'certificate-oidc-issuer': issuer} = flags
  const trustedRoot = await rootOf(flags, inputs)
  if (subject !== undefined && issuer !== undefined && trustedRoot !== undefined) {
    return [{kind: 'identity', issuer, subject, trustedRoot}]
  }
  if (keys.length === 0) throw noSigner()
  return await Promise.all(
    keys.map(async file => {
      const {name, bytes} = await inputs.read(file, '--key')
      return {...trustedKey(new TextDecoder().decode(bytes), name), ...present({trustedRoot})}
    }),
  )
}

async function rootOf({'trusted-root': file}: SignerFlags, inputs: InputFiles) {
  if (file === undefined) return undefined
  const {name, bytes} = await inputs.read(file, '--trusted-root')
  return readTrustedRoot(bytes, name)
}

function noSigner(): CrossplaneError {
  return new CrossplaneError('usage', 'no trusted signer given', {
    suggestions: [
      'Pass --policy FILE, --key FILE, or --certificate-identity with --certificate-oidc-issuer and --trusted-root.',
    ],
  })
}
