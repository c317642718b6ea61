import {CrossplaneError} from '../../errors.js'
import {isLoopback} from '../../http/loopback.js'
import {tracedHttp} from '../../http/trace.js'
import {present} from '../../present.js'
import type {InputFile} from '../../render/written-input.js'
import {certifiedBy} from '../../signatures/keyless/fulcio.js'
import {readIdentityToken} from '../../signatures/keyless/identity-token.js'
import {keylessSigner} from '../../signatures/keyless/keyless-signer.js'
import {loggedBy} from '../../signatures/keyless/rekor.js'
import type {Signer} from '../../signatures/signer.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {registryFlags} from '../registry/registry-flags.js'
import type {signFlags} from './sign-flags.js'
import {httpOptions} from '../registry/http-options.js'
import {certificateReader, clock, http, newKeyPair} from '../wire.js'
import type {Progress} from '../shell/progress/step-event.js'
import {reportedHttp} from '../shell/progress/reported-waits.js'

type TokenFlags = FlagValues<typeof signFlags & typeof registryFlags>

/** Creates the signer of an identity token. Throws `input-invalid` for another file, and `usage` for an address. */
export async function signerByToken(
  {name, bytes}: InputFile,
  flags: TokenFlags,
  progress: Progress,
): Promise<Signer> {
  const token = readIdentityToken(bytes, name)
  const fulcioUrl = serverUrl(flags, 'fulcio-url', 'https://fulcio.sigstore.dev')
  const rekorUrl = serverUrl(flags, 'rekor-url', 'https://rekor.sigstore.dev')
  const [ports, newKey, readCertificate] = await Promise.all([
    serverPorts(flags, progress),
    newKeyPair(),
    certificateReader(),
  ])
  const fulcio = {...ports, url: fulcioUrl, flag: '--fulcio-url'}
  const rekor = {...ports, url: rekorUrl, flag: '--rekor-url'}
  return keylessSigner({
    newKey,
    certify: key => certifiedBy(fulcio, token, key, readCertificate),
    log: signed => loggedBy(rekor, signed),
  })
}

/** What makes connections to registries less secure does not apply: another server could sign with the token. */
async function serverPorts(flags: TokenFlags, {report, trace}: Progress) {
  const options = {...httpOptions(flags, process.env, []), insecure: false}
  const [plain, time] = await Promise.all([http(options), clock()])
  const reported = reportedHttp(plain, report)
  return {
    http: trace === undefined ? reported : tracedHttp(reported, time, trace),
    clock: time,
    ...present({report}),
  }
}

function serverUrl(flags: TokenFlags, flag: 'fulcio-url' | 'rekor-url', publicUrl: string): URL {
  const text = flags[flag] ?? publicUrl
  if (URL.canParse(text) && isServer(new URL(text))) return new URL(text)
  throw new CrossplaneError(
    'usage',
    `--${flag} has to be the address of a server, with HTTPS unless it is on localhost`,
    {suggestions: [`Pass one such as ${publicUrl}`]},
  )
}

function isServer({protocol, hostname, search, hash, username, password}: URL): boolean {
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return isPrivate && `${search}${hash}${username}${password}` === ''
}
