import {beforeAll, describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {cpSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {PASSWORD, runCosign} from './cosign.js'

/** A package to push. */
export const COUNTER = 'test/testdata/packages/image-counter'

/** A registry, and the key pair that signs in it. */
interface SigningRegistry {
  readonly folder: string
  readonly host: string
  readonly keys: {readonly key: string; readonly pub: string}
}

/** Describes what `package push` attests of a package, in a registry that runs when the tests do. */
export function describeAttestedPush(at: () => SigningRegistry): void {
  describe('with attestations', () => {
    const source = temporaryFolder()
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', source, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args])
    beforeAll(() => {
      cpSync(COUNTER, source, {recursive: true})
      git('init', '--quiet')
      git('add', '.')
      git('commit', '--quiet', '--message', 'the package')
      git('remote', 'add', 'origin', 'https://user:secret@git.example.org/team/counter.git')
    })
    const attested = (reference: string, ...flags: readonly string[]) => {
      process.env.COSIGN_PASSWORD = PASSWORD
      return runCli(
        ...['package', 'push', reference, source, '--no-lint', '--sign-key', at().keys.key, '-o', 'json'],
        ...flags,
      )
    }
    const predicateBy = async (pinned: string, type: string): Promise<Record<string, unknown>> => {
      const flags = ['--key', at().keys.pub, '--insecure-ignore-tlog', '--allow-http-registry']
      const printed = await runCosign(at().folder, 'verify-attestation', '--type', type, ...flags, pinned)
      const {payload} = JSON.parse(printed) as {payload: string}
      return (JSON.parse(Buffer.from(payload, 'base64').toString()) as {predicate: Record<string, unknown>})
        .predicate
    }

    it('are verified by cosign and package verify, and made once', async () => {
      const reference = `${at().host}/pushed/attested:0.3.0`
      const flags = [
        ...['--provenance', '--builder', 'https://ci.example.org/builder'],
        ...['--sbom', 'generate'],
      ]
      const {status, stdout} = await attested(reference, ...flags)
      expect(status).toBe(0)
      const {attached, reference: pinned} = JSON.parse(stdout) as {attached: string[]; reference: string}
      expect(attached).toEqual([
        'https://sigstore.dev/cosign/sign/v1',
        'https://slsa.dev/provenance/v1',
        'https://cyclonedx.org/bom',
      ])
      const uri = 'git+https://git.example.org/team/counter'
      expect(await predicateBy(pinned, 'slsaprovenance1')).toMatchObject({
        buildDefinition: {
          resolvedDependencies: [{uri, digest: {gitCommit: git('rev-parse', 'HEAD').toString().trim()}}],
        },
        runDetails: {builder: {id: 'https://ci.example.org/builder'}},
      })
      expect(await predicateBy(pinned, 'cyclonedx')).toMatchObject({bomFormat: 'CycloneDX'})
      const again = await attested(reference, ...flags)
      expect(JSON.parse(again.stdout)).toMatchObject({attached: [], unchanged: true})
      const {stdout: report} = await runCli('package', 'verify', pinned, '--key', at().keys.pub, '-o', 'json')
      expect(JSON.parse(report)).toMatchObject({
        packages: [
          {
            statements: expect.arrayContaining([
              expect.objectContaining({kind: 'signature'}),
              expect.objectContaining({kind: 'sbom'}),
              expect.objectContaining({
                ...{kind: 'provenance', builder: 'https://ci.example.org/builder'},
                source: 'https://git.example.org/team/counter',
              }),
            ]),
          },
        ],
      })
    })

    it('are not made of files that are not committed, and nothing is pushed', async () => {
      const reference = `${at().host}/pushed/dirty:0.3.0`
      writeFileSync(join(source, '.registry', 'new.txt'), 'new')
      const {status, stderr} = await attested(reference, '--provenance')
      rmSync(join(source, '.registry', 'new.txt'))
      expect({status, stderr}).toEqual({
        status: 1,
        stderr: expect.stringContaining('its files are not those of a commit'),
      })
      expect(await runCli('package', 'verify', reference, '--key', at().keys.pub)).toMatchObject({status: 1})
    })
  })
}
