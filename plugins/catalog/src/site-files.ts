import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

/** Reads a style or script of sites. In a bundle, another module is in the place of this one: scripts/bundle/site-files.mjs. */
export function readSiteFile(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../site/${name}`, import.meta.url)), 'utf8')
}
