import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {COUNTER} from './attested-push.js'
import {runCosign} from './cosign.js'
import {FakeSigstore, ISSUER} from './sigstore/fake-sigstore.js'

const SUBJECT = 'https://git.example.test/team/counter/release.yaml@refs/tags/v1'
const OFFLINE = ['--new-bundle-format', '--allow-http-registry']

/** Describes what `package push` signs by an identity token, in a registry that runs when the tests do. */
export function describePushByToken(at: () => {readonly host: string}): void {
  describe('by an identity token', () => {
    const temporary = temporaryFolder()
    const sigstore = new FakeSigstore()
    const [token, root] = [join(temporary, 'token'), join(temporary, 'root.json')]
    let pinned = ''
    beforeAll(async () => {
      await sigstore.start()
      writeFileSync(token, sigstore.token({sub: SUBJECT}))
      writeFileSync(root, JSON.stringify(sigstore.trustedRoot()))
      const {status, stdout, stderr} = await runCli(
        ...[
          'package',
          'push',
          `${at().host}/pushed/keyless:0.3.0`,
          COUNTER,
          '--no-lint',
          '--sbom',
          'generate',
        ],
        ...['--identity-token', token, '--fulcio-url', sigstore.url, '--rekor-url', sigstore.url],
      )
      expect({status, errors: status === 0 ? '' : stderr}).toEqual({status: 0, errors: ''})
      pinned = stdout.trim()
    })
    afterAll(() => sigstore.stop())
    const by = (subject: string, issuer = ISSUER) => [
      ...['--certificate-identity', subject, '--certificate-oidc-issuer', issuer],
      ...['--trusted-root', root],
    ]

    it('are verified by cosign without Fulcio and Rekor, certificate, log entry and proof included', async () => {
      const requests = sigstore.requests.length
      expect(await runCosign(temporary, 'verify', ...by(SUBJECT), ...OFFLINE, pinned)).toContain(
        'docker-manifest-digest',
      )
      const attestation = ['verify-attestation', '--type', 'cyclonedx']
      await runCosign(temporary, ...attestation, ...by(SUBJECT), ...OFFLINE, pinned)
      expect(sigstore.requests).toHaveLength(requests)
      expect(await runCli('package', 'verify', pinned, ...by(SUBJECT))).toMatchObject({status: 0})
    })

    it.each([
      {name: 'identity', subject: `${SUBJECT}0`, issuer: ISSUER},
      {name: 'issuer', subject: SUBJECT, issuer: `${ISSUER}.evil.test`},
    ])('are not of another $name, for cosign as for package verify', async ({subject, issuer}) => {
      const flags = by(subject, issuer)
      await expect(runCosign(temporary, 'verify', ...flags, ...OFFLINE, pinned)).rejects.toThrow(
        'no matching CertificateIdentity',
      )
      expect(await runCli('package', 'verify', pinned, ...flags)).toMatchObject({status: 4})
    })
  })
}
