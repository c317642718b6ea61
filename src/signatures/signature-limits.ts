/** The limits of what is read of the signatures of one image; sizes are in bytes. */
export const SIGNATURE_LIMITS = {
  /** Signatures and attestations of one image: build systems add a few per build. */
  documents: 128,
  /** One of them: an attestation contains a whole SBOM. */
  documentBytes: 16 * 1024 * 1024,
  /** All of them. */
  totalBytes: 64 * 1024 * 1024,
  /** Entries of transparency logs, timestamps and certificates in one bundle. */
  bundleParts: 8,
  /** A certificate or timestamp, in base64. */
  partLength: 64 * 1024,
  /** The hashes of a proof: a log of 2^64 entries has as many. */
  proofHashes: 64,
  /** The images that one statement is about. */
  subjects: 1000,
} as const
