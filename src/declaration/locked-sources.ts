import type {Lock} from './lock.js'
import {type RecordedSignatures, recordedSignatures} from './locked-signatures.js'

/** Returns what a lock has of the signatures of its packages of either format. */
export function signaturesIn({packages, xpkgs = []}: Lock): RecordedSignatures {
  return recordedSignatures([
    ...packages.map(own => ({name: own.identity, ...own})),
    ...xpkgs.map(own => ({name: own.repository, ...own})),
  ])
}
