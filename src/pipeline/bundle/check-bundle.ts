import type {Bundle} from '../../bundles/open-bundle.js'
import {type VerifiedBundle, verifyBundle} from '../../bundles/verify-bundle.js'
import {readLock} from '../../declaration/read-lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {repositoryOf} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'

/** Verifies a bundle, and that it has the packages of its lock. Throws `input-invalid` for an invalid lock. */
export async function checkBundle(bundle: Bundle, report?: ReportProgress): Promise<VerifiedBundle> {
  const verified = await verifyBundle(bundle, report)
  return {...verified, problems: [...verified.problems, ...missingPackages(bundle)]}
}

function missingPackages({name, files, document}: Bundle): readonly Diagnostic[] {
  if (files.lock === undefined) return []
  const {packages, xpkgs = []} = readLock(`the lock of ${name}`, files.lock)
  const locked = [...packages, ...xpkgs.map(({repository, ...xpkg}) => ({identity: repository, ...xpkg}))]
  return locked.flatMap(({identity, tag, digest}) => {
    const {registry, path} = repositoryOf(parsePackageImage(identity))
    const reference = `${registry}/${path}${tag === undefined ? `@${digest ?? ''}` : `:${tag}`}`
    const isThere = document.images.some(
      image => image.role === 'package' && image.reference === reference && image.digest === digest,
    )
    const message = `${name} lacks the package ${reference} of its lock, or has it with another digest`
    return isThere ? [] : [{severity: 'error', rule: 'not-found', message}]
  })
}
