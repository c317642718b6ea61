import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

/** A certificate with its key, as PEM and as files. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  readonly certFile: string
  readonly keyFile: string
}

/** An authority of a test's own, which nobody trusts who is not told to. */
export interface PrivateAuthority extends Certificate {
  /** A certificate for names such as `DNS:localhost` and `IP:127.0.0.1`; `days` from now, below 0 for an expired one. */
  issue(name: string, subjects: readonly string[], days?: number): Certificate
}

/** What a server on this machine is called. */
export const LOOPBACK = ['DNS:localhost', 'IP:127.0.0.1', 'IP:::1']

/** Makes one in a folder, with openssl. */
export function privateAuthority(folder: string): PrivateAuthority {
  const authority = paths(folder, 'authority')
  const subject = ['-subj', '/CN=authority of a test', '-days', '2']
  openssl('req', '-x509', ...newKey(authority.keyFile), '-out', authority.certFile, ...subject)
  return {
    ...read(authority),
    issue(name, subjects, days = 2) {
      const leaf = paths(folder, name)
      const [request, extensions] = [join(folder, `${name}.csr`), join(folder, `${name}.ext`)]
      writeFileSync(extensions, `subjectAltName=${subjects.join(',')}\n`)
      openssl('req', ...newKey(leaf.keyFile), '-out', request, '-subj', `/CN=${name}`)
      const by = ['-CA', authority.certFile, '-CAkey', authority.keyFile, '-CAcreateserial']
      const as = ['-days', `${days}`, '-extfile', extensions, '-out', leaf.certFile]
      openssl('x509', '-req', '-in', request, ...by, ...as)
      return read(leaf)
    },
  }
}

/** A certificate that no authority signed but itself. */
export function selfSigned(folder: string): Certificate {
  const files = paths(folder, 'self-signed')
  const names = ['-addext', `subjectAltName=${LOOPBACK.join(',')}`]
  openssl('req', '-x509', ...newKey(files.keyFile), '-out', files.certFile, '-subj', '/CN=self', ...names)
  return read(files)
}

function paths(folder: string, name: string): Pick<Certificate, 'certFile' | 'keyFile'> {
  return {certFile: join(folder, `${name}.pem`), keyFile: join(folder, `${name}.key`)}
}

function read(files: Pick<Certificate, 'certFile' | 'keyFile'>): Certificate {
  return {...files, cert: readFileSync(files.certFile, 'utf8'), key: readFileSync(files.keyFile, 'utf8')}
}

/** Of an elliptic curve: those are made at once. */
function newKey(path: string): readonly string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', path]
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, {stdio: ['ignore', 'ignore', 'pipe']})
}
