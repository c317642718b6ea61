import {describe, expect, it} from '@jest/globals'
import {createHash} from 'node:crypto'
import {mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {runCrane, runOras} from '../registry/oci-tools.js'
import {runProgram} from '../run-program.js'

/** A bundle and a registry that exist when the tests run. */
interface BundlePlace {
  readonly folder: string
  /** Relative to the folder. */
  readonly bundle: string
  readonly host: string
  readonly images: readonly {readonly reference: string; readonly digest: string; readonly role: string}[]
}

/** Describes how other programs read a full bundle: as an OCI layout like any other. */
export function describeBundleReaders(place: () => Promise<BundlePlace>): void {
  describe('is read as what it is', () => {
    it('by oras: every image is listed, and copied with its digest', async () => {
      const {folder, bundle, host, images} = await place()
      const tags = (await runOras(folder, 'repo', 'tags', '--oci-layout', bundle)).trim().split('\n')
      expect(tags.sort()).toEqual(['bundle', ...images.map(({reference}) => reference)].sort())
      for (const [index, {digest, role}] of images.entries()) {
        const target = `${host}/oras/${index}:v1`
        const from = ['copy', '--from-oci-layout', `${bundle}@${digest}`]
        await runOras(folder, ...from, '--to-plain-http', target)
        expect((await runCrane(folder, 'digest', target)).trim()).toBe(digest)
        // The controller of the test has no configuration.
        if (role === 'package')
          expect(await runCrane(folder, 'validate', '--remote', target)).toContain('PASS')
      }
    })

    it('by crane: its layout is pushed and pulled with the same digests', async () => {
      const {folder, bundle, host, images} = await place()
      const [layout, target] = [join(folder, 'unpacked'), `${host}/crane/all:v1`]
      mkdirSync(layout)
      await runProgram('tar', ['-xf', bundle, '-C', layout], {cwd: folder})
      await runCrane(folder, 'push', '--index', 'unpacked', target)
      for (const {digest} of images) {
        const manifest = await runCrane(folder, 'manifest', `${host}/crane/all@${digest}`)
        expect(`sha256:${createHash('sha256').update(manifest).digest('hex')}`).toBe(digest)
      }
      await runCrane(folder, 'pull', '--format', 'oci', target, 'pulled')
      const pulled = readdirSync(join(folder, 'pulled/blobs/sha256'))
      expect(pulled).toEqual(expect.arrayContaining(images.map(({digest}) => digest.slice('sha256:'.length))))
    })
  })
}
