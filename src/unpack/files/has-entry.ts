import {Allowance} from '../../fetch/allowance.js'
import {ByteCursor} from '../../fetch/byte-cursor.js'
import type {Blob} from '../../fetch/image.js'
import {memberPath} from '../../fetch/member-path.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {tarEntries} from '../../fetch/tar-entries.js'
import {layerBytes} from './layer-bytes.js'

/**
 * Reports whether a layer of an image has one of the paths, from the image's root, as a file or link. The highest layer is
 * read first, and none below the one that has it. Whiteouts are not considered. Throws as reading layers does.
 */
export async function hasEntry(layers: readonly Blob[], paths: ReadonlySet<string>): Promise<boolean> {
  const unpacked = new Allowance(SOURCE_LIMITS.unpackedBytes, 'bytes, unpacked and with the other layers')
  const headers = new Allowance(SOURCE_LIMITS.tarHeaders, 'entries, with the other layers')
  for (const layer of layers.toReversed()) {
    const holder = `layer ${layer.descriptor.digest}`
    const cursor = new ByteCursor(layerBytes(layer, holder, unpacked, SOURCE_LIMITS))
    try {
      const bounds = {headers, headerBytes: SOURCE_LIMITS.tarHeaderBytes}
      for await (const {name, kind} of tarEntries(cursor, holder, bounds)) {
        if (kind !== 'directory' && paths.has(memberPath(name, holder).join('/'))) return true
      }
    } finally {
      await cursor.close()
    }
  }
  return false
}
