import {readSiteFile} from './site-files.js'
import type {SiteFile} from './site-model.js'

/** The files that every site has: its styles and scripts. */
const ASSETS = ['form-rules.js', 'form.js', 'site.css', 'site.js'] as const

/** Returns the files that every site has. */
export function siteAssets(): readonly SiteFile[] {
  return ASSETS.map(path => ({path, content: readSiteFile(path)}))
}
