import {CrossplaneError} from '../../errors.js'
import type {AttestQuery} from '../../pipeline/author/attestations.js'
import type {PushSigning} from '../../pipeline/author/sign-pushed.js'
import type {InputFiles} from '../../pipeline/request/input-files.js'
import {keySigner} from '../../signatures/key-signer.js'
import {trustedKey} from '../../signatures/public-key.js'
import type {InputFile} from '../../render/written-input.js'
import type {Signer} from '../../signatures/signer.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {signFlags} from './sign-flags.js'
import {commandKey, cryptography, signingKey} from '../wire.js'

type SignFlags = FlagValues<typeof signFlags>

/** Creates the signer of the token in a file, which takes servers. */
type SignerByToken = (file: InputFile) => Promise<Signer>

/**
 * Returns who signs a pushed package, and what is attached; undefined without a key or a token. Throws `usage`, and `input-invalid` for
 * files of another form.
 */
export async function pushSigning(
  flags: SignFlags,
  version: string,
  inputs: InputFiles,
  byToken: SignerByToken,
): Promise<PushSigning | undefined> {
  const signer = await signerOf(flags, inputs, byToken)
  if (signer === undefined) {
    expectUnsigned(flags)
    return undefined
  }
  return {...(await attestQuery(flags, version, inputs)), signer, cryptography}
}

async function signerOf(
  flags: SignFlags,
  inputs: InputFiles,
  byToken: SignerByToken,
): Promise<Signer | undefined> {
  const {'sign-key': file, 'sign-command': command, 'public-key': publicKey} = flags
  if (file !== undefined) {
    const {name, bytes} = await inputs.read(file, '--sign-key')
    return keySigner(await signingKey({name, bytes, password: process.env.COSIGN_PASSWORD}))
  }
  const token = flags['identity-token']
  if (token !== undefined) {
    expectNoToken(token)
    return await byToken(await inputs.read(token, '--identity-token'))
  }
  if (command === undefined || publicKey === undefined) return undefined
  const {name, bytes} = await inputs.read(publicKey, '--public-key')
  const {pem} = trustedKey(new TextDecoder().decode(bytes), name)
  return keySigner(await commandKey({command: commandWords(command, '--sign-command'), publicKey: pem}))
}

/** The header and the claims of a token are JSON, which begins with `{"`. */
const JWT = /^eyJ[\w-]*\.eyJ[\w-]*\.[\w-]*$/

/** cosign takes the token itself as well. As the name of a file that does not exist, it would be in the error. */
function expectNoToken(value: string): void {
  if (!JWT.test(value.trim())) return
  throw new CrossplaneError('usage', '--identity-token takes the file of a token, not the token itself', {
    suggestions: ['Write the token to a file, or pass it on standard input: --identity-token -'],
  })
}

function expectUnsigned({provenance, sbom}: SignFlags): void {
  const flag = provenance ? '--provenance' : sbom === undefined ? undefined : '--sbom'
  if (flag === undefined) return
  throw new CrossplaneError('usage', `${flag} requires a signature: it attaches only what is signed`, {
    suggestions: ['Add --sign-key FILE or --identity-token FILE.'],
  })
}

/** A build that is not described otherwise is one that a user ran. */
const BUILDER = 'https://packages.kubectl-crossplane.dev/builder/user'

async function attestQuery(
  {provenance, builder = BUILDER, sbom}: SignFlags,
  version: string,
  inputs: InputFiles,
): Promise<AttestQuery> {
  return {
    version,
    ...(provenance && {provenance: {builder: expectUri(builder)}}),
    ...(sbom !== undefined && {sbom: sbom === 'generate' ? sbom : await inputs.read(sbom, '--sbom')}),
  }
}

function expectUri(text: string): string {
  if (URL.canParse(text)) return text
  throw new CrossplaneError('usage', `--builder ${JSON.stringify(text)} is not a URI`, {
    suggestions: ['Pass one such as https://ci.example.org/builder'],
  })
}

/** A word: parts in single or double quotes, and other characters than blanks and quotes. */
const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g
const QUOTED = /'([^']*)'|"([^"]*)"/g

/**
 * Divides a command at blanks; quotes keep blanks together. Nothing else has a meaning: no shell is involved. Throws `usage`,
 * naming `flag`, for a command without a program or with a quote that does not end.
 */
function commandWords(text: string, flag: string): readonly [string, ...string[]] {
  if (text.replaceAll(WORD, '').trim() !== '') throw wrong(flag, 'a quote does not end')
  const [program = '', ...args] = (text.match(WORD) ?? []).map(word =>
    word.replaceAll(QUOTED, (_, single?: string, double?: string) => single ?? double ?? ''),
  )
  if (program === '') throw wrong(flag, 'it names no program')
  return [program, ...args]
}

function wrong(flag: string, why: string): CrossplaneError {
  return new CrossplaneError('usage', `cannot read the command of ${flag}: ${why}`, {
    suggestions: [`Pass one such as ${flag} 'openssl dgst -sha256 -sign key.pem'`],
  })
}
