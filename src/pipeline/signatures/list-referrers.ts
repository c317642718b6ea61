import type {Digest, Image} from '../../fetch/image.js'
import type {Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {referrersIndex} from '../../signatures/signed-bundle.js'

/**
 * Makes pushed artifacts referrers of an image. A registry without an API for referrers gets a tag that lists them, as cosign
 * writes it.
 */
export async function listReferrers(
  {
    at,
    repository,
    subject,
  }: {readonly at: Registry; readonly repository: Repository; readonly subject: Digest},
  artifacts: readonly Image[],
  report: ReportProgress | undefined,
): Promise<void> {
  const listed = await at.artifacts(repository).referrers(subject)
  const missing = artifacts.filter(({descriptor}) => !listed.some(({digest}) => digest === descriptor.digest))
  if (missing.length === 0) return
  await at.push(repository, subject.replace(':', '-'), referrersIndex(listed, missing), report)
}
