import {beforeAll, describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {runOras} from '../registry/oci-tools.js'
import {referrersRegistries} from '../registry/referrers-registry.js'
import {runCli} from '../run-cli.js'
import {COUNTER} from './attested-push.js'
import {PASSWORD, runCosign, WITHOUT_LOG} from './cosign.js'

const BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const EMPTY = 'application/vnd.oci.empty.v1+json'

/** A registry without the referrers API, and the key pair that signs. */
interface SigningRegistry {
  readonly folder: string
  readonly host: string
  readonly keys: {readonly key: string; readonly pub: string}
}

/** Describes signatures in a registry that has the referrers API, and in one that does not. */
export function describeBothRegistries(at: () => SigningRegistry): void {
  const start = referrersRegistries()
  let modern = ''
  beforeAll(async () => {
    ;({host: modern} = await start())
  })
  const push = (reference: string, ...flags: readonly string[]) => {
    process.env.COSIGN_PASSWORD = PASSWORD
    return runCli('package', 'push', reference, COUNTER, '--no-lint', ...flags)
  }
  const verify = (reference: string) =>
    runCli('package', 'verify', reference, '--key', at().keys.pub, '--no-cache')
  const cosignVerify = (reference: string) =>
    runCosign(
      ...[at().folder, 'verify', '--key', at().keys.pub, '--insecure-ignore-tlog', '--allow-http-registry'],
      reference,
    )

  describe.each([
    {name: 'with the referrers API', hostOf: () => modern, status: 200},
    {name: 'without the referrers API', hostOf: () => at().host, status: 404},
  ])('in a registry $name', ({hostOf, status}) => {
    it('are listed there, or under the tag that takes its place', async () => {
      const {stdout} = await push(`${hostOf()}/both/listed:0.3.0`, '--sign-key', at().keys.key)
      const [repository = '', digest = ''] = stdout.trim().split('@')
      const base = `http://${hostOf()}/v2${repository.slice(hostOf().length).replace(/:.*/, '')}`
      const listed = await fetch(`${base}/referrers/${digest}`)
      expect(listed.status).toBe(status)
      const fallback = await fetch(`${base}/manifests/${digest.replace(':', '-')}`, {
        headers: {accept: 'application/vnd.oci.image.index.v1+json'},
      })
      expect(fallback.status).toBe(status === 200 ? 404 : 200)
      const {manifests} = (await (status === 200 ? listed : fallback).json()) as {manifests: unknown[]}
      // This registry names the type of the configuration, not that of the artifact.
      expect(manifests).toEqual([expect.objectContaining({artifactType: status === 200 ? EMPTY : BUNDLE})])
    })

    it('of package push are verified by cosign and found by oras', async () => {
      const {stdout} = await push(`${hostOf()}/both/ours:0.3.0`, '--sign-key', at().keys.key)
      expect(await cosignVerify(stdout.trim())).toContain('docker-manifest-digest')
      const found = await runOras(at().folder, 'discover', '--plain-http', stdout.trim())
      expect(found).toContain(status === 200 ? EMPTY : BUNDLE)
      expect(await verify(stdout.trim())).toMatchObject({status: 0})
    })

    it.each([
      {form: 'a bundle that refers to the image', flags: []},
      {form: 'the tag of older versions', flags: ['--new-bundle-format=false']},
    ])('of cosign in $form are verified', async ({flags}) => {
      const reference = `${hostOf()}/both/theirs${flags.length}:0.3.0`
      const {stdout} = await push(reference)
      expect(await verify(reference)).toMatchObject({status: 4})
      await runCosign(
        ...[at().folder, 'sign', '--key', at().keys.key, ...WITHOUT_LOG, ...flags],
        stdout.trim(),
      )
      expect(await verify(reference)).toMatchObject({status: 0})
    })

    it('are pushed with a bundle to either', async () => {
      const name = `${hostOf()}/both/bundled:0.3.0`
      const {stdout} = await push(name, '--sign-key', at().keys.key)
      await runCosign(
        ...[at().folder, 'sign', '--key', at().keys.key, ...WITHOUT_LOG, '--new-bundle-format=false'],
        stdout.trim(),
      )
      const bundle = join(at().folder, `bundled-${status}.tar`)
      const cache = ['--cache-dir', join(at().folder, 'bundled-cache')]
      const placed = ['--namespace', 'a', '--output-file', bundle]
      const {status: made, stderr} = await runCli('bundle', 'create', name, ...placed, ...cache)
      expect({made, errors: made === 0 ? '' : stderr}).toEqual({made: 0, errors: ''})
      const [, digest = ''] = stdout.trim().split('@')
      const discovered = await runOras(at().folder, 'discover', '--oci-layout', `${bundle}@${digest}`)
      expect(discovered).toContain(BUNDLE)
      for (const target of [modern, at().host]) {
        const pushed = await runCli('bundle', 'push', bundle, `${target}/from-${status}`, '-o', 'json')
        const {registries} = JSON.parse(pushed.stdout) as {registries: Record<string, string>}
        const copy = `${registries[hostOf()] ?? ''}/both/bundled:0.3.0`
        expect(await verify(copy)).toMatchObject({status: 0})
        expect(await cosignVerify(copy)).toContain(digest)
        const again = await runCli('bundle', 'push', bundle, `${target}/from-${status}`, '-o', 'json')
        const {images} = JSON.parse(again.stdout) as {images: {changed: boolean}[]}
        expect(new Set(images.map(({changed}) => changed))).toEqual(new Set([false]))
      }
    })
  })
}
