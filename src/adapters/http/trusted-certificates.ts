import {X509Certificate} from 'node:crypto'
import {createSecureContext, rootCertificates, type SecureContext, type SecureContextOptions} from 'node:tls'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import type {AuthorityFile} from '../../http/http-options.js'
import {readNamedFile} from '../read-named-file.js'

/**
 * The CA bundles of systems, most frequent first: Debian, Fedora, openSUSE, CentOS, Alpine and macOS. Node 20 reads
 * none of them.
 */
const SYSTEM_BUNDLES: readonly AuthorityFile[] = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
].map(path => ({path, source: 'system', optional: true}))

/** The bundle of a system has about 250 KB. */
const MAX_BUNDLE_BYTES = 4 * 1024 * 1024

/**
 * Returns the trusted CA certificates besides Node.js's own as PEM: the system's and those of the files. Throws `not-found`,
 * `read-failed` and `usage`.
 */
export async function addedCertificates(files: readonly AuthorityFile[]): Promise<readonly string[]> {
  // Node.js includes most of the system's certificates, a file often all of them, and parsing each takes 0.2 ms.
  const own = new Set(rootCertificates.map(contentOf))
  const system = await systemCertificates()
  const usual = new Set([...own, ...system.map(contentOf)])
  const all = [...system, ...(await authoritiesIn(files, usual))]
  const added = new Map(all.map(pem => [contentOf(pem), pem]))
  return [...added].filter(([content]) => !own.has(content)).map(([, pem]) => pem)
}

/** What of a PEM certificate differs from other ones: Node.js breaks its lines at other places than systems. */
function contentOf(pem: string): string {
  return pem.replaceAll(/\s/g, '')
}

/**
 * Returns a TLS context that trusts Node.js's own CA certificates, which are parsed once for a process, and others. Throws what
 * `createSecureContext` does.
 */
export function contextTrusting(
  added: readonly string[],
  options: Omit<SecureContextOptions, 'ca'> = {},
): SecureContext {
  const context = createSecureContext(options)
  // What Node.js calls for each of `ca`, which would replace its own: parsing these again takes 30 ms for each context.
  const {context: native} = context as {readonly context: {addCACert(pem: string): void}}
  for (const pem of added) native.addCACert(pem)
  return context
}

/** Reads the certificates of files; those with the content of one of `usual` need no check. Throws as `addedCertificates` does. */
export async function authoritiesIn(
  files: readonly AuthorityFile[],
  usual: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  return (await Promise.all(files.map(file => certificatesOf(file, usual)))).flat()
}

async function systemCertificates(): Promise<readonly string[]> {
  for (const bundle of SYSTEM_BUNDLES) {
    const text = await readCertificates(bundle)
    if (text !== undefined) return pemBlocks(text)
  }
  return []
}

async function certificatesOf(file: AuthorityFile, usual: ReadonlySet<string>): Promise<readonly string[]> {
  const text = await readCertificates(file)
  if (text === undefined) return []
  const blocks = pemBlocks(text)
  if (blocks.length === 0 || !blocks.every(pem => usual.has(contentOf(pem)) || isCertificate(pem))) {
    const message = `invalid CA file ${file.path} (${file.source}): not a PEM file of certificates`
    const suggestions = ['Use a PEM file: it begins with -----BEGIN CERTIFICATE-----.']
    throw new CrossplaneError('usage', message, {suggestions})
  }
  return blocks
}

async function readCertificates({path, source, optional}: AuthorityFile): Promise<string | undefined> {
  try {
    return Buffer.from(await readNamedFile(path, MAX_BUNDLE_BYTES)).toString('latin1')
  } catch (error) {
    if (optional === true) return undefined
    const isNamed = error instanceof CrossplaneError && source !== path
    throw isNamed ? withSuggestions(error, [`Check the value of ${source}.`]) : error
  }
}

/** Returns the PEM certificates in a text, valid or not. */
export function pemBlocks(text: string): readonly string[] {
  return (
    text.replaceAll('\r\n', '\n').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  )
}

/** Reports whether a PEM certificate can be read. */
export function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
