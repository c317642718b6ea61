import {
  type LockedSignatures,
  recordedSignatures,
  statementsAbout,
} from '../../declaration/locked-signatures.js'
import type {Lock} from '../../declaration/lock.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {parseImageName} from '../../reference/image-name.js'
import {identityOf} from '../../reference/repository-name.js'
import {ERAS} from '../../render/era.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import type {ResolvedPackages} from '../../resolve/packages/solve-and-read.js'
import {type SignerChange, signerChanges} from '../../resolve/signer-changes.js'
import type {PackageTrust} from '../../signatures/package-trust.js'
import {defaultImages, verifyRunImages} from './run-images.js'

/** What was verified of packages, by their names. */
export type SignedPackages = ReadonlyMap<string, LockedSignatures>

/**
 * Verifies the images that the packages of a resolution run by default, and returns them with the signatures of the packages;
 * nothing without a policy for signatures. Throws `signature-refused`.
 */
export async function signedPackages(
  {opened, signatures}: Extract<ResolvedPackages, {readonly kind: 'resolved'}>,
  lock: HeldLock | undefined,
  ports: Pick<PackagePorts, 'remote' | 'folder'>,
): Promise<SignedPackages> {
  const signed = new Map<string, LockedSignatures>()
  for (const [identity, own] of signatures ?? []) {
    const open = opened.get(identity)
    const by = open?.located.name ?? identity
    const images = open === undefined ? [] : defaultImages(open.package, ERAS.packages)
    const run = images.map(image => ({image, by}))
    const digestOf = lockedImages(lock, identity, open?.located.digest)
    const about = open?.located.digest
    signed.set(identity, {
      signatures: statementsAbout(about, own),
      images: await verifyRunImages(run, ports, digestOf),
    })
  }
  return signed
}

/** A package that is not upgraded keeps the images that it was locked with, also if their tags have moved. */
function lockedImages(
  lock: HeldLock | undefined,
  identity: string,
  digest: string | undefined,
): (image: string) => string | undefined {
  const locked = lock?.lock.packages.find(own => own.identity === identity)
  if (lock?.upgraded === 'all' || locked?.digest === undefined || locked.digest !== digest)
    return () => undefined
  const recorded = recordedSignatures([{name: identity, ...locked}])
  return image => recorded.digestOf(image)
}

/** Adds what was verified to a lock; packages of which nothing was looked at stay as they are. */
export function withSignatures(lock: Lock, signed: SignedPackages): Lock {
  return {...lock, packages: lock.packages.map(own => ({...own, ...signed.get(own.identity)}))}
}

/** Compares the signers of packages with those of a lock. */
export function changedSigners(
  signed: SignedPackages,
  lock: Lock | undefined,
  trust: PackageTrust | undefined,
): readonly SignerChange[] {
  if (trust === undefined || lock === undefined) return []
  const trusts: PackageTrust['trusts'] = (text, signer) => {
    const name = parseImageName(text)
    return name !== undefined && trust.trusts(identityOf(name), signer)
  }
  const locked = new Map<string, LockedSignatures>([
    ...lock.packages.map(own => [own.identity, own] as const),
    ...(lock.xpkgs ?? []).map(own => [own.repository, own] as const),
  ])
  return [...signed].flatMap(([name, after]) => signerChanges(name, locked.get(name) ?? {}, after, trusts))
}
