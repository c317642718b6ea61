import {describe, expect, it} from '@jest/globals'
import {X509Certificate} from 'node:crypto'
import {join} from 'node:path'
import {rootCertificates} from 'node:tls'
import {addedCertificates} from '../../../src/adapters/http/trusted-certificates.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const folder = temporaryFolder()

/** The same certificate with lines of 64 characters, as systems write them. */
function wrapped(pem: string): string {
  const content = pem.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  const lines = content.match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

describe('addedCertificates', () => {
  it('leaves out the certificates of Node.js, wherever a file breaks their lines', async () => {
    writeTree(folder, {'own.pem': rootCertificates.slice(0, 3).map(wrapped).join('')})
    const added = await addedCertificates([{path: join(folder, 'own.pem'), source: '--ca-file'}])
    const own = new Set(rootCertificates.map(pem => new X509Certificate(pem).fingerprint256))
    expect(added.filter(pem => own.has(new X509Certificate(pem).fingerprint256))).toEqual([])
  })
})
