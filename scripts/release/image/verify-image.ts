import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {basename} from 'node:path'
import {Readable} from 'node:stream'
import {buffer} from 'node:stream/consumers'
import {gunzipSync} from 'node:zlib'
import {extract} from 'tar-stream'
import {type Platform, platformName} from '../platforms.js'
import {isApplication, platformOfProgram} from '../program-header.js'
import type {Product} from '../sbom.js'
import {tarFiles} from '../tar-files.js'
import {PROGRAM} from './program-image.js'

interface Descriptor {
  readonly digest: string
  readonly platform?: {readonly os: string; readonly architecture: string}
  readonly annotations?: Readonly<Record<string, string>>
}

interface Manifest {
  readonly layers: readonly Descriptor[]
}

/** What an image must be. */
interface Expected {
  readonly product: Product
  readonly platforms: readonly Platform[]
}

/** Returns what is wrong with an OCI archive. */
export async function imageDiagnostics(
  path: string,
  {product, platforms}: Expected,
): Promise<readonly string[]> {
  const layout = await membersOf(readFileSync(path))
  const json = (name: string) => JSON.parse(Buffer.from(layout.get(name) ?? []).toString()) as unknown
  const blob = ({digest}: Descriptor) => blobPath(digest)
  const {manifests: tagged} = json('index.json') as {readonly manifests: readonly Descriptor[]}
  const index = tagged.find(
    each => each.annotations?.['org.opencontainers.image.ref.name'] === product.version,
  )
  if (index === undefined) return [`${basename(path)} has no image ${product.version}`]
  const {manifests} = json(blob(index)) as {readonly manifests: readonly Descriptor[]}
  const found = await Promise.all(
    platforms
      .filter(({os}) => os === 'linux')
      .map(async platform => {
        const listed = manifests.find(each => each.platform?.architecture === platform.arch)
        if (listed === undefined) return [`has no image for ${platformName(platform)}`]
        const {layers} = json(blob(listed)) as Manifest
        return await programDiagnostics(layout.get(blob(layers.at(-1) ?? listed)), platform)
      }),
  )
  return [...changedBlobs(layout), ...found.flat()].map(each => `${basename(path)} ${each}`)
}

/** Blobs with other bytes than their names say. */
function changedBlobs(layout: ReadonlyMap<string, Uint8Array>): readonly string[] {
  return [...layout]
    .filter(([name]) => name.startsWith('blobs/'))
    .filter(
      ([name, bytes]) => name !== blobPath(`sha256:${createHash('sha256').update(bytes).digest('hex')}`),
    )
    .map(([name]) => `has other bytes in ${name}`)
}

async function programDiagnostics(
  layer: Uint8Array | undefined,
  platform: Platform,
): Promise<readonly string[]> {
  const program = layer && (await tarFiles(gunzipSync(layer), [PROGRAM])).get(PROGRAM)
  if (program === undefined) return [`has no program for ${platformName(platform)}`]
  const actual = platformOfProgram(program) ?? 'an unknown platform'
  return [
    ...(actual === platformName(platform)
      ? []
      : [`has a program for ${actual} as ${platformName(platform)}`]),
    ...(isApplication(program) ? [] : [`has a program for ${platformName(platform)} without the bundle`]),
  ]
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`
}

async function membersOf(archive: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const members = new Map<string, Uint8Array>()
  for await (const entry of Readable.from([archive]).pipe(extract())) {
    const content = await buffer(entry)
    if (entry.header.type === 'file') members.set(entry.header.name, content)
  }
  return members
}
