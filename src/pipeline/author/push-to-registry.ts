import type {Diagnostic} from '../../diagnostic.js'
import {withSuggestions, CrossplaneError} from '../../errors.js'
import type {Digest, Image} from '../../fetch/image.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {Registry} from '../../registry/registry.js'
import {isUnauthenticated, isUnwritable} from '../../registry/unwritable.js'
import type {AttestedImage} from './attestations.js'
import type {PushSigning, SignedPush} from './sign-pushed.js'
import type {PushQuery, PushPorts} from './push-query.js'

/** An image, and where it is pushed. */
export interface Pushed {
  readonly repository: Repository
  readonly tag: string
  readonly image: Image
  readonly mountFrom: string | undefined
}

/** The same, with how it was built. */
interface Pushing extends Pushed {
  readonly build?: AttestedImage['build']
}

/** What a push did. */
interface PushedTo {
  readonly changed: boolean
  /** The digest that the tag had before. */
  readonly overwritten: string | undefined
  readonly signed: SignedPush['signed'] | undefined
}

/** Some registries do not create repositories on push, and respond as if permission were missing. */
export async function pushTo(pushed: Pushing, query: PushQuery, ports: PushPorts): Promise<PushedTo> {
  const {repository, tag, image, mountFrom} = pushed
  const at = await ports.registry(repository.registry)
  try {
    const digest = await at.digestOf(repository, tag)
    const overwritten = digest === image.descriptor.digest ? undefined : digest
    if (overwritten !== undefined && query.force !== true)
      throw tagExists(`${formatRepository(repository)}:${tag}`, overwritten)
    // Signed first: without a signature, nothing is pushed.
    const signing = await preparedSignatures(pushed, query.signing, {...ports, at})
    if (signing === undefined) {
      const {changed} = await at.push(repository, tag, image, ports.report, {before: {digest}, mountFrom})
      return {changed, overwritten, signed: undefined}
    }
    return {...(await pushSigned(pushed, digest, signing, {...ports, at})), overwritten}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !isUnwritable(error) || isUnauthenticated(error)) throw error
    throw withSuggestions(error, [
      `Create the repository ${formatRepository(repository)} if the registry does not create it on push.`,
    ])
  }
}

/** Moves the tag last: what cannot be signed is in the registry under its digest only. */
async function pushSigned(
  {repository, tag, image, mountFrom}: Pushing,
  before: Digest | undefined,
  signing: SignedPush,
  {at, report}: PushPorts & {readonly at: Registry},
): Promise<Pick<PushedTo, 'changed' | 'signed'>> {
  const {digest} = image.descriptor
  const changed = before !== digest
  let stored: readonly Diagnostic[] = []
  if (changed) await at.push(repository, digest, image, report, {before: {digest: undefined}, mountFrom})
  try {
    stored = await signing.attach()
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    throw unsigned(`${formatRepository(repository)}:${tag}`, changed, error)
  }
  if (changed) await at.push(repository, tag, image, report, {before: {digest: before}, isStored: true})
  const {signed} = signing
  return {changed, signed: {...signed, warnings: [...signed.warnings, ...stored]}}
}

function unsigned(name: string, isNew: boolean, error: CrossplaneError): CrossplaneError {
  const left = isNew ? 'the tag was left as it was' : 'the tag has the package already'
  return withSuggestions(
    error,
    error.code === 'access-denied'
      ? [`Allow the account to push artifacts to the repository of ${name}, and run the command again.`]
      : [],
    `cannot store the signature of ${name}, and ${left}: ${error.message}`,
  )
}

/** Loads the modules that sign only if they are used. */
async function preparedSignatures(
  pushed: Pushing,
  signing: PushSigning | undefined,
  ports: PushPorts & {readonly at: Registry},
): Promise<SignedPush | undefined> {
  return signing === undefined
    ? undefined
    : await (await import('./sign-pushed.js')).preparedSignatures(pushed, signing, ports)
}

function tagExists(name: string, digest: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot push ${name}: the tag exists with other content, ${digest}`,
    {
      suggestions: ['Push under a new version', 'Or overwrite the tag: add --force'],
    },
  )
}
