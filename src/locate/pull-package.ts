import {CrossplaneError} from '../errors.js'
import type {Digest} from '../fetch/image.js'
import {DEFAULT_PLATFORM} from '../fetch/platform.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {present} from '../present.js'
import {compareVersions, isStable, newestStable} from '../reference/newest-version.js'
import {identityOf} from '../reference/repository-name.js'
import {isNear, listNames} from '../text.js'
import {rethrowNaming} from './failed-connection.js'
import type {ReadOptions} from './read-source.js'
import {
  type PulledPackage,
  type RemotePackages,
  RemoteRepository,
  wholeNameAdvice,
} from './remote-repository.js'

/**
 * Pulls the package of a full name: a digest takes precedence over a tag, and without either it is the newest stable
 * version. A tag is resolved once; every later step uses the digest. Throws `not-found`, and the errors of
 * `RemoteRepository`.
 */
export async function pullPackage(
  name: ImageName,
  remote: RemotePackages,
  options: ReadOptions = {},
): Promise<PulledPackage> {
  const reference = formatImageName(name)
  return await pulled(name, remote, options).catch(rethrowNaming(reference, `cannot pull ${reference}`))
}

async function pulled(
  name: ImageName,
  remote: RemotePackages,
  {platform = DEFAULT_PLATFORM, filesOf, withExamples}: ReadOptions,
): Promise<PulledPackage> {
  const repository = new RemoteRepository(name, remote)
  const {tag, digest} = await resolvedVersion(name, repository)
  const read = await (filesOf === undefined
    ? repository.files(digest, platform, present({withExamples}))
    : repository.otherFiles(digest, platform, filesOf))
  const own = {tag, digest, ...read}
  if (filesOf === undefined)
    remote.onPulled?.({...name, tag, digest}, {...own, ...present({mirror: repository.mirror()})})
  return own
}

/** Resolves a name to a digest, and the tag if it is not only a digest. Throws `not-found`. */
export async function resolvedVersion(
  name: ImageName,
  repository: RemoteRepository,
): Promise<{readonly tag?: string; readonly digest: Digest}> {
  const tag = name.tag ?? (name.digest === undefined ? await newestTag(name, repository) : undefined)
  const digest = name.digest ?? (await digestOfTag({...name, tag: tag ?? ''}, repository))
  return {...present({tag}), digest}
}

async function newestTag(name: ImageName, repository: RemoteRepository): Promise<string> {
  const tags = await repository.tags()
  const newest = newestStable(tags)
  if (newest !== undefined) return newest
  const has = tags.length === 0 ? 'no tags' : `only ${listNames(tags)}`
  const message = `cannot select a version of ${formatImageName(name)}: the repository has no stable version, ${has}`
  throw repository.blamed(
    new CrossplaneError('not-found', message, {
      suggestions: ['Add a tag: without one, only a stable semantic version is selected.'],
    }),
  )
}

async function digestOfTag(
  name: ImageName & {readonly tag: string},
  repository: RemoteRepository,
): Promise<Digest> {
  const digest = await repository.digestOf(name.tag)
  if (digest !== undefined) return digest
  throw repository.blamed(await noSuchTag(name, repository))
}

/** Distinguishes a missing tag from a missing repository, if the registry lists tags. */
async function noSuchTag(
  name: ImageName & {readonly tag: string},
  repository: RemoteRepository,
): Promise<CrossplaneError> {
  const tags = await repository.tags().catch((error: unknown) => {
    if (!(error instanceof CrossplaneError)) throw error
    return error.code === 'not-found' ? [] : undefined
  })
  const full = identityOf(name)
  if (tags?.length === 0) {
    return new CrossplaneError(
      'not-found',
      `cannot pull ${formatImageName(name)}: no repository ${full} in its registry`,
      {
        suggestions: [
          name.registry === undefined
            ? 'Check the name of the package, and its registry (--default-source).'
            : 'Check the name of the package, and its registry.',
          ...(name.registry === undefined ? [wholeNameAdvice(name)] : []),
        ],
      },
    )
  }
  const near = nearTags(name.tag, tags ?? [])
  return new CrossplaneError(
    'not-found',
    `cannot pull ${formatImageName(name)}: its repository has no tag ${name.tag}${newestText(tags ?? [])}`,
    {
      suggestions: [
        ...(near.length === 0
          ? []
          : [`Did you mean ${near.map(tag => formatImageName({...name, tag})).join(' or ')}?`]),
        `List its tags: kubectl crossplane package versions ${full}`,
      ],
    },
  )
}

const MAX_TAGS = 3

/** The list is read anyway: a user who mistypes a tag needs one that exists. */
function newestText(tags: readonly string[]): string {
  const newest = tags.filter(isStable).sort(compareVersions)
  return newest.length === 0 ? '' : `; the newest it has: ${newest.slice(0, MAX_TAGS).join(', ')}`
}

/** Returns tags similar to a misspelled one, at most three: equal except for a leading `v`, or else similar ones. */
function nearTags(tag: string, tags: readonly string[]): string[] {
  const same = tags.filter(text => withoutV(text) === withoutV(tag))
  if (same.length > 0) return same.slice(0, MAX_TAGS)
  const similar = tags.filter(text => isNear(text, tag) || withoutV(text).startsWith(`${withoutV(tag)}.`))
  return similar
    .sort((a, b) => Number(isStable(b)) - Number(isStable(a)) || compareVersions(a, b))
    .slice(0, MAX_TAGS)
}

function withoutV(tag: string): string {
  return tag.replace(/^v(?=\d)/, '')
}
