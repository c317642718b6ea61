import {beforeAll, describe, expect, it} from '@jest/globals'
import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {COUNTER} from './attested-push.js'
import {runCosign} from './cosign.js'
import {newKeys} from './signed-images.js'

const UNLOGGED = ['--insecure-ignore-tlog', '--allow-http-registry']

/** Describes what a program signs for `package push`, in a registry that runs when the tests do. */
export function describePushByProgram(at: () => {readonly host: string}): void {
  describe('by a program', () => {
    const temporary = temporaryFolder()
    const [key, pub] = [join(temporary, 'a key.pem'), join(temporary, 'program.pub')]
    beforeAll(() => {
      const {privateKey, pem} = newKeys()
      writeFileSync(key, privateKey.export({type: 'pkcs8', format: 'pem'}))
      writeFileSync(pub, pem)
    })
    const pushBy = (reference: string, command: string) =>
      runCli(
        ...['package', 'push', reference, COUNTER, '--no-lint'],
        ...['--sign-command', command, '--public-key', pub],
      )

    it('are verified by cosign', async () => {
      const {status, stdout} = await pushBy(
        `${at().host}/pushed/program:0.3.0`,
        `openssl dgst -sha256 -sign '${key}'`,
      )
      expect(status).toBe(0)
      expect(await runCosign(temporary, 'verify', '--key', pub, ...UNLOGGED, stdout.trim())).toContain(
        'docker-manifest-digest',
      )
    })

    const touched = join(temporary, 'touched')
    it.each([
      {command: 'sh -c "echo no token >&2; exit 3"', want: '"sh": it exited with 3: no token'},
      {command: 'sh -c "cat >/dev/null; echo AAAA"', want: 'is not a signature that is valid'},
      {command: 'no-such-program', want: '"no-such-program": program not found'},
      {command: `cat; touch ${touched}`, want: '"cat;": program not found'},
      {command: `true $(touch ${touched})`, want: 'is not a signature that is valid'},
    ])('are not made by $command, and nothing is pushed', async ({command, want}) => {
      const reference = `${at().host}/pushed/no-program:0.3.0`
      const {status, stderr} = await pushBy(reference, command)
      expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining(want)})
      expect(existsSync(touched)).toBe(false)
      expect(await runCli('package', 'verify', reference, '--key', pub)).toMatchObject({status: 1})
    })
  })
}
