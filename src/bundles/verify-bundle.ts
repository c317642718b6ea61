import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {Allowance} from '../fetch/allowance.js'
import type {Descriptor} from '../fetch/image.js'
import {parsePlatform} from '../fetch/platform.js'
import {verifiedBytes} from '../fetch/verified-bytes.js'
import type {ReportProgress} from '../registry/progress.js'
import {bundleStore} from './bundle-store.js'
import {gatherImage, type GatherOptions} from './gather-image.js'
import {BUNDLE_LIMITS} from './limits.js'
import {blobFile, type Bundle} from './open-bundle.js'

/** What was verified, and each problem. */
export interface VerifiedBundle {
  readonly images: number
  readonly blobs: number
  readonly bytes: number
  readonly problems: readonly Diagnostic[]
}

/** Reads every byte of a bundle: each image must be complete, and everything must have its digest. */
export async function verifyBundle(bundle: Bundle, report?: ReportProgress): Promise<VerifiedBundle> {
  const problems: Diagnostic[] = []
  const blobs = new Map<string, Descriptor>()
  const documents = new Map<string, Descriptor>()
  const options = gatherOptions(bundle)
  for (const image of bundle.document.images) {
    const gathered = await orProblem(problems, image.reference, () =>
      gatherImage(bundleStore(bundle, image), options),
    )
    for (const {descriptor} of gathered?.documents ?? []) documents.set(descriptor.digest, descriptor)
    for (const blob of gathered?.blobs ?? []) blobs.set(blob.digest, blob)
  }
  for (const blob of blobs.values())
    await orProblem(problems, blob.digest, () => verifyBlob(bundle, blob, report))
  const all = [...blobs.values(), ...documents.values()]
  return {
    images: bundle.document.images.length,
    blobs: all.length,
    bytes: all.reduce((sum, {size}) => sum + size, 0),
    problems,
  }
}

/** Returns how the images of a bundle are read: with its platforms, and within limits for all of them together. */
export function gatherOptions({document}: Pick<Bundle, 'document'>): GatherOptions {
  return {platforms: document.platforms.map(parsePlatform), allowances: documentAllowances()}
}

/** Returns new limits for the documents of a bundle. */
export function documentAllowances(): GatherOptions['allowances'] {
  return {
    documents: new Allowance(BUNDLE_LIMITS.documents, 'manifests'),
    bytes: new Allowance(BUNDLE_LIMITS.documentBytes, 'bytes of manifests'),
  }
}

async function orProblem<T>(
  problems: Diagnostic[],
  name: string,
  act: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code === 'limit-exceeded') throw error
    const message = error.message.includes(name) ? error.message : `${name}: ${error.message}`
    problems.push({severity: 'error', rule: error.code, message})
    return undefined
  }
}

async function verifyBlob({layout, name}: Bundle, blob: Descriptor, report?: ReportProgress): Promise<void> {
  const file = await layout.file(blobFile(blob))
  if (file === undefined) throw new CrossplaneError('not-found', `${name} lacks ${blob.digest}`)
  let done = 0
  for await (const chunk of verifiedBytes(file.read(), blob, `${blob.digest} in ${name}`)) {
    done += chunk.length
    report?.({kind: 'layer', name: blob.digest, done, total: blob.size})
  }
}
