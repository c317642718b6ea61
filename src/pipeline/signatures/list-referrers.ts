import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {Digest, Image} from '../../fetch/image.js'
import {FailedAnswer} from '../../http/failed-answer.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {PushOptions, PushResult, Registry} from '../../registry/registry.js'
import {namesSubject, referrersIndex, withoutSubject} from '../../signatures/signed-bundle.js'

/** Where artifacts are stored that refer to an image. */
interface ReferrerTarget {
  readonly at: Registry
  readonly repository: Repository
}

/** An artifact as a registry has it now. */
interface StoredReferrer {
  readonly artifact: Image
  readonly result: PushResult
}

/**
 * Pushes an artifact that refers to an image. A registry that rejects manifests with a subject gets it without one: only the tag
 * that lists referrers says what it is about then. Throws as the registry does.
 */
export async function pushReferrer(
  {at, repository}: ReferrerTarget,
  artifact: Image,
  report: ReportProgress | undefined,
  options: PushOptions,
): Promise<StoredReferrer> {
  const push = async (image: Image, settings: PushOptions): Promise<StoredReferrer> => ({
    artifact: image,
    result: await at.push(repository, image.descriptor.digest, image, report, settings),
  })
  try {
    return await push(artifact, options)
  } catch (error) {
    if (!isRejected(error) || !namesSubject(artifact)) throw error
    // Its digest is another one: the registry is asked whether it has it from an earlier push.
    const {before: _ofOriginal, ...others} = options
    return await push(withoutSubject(artifact), others).catch((second: unknown) => {
      throw isRejected(second) ? withoutArtifacts(error, repository) : second
    })
  }
}

/** The statuses of registries for manifests that they do not take. */
const REJECTIONS: readonly number[] = [400, 405, 406, 415, 422, 501]

function isRejected(error: unknown): error is CrossplaneError {
  if (!(error instanceof CrossplaneError)) return false
  const {cause} = error
  return cause instanceof FailedAnswer && REJECTIONS.includes(cause.status)
}

function withoutArtifacts(error: CrossplaneError, repository: Repository): CrossplaneError {
  const message = `cannot store artifacts in ${formatRepository(repository)}: the registry rejects them`
  return new CrossplaneError('registry-failed', message, {
    cause: error.cause,
    suggestions: ['Use a registry that stores OCI artifacts, or push without signatures and attestations.'],
  })
}

/**
 * Makes pushed artifacts referrers of an image. A registry without an API for referrers gets a tag that lists them, as cosign
 * writes it. Throws `registry-failed` if artifacts without a subject cannot be found by it.
 */
export async function listReferrers(
  {at, repository, subject}: ReferrerTarget & {readonly subject: Digest},
  artifacts: readonly Image[],
  report: ReportProgress | undefined,
): Promise<void> {
  const missingOf = async () => {
    const listed = await at.artifacts(repository).referrers(subject)
    const missing = artifacts.filter(
      ({descriptor}) => !listed.some(({digest}) => digest === descriptor.digest),
    )
    return {listed, missing}
  }
  const {listed, missing} = await missingOf()
  if (missing.length === 0) return
  await at.push(repository, tagOf(subject), referrersIndex(listed, missing), report)
  if (missing.every(namesSubject)) return
  if ((await missingOf()).missing.length > 0) throw unlisted(repository, subject)
}

/** The tag of the list of referrers. */
function tagOf(subject: Digest): string {
  return subject.replace(':', '-')
}

function unlisted(repository: Repository, subject: Digest): CrossplaneError {
  const name = `${formatRepository(repository)}@${subject}`
  return new CrossplaneError(
    'registry-failed',
    `cannot list the signatures of ${name} by the tag ${tagOf(subject)}, which was written: the registry rejects manifests with a subject, and lists no others`,
    {suggestions: ['Use another registry, or push without signatures and attestations.']},
  )
}

/** Returns a warning for artifacts that were stored without the subject that they had. */
export function subjectWarnings(
  repository: Repository,
  subject: Digest,
  stored: readonly {readonly before: Image; readonly after: Image}[],
): readonly Diagnostic[] {
  const isSame = stored.every(({before, after}) => before.descriptor.digest === after.descriptor.digest)
  if (isSame) return []
  const name = formatRepository(repository)
  const message = `the registry rejects manifests with a subject: the signatures of ${name}@${subject} are found by the tag ${tagOf(subject)} only, so keep it and copy it with the package`
  return [{severity: 'warning', rule: 'signature-without-subject', message}]
}
